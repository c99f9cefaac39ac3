// What is new since the page was opened: calls, irregularities and questions that nobody has heard
// yet. Everything in the first state, and in the state after a lost connection, is old.

/** @import { Call, News, Topics } from "../../types/page" */

/** @type {Record<string, string>} */
const SOUNDS = {
  wicket_scored: "step",
  endpost_scored: "step",
  gate_scored: "step",
  door_scored: "step",
  tower_scored: "step",
  knocked_on: "step",
  hoop_run: "step",
  stake_scored: "step",
  pegged: "step",
  pegged_out: "step",
  staked_out: "step",
  coin_pocketed: "step",
  finished: "step",
  hit_scored: "hit",
  croquet_earned: "hit",
  roquet: "hit",
  off_table: "foul",
  killed: "foul",
  striker_pocketed: "foul",
  penalty: "foul",
  misshot: "foul",
  disaster: "foul",
  out_of_lawn: "foul",
  boundary: "foul",
  illegal_entry: "foul",
  illegal_move: "foul",
  game_won: "win",
};
const SILENT = new Set(["flick_began", "turn_ended"]);
/** Of several sounds at once, the first of these is heard. */
const ORDER = ["win", "question", "foul", "step", "hit"];
/** @type {Set<string>} */
const heard = new Set();

/**
 * The texts of new calls and the sound for them; null where nothing is new. Calls are recognised by
 * their entries, so a call that a correction of names has reworded is not new.
 * @param {Topics} state
 * @param {boolean} whole whether all of the state is new
 * @returns {News | null}
 */
export function newsIn(state, whole) {
  if (whole) heard.clear();
  const { calls, irregularities } = state;
  const fresh = unheard(calls ?? [], ({ on, call, coin, with: other, place }) => [
    on,
    call,
    coin,
    other,
    place,
  ]);
  const odd = unheard(irregularities ?? [], ({ on, what, coin }) => ["odd", on, what, coin]);
  const asked = unheard(questionsIn(state), (question) => question);
  if (whole || !(fresh.length || odd.length || asked.length)) return null;
  const sounds = [...fresh.map(soundOf), ...odd.map(() => "foul"), ...asked.map(() => "question")];
  return {
    texts: fresh.filter(({ call }) => !SILENT.has(call)).map(({ text }) => text),
    sound: ORDER.find((sound) => sounds.includes(sound)),
  };
}

/** @param {Topics} of */
const questionsIn = ({ standing, castle, naming, missing }) => [
  ...(standing?.questions ?? []).map(({ on, what, other }) => ["asks", on, what, other]),
  ...(naming?.coins ?? []).map(({ id }) => ["naming", id]),
  ...(missing ? [["missing", ...missing.coins]] : []),
  ...(castle ? [["castle"]] : []),
];

/**
 * The items after the last one that was heard; they count as heard from now on. Earlier items that
 * the page fetched only now, or that a ruling has changed, are not new.
 * @template T
 * @param {T[]} list
 * @param {(one: T) => unknown} nameOf
 */
function unheard(list, nameOf) {
  /** @type {string[]} */
  const names = [];
  while (names.length < list.length) {
    /** @type {string} */
    const name = JSON.stringify(nameOf(list[list.length - 1 - names.length]));
    if (heard.has(name)) break;
    names.push(name);
  }
  names.forEach((name) => heard.add(name));
  return list.slice(list.length - names.length);
}

/** @param {Call} of */
const soundOf = ({ call, flicks }) => SOUNDS[call] ?? ((flicks ?? 0) < 0 ? "foul" : "");
