// Carroms on the page.

import { ON_A_TABLE, incident, said } from "./kinds-of-entry.js";
import { html } from "../dom.js";
import { flickOf, folded } from "../forms/between-flicks.js";
import { boxes, chips, pick } from "../forms/choices.js";
import { coinButton, named } from "../forms/coin-choices.js";
import { byTap } from "../forms/coin-taps.js";
import { toolbar } from "../forms/toolbar.js";
import { falls } from "../forms/during-flick.js";
import { CARROMS_COINS } from "./carroms-coins.js";
import { pieceName, placeName, plural } from "../words.js";

/**
 * @import {
 *   CarromsRow, CarromsStanding, Enter, Entry, Form, MatchTopic, Now, OfAGame, Saying
 * } from "../../../types/page"
 */

/** @type {[("N" | "E" | "S" | "W"), string][]} */
const WALLS = [
  ["N", "north"],
  ["E", "east"],
  ["S", "south"],
  ["W", "west"],
];

/** @type {OfAGame} */
export const CARROMS = {
  name: "Carroms",
  coins: CARROMS_COINS,
  flicked: ["striker"],
  title: "Pocketed",
  steps: ["1", "2", "3", "4", "5", "6"],
  posts: "",
  ways: [],
  missed: [
    ["A coin goes into a pocket", incident("pocketed"), { coin: "coin", pocket: "pocket" }],
    ...ON_A_TABLE,
    ["A player holds lines of tiles down", said("hold"), { player: "player", walls: "walls" }],
  ],
  goesTo: {
    break: " for the break, within a tile of a wall",
    penalty: " back near the centre as the penalty",
    black: " back near the centre",
    off: " back near the centre",
    striker: " anywhere on the board (the opponent places it)",
    void: " back near the centre",
  },
  done: /** @param {CarromsRow} row */ ({ pocketed }) => pocketed,
  facts: /** @param {CarromsRow} row */ ({ left, black_live: live }) => [
    plural(left, "coin left", "coins left"),
    live ? "the black coin is live" : "the black coin is not live yet",
  ],
  answers: {
    wrong_flick: [
      ["overturned", "Take it back"],
      ["upheld", "Let the flick stand, but without what it earned"],
    ],
  },
  flick: () => "Flick the striker.",
  whileMoving: onBoard,
  sayings: /** @param {Saying & { standing: CarromsStanding }} now */ (now, enter) =>
    hold(now.standing, enter, now.match),
};

/**
 * The form for lines of tiles that are held down for a bank shot: one by the player who flicks, up
 * to two by the opponent.
 * @param {CarromsStanding} of
 * @param {Enter} enter
 * @param {MatchTopic | null | undefined} match
 * @returns {Form | null}
 */
function hold({ turn: { player, expects, held } }, enter, match) {
  if (expects === "rest") return null;
  const lines = (match?.players ?? []).map(({ name }) => {
    const most = name === player ? "one line" : "up to two lines";
    const walls = boxes(`${name} holds ${most} of tiles down`, WALLS, held?.[name] ?? []);
    /** @type {() => Entry} */
    const said = () => ({ said: { kind: "hold", player: name, walls: walls.value() } });
    return html(
      "div",
      { class: "say-hold" },
      walls.element,
      html("div", { class: "answers" }, enter(`${name} holds these`, said)),
    );
  });
  return {
    title: "For a bank shot",
    parts: [
      html(
        "details",
        { class: "say-more", open: Boolean(held) },
        html("summary", {}, "Hold lines of tiles down"),
        ...lines,
      ),
    ],
  };
}

/**
 * What happens while coins move. One press enters a coin that falls into a pocket. Hits earn
 * nothing, so their form is folded away.
 * @param {Now} now
 */
function onBoard(now) {
  const { standing, table, enter, hand } = now;
  const coins = inOrder(hand.on_table);
  const pockets = Object.keys(table.lines ?? {}).filter((name) => name.startsWith("pocket-"));
  const pocket = chips(
    "Pocket",
    pockets.map((name) => [name, corner(name)]),
    { taken: lastPocket(now) ?? pockets[0] },
  );
  const buttons = Object.fromEntries(
    coins.map((coin) => [
      coin,
      coinButton(coin, standing, enter, () => ({ kind: "pocketed", coin, pocket: pocket.value() })),
    ]),
  );
  const kinds = [/^suns/, /^arms/, /^[^-]+$/]
    .map((kind) => coins.filter((coin) => kind.test(coin)))
    .filter((some) => some.length);
  const which = pick(
    "Which coin?",
    coins.map((coin) => [coin, pieceName(coin, standing)]),
  );
  const wall = falls(which.value, now, "A coin leaves the board over a wall");
  wall.querySelector("summary")?.after(which.element);
  const rows = kinds.map((some) => some.map((coin) => buttons[coin]));
  const fallen = html(
    "fieldset",
    { class: "chips" },
    html("legend", {}, "Falls into it"),
    toolbar("Falls into it", "coin-row", rows),
  );
  const inputs = [...pocket.element.querySelectorAll("input")];
  const choices = Object.fromEntries(pockets.map((name, i) => [name, inputs[i]]));
  const asks = (/** @type {string} */ coin) =>
    `${named(coin, standing)} falls into the pocket ${corner(pocket.value())}?`;
  return [
    pocket.element,
    fallen,
    byTap(fallen, { ...buttons, ...choices }, asks),
    elsewhereOnBoard(coins, now),
    wall,
  ];
}

/**
 * @param {string[]} coins
 * @param {Now} now
 */
function elsewhereOnBoard(coins, now) {
  const { standing, enter } = now;
  const one = pick(
    "hits",
    coins.map((coin) => [coin, pieceName(coin, standing)]),
  );
  const other = pick(
    "what",
    [...coins].reverse().map((coin) => [coin, pieceName(coin, standing)]),
  );
  const hit = enter("It does", () => ({ kind: "contact", coin: one.value(), with: other.value() }));
  return folded(
    "Something else happens",
    html("div", { class: "hand-row" }, one.element, other.element, hit),
    folded("A player flicks a coin before everything is at rest", flickOf(now, "button-plain")),
  );
}

/**
 * The striker, the black coin, then the red and the blue ones.
 * @param {string[]} coins
 */
const inOrder = (coins) => CARROMS_COINS.filter((coin) => coins.includes(coin));

/**
 * A pocket by its corner of the board, "NE".
 * @param {string} pocket
 */
const corner = (pocket) => placeName(pocket).replace("pocket ", "").toUpperCase();

/** @param {Now} of */
const lastPocket = ({ hand }) => hand.flick.findLast(({ kind }) => kind === "pocketed")?.pocket;
