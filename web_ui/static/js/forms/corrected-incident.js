// The form for what really happened instead of what was seen: another coin, another line, another
// face of the die, chosen among those of the match.

import { worded } from "./choices.js";
import { html } from "../dom.js";
import { gameCalled } from "../games/games.js";
import { pieceName, placeName, placeWords, wayName } from "../words.js";

/**
 * @import {
 *   AnyStanding, Choice, Correction, Evidence, Fields, Pieces, RulingState, TableTopic
 * } from "../../../types/page"
 */

/** @type {Record<string, (keyof Correction)[]>} */
const KINDS = {
  flicked: ["coin"],
  line_crossed: ["coin", "line", "direction"],
  contact: ["coin", "with"],
  left_table: ["coin"],
  pocketed: ["coin", "pocket"],
  rolled: ["face"],
};
/** @type {Record<string, string>} */
export const WORDS = {
  coin: "Coin",
  line: "Line",
  direction: "Direction",
  with: "What it hit",
  pocket: "Pocket",
  face: "What the die showed",
};
const POSTS = ["left-endpost", "right-endpost"];
const FACES = ["null", "ace", "2", "3", "4", "5"];

/**
 * Choices for the fields that may have been different: {element, value()}. The value holds only the
 * changed fields. Null where there is nothing to choose.
 * @param {Partial<Evidence>} shown
 * @param {RulingState} more
 * @param {string[]} coins
 * @returns {Choice<Correction> | null}
 */
export function insteadOf(shown, { match, standing, table }, coins) {
  const choices = choicesFor(match?.game ?? "", coins, table, shown);
  /** @type {Fields} */
  const seen = { ...shown };
  const fields = (KINDS[shown.kind ?? ""] ?? [])
    .filter((name) => choices[name].some((value) => value !== seen[name]))
    .map((name) => field(name, choices[name], seen[name], standing));
  if (!fields.length) return null;
  const value = () =>
    Object.fromEntries(
      fields
        .map(({ name, select }) => [name, JSON.parse(select.value)])
        .filter(([name, one]) => one !== null && one !== seen[name]),
    );
  return {
    element: html("div", { class: "rule-instead" }, ...fields.map(({ element }) => element)),
    value,
  };
}

/**
 * The values that each field of an entry may have, in the order of the course.
 * @param {string} game
 * @param {string[]} coins
 * @param {TableTopic | null | undefined} table
 * @param {Partial<Evidence>} rest
 * @returns {Record<string, (string | number)[]>}
 */
export function choicesFor(game, coins, table, { kind, die, coin }) {
  const all = (kind !== "flicked" && gameCalled(game)?.coins) || coins;
  const lines = Object.keys(table?.lines ?? {});
  const places = [
    ...POSTS,
    ...Object.keys(table?.tiles ?? {}).filter((name) => name.startsWith("tower-")),
  ].filter((name) => name in (table?.tiles ?? {}));
  return {
    coin: all,
    line: lines.filter((name) => !name.startsWith("pocket-")),
    pocket: lines.filter((name) => name.startsWith("pocket-")),
    direction: gameCalled(game)?.ways ?? [],
    with: [...all.filter((one) => one !== coin), ...places],
    face: die === "roll" ? FACES : [1, 2, 3, 4, 5, 6],
  };
}

/**
 * @param {string} name
 * @param {(string | number)[]} values
 * @param {unknown} seen
 * @param {AnyStanding | null | undefined} standing
 */
function field(name, values, seen, standing) {
  const known = values.some((value) => value === seen);
  /** @type {[string | number | null, string][]} */
  const options = worded(values, (value) => inWords(name, value, standing));
  if (!known) options.unshift([null, "as the camera saw it"]);
  const select = html(
    "select",
    { "aria-label": WORDS[name] },
    ...options.map(([value, words]) =>
      html("option", { value: JSON.stringify(value), selected: known && value === seen }, words),
    ),
  );
  return {
    name,
    select,
    element: html("label", { class: "rule-field" }, `${WORDS[name]}: `, select),
  };
}

/**
 * A field's value in the words of the game's players.
 * @param {string} name
 * @param {string | number} value
 * @param {Pieces | null | undefined} standing
 */
export function inWords(name, value, standing) {
  const text = String(value);
  if (name === "coin" || (name === "with" && !/-endpost$|^tower-/.test(text)))
    return pieceName(text, standing);
  if (name === "face") return text === "null" ? "blank" : text;
  if (name === "direction") return wayName(text);
  return name === "pocket" ? placeName(text) : placeWords(text);
}
