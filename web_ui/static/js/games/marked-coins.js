// Shows coins that a player has hit or struck, beside the standings.

import { coinPicture } from "../drawing/coin-faces.js";
import { html } from "../dom.js";

/**
 * The coins as pictures after some words; `title` explains them. Null without coins.
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
