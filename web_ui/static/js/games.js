// What is told of each player in each game, in that game's own words: the steps of the course, and
// what else must be known.

import { coinPicture } from "./coins.js";
import { html } from "./dom.js";
import { placeName, plural } from "./words.js";

/**
 * @import {
 *   AnyRow, CarromsRow, CastleCroquetnoleRow, Child, OfAGame, PiecepackCroquetRow, TableTopic,
 *   TabletopCroquetRow, Telling, WicketsRow
 * } from "../../types/page"
 */

const CASTLE = ["G", "D", "T", "G"];

/**
 * A game's way of telling: `title` and the `steps` (labels) of its course, `done(row)` how many of
 * them are made, `facts(row, standing)`
 * what else there is, as texts or elements (`inline`: little enough to stand beside the name);
 * `posts` are labels that are drawn as posts,
 * before each of the `breaks` a part of the course ends.
 * @type {Record<string, OfAGame>}
 */
const GAMES = {
  "tabletop-croquet": {
    title: "Course",
    steps: ["1", "2", "3", "4", "5", "6", "7", "R", "7", "6", "8", "4", "9", "2", "1", "L"],
    posts: "RL",
    done: /** @param {TabletopCroquetRow} row */ ({ progress }) => progress,
    inline: true,
    facts: /** @param {TabletopCroquetRow} row */ (row) => [
      dead(
        "has hit",
        row.dead_on,
        "Hitting these again earns no flicks before the next step of the course.",
      ),
    ],
  },
  "castle-croquetnole": {
    title: "Course: gate, door, tower",
    steps: ["G", ...CASTLE, ...CASTLE, ...CASTLE, "G", "T"],
    posts: "T",
    breaks: [1, 5, 9, 13],
    done: /** @param {CastleCroquetnoleRow} row */ ({ progress }) => progress,
    facts: castleFacts,
  },
  carroms: {
    title: "Pocketed",
    steps: ["1", "2", "3", "4", "5", "6"],
    posts: "",
    done: /** @param {CarromsRow} row */ ({ pocketed }) => pocketed,
    facts: /** @param {CarromsRow} row */ ({ left, black_live: live }) => [
      plural(left, "coin left", "coins left"),
      live ? "the black coin is live" : "the black coin is not live yet",
    ],
  },
  "piecepack-croquet": {
    title: "Hoops",
    steps: ["1", "2", "3", "4", "5", "6", "peg"],
    posts: "peg",
    done: /** @param {PiecepackCroquetRow} row */ ({ hoops, state }) =>
      hoops + (state === "pegged_out" ? 1 : 0),
    facts: lawnFacts,
  },
  "wickets-six": {
    title: "Wickets",
    posts: "stake",
    done: /** @param {WicketsRow} row */ ({ points }) => points,
    facts: wicketFacts,
  },
  "wickets-nine": {
    title: "Wickets",
    posts: "turning stakestart stake",
    done: /** @param {WicketsRow} row */ ({ points }) => points,
    facts: wicketFacts,
  },
};

/**
 * How a game is told; the steps of a game on a board are the board's own. Nothing for a game that
 * is not known here.
 * @param {string | undefined} game
 * @param {TableTopic | null | undefined} table
 * @returns {Telling | null}
 */
export function tellingOf(game, table) {
  const telling = GAMES[game ?? ""];
  if (!telling) return null;
  const ofTheBoard = () =>
    (table?.board?.course ?? []).map(
      ({ place, label }) => label ?? placeName(place).replace("wicket ", ""),
    );
  return { ...telling, steps: telling.steps ?? ofTheBoard() };
}

/** @param {CastleCroquetnoleRow} row */
function castleFacts(row) {
  const {
    inside,
    guard_inside: guard,
    on_duty: duty,
    prisoner_of: prisoner,
    waiting,
    struck,
  } = row;
  const knight = prisoner
    ? ["prisoner in the castle of ", suit(prisoner)]
    : inside === "wasteland"
      ? ["knight in the Wasteland"]
      : ["knight in the castle of ", suit(inside)];
  return [
    row.next ? html("span", {}, "next ", ...placeOf(row.next, row.direction)) : null,
    html("span", { class: prisoner ? "fact-bad" : "" }, ...knight),
    waiting ? "knight waits on its tower" : null,
    html(
      "span",
      { class: duty ? "" : "fact-bad" },
      "guard ",
      coinPicture(row.guard),
      duty ? " on duty" : guard === "wasteland" ? " off duty in the Wasteland" : " off duty",
    ),
    dead("has struck", struck, "Striking these again earns no flicks for now."),
  ];
}

/** @param {string} name */
const suit = (name) => html("span", { class: "fact-suit" }, coinPicture(name), name);

/**
 * @param {string} place
 * @param {string | null | undefined} direction
 * @returns {Child[]}
 */
function placeOf(place, direction) {
  const [kind, ...of] = place.split("-");
  return [`${kind} of `, suit(of.join("-")), direction ? ` ${direction}wards` : ""];
}

/** @param {PiecepackCroquetRow} row */
function lawnFacts({ at, state, special_shots: shots }) {
  const where =
    at && (state === "off_lawn" ? `comes back on at ${at.join(", ")}` : `at ${at.join(", ")}`);
  const ranks = (shots ?? [])
    .map((name) => name.split("-").at(-1))
    .map((rank) => (rank === "ace" ? "A" : rank));
  if (state === "pegged_out") return [where];
  return [
    where,
    ranks.length
      ? html(
          "span",
          {},
          "special shots ",
          ...ranks.map((rank) => html("b", { class: "fact-shot" }, rank)),
        )
      : "no special shots left",
  ];
}

/** @param {WicketsRow} row */
function wicketFacts({ at, dead_on: deadOn }) {
  return [
    at ? `at ${at.join(", ")}` : null,
    dead(
      "dead on",
      deadOn,
      "These may not be hit again before the next wicket or turning stake is scored.",
    ),
  ];
}

/**
 * @param {string} words
 * @param {string[] | undefined} coins
 * @param {string} title
 */
function dead(words, coins, title) {
  if (!coins?.length) return null;
  return html(
    "span",
    { class: "course-dead", title },
    words,
    html("span", { class: "unseen" }, ` ${coins.join(", ")}`),
    ...coins.map((coin) => coinPicture(coin)),
  );
}
