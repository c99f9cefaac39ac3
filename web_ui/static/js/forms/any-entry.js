// The form with which a ruling adds a missed entry: any incident or declaration of the game, made
// from choices.

import { ACROSS, BOARD_WORDS, LAWN_WORDS, ROUND, boxes, chips, pick, worded } from "./choices.js";
import { html, present } from "../dom.js";
import { gameCalled } from "../games/games.js";
import { WORDS, choicesFor, inWords } from "./corrected-incident.js";
import { spotPicker } from "./place-picker.js";
import { listOfPlaces, placePick } from "./board-places.js";
import { weighedForm } from "./ruling-form.js";
import { coinChoice } from "./coin-choices.js";
import { pieceName } from "../words.js";

/**
 * @import {
 *   Choice, Correction, EntryField, Evidence, FieldNeeds, Fields, InItsPlace, Missed, OfAField,
 *   RulingState, TableTopic
 * } from "../../../types/page"
 */

/** @type {Record<string, string>} */
const LABELS = {
  ...WORDS,
  at_mm: "Where",
  touching: "Coins that it lay against before the flick",
  option: "Which option",
  player: "Player",
  walls: "Lines",
  die: "Die",
  pawn: "Ball",
  from: "From",
  to: "To",
  path: "Spaces that the ball enters, in order",
  route: "The ball's route, without its start",
  distance: "Steps",
  follow_direction: "The player's own ball goes",
  own_direction: "The player's own ball goes",
  at: "Where the ball stops",
};
/** @type {EntryField[]} */
const NOWHERE = ["at_mm", "from"];

/**
 * The form: which entry was missed, who decides, and what the ruling would change before it is
 * written.
 * @param {string} on
 * @param {RulingState} state
 * @param {string[]} coins
 * @param {() => void} done
 */
export function addForm(on, state, coins, done) {
  const what = anyEntry("What did the referee miss?", state, coins);
  return weighedForm(
    `Add after ${on}`,
    what.elements,
    () => ({ on, verdict: "added", ...what.value() }),
    done,
  );
}

/**
 * Any entry of the game, made from choices: {elements, value()}. `value()` returns the part of a
 * ruling that holds the entry: {told}. Where something was `seen`, its kind comes first. With
 * `instead`, only the fields that were different can be chosen, and it returns {instead}.
 * @param {string} question
 * @param {RulingState} state
 * @param {string[]} coins
 * @param {Partial<Evidence>} seen
 * @param {Choice<Correction> | null} instead
 */
export function anyEntry(question, state, coins, seen = {}, instead = null) {
  const kinds = gameCalled(state.match?.game)?.missed ?? [];
  const what = pick(
    question,
    worded(kinds, ([words]) => words),
    kinds.find((kind) => isLike(kind, seen)),
  );
  const place = html("div", { class: "rule-instead" });
  /** @type {() => InItsPlace} */
  let value = () => ({});
  const choose = () => {
    const kind = what.value();
    /** @type {{ elements: HTMLElement[]; value: () => InItsPlace }} */
    const chosen =
      instead && isLike(kind, seen)
        ? { elements: [instead.element], value: () => ({ instead: instead.value() }) }
        : fieldsOf(kind, state, coins, seen);
    value = chosen.value;
    place.replaceChildren(...chosen.elements);
  };
  what.element.addEventListener("change", choose);
  choose();
  return { elements: [what.element, place], value: () => value() };
}

/**
 * Whether an entry of this kind is like the one that was seen. A kind that says that something has
 * no place is only like an entry without a place.
 * @param {Missed} of
 * @param {Partial<Evidence>} seen
 * @param {Fields} [known] what was seen, field by field
 * @returns {boolean}
 */
const isLike = ([, fixed], seen, known = /** @type {Fields} */ ({ ...seen })) =>
  fixed.entry === (seen.entry ?? "incident") &&
  fixed.kind === seen.kind &&
  NOWHERE.every((name) => (fixed[name] === null) === (known[name] === null));

