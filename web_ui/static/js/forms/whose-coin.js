// Says whose coin it is, and what it shows.

import { tintOf } from "../drawing/coin-faces.js";
import { html } from "../dom.js";

/** @import { MatchTopic } from "../../../types/page" */

/**
 * Whose coin it is, above what it shows: "Ann", "moons, black".
 * @param {string} name
 * @param {MatchTopic | null | undefined} match
 */
export function whose(name, match) {
  const player = match?.players.find(({ coin }) => coin === name)?.name;
  const shows = [name, tintOf(name)].filter(Boolean).join(", ");
  if (!player) return html("span", {}, shows);
  return html(
    "span",
    { class: "naming-whose" },
    html("strong", {}, player),
    html("span", { class: "naming-shows" }, shows),
  );
}
