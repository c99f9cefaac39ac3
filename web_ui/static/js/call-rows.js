// Decides which rows the list of calls has. A flick whose call follows needs no row, because the
// call says who flicked. Flicks without a call are folded into one row. The row before the end of a
// turn also says that the turn is over.

import { evidenceOf } from "./look-again.js";

/** @import { Call, CallLine, CallRow } from "../../types/page" */

/** Lines that say only whose turn it is, and who flicked. */
const TURNS = new Set(["turn_began", "turn_ended", "flick_began"]);

/**
 * The rows of these lines, in their order. The newest flick has a row of its own until its call
 * comes, and a flick that `isMarked` always has one.
 * @param {CallLine[]} lines
 * @param {(line: CallLine) => boolean} isMarked
 * @returns {CallRow[]}
 */
export function rowsOf(lines, isMarked) {
  const owners = flicksOf(lines);
  const called = new Set([...owners.values()].filter((flick) => !isMarked(flick)));
  const newest = lines.findLast(isFlick);
  /** @param {CallLine} line */
  const folds = (line) => isFlick(line) && line !== newest && !isMarked(line);
  /** @type {CallRow[]} */
  const rows = [];
  /** @type {CallLine[]} */
  let quiet = [];
  const fold = () => {
    if (quiet.length) rows.push({ run: quiet });
    quiet = [];
  };
  for (const turn of turnsOf(lines)) {
    const shown = turn.filter((line) => !called.has(line));
    const isQuiet = shown.every((line) => folds(line) || (TURNS.has(line.call) && !isFlick(line)));
    if (isQuiet && shown.some(isFlick)) {
      quiet.push(...shown); // nothing was called in this turn
      continue;
    }
    fold();
    for (const line of shown) {
      if (folds(line)) {
        quiet.push(line);
        continue;
      }
      fold();
      const before = rows.at(-1);
      if (line.call === "turn_ended" && before && line !== shown[0] && !began(before))
        before.ends = line;
      else rows.push({ line, flick: owners.get(line) });
    }
    fold();
  }
  fold();
  return withPlayers(rows).map((row) =>
    row.run?.length === 1 ? { line: row.run[0], ends: row.ends } : row,
  );
}

/**
 * A row for each line of a run, except for the end of a turn, which the row before it shows.
 * @param {CallLine[]} run
 */
export function rowsOfRun(run) {
  /** @type {CallRow[]} */
  const rows = [];
  for (const line of run) {
    const before = rows.at(-1);
    if (line.call === "turn_ended" && before && !began(before)) before.ends = line;
    else rows.push({ line });
  }
  return rows;
}

/** @param {CallRow} row */
const began = ({ line }) => line?.call === "turn_began";

/** @param {CallLine} line */
export const isFlick = (line) => line.call === "flick_began";

/**
 * The flick to which each call belongs; calls that belong to no flick are left out.
 * @param {CallLine[]} lines
 * @returns {Map<CallLine, CallLine>}
 */
function flicksOf(lines) {
  const owners = new Map();
  /** @type {CallLine | null} */
  let flick = null;
  for (const line of lines) {
    if (isFlick(line)) flick = line;
    else if (flick && !TURNS.has(line.call) && line.call !== "unseen" && comesOf(line, flick))
      owners.set(line, flick);
  }
  return owners;
}

/**
 * Whether a call belongs to a flick: its evidence is from that flick, or it has no evidence, like a
 * call that is made when all is at rest.
 * @param {CallLine} line
 * @param {CallLine} flick
 */
function comesOf(line, flick) {
  const [shown, began] = [evidenceOf(line), evidenceOf(flick)];
  return !shown || !began?.flick || shown.flick === began.flick;
}

/**
 * The lines of each turn. The beginning of the first turn may be missing.
 * @param {CallLine[]} lines
 */
function turnsOf(lines) {
  /** @type {CallLine[][]} */
  const turns = [];
  for (const line of lines) {
    if (line.call === "turn_began" || !turns.length) turns.push([]);
    turns[turns.length - 1].push(line);
  }
  return turns;
}

/**
 * The rows, with who flicked in the first row of each flick whose calls do not say it.
 * @param {CallRow[]} rows
 */
function withPlayers(rows) {
  const told = new Set(
    rows.flatMap(({ line, flick }) =>
      line && flick && names(line.text, playerOf(flick)) ? [flick] : [],
    ),
  );
  return rows.map((row) => {
    if (!row.flick || told.has(row.flick)) return row;
    told.add(row.flick);
    return { ...row, who: playerOf(row.flick) };
  });
}

/**
 * Who flicked in each of these lines that is a flick.
 * @param {CallLine[]} lines
 */
export const playersOf = (lines) => lines.filter(isFlick).map(playerOf);

/** @param {CallLine | Call} line */
const playerOf = (line) => ("player" in line && line.player) || "somebody";

/**
 * Whether a sentence names a player; Ann is not named where Anna is.
 * @param {string} text
 * @param {string} player
 */
function names(text, player) {
  const quoted = player.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${quoted}(?![\\p{L}\\p{N}])`, "u").test(text);
}
