// What is expected next, in the words of each game: first what must be done on the table, then what
// the player does.

import { gameCalled } from "./games/games.js";
import { listed, listedOr, pieceName, placeName } from "./words.js";

/** @import { AnyRow, AnyStanding, AnyTurn, Lie, Task } from "../../types/page" */

/** @type {Record<string, string>} */
const TASKS = { place: "place", lift: "take away", restore: "put back" };

/**
 * What comes next, as {now, next}: what must be done, and the next step of the course. Either may
 * be empty. `offered` says that the page shows buttons for the declarations.
 * @param {AnyStanding} standing
 * @param {Record<string, Lie>} lying
 * @param {boolean} offered
 */
export function expectedNext(standing, lying, offered = false) {
  const { turn, standings, game } = standing;
  const row = standings.find(
    ({ player, pawn }) => player === turn.player && (!turn.pawn || pawn === turn.pawn),
  ) ?? { player: turn.player };
  return {
    now:
      tasks(turn, row, lying, standing) ||
      (EXPECTED[turn.expects]?.(turn, standing, offered) ?? ""),
    next: nextPlace(row, game),
  };
}

/**
 * @param {AnyRow} row
 * @param {string} game
 */
function nextPlace(row, game) {
  const own = gameCalled(game)?.nextPlace;
  if (own) return own(row);
  return row.next ? `${placeName(row.next)}${row.label ? ` (${row.label})` : ""}` : "";
}

/**
 * @param {AnyTurn} turn
 * @param {Partial<AnyRow>} row
 * @param {Record<string, Lie>} lying
 * @param {AnyStanding} standing
 */
function tasks(turn, row, lying, standing) {
  const back = Object.entries(turn.restore ?? {}).map(([coin, at]) =>
    at
      ? `put ${pieceName(coin, standing)} back where it lay`
      : `take ${pieceName(coin, standing)} away`,
  );
  const todo = (turn.before_flick ?? []).filter((task) => task.do in TASKS);
  const entering = row.state === "not_entered" && todo.length === 1 && todo[0].coin === row.coin;
  if (entering && !back.length)
    return lying[row.coin ?? ""]?.at_mm
      ? "Flick."
      : "Place the coin between the left endpost and wicket 1, then flick.";
  const answer = (turn.before_flick ?? []).some((task) => task.do === "answer")
    ? ["answer the question"]
    : [];
  const all = [...back, ...merged(todo, standing), ...answer];
  return all.length ? `First ${listed(all)}.` : "";
}

/**
 * @param {Task[]} todo
 * @param {AnyStanding} standing
 */
function merged(todo, standing) {
  return Object.keys(TASKS).flatMap((kind) => {
    const some = todo
      .filter((task) => task.do === kind)
      .map(
        (task) =>
          (task.coin ? pieceName(task.coin, standing) : `the tile ${placeName(task.tile)}`) +
          whereTo(task, standing),
      );
    const [last = "", ...others] = some.reverse();
    const more = others.length ? `${others.reverse().join(", ")}, and ` : "";
    return last ? [`${TASKS[kind]} ${more}${last}`] : [];
  });
}

/**
 * @param {Task} task
 * @param {AnyStanding} standing
 */
function whereTo({ why, beside, on, exit_mm: left, back_mm: lay }, standing) {
  const known = gameCalled(standing.game)?.goesTo?.[why ?? ""];
  if (known) return known;
  if (beside || on)
    return ` ${beside ? "beside" : "on"} the ${placeName(beside ?? on).replace(" ", " of ")}`;
  return left ? " back where it left the table" : lay ? " back where it lay" : "";
}

/** @type {Record<string, string>} */
const DICE = { "die-1": "the first die", "die-2": "the second die" };
/** @type {Record<string, string>} */
const ROLLS = {
  shot: "the shot",
  direction: "the direction",
  hoop: "the hoop",
  croquet: "the croquet",
  follow: "the follow-through",
  peg: "the peg",
};

/**
 * @type {Record<string, (turn: AnyTurn, standing: AnyStanding, offered: boolean) => string>}
 */
const EXPECTED = {
  rest: () => "Waiting until everything is still.",
  flick: (turn, standing, offered) =>
    gameCalled(standing.game)?.flick?.(turn, standing, offered) ?? "",
  roll: ({ roll }) => {
    if (!Array.isArray(roll)) return `Roll for ${ROLLS[roll ?? ""] ?? placeName(roll)}.`;
    return roll.length > 1 ? "Roll both dice." : `Roll ${DICE[roll[0]] ?? placeName(roll[0])}.`;
  },
  move: ({ dice, options }) => {
    const shown = listed(Object.values(dice ?? {}).map(String));
    const pass = sayable(options).includes("pass") ? ", or pass" : "";
    return `Move by the dice${shown && `: ${shown}`}${pass}.`;
  },
  choice: ({ options }) => `Choose: ${listedOr(sayable(options))}.`,
  croquet: ({ croquet }) => `Announce the croquet${croquet ? ` of ${pieceName(croquet)}` : ""}.`,
  shot: ({ shot }) =>
    shot
      ? `Announce the ${placeName(shot)} shot.`.replace("shot shot", "shot")
      : "Announce a shot.",
  continuation: () => "Announce the continuation shot.",
  disaster: ({ decides }) => `${decides ?? "The opponent"} decides about the disaster.`,
  place: ({ places }) =>
    places
      ? `Place the ball on ${listedOr(places.map((at) => at.join(", ")))}.`
      : "Place the piece.",
};

/**
 * The names of the declarations that are possible now, where the turn lists them by name.
 * @param {AnyTurn["options"]} options
 */
const sayable = (options) => (Array.isArray(options) ? options : []);
