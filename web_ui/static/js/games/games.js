// The games that the page knows.

import { CARROMS } from "./carroms.js";
import { CASTLE_CROQUETNOLE } from "./castle-croquetnole.js";
import { PIECEPACK_CROQUET } from "./piecepack-croquet.js";
import { TABLETOP_CROQUET } from "./tabletop-croquet.js";
import { WICKETS_NINE, WICKETS_SIX } from "./wickets.js";
import { placeName } from "../words.js";

/** @import { OfAGame, TableTopic, Telling } from "../../../types/page" */

/** @type {Record<string, OfAGame>} */
const GAMES = {
  "tabletop-croquet": TABLETOP_CROQUET,
  "castle-croquetnole": CASTLE_CROQUETNOLE,
  carroms: CARROMS,
  "piecepack-croquet": PIECEPACK_CROQUET,
  "wickets-six": WICKETS_SIX,
  "wickets-nine": WICKETS_NINE,
};

/**
 * What the page knows of a game; nothing of one that is not among them.
 * @param {string | undefined} game
 * @returns {OfAGame | undefined}
 */
export const gameCalled = (game) => GAMES[game ?? ""];

/** @param {string} game */
export const gameName = (game) => gameCalled(game)?.name ?? placeName(game);

/**
 * How far everybody has come in a game is told by these steps; those of a game on a board are the
 * board's own. Nothing for a game that is not known here.
 * @param {string | undefined} game
 * @param {TableTopic | null | undefined} table
 * @returns {Telling | null}
 */
export function tellingOf(game, table) {
  const telling = gameCalled(game);
  const ofTheBoard = () =>
    (table?.board?.course ?? []).map(
      ({ place, label }) => label ?? placeName(place).replace("wicket ", ""),
    );
  return telling ? { ...telling, steps: telling.steps ?? ofTheBoard() } : null;
}
