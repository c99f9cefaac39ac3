// Where all coins lie, said coin by coin by who wants to: the drawing then shows them, and the rules know their places.

import { chips } from "./choices.js";
import { coinsHere, coinChoice } from "./whose.js";
import { html } from "./dom.js";
import { spotPicker } from "./spot.js";

/** A rest with places, folded away; coins that have not moved, and a rack that is laid, lie already. */
export function layCoins(now) {
  const { standing, table, lying, enter } = now;
  const off = (standing.turn.before_flick ?? []).map(({ coin }) => coin);
  const coins = coinsHere(now).filter((coin) => !off.includes(coin) && entered(coin, now));
  if (!coins.length) return null;
  const places = new Map(coins.map((coin) => [coin, lying[coin] ?? standing.turn.rack_mm?.[coin] ?? null]));
  const told = html("p", { class: "spot-told", role: "status" });
  const missing = () => coins.filter((coin) => !places.get(coin));
  const go = enter("All lies at rest so", () => ({ kind: "at_rest", coins: Object.fromEntries(places) }), "");
  const which = chips("Which coin?", coins.map((coin) => [coin, coinChoice(coin, standing)]), { taken: [missing()[0] ?? coins[0]] });
  const spot = spotPicker(table, { coin: which.value, changed: lay });
  function lay(at) {
    if (at) places.set(which.value(), at);
    const left = missing().length;
    told.textContent = left ? `${left} of ${coins.length} ${coins.length === 1 ? "coin has" : "coins have"} no place yet.` : "Every coin has its place.";
    go.disabled = left > 0;
  }
  const show = () => spot.place(places.get(which.value()), "Here.");
  which.element.addEventListener("change", show);
  show();
  return html("details", { class: "say-more" }, html("summary", {}, "Say where the coins lie"), which.element, spot.element, told, html("p", { class: "answers" }, go));
}

const entered = (coin, { standing }) => standing.standings.every((row) => row.coin !== coin || row.state !== "not_entered");