/**
 * @param {Missed} of
 * @param {RulingState} more
 * @param {string[]} coins
 * @param {Partial<Evidence>} seen
 */
function fieldsOf([, fixed, wanted], { match, standing, table }, coins, seen) {
  if (!match || !standing || !table) return { elements: [], value: () => ({}) };
  const choices = choicesFor(match.game, coins, table, {
    kind: fixed.kind,
    die: gameCalled(match.game)?.dice?.[0],
  });
  const needs = { choices, coins, match, standing, table, seen: { ...seen } };
  const fields = Object.entries(wanted).map(
    ([name, how]) => /** @type {[string, OfAField]} */ ([name, fieldOf(name, how, needs)]),
  );
  const value = () => {
    const values = Object.fromEntries(fields.map(([name, field]) => [name, field.value()]));
    return {
      told: fixed.kind === "disaster" ? { ...fixed, choice: values } : { ...fixed, ...values },
    };
  };
  return { elements: present(fields.map(([, { element }]) => element)), value };
}

/**
 * @template T
 * @param {string} name
 * @param {T[]} values
 * @param {(value: T) => string} [words]
 * @param {unknown} [taken]
 */
const select = (name, values, words = String, taken = null) =>
  pick(
    LABELS[name],
    values.map((value) => [value, words(value)]),
    values.find((value) => value === taken) ?? values[0],
  );
/** @param {number} most */
const numbers = (most) => Array.from({ length: most }, (_, i) => i + 1);

/**
 * @param {string} name
 * @param {string} how
 * @param {FieldNeeds} rest
 * @returns {OfAField}
 */
function fieldOf(name, how, { choices, coins, match, standing, table, seen }) {
  if (how.startsWith("=")) return { element: null, value: () => how.slice(1) };
  const label = LABELS[name];
  const pawns = present(standing.standings.map(({ pawn }) => pawn));
  /** @type {Record<string, () => OfAField>} */
  const makers = {
    spot: () => spotPicker(table, { own: true }),
    coins: () =>
      boxes(
        label,
        coins.map((coin) => [coin, coinChoice(coin, standing)]),
      ),
    "1 to 4": () => select(name, numbers(4), String, seen[name]),
    "1 to 5": () => select(name, numbers(5), String, seen[name]),
    player: () =>
      select(name, [...new Set(match.players.map((player) => player.name))], String, seen[name]),
    walls: () =>
      boxes(label, [
        ["N", "north"],
        ["E", "east"],
        ["S", "south"],
        ["W", "west"],
      ]),
    die: () => select(name, gameCalled(match.game)?.dice ?? [], (die) => DICE[die] ?? die),
    pawn: () => select(name, pawns, (pawn) => pieceName(pawn), seen.pawn),
    place: () => placePick(label, boardOf(table), false),
    "place or none": () => placePick(label, boardOf(table), true),
    places: () => listOfPlaces(label, boardOf(table)),
    special: () =>
      select(
        name,
        pawns.flatMap((pawn) => gameCalled(match.game)?.specialShots?.(pawn) ?? []),
      ),
    way: () => select(name, ROUND, (way) => LAWN_WORDS[way]),
    side: () => select(name, ACROSS, (way) => BOARD_WORDS[way] ?? way),
    with: () =>
      select(name, [...choices.with.slice(1), choices.with[0]], (value) =>
        inWords(how, value, standing),
      ), // a coin does not hit itself
    steps: () => select(name, numbers(12)),
  };
  return (
    makers[how] ??
    (() => select(name, choices[how], (value) => inWords(how, value, standing), seen[name]))
  )();
}

/** @type {Record<string, string>} */
const DICE = { roll: "the die", "die-1": "the first", "die-2": "the second" };

/** @param {TableTopic} table */
function boardOf({ board }) {
  if (!board) throw new Error("This game has no board.");
  return board;
}
