// Keeps what people chose and have not sent yet when a part of the page is drawn again, so that
// they send what they chose.

import { focusPinned } from "../dom.js";

/** @import { Field } from "../../../types/page" */

const sent = new WeakMap();

/**
 * Let `draw` fill the section again. Choices and unfolded parts are kept where exactly the same is
 * asked again.
 * @param {HTMLElement} section
 * @param {() => void} draw
 */
export function keepingChoices(section, draw) {
  const opened = foldsOf(section)
    .filter((fold) => fold.open && !sent.has(fold))
    .map(titleOf);
  const before = fieldsOf(section);
  const kept = [...before]
    .filter(([, field]) => isChosen(field) && sent.get(field) !== valueOf(field))
    .map(([name, field]) => /** @type {[string, string | boolean]} */ ([name, valueOf(field)]));
  const focused = [...before].find(([, field]) => field === document.activeElement)?.[0];
  draw();
  // looked up one by one, because a choice can add further fields
  for (const [name, value] of kept) choose(fieldsOf(section).get(name), value);
  foldsOf(section)
    .filter((fold) => opened.includes(titleOf(fold)))
    .forEach((fold) => {
      fold.open = true;
    });
  if (focused) focusPinned(fieldsOf(section).get(focused));
}

/**
 * What was chosen in this section was written. Clear the choices and close the folds, except those
 * that are marked to stay.
 * @param {HTMLElement} section
 */
export function wasSent(section) {
  fieldsOf(section).forEach((field) => sent.set(field, valueOf(field)));
  foldsOf(section)
    .filter((fold) => !("stays" in fold.dataset))
    .forEach((fold) => sent.set(fold, true));
}

/**
 * Whether something is chosen in this section and not sent yet.
 * @param {HTMLElement} section
 */
export const isChoosing = (section) =>
  [...fieldsOf(section).values()].some(
    (field) => field.checkVisibility() && isChosen(field) && sent.get(field) !== valueOf(field),
  );

/** @param {HTMLElement} section */
const foldsOf = (section) => [...section.querySelectorAll("details")];
/** @param {HTMLElement} fold */
const titleOf = (fold) => fold.querySelector("summary")?.textContent;
/**
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
const isBox = (field) => field.type === "radio" || field.type === "checkbox";
/** @param {Field} field */
const valueOf = (field) => (isBox(field) ? field.checked : field.value);

/**
 * The fields of a section, by their question and all possible answers. With other answers it is
 * another question.
 * @param {HTMLElement} section
 * @returns {Map<string, Field>}
 */
function fieldsOf(section) {
  const fields = new Map();
  const title = section.querySelector("h2.side-title");
  /** @type {NodeListOf<Field>} */
  const found = section.querySelectorAll("select, input");
  for (const field of found) {
    const around = [
      title,
      field.closest("details")?.querySelector(":scope > summary:not(.side-title)"),
      field.closest("fieldset"),
      field.closest("label"),
      field,
    ];
    const asks = [field.type, field.ariaLabel, ...around.map((one) => one?.textContent)].join("\n");
    let name = asks;
    for (let again = 2; fields.has(name); again += 1) name = `${asks}\n${again}`;
    fields.set(name, field);
  }
  return fields;
}

/**
 * Whether something other than the proposal is chosen. Of several radio buttons, only the one that
 * is chosen can be so.
 * @param {Field} field
 */
function isChosen(field) {
  if (field instanceof HTMLSelectElement) {
    const proposed = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(0, proposed);
  }
  if (field.type === "radio") return field.checked && !field.defaultChecked;
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}

/**
 * @param {Field | undefined} field
 * @param {string | boolean} value
 */
function choose(field, value) {
  if (!field || valueOf(field) === value) return;
  if (typeof value === "string") field.value = value;
  else if (isBox(field)) field.checked = value;
  const kind = isBox(field) || field.tagName === "SELECT" ? "change" : "input";
  field.dispatchEvent(new Event(kind, { bubbles: true }));
}
