// Coins that a player has hit or struck, as a fact beside the standings.

import { coinPicture } from "../drawing/coin-faces.js";
import { html } from "../dom.js";

/**
 * The coins as pictures behind some words; `title` says what it means. Nothing without coins.
 * @param {string} words
 * @param {string[] | undefined} coins
 * @param {string} title
 */
export function markedCoins(words, coins, title) {
  if (!coins?.length) return null;
  return html(
    "span",
    { class: "course-dead", title },
    words,
    html("span", { class: "unseen" }, ` ${coins.join(", ")}`),
    ...coins.map((coin) => coinPicture(coin)),
  );
}
