// Coins to choose from, named as the players name them.

import { coinPicture } from "../drawing/coin-faces.js";
import { html, present } from "../dom.js";
import { begun, pieceName } from "../words.js";

/**
 * @import {
 *   AnyStanding, Child, EnterDone, HandTopic, Incident, Pieces
 * } from "../../../types/page"
 */

/**
 * Every coin of these standings, each once.
 * @param {Pick<AnyStanding, "standings"> | null | undefined} of
 */
export const coinsOf = (of) => [
  ...new Set(present((of?.standings ?? []).flatMap(({ coin, guard }) => [coin, guard]))),
];

/**
 * The coins in play, those on the table first.
 * @param {Pick<HandTopic, "on_table" | "off_table">} hand
 */
export const coinsInPlay = ({ on_table: on, off_table: off }) => [...on, ...off];

/**
 * A coin's name at the beginning of a sentence: "Ann's guard", "The striker".
 * @param {string | undefined} coin
 * @param {Pieces} standing
 */
export const named = (coin, standing) => begun(pieceName(coin, standing));

/**
 * A coin beside its player's name, in the shortest form that identifies it.
 * @param {string} coin
 * @param {Pieces} standing
 * @returns {Child[]}
 */
export function coinChoice(coin, standing) {
  const row = standing.standings.find((one) => one.coin === coin || one.guard === coin);
  const short = `${row?.player ?? ""}${row?.guard === coin ? ", guard" : ""}`;
  return [
    coinPicture(coin),
    short ? html("span", {}, short) : html("span", { class: "unseen" }, pieceName(coin, standing)),
  ];
}

/**
 * A button with a coin. It writes what happens to the coin.
 * @param {string} coin
 * @param {Pieces} standing
 * @param {EnterDone} enter
 * @param {() => Incident} done
 */
export function coinButton(coin, standing, enter, done) {
  const button = enter(coinChoice(coin, standing), done);
  button.classList.add("button-coin");
  button.setAttribute("aria-label", pieceName(coin, standing));
  return button;
}
