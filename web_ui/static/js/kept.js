// What people chose and have not sent yet stays chosen when a part of the page is drawn anew, so
// that what they send is what they chose.

const sent = new WeakMap();

/**
 * Let `draw` fill the section anew: what was chosen or unfolded there stays so wherever the very
 * same is asked.
 */
export function keepingChoices(section, draw) {
  const opened = foldsOf(section)
    .filter((fold) => fold.open && !sent.has(fold))
    .map(titleOf);
  const before = fieldsOf(section);
  const kept = [...before]
    .filter(([, field]) => isChosen(field) && sent.get(field) !== valueOf(field))
    .map(([name, field]) => [name, valueOf(field)]);
  const focused = [...before].find(([, field]) => field === document.activeElement)?.[0];
  draw();
  // looked up one by one: a choice can bring further ones
  for (const [name, value] of kept) choose(fieldsOf(section).get(name), value);
  foldsOf(section)
    .filter((fold) => opened.includes(titleOf(fold)))
    .forEach((fold) => {
      fold.open = true;
    });
  fieldsOf(section).get(focused)?.focus();
}

/**
 * What was chosen in this section is written: it need not stay chosen, nor a fold open, unless that
 * is marked to stay.
 */
export function wasSent(section) {
  fieldsOf(section).forEach((field) => sent.set(field, valueOf(field)));
  foldsOf(section)
    .filter((fold) => !("stays" in fold.dataset))
    .forEach((fold) => sent.set(fold, true));
}

const foldsOf = (section) => [...section.querySelectorAll("details")];
const titleOf = (fold) => fold.querySelector("summary").textContent;
const isBox = ({ type }) => type === "radio" || type === "checkbox";
const valueOf = (field) => (isBox(field) ? field.checked : field.value);

/**
 * The fields of a section, each by what it asks, with all that can be answered: where that is
 * another, so is the question.
 */
function fieldsOf(section) {
  const fields = new Map();
  const title = section.querySelector("h2.side-title");
  for (const field of section.querySelectorAll("select, input")) {
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
 * Whether something else than proposed is chosen. Of several choices side by side the one that is
 * taken counts.
 */
function isChosen(field) {
  if (field.type === "radio") return field.checked && !field.defaultChecked;
  if (field.type === "checkbox") return field.checked !== field.defaultChecked;
  if (field.tagName === "SELECT")
    return (
      field.selectedIndex !==
      Math.max(
        0,
        [...field.options].findIndex(({ defaultSelected }) => defaultSelected),
      )
    );
  return field.value !== field.defaultValue;
}

function choose(field, value) {
  if (!field || valueOf(field) === value) return;
  if (isBox(field)) field.checked = value;
  else field.value = value;
  field.dispatchEvent(
    new Event(isBox(field) || field.tagName === "SELECT" ? "change" : "input", { bubbles: true }),
  );
}
