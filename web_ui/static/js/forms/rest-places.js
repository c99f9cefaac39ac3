// The form with which people may enter where all coins lie, coin by coin. Then the drawing shows
// them, and the rules know their places.

import { chips } from "./choices.js";
import { coinChoice, coinsInPlay } from "./coin-choices.js";
import { html } from "../dom.js";
import { spotPicker } from "./place-picker.js";
import { plural } from "../words.js";

/** @import { Now, Point } from "../../../types/page" */

/**
 * The form for an `at_rest` with places, folded away. Coins that have not moved, and coins of the
 * rack, already have their places. Coins that are not on the table yet need none.
 * @param {Now} now
 */
export function layCoins(now) {
  const { standing, table, lying, enter } = now;
  const coins = coinsInPlay(now.hand);
  const off = (standing.turn.before_flick ?? []).map(({ coin }) => coin);
  const needed = now.hand.on_table.filter((coin) => !off.includes(coin));
  const places = new Map(
    coins.map((coin) => [coin, lying[coin] ?? standing.turn.rack_mm?.[coin] ?? null]),
  );
  const told = html("p", { class: "spot-told", role: "status" });
  const missing = () => needed.filter((coin) => !places.get(coin));
  const go = enter(
    "Everything lies as shown",
    () => ({ kind: "at_rest", coins: Object.fromEntries([...places].filter(([, at]) => at)) }),
    "",
  );
  const which = chips(
    "Which coin?",
    coins.map((coin) => [coin, coinChoice(coin, standing)]),
    { taken: missing()[0] ?? coins[0] },
  );
  const others = () =>
    [...places].filter(([coin, at]) => at && coin !== which.value() && !lying[coin]);
  const spot = spotPicker(table, { coin: which.value, changed: lay, others });
  /**
   * @param {Point | null} at
   * @param {string} how
   */
  function lay(at, how) {
    const first = !places.get(which.value());
    if (at) places.set(which.value(), at);
    if (how === "tapped" && first) next();
    const left = missing().length;
    told.textContent = left
      ? `${left} of ${plural(needed.length, "coin has", "coins have")} no place yet.`
      : "Every coin has its place.";
    go.disabled = left > 0 || [...places.values()].every((one) => !one);
  }
  const show = () => spot.place(places.get(which.value()) ?? null, "Here.");
  const next = () => {
    // one tap for each coin: the next coin without a place is chosen
    const [coin] = missing();
    if (coin) which.take(coin);
    if (coin) setTimeout(show);
  };
  which.element.addEventListener("change", show);
  show();
  return html(
    "details",
    { class: "say-more" },
    html("summary", {}, "Say where the coins lie"),
    which.element,
    spot.element,
    told,
    html("p", { class: "answers" }, go),
  );
}
