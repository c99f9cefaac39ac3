// Choices of points or spaces of a board by their two numbers.

import { html, present } from "../dom.js";

/** @import { Board, Choice, Point } from "../../../types/page" */

/**
 * @param {number} from
 * @param {number} to
 */
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
/**
 * @param {string} label
 * @param {(string | number)[]} values
 */
const choice = (label, values) =>
  html(
    "select",
    { "aria-label": label },
    ...values.map((value) => html("option", { value }, String(value))),
  );

/**
 * The choice of one point or space, or of none with `mayMiss`: {element, value()}.
 * @param {string} label
 * @param {Board} more
 * @param {boolean} mayMiss
 * @returns {Choice<Point | null>}
 */
export function placePick(label, { kind, width, height }, mayMiss) {
  const first = kind === "points" ? 0 : 1;
  const x = choice(`${label}: across`, [
    ...(mayMiss ? ["off the board"] : []),
    ...range(first, width),
  ]);
  const y = choice(`${label}: up`, range(first, height));
  const show = () => {
    y.hidden = x.value === "off the board";
  };
  x.addEventListener("change", show);
  show();
  /** @returns {Point | null} */
  const value = () => (x.value === "off the board" ? null : [Number(x.value), Number(y.value)]);
  return {
    element: html("label", { class: "pick" }, label, html("span", { class: "square-pick" }, x, y)),
    value,
  };
}

/**
 * The choice of several points or spaces in order: {element, value()}.
 * @param {string} label
 * @param {Board} board
 * @returns {Choice<Point[]>}
 */
export function listOfPlaces(label, board) {
  /** @type {Point[]} */
  const places = [];
  const told = html("p", { class: "spot-told", role: "status" });
  const next = placePick(label, board, false);
  const show = () => {
    told.textContent = places.length
      ? places.map((at) => at.join(",\u00a0")).join(" – ")
      : "None yet.";
  };
  /**
   * @param {string} words
   * @param {() => void} act
   */
  const button = (words, act) => {
    const made = html(
      "button",
      { class: "button button-plain", type: "button", "data-changes": true },
      words,
    );
    made.addEventListener("click", () => {
      act();
      show();
    });
    return made;
  };
  show();
  const buttons = html(
    "p",
    { class: "answers" },
    button("Add it", () => places.push(...present([next.value()]))),
    button("Remove the last", () => places.pop()),
  );
  return {
    element: html("div", { class: "square-list" }, next.element, buttons, told),
    value: () => places,
  };
}
