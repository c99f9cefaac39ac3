// What a call earns or costs, as badges that say what they count.

import { html } from "../dom.js";
import { plural } from "../words.js";

/** @import { Call } from "../../../types/page" */

// The calls that are a step of the course for their coin, also where it was knocked on.
const STEPS = new Set([
  "wicket_scored",
  "endpost_scored",
  "gate_scored",
  "door_scored",
  "tower_scored",
  "knocked_on",
]);

/**
 * The badges; null where a call earns and costs nothing.
 * @param {Pick<Call, "call" | "flicks">} of
 */
export function earned({ call, flicks }) {
  const badges = [
    ...(STEPS.has(call) ? [badge(1, "step")] : []),
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
