// Wickets with six and nine wickets on the page.

import { ACROSS, BOARD_WORDS, chips, ways } from "../forms/choices.js";
import { html, present } from "../dom.js";
import { routeForm } from "../forms/route-pad.js";
import { straightWay } from "../forms/straight-way.js";
import { toolbar } from "../forms/toolbar.js";
import { PASS, ROLLED, incident, said } from "./kinds-of-entry.js";
import { markedCoins } from "./marked-coins.js";
import { pieceName } from "../words.js";

/**
 * @import {
 *   Board, Enter, Form, OfAGame, Point, Saying, TableTopic, WicketsNineStanding, WicketsRow,
 *   WicketsSixStanding, WicketsTurn
 * } from "../../../types/page"
 */

/** @type {Omit<OfAGame, "name" | "posts">} */
const WICKETS = {
  title: "Wickets",
  ways: [],
  dice: ["die-1", "die-2"],
  missed: [
    ROLLED,
    [
      "A player moves a ball",
      incident("moved"),
      { pawn: "pawn", from: "place or none", to: "place or none", path: "places" },
    ],
    ["A player takes the continuation shot", said("continuation"), {}],
    ["A player declares a croquet", said("croquet"), { pawn: "pawn", direction: "side" }],
    PASS,
  ],
  done: /** @param {WicketsRow} row */ ({ points }) => points,
  facts: wicketFacts,
  sayings: /** @param {Saying & { standing: WicketsSixStanding | WicketsNineStanding }} now */ (
    { standing, table, record },
    enter,
  ) => spaceSayings(standing, table, record.entries, enter),
};
/** @type {OfAGame} */
export const WICKETS_SIX = { ...WICKETS, name: "Wickets, six-wicket croquet", posts: "stake" };
/** @type {OfAGame} */
export const WICKETS_NINE = {
  ...WICKETS,
  name: "Wickets, nine-wicket croquet",
  posts: "turning stakestart stake",
};

/** @param {WicketsRow} row */
function wicketFacts({ at, dead_on: deadOn }) {
  return [
    at ? `at ${at.join(", ")}` : null,
    markedCoins(
      "dead on",
      deadOn,
      "This ball may hit these balls again only after it scores its next wicket or turning stake.",
    ),
  ];
}

/** @type {Record<string, string>} */
const DICE = { "die-1": "The first die shows", "die-2": "The second die shows" };

/**
 * What people may enter now: {title, parts}. `enter(words, entry)` makes a button that writes an
 * entry.
 * @param {WicketsSixStanding | WicketsNineStanding} of
 * @param {TableTopic | null | undefined} table
 * @param {number} entries
 * @param {Enter} enter
 * @returns {Form}
 */
function spaceSayings({ turn, standings }, table, entries, enter) {
  const options = turn.options ?? [];
  /** @type {["continuation" | "pass", string][]} */
  const all = [
    ["continuation", "Take the continuation shot"],
    ["pass", "Pass"],
  ];
  const plain = all
    .filter(([kind]) => options.includes(kind))
    .map(([kind, words]) => enter(words, () => ({ said: { kind } })));
  const croquets = options.includes("croquet") ? croquet(turn, standings, table, enter) : null;
  const parts = present([
    ...(turn.expects === "roll" ? [dice(turn, enter)] : []),
    ...(turn.expects === "move" && table?.board
      ? move(turn, standings, { ...table, board: table.board }, entries, enter)
      : []),
    ...(croquets?.parts ?? []),
    croquets || plain.length ? html("div", { class: "answers" }, croquets?.go, ...plain) : null,
  ]);
  const title = {
    roll: titleOf(turn),
    move: `${turn.player}'s move, space by space`,
    croquet: `${turn.player}'s croquet`,
    choice: `${turn.player} chooses`,
  }[turn.expects];
  return { title, parts };
}

/** @param {WicketsTurn} of */
const titleOf = ({ roll }) => DICE[!roll || roll.length > 1 ? "die-1" : roll[0]];

/**
 * @param {WicketsTurn} turn
 * @param {Enter} enter
 */
function dice(turn, enter) {
  const die = turn.roll?.[0] ?? "die-1";
  const faces = [1, 2, 3, 4, 5, 6].map((face) =>
    enter(String(face), () => ({ done: { kind: "rolled", die, face } })),
  );
  return toolbar("The die shows", "answers answers-even", [faces]);
}

/**
 * @param {WicketsTurn} turn
 * @param {WicketsRow[]} standings
 * @param {TableTopic & { board: Board }} table
 * @param {number} entries
 * @param {Enter} enter
 */
function move({ pawn }, standings, table, entries, enter) {
  const { board } = table;
  const row = standings.find((one) => one.pawn === pawn);
  const from = (row?.state !== "not_entered" && row?.at) || null;
  const start = from ?? spaceOf(board.starts_mm[0], board);
  return [
    routeForm(
      { pawn, start, table, words: BOARD_WORDS, entries },
      enter,
      "Move",
      ({ route, down }) => ({ done: { kind: "moved", pawn, from, to: down, path: route } }),
    ),
  ];
}

/**
 * The space whose middle is at this place.
 * @param {Point} at
 * @param {Board} more
 * @returns {Point}
 */
const spaceOf = ([x, y], { unit_mm: unit }) => [
  Math.round(x / unit + 0.5),
  Math.round(y / unit + 0.5),
];

/**
 * @param {WicketsTurn} turn
 * @param {WicketsRow[]} standings
 * @param {TableTopic | null | undefined} table
 * @param {Enter} enter
 */
function croquet(turn, standings, table, enter) {
  const ball = chips(
    "Croquet",
    (turn.roqueted ?? []).map((pawn) => [pawn, pieceName(pawn)]),
  );
  const way = chips("to the", ways(ACROSS, BOARD_WORDS));
  const go = enter(
    "Croquet",
    () => ({ said: { kind: "croquet", pawn: ball.value(), direction: way.value() } }),
    "",
  );
  const pawn = turn.roqueted?.[0] ?? "";
  const at = standings.find((one) => one.pawn === pawn)?.at;
  const sent =
    at && table
      ? straightWay({
          ...{ pawn, at, table, words: BOARD_WORDS, most: 1, go },
          chosen: () => ({ way: way.value(), steps: 1 }),
          choose: (direction) => way.take(direction),
          inWords: (direction) =>
            `The ball goes ${BOARD_WORDS[direction]}, as far as the die says.`,
        })
      : null;
  for (const one of [ball, way]) one.element.addEventListener("change", () => sent?.draw());
  return { go, parts: present([ball.element, way.element, sent?.element]) };
}
