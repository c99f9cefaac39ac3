// Tabletop Croquet on the page.

import { CROSSED, ON_A_TABLE, said } from "./kinds-of-entry.js";
import { markedCoins } from "./marked-coins.js";
import { html } from "../dom.js";
import { chips } from "../forms/choices.js";
import { calledCoin, listedOr, pieceName } from "../words.js";

/**
 * @import {
 *   AfterHit, AnyStanding, Enter, Entry, Form, OfAGame, Options, Saying, TabletopCroquetRow,
 *   TabletopCroquetStanding
 * } from "../../../types/page"
 */

/** @type {[AfterHit["option"], string][]} */
const ACTIONS = [
  [1, "Flick on from where it lies"],
  [2, "Move beside it"],
  [3, "Flick it"],
  [4, "Move beside it and flick it"],
];

/** @type {OfAGame} */
export const TABLETOP_CROQUET = {
  name: "Tabletop Croquet",
  title: "Course",
  steps: ["1", "2", "3", "4", "5", "6", "7", "R", "7", "6", "8", "4", "9", "2", "1", "L"],
  posts: "RL",
  nobodyHasEntered: (players) =>
    players.map(({ name, coin }) => ({ player: name, coin, progress: 0, state: "not_entered" })),
  afterHit: (coin) => ({ kind: "after_hit", option: 2, coin }),
  inline: true,
  ways: ["outward", "homeward"],
  missed: [
    CROSSED,
    ...ON_A_TABLE,
    ["A player says what to do after a hit", said("after_hit"), { option: "1 to 4", coin: "coin" }],
    ["A player makes a coin a rover", said("rover"), { coin: "coin" }],
    ["A player sends a coin for the endpost", said("leave"), { coin: "coin" }],
  ],
  done: /** @param {TabletopCroquetRow} row */ ({ progress }) => progress,
  facts: /** @param {TabletopCroquetRow} row */ ({ dead_on: hit }) => [
    markedCoins(
      "has hit",
      hit,
      "Hitting these coins again earns no flicks before the next step of the course.",
    ),
  ],
  answers: {
    rover: [
      ["rover", "It becomes a rover"],
      ["leave", "It goes for the left endpost"],
    ],
  },
  wayThrough: /** @param {TabletopCroquetRow} row */ ({ progress }) =>
    progress < 7 ? "outward" : "homeward",
  flick: ({ options }, standing, offered) =>
    options && !Array.isArray(options) && options.coins?.length
      ? nextFlick(options, standing, offered)
      : "",
  sayings: /** @param {Saying & { standing: TabletopCroquetStanding }} now */ (now, enter) =>
    afterHit(now.standing, enter),
};

/**
 * What the player may flick next after a hit, in words.
 * @param {Options} of
 * @param {AnyStanding} standing
 * @param {boolean} offered
 */
function nextFlick({ coins = [], declared, on }, standing, offered) {
  if (offered && !declared) return "";
  const hit = coins.map((coin) => pieceName(coin, standing));
  const named = on ? pieceName(on, standing) : hit[0];
  /** @type {Record<number, string>} */
  const DECLARED = {
    2: `Put your coin beside ${named}, then flick your coin.`,
    3: `Flick ${named}.`,
    4: `Put your coin beside ${named}, then flick ${named}.`,
  };
  if (declared) return DECLARED[declared] ?? "";
  const others = listedOr(hit);
  return `Flick your coin, or ${others} instead. You may first move your coin beside ${others}.`;
}

/**
 * The form for one of the four actions after a hit.
 * @param {TabletopCroquetStanding} standing
 * @param {Enter} enter
 * @returns {Form | null}
 */
function afterHit(standing, enter) {
  const { player, options } = standing.turn;
  if (!options?.coins?.length) return null;
  const { coins, declared, on } = options;
  const open = ACTIONS.filter(([option]) =>
    declared ? option !== declared || coins.length > 1 : option !== 1,
  );
  const which =
    coins.length > 1
      ? chips(
          "Which hit coin?",
          coins.map((coin) => [coin, calledCoin(coin, standing)]),
          { taken: on ?? coins[0] },
        )
      : null;
  /** @type {(option: AfterHit["option"]) => () => Entry} */
  const said = (option) => () => ({
    said: { kind: "after_hit", option, coin: which ? which.value() : coins[0] },
  });
  const of =
    which?.element ?? html("p", { class: "say-of" }, `of ${calledCoin(coins[0], standing)}`);
  const title = declared ? `${player} may choose again` : `${player} may first choose`;
  return {
    title,
    parts: [
      of,
      html(
        "div",
        { class: "answers answers-row" },
        ...open.map(([option, words]) => enter(words, said(option))),
      ),
    ],
  };
}
