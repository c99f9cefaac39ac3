// Draws the measured paths, the lines and the coins over the pictures of a clip, from outlines in
// pixels that were kept beside it.

import { coinLook } from "./coin-faces.js";
import { svg } from "../dom.js";

/** @import { ClipOutlines, Evidence, Point, ViewOutlines } from "../../../types/page" */

/** In the zoom, the width of the deciding coin is this share of the picture. */
const COIN_SHARE = 0.22;
const MOST_ZOOM = 12;

/**
 * The drawing over a clip. `show(at)` draws it for a time of the clip, s, because the camera may
 * have moved.
 * @param {ClipOutlines} outlines
 * @param {Partial<Evidence>} shown
 * @param {string} on
 */
export function outlinesOver(outlines, shown, on) {
  const element = svg("svg", {
    class: "look-outlines",
    viewBox: `-0.5 -0.5 ${outlines.width_px} ${outlines.height_px}`,
    role: "img",
    "aria-label": "The measured path, the line and the coins at the moment that decided the call",
  });
  /** @type {ViewOutlines | undefined} */
  let drawn;
  return {
    element,
    /** @param {number} at */
    show(at) {
      const view = outlines.views.findLast(({ from_s: from }) => from <= at) ?? outlines.views[0];
      if (view === drawn) return;
      drawn = view;
      element.replaceChildren(...ofView(view, shown), ...ofFlick(outlines, on));
    },
  };
}

/**
 * @param {ViewOutlines} view
 * @param {Partial<Evidence>} shown
 */
function ofView(view, { kind, line, with: other }) {
  const post = view.tiles[other ?? ""];
  return [
    ...(kind === "left_table" ? [polygon(view.edge, "look-edge")] : []),
    ...Object.entries(view.lines)
      .filter(([name]) => !line || name === line)
      .map(([name, ends]) =>
        polyline(ends, name === line ? "look-line look-decides" : "look-line"),
      ),
    ...(post ? [polygon(post, "look-line look-decides")] : []),
  ];
}

/**
 * @param {ClipOutlines} outlines
 * @param {string} on
 */
function ofFlick({ paths, incidents }, on) {
  return [
    ...Object.entries(paths).flatMap(([coin, points]) => {
      const way = /** @type {Point[]} */ (points.map(([, x, y]) => [x, y]));
      return [polyline(way, "look-way-casing"), polyline(way, "look-way", coinLook(coin))];
    }),
    ...Object.values(incidents[on] ?? {}).flatMap(({ foot, rim, centre }) => [
      polygon(foot, "look-foot"),
      polygon(rim, "look-rim"),
      ...centre.map(([x, y]) => svg("circle", { cx: x, cy: y, r: 0.01, class: "look-middle" })),
    ]),
  ];
}

/** @param {Point[]} points */
const listOf = (points) => points.map(([x, y]) => `${x},${y}`).join(" ");

/**
 * @param {Point[]} points
 * @param {string} kind
 * @param {Record<string, string>} [look]
 */
const polyline = (points, kind, look = {}) =>
  svg("polyline", { points: listOf(points), ...look, class: kind });

/**
 * @param {Point[]} points
 * @param {string} kind
 */
const polygon = (points, kind) => svg("polygon", { points: listOf(points), class: kind });

/**
 * The spot at which an incident was decided, and how much larger the zoom shows it; null where no
 * coin of it was seen.
 * @param {ClipOutlines} outlines
 * @param {string} on
 */
export function decidingSpot({ incidents, width_px: width }, on) {
  const [coin] = Object.values(incidents[on] ?? {});
  const at = coin?.centre[0];
  if (!at) return null;
  const across = coin.rim.map(([x]) => x);
  const coinWidth = Math.max(...across) - Math.min(...across);
  return { at, zoom: Math.min(MOST_ZOOM, Math.max(1.5, (COIN_SHARE * width) / coinWidth)) };
}
