// A row of many buttons that is one stop for the Tab key. Arrow keys go from button to button.

import { html } from "../dom.js";

/** @type {Record<string, number>} */
const BY = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * The buttons in rows, under one name. The button that had the focus last is the one that Tab
 * reaches.
 * @param {string} label
 * @param {string} row the class of each row
 * @param {HTMLButtonElement[][]} rows
 */
export function toolbar(label, row, rows) {
  const buttons = rows.flat();
  const element = html(
    "div",
    { role: "toolbar", "aria-label": label },
    ...rows.map((some) => html("div", { class: row }, ...some)),
  );
  /** @param {HTMLButtonElement | undefined} reached */
  const reach = (reached) => {
    for (const one of buttons) one.tabIndex = one === reached ? 0 : -1;
  };
  reach(buttons[0]);
  element.addEventListener("focusin", ({ target }) =>
    reach(buttons.find((one) => one === target) ?? buttons[0]),
  );
  element.addEventListener("keydown", (event) => {
    const at = buttons.findIndex((one) => one === event.target);
    const to = { Home: 0, End: buttons.length - 1 }[event.key] ?? at + (BY[event.key] ?? 0);
    if (at < 0 || to === at || !buttons[to]) return;
    event.preventDefault();
    buttons[to].focus();
  });
  return element;
}
