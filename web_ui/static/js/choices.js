// Small forms of choices: nothing is typed where what can be chosen is known.

import { html } from "./dom.js";

let forms = 0;

/**
 * Choices side by side, of which one is taken, or several (`many`): {element, value(),
 * take(value)}, the value that of the one taken, else the values.
 * Each choice is [value, words or elements]; `taken` are chosen from the start.
 */
export function chips(
  legend,
  choices,
  { many = false, taken = [choices[0]?.[0]], row = "chip-row" } = {},
) {
  const name = `choice-${(forms += 1)}`;
  const inputs = choices.map(([value], i) =>
    html("input", {
      type: many ? "checkbox" : "radio",
      name,
      value: String(i),
      checked: taken.some((one) => same(one, value)),
    }),
  );
  const element = html(
    "fieldset",
    { class: "chips" },
    html("legend", {}, legend),
    html(
      "div",
      { class: row },
      ...choices.map(([, words], i) =>
        html("label", { class: "choice" }, inputs[i], ...[words].flat()),
      ),
    ),
  );
  const values = () => choices.filter((_, i) => inputs[i].checked).map(([value]) => value);
  const take = (one) => {
    inputs[choices.findIndex(([value]) => same(value, one))].checked = true;
  };
  return { element, take, value: () => (many ? values() : values()[0]) };
}

/** One of many choices, folded up: {element, value()}; `taken` is chosen from the start. */
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

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

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
export const ARROWS = { n: "↑", ne: "↗", e: "→", se: "↘", s: "↓", sw: "↙", w: "←", nw: "↖" };
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
export const BOARD_WORDS = { n: "north", e: "east", s: "south", w: "west" };
const ROUND = Object.keys(WAYS);

/** The direction `by` times 45 degrees to the right. */
export const turned = (way, by) => ROUND[(ROUND.indexOf(way) + by + 8) % 8];

/** A direction and those 45 degrees to either side, the left one first. */
export const beside = (way) => [turned(way, -1), way, turned(way, 1)];

/** One of the eight directions, laid out as they lie on the lawn. */
export const compass = (legend) =>
  chips(
    legend,
    Object.keys(WAYS).map((way) => [
      way,
      [
        html("span", { class: "arrow", "aria-hidden": "true" }, ARROWS[way]),
        html("span", { class: "unseen" }, LAWN_WORDS[way]),
      ],
    ]),
    { row: "compass" },
  );

/** Directions by arrow and word. */
export const ways = (names, words = LAWN_WORDS) =>
  names.map((way) => [
    way,
    [html("span", { class: "arrow", "aria-hidden": "true" }, ARROWS[way]), words[way]],
  ]);
