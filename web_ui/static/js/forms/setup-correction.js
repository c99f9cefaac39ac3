// The form with which a ruling corrects the setup: the players' names, and the options.

import { html } from "../dom.js";
import { asked } from "../server.js";
import { weighedForm } from "./ruling-form.js";
import { inWords, placeName } from "../words.js";

/** @import { OptionOffered, SetupShown } from "../../../types/page" */

/**
 * The form, folded away. It is loaded when it is opened, and closed when the ruling is `written`.
 */
export function beginningBox() {
  const summary = html("summary", {}, "Correct names or options");
  const box = html("details", { class: "rule-more beginning" }, summary);
  box.addEventListener("toggle", async () => {
    if (!box.open) return;
    const told = await asked("/beginning").catch(() => null);
    box.replaceChildren(
      summary,
      told
        ? form(told, () => {
            box.open = false;
          })
        : html("p", { class: "look-wait" }, "The referee could not be reached."),
    );
  });
  return box;
}

/**
 * @param {SetupShown} of
 * @param {() => void} written
 */
function form({ players, options }, written) {
  const names = players.map((name, i) =>
    html("input", {
      value: name,
      required: true,
      maxlength: 200,
      autocomplete: "off",
      "aria-label": `Name of player ${i + 1}`,
    }),
  );
  const picks = options.map((option) => ({ ...option, select: choice(option) }));
  const fields = [
    ...names.map((input, i) => html("label", { class: "rule-field" }, `Player ${i + 1}: `, input)),
    ...picks.map(({ name, meaning, select }) =>
      html(
        "label",
        { class: "pick" },
        html("span", {}, html("b", {}, placeName(name).replaceAll("_", " ")), `: ${meaning}`),
        select,
      ),
    ),
  ];
  const changed = () =>
    picks
      .map(({ name, value, choices, select }) => [name, value, choices[Number(select.value)]])
      .filter(([, was, is]) => is !== was);
  const setup = () => ({
    names: names.map(({ value }) => value),
    options: Object.fromEntries(changed().map(([name, , is]) => [name, is])),
  });
  return weighedForm(
    "Correct the setup",
    fields,
    () => ({ on: "setup", verdict: "replaced", setup: setup() }),
    written,
  );
}

/** @param {OptionOffered} of */
const choice = ({ value, choices }) =>
  html(
    "select",
    {},
    ...choices.map((one, i) =>
      html("option", { value: String(i), selected: one === value }, inWords(one)),
    ),
  );
