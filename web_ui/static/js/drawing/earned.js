// What a call earns or costs, as badges that say what they count.

import { html } from "../dom.js";
import { plural } from "../words.js";

/** @import { Call } from "../../../types/page" */

/**
 * The calls that count a step or a coin for their coin or ball, even if another one knocked it, and
 * the word for what they count.
 * @type {Record<string, string>}
 */
const COUNTED = {
  ...{ wicket_scored: "step", endpost_scored: "step", stake_scored: "step" },
  ...{ gate_scored: "step", door_scored: "step", tower_scored: "step" },
  ...{ hoop_run: "step", pegged_out: "step" },
  coin_pocketed: "coin",
};

/**
 * The badges; null where a call earns and costs nothing.
 * @param {Pick<Call, "call" | "flicks">} of
 */
export function earned({ call, flicks }) {
  const counted = COUNTED[call];
  const badges = [
    ...(counted ? [badge(1, counted)] : []),
    ...(flicks ? [badge(flicks, "flick")] : []),
  ];
  return badges.length ? html("span", { class: "call-earned" }, ...badges) : null;
}

/**
 * @param {number} count
 * @param {string} what
 */
const badge = (count, what) =>
  html(
    "span",
    { class: `chip ${count > 0 ? "" : "chip-lost"}` },
    html("span", { "aria-hidden": "true" }, `${count > 0 ? "+" : "−"}`),
    html("span", { class: "unseen" }, count > 0 ? "earns " : "loses "),
    plural(Math.abs(count), what),
  );
