// Coins that are chosen by a tap on the drawn table, instead of on their buttons.

import { byId, focusPinned, html } from "../dom.js";
import { isPointing } from "./place-picker.js";

/** @import { CoinTaps } from "../../../types/page" */

/** How far from a coin's middle a finger may be, px. */
const FINGER_PX = 24;

/** @type {CoinTaps[]} */
let forms = [];

/**
 * From now on a tap on a drawn coin or pocket chooses its control in this form: a choice is taken;
 * a button gets the focus, and a second tap presses it. A form that cannot be seen takes no taps.
 *
 * Returns the line that asks, in the words of `asks`, whether that is meant.
 * @param {HTMLElement} form
 * @param {Record<string, HTMLElement>} controls by the name of the coin or pocket
 * @param {(coin: string) => string} asks
 */
export function byTap(form, controls, asks = () => "") {
  const line = html("p", { class: "hand-picked", role: "status" });
  forms.push({
    form,
    controls,
    asks: (coin) => {
      line.textContent = `${asks(coin)} Press the button, or tap the coin again.`;
    },
  });
  return line;
}

/** Let people choose coins on the drawn table. */
export function listenForCoinTaps() {
  byId("board-picture").addEventListener("click", ({ clientX, clientY }) => {
    forms = forms.filter(({ form }) => form.isConnected);
    const taps = forms.find(({ form }) => form.checkVisibility());
    if (!taps || isPointing()) return;
    const named =
      coinAt(clientX, clientY, Object.keys(taps.controls)) ?? pocketAt(clientX, clientY);
    const control = taps.controls[named ?? ""];
    if (named && control) choose(taps, named, control);
  });
}

/**
 * The drawn coin of these that is nearest to a place in the window, as far as a finger reaches.
 * @param {number} x
 * @param {number} y
 * @param {string[]} coins
 */
function coinAt(x, y, coins) {
  /** @type {NodeListOf<SVGGElement>} */
  const drawn = byId("board-picture").querySelectorAll(".table-moving .piece");
  const found = [...drawn]
    .filter((piece) => coins.includes(piece.dataset.piece ?? ""))
    .map((piece) => {
      const { left, right, top, bottom } = piece.getBoundingClientRect();
      const far = Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y);
      return { coin: piece.dataset.piece ?? "", far };
    })
    .filter(({ far }) => far <= FINGER_PX)
    .sort((a, b) => a.far - b.far);
  return found[0]?.coin;
}

/**
 * @param {number} x
 * @param {number} y
 * @returns {string | undefined}
 */
function pocketAt(x, y) {
  const over = document.elementsFromPoint(x, y).find((one) => one.matches("[data-pocket]"));
  return over?.getAttribute("data-pocket") ?? undefined;
}

/**
 * @param {CoinTaps} some
 * @param {string} coin
 * @param {HTMLElement} control
 */
function choose({ form, asks }, coin, control) {
  if (control instanceof HTMLInputElement || control.classList.contains("is-picked"))
    return control.click();
  form.querySelector(".is-picked")?.classList.remove("is-picked");
  control.classList.add("is-picked");
  focusPinned(control);
  asks(coin);
}
