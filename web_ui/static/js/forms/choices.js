// Small forms of choices. Nobody has to type what can be chosen.

import { html } from "../dom.js";

/** @import { Child, Choice, Option, Point, Way } from "../../../types/page" */

let forms = 0;

/**
 * Choices side by side, one of which can be chosen. Each choice is [value, words or elements].
 * `taken` is chosen at the start.
 * @template T
 * @param {string} legend
 * @param {Option<T>[]} choices
 * @param {{ taken?: T; row?: string }} [how]
 * @returns {Choice<T> & { take: (one: T) => void }}
 */
export function chips(legend, choices, { taken = choices[0]?.[0], row = "chip-row" } = {}) {
  const { element, inputs } = fieldset(
    "radio",
    legend,
    choices,
    (value) => same(value, taken),
    row,
  );
  const take = (/** @type {T} */ one) => {
    const input = inputs[choices.findIndex(([value]) => same(value, one))];
    if (input) input.checked = true;
  };
  return { element, take, value: () => choices[inputs.findIndex(({ checked }) => checked)]?.[0] };
}

/**
 * Choices side by side, several of which can be chosen. Those in `taken` are chosen at the start.
 * @template T
 * @param {string} legend
 * @param {Option<T>[]} choices
 * @param {T[]} taken
 * @returns {Choice<T[]>}
 */
export function boxes(legend, choices, taken = []) {
  const isTaken = (/** @type {T} */ value) => taken.some((one) => same(one, value));
  const { element, inputs } = fieldset("checkbox", legend, choices, isTaken, "chip-row");
  return {
    element,
    value: () => choices.filter((_, i) => inputs[i].checked).map(([value]) => value),
  };
}

/**
 * @template T
 * @param {string} type
 * @param {string} legend
 * @param {Option<T>[]} choices
 * @param {(value: T) => boolean} isTaken
 * @param {string} row
 */
function fieldset(type, legend, choices, isTaken, row) {
  const name = `choice-${(forms += 1)}`;
  const inputs = choices.map(([value], i) =>
    html("input", { type, name, value: String(i), checked: isTaken(value) }),
  );
  const labels = choices.map(([, words], i) =>
    html("label", { class: "choice" }, inputs[i], ...[words].flat()),
  );
  const element = html(
    "fieldset",
    { class: "chips" },
    html("legend", {}, legend),
    html("div", { class: row }, ...labels),
  );
  return { element, inputs };
}

/**
 * Values with their words, as choices.
 * @template T
 * @param {T[]} values
 * @param {(value: T) => string} words
 * @returns {[T, string][]}
 */
export const worded = (values, words) => values.map((value) => [value, words(value)]);

/**
 * One of many choices in a drop-down list: {element, value()}. `taken` is chosen at the start.
 * @template T
 * @param {string} legend
 * @param {[T, string][]} choices
 * @param {T | undefined} taken
 * @returns {Choice<T>}
 */
export function pick(legend, choices, taken = choices[0]?.[0]) {
  const select = html(
    "select",
    {},
    ...choices.map(([value, words], i) =>
      html("option", { value: String(i), selected: same(value, taken) }, words),
    ),
  );
  return {
    element: html("label", { class: "pick" }, legend, select),
    value: () => choices[Number(select.value)][0],
  };
}

/**
 * @param {unknown} one
 * @param {unknown} other
 */
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** @type {Record<Way, Point>} */
export const WAYS = {
  n: [0, 1],
  ne: [1, 1],
  e: [1, 0],
  se: [1, -1],
  s: [0, -1],
  sw: [-1, -1],
  w: [-1, 0],
  nw: [-1, 1],
};
/** @type {Record<Way, string>} */
export const ARROWS = { n: "↑", ne: "↗", e: "→", se: "↘", s: "↓", sw: "↙", w: "←", nw: "↖" };
/** @type {Record<Way, string>} */
export const LAWN_WORDS = {
  n: "up",
  ne: "up and right",
  e: "right",
  se: "down and right",
  s: "down",
  sw: "down and left",
  w: "left",
  nw: "up and left",
};
/** @type {Way[]} */
export const ROUND = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
/** @type {Way[]} */
export const ACROSS = ["n", "e", "s", "w"];
/** @type {Partial<Record<Way, string>>} */
export const BOARD_WORDS = { n: "north", e: "east", s: "south", w: "west" };

/**
 * The direction turned to the right by `by` times 45 degrees.
 * @param {Way} way
 * @param {number} by
 */
export const turned = (way, by) => ROUND[(ROUND.indexOf(way) + by + 8) % 8];

/**
 * A direction and those 45 degrees to either side, the left one first.
 * @param {Way} way
 * @returns {[Way, Way, Way]}
 */
export const beside = (way) => [turned(way, -1), way, turned(way, 1)];

/**
 * One of the eight directions, laid out as they lie on the lawn.
 * @param {string} legend
 */
export const compass = (legend) =>
  chips(
    legend,
    ROUND.map((way) => [
      way,
      [
        html("span", { class: "arrow", "aria-hidden": "true" }, ARROWS[way]),
        html("span", { class: "unseen" }, LAWN_WORDS[way]),
      ],
    ]),
    { row: "compass" },
  );

/**
 * Directions by arrow and word.
 * @param {Way[]} names
 * @param {Partial<Record<Way, string>>} words
 * @returns {[Way, Child[]][]}
 */
export const ways = (names, words = LAWN_WORDS) =>
  names.map((way) => [
    way,
    [html("span", { class: "arrow", "aria-hidden": "true" }, ARROWS[way]), words[way]],
  ]);
