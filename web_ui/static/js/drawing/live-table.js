// The live table: the drawing of the page's own table, with the next step and what is out of place.

import { byId, svg } from "../dom.js";
import { gameCalled } from "../games/games.js";
import { heldTiles } from "./ground.js";
import { markSizes } from "./mark-spacing.js";
import { clearSpot } from "./next-arrow.js";
import { tableDrawing } from "./table.js";
import { targetRings, targetsOf } from "./targets.js";
import { boxOf, viewOf } from "./view.js";
import { begun, placeName } from "../words.js";

/**
 * @import {
 *   AnyStanding, AnyTurn, CoinsTopic, DoingTopic, Next, TableTopic, Topics, View
 * } from "../../../types/page"
 */

/** @param {Topics} of */
export function drawTable({ table, standing, coins, doing }) {
  const place = byId("board-picture");
  byId("board-note").textContent = [
    ...(table?.notes ?? []).map(sentence),
    noteOf(table, coins, doing),
  ]
    .filter(Boolean)
    .join(" ");
  if (!table) {
    delete place.dataset.table;
    return place.querySelector(".table-still")?.remove();
  }
  const view = viewOf(table);
  const next = withArrow(nextStep(standing, table), table, coins, view, place);
  /** @type {AnyTurn | null | undefined} */
  const turn = standing?.status === "won" ? null : standing?.turn;
  const targets = targetsOf(turn, table);
  const wrong = (turn?.before_flick ?? []).flatMap(({ do: what, tile }) =>
    what === "restore" && tile ? [tile] : [],
  );
  const key = JSON.stringify([table, next, targets, wrong, turn?.held ?? null]);
  if (place.dataset.table === key) return;
  place.dataset.table = key;
  byId("court").style.setProperty("--aspect", String(view.width / view.height));
  document.body.classList.toggle("is-tall", view.width < 1.35 * view.height);
  const label = `The table from above${next ? `; next is ${placeName(next.place)}` : ""}`;
  place.querySelector(".table-still")?.remove();
  const drawing = tableDrawing(table, view, next, "board", {
    wrong: new Set(wrong),
    held: heldTiles(turn),
  });
  place.prepend(
    svg(
      "svg",
      { class: "table-still", viewBox: boxOf(view), role: "img", "aria-label": label },
      ...drawing,
      ...targetRings(targets, table),
    ),
  );
}

/** @param {string} words */
const sentence = (words) => `${begun(words)}.`;

/**
 * A note about what the drawing cannot show.
 * @param {TableTopic | null | undefined} table
 * @param {CoinsTopic | null | undefined} coins
 * @param {DoingTopic | null | undefined} doing
 */
function noteOf(table, coins, doing) {
  if (!table)
    return doing?.phase === "following"
      ? "The record has no entry yet. The match appears here as soon as the first entry is written."
      : "";
  if (table.board) return "";
  const blind = (table.sides ?? []).some(({ seen }) => seen[0] > 0.001 || seen[1] < 0.999);
  if (blind)
    return "The camera cannot see the dashed edge, so the referee cannot see a coin fall there.";
  const lying = Object.values(coins?.coins ?? {});
  if (doing?.phase !== "following" || lying.some(({ state }) => state === "rest")) return "";
  return lying.length
    ? "The record does not say where the coins lie now."
    : "The record does not say where the coins lie.";
}

/**
 * The place that the player must reach next: {place}, with `outward` for the direction through a
 * line (null: either), or on a board with `heading`.
 * @param {AnyStanding | null | undefined} standing
 * @param {TableTopic} table
 * @returns {Next | null}
 */
function nextStep(standing, table) {
  if (!standing || standing.status === "won") return null;
  const { turn } = standing;
  const row = standing.standings?.find(
    ({ player, pawn }) => player === turn?.player && (!pawn || !turn.pawn || pawn === turn.pawn),
  );
  if (table.board) return (row && table.board.course[row.points ?? row.hoops ?? 0]) ?? null;
  if (!row?.next) return null;
  const way = gameCalled(standing.game)?.wayThrough?.(row) ?? row.direction;
  return { place: row.next, outward: way ? way.startsWith("out") : null };
}

/**
 * The next step with the spot of its arrow, which must not be under a coin that lies there. Moving
 * coins are ignored.
 * @param {Next | null} next
 * @param {TableTopic} table
 * @param {CoinsTopic | null | undefined} coins
 * @param {View} view
 * @param {HTMLElement} place
 * @returns {Next | null}
 */
function withArrow(next, table, coins, view, place) {
  const line = next && table.lines?.[next.place];
  if (!line || typeof next.outward !== "boolean") return next;
  const lying = Object.values(coins?.coins ?? {}).flatMap(({ at_mm: at, state }) =>
    at && state !== "sliding" ? [at] : [],
  );
  return {
    ...next,
    arrow: clearSpot(line, next.outward, table.tile_mm, lying, markSizes(table, view, place).mark),
  };
}
