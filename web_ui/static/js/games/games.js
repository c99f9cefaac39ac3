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
 * What the page knows about a game; undefined for an unknown game.
 * @param {string | undefined} game
 * @returns {OfAGame | undefined}
 */
export const gameCalled = (game) => GAMES[game ?? ""];

/** @param {string} game */
export const gameName = (game) => gameCalled(game)?.name ?? placeName(game);

/**
 * The steps with which the page shows how far everybody has come. A game on a board uses the
 * board's own steps. Null for an unknown game.
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
