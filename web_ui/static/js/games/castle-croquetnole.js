// Castle Croquetnole on the page.

import { CROSSED, ON_A_TABLE, PASS, said } from "./kinds-of-entry.js";
import { markedCoins } from "./marked-coins.js";
import { html } from "../dom.js";
import { coinPicture } from "../drawing/coin-faces.js";
import { listedOr, plural } from "../words.js";

/**
 * @import {
 *   CastleCroquet, CastleCroquetnoleRow, CastleCroquetnoleStanding, Child, Enter, Form, OfAGame,
 *   Saying
 * } from "../../../types/page"
 */

const CASTLE = ["G", "D", "T", "G"];

/** @type {[CastleCroquet["option"], string][]} */
const CROQUETS = [
  [1, "two flicks from where it lies"],
  [2, "two flicks from beside the guard"],
  [3, "loose croquet: the knight is put touching the guard"],
  [4, "tight croquet: the same, but the knight is held"],
  [5, "a light flick, then drive the guard away"],
];

/** @type {OfAGame} */
export const CASTLE_CROQUETNOLE = {
  name: "Castle Croquetnole",
  title: "Course: gate, door, tower",
  steps: ["G", ...CASTLE, ...CASTLE, ...CASTLE, "G", "T"],
  posts: "T",
  breaks: [1, 5, 9, 13],
  ways: ["out", "in"],
  missed: [
    CROSSED,
    ...ON_A_TABLE,
    ["A player declares a croquet", said("croquet"), { option: "1 to 5" }],
    PASS,
  ],
  done: /** @param {CastleCroquetnoleRow} row */ ({ progress }) => progress,
  facts: castleFacts,
  nextPlace: ({ next, direction }) => {
    const [kind, ...of] = (next ?? "").split("-");
    return next ? `${kind} of ${of.join(" ")}${direction ? `, ${direction}wards` : ""}` : "";
  },
  flick: ({ flick = "", may_flick: may, may_pass: pass }, { standings }) => {
    const what = (may ?? [flick]).map((coin) =>
      standings.some(({ guard }) => guard === coin) ? "the guard" : "the knight",
    );
    return `Flick ${listedOr(what)}${pass ? ", or pass" : ""}.`;
  },
  sayings: /** @param {Saying & { standing: CastleCroquetnoleStanding }} now */ (now, enter) =>
    castleCroquet(now.standing, enter),
};

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
    markedCoins("has struck", struck, "For now, striking these coins again earns no flicks."),
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

/**
 * The form for one of the five croquets, and for giving up the rest of a coin's flicks.
 * @param {CastleCroquetnoleStanding} of
 * @param {Enter} enter
 * @returns {Form | null}
 */
function castleCroquet(
  { turn: { player, coin, options, may_pass: may, flicks_left: left }, standings },
  enter,
) {
  const open = options?.croquet ? CROQUETS.filter(([option]) => option !== options.declared) : [];
  const guard = standings.some((row) => row.guard === coin);
  const instead = guard ? "Do not flick the guard" : "Play the guard now";
  const pass = `${instead}: give up ${plural(left, "flick")}`;
  const parts = [
    ...open.map(([option, words]) =>
      enter(`${option}: ${words}`, () => ({ said: { kind: "croquet", option } })),
    ),
    ...(may ? [enter(pass, () => ({ said: { kind: "pass" } }))] : []),
  ];
  return parts.length
    ? {
        title: open.length ? `${player} may declare a croquet` : `${player} may also pass`,
        parts: [html("div", { class: "answers" }, ...parts)],
      }
    : null;
}
