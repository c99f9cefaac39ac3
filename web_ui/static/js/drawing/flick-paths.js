// Draws the paths of one flick as they were computed when all was still: over the whole table, and
// enlarged at the incident.

import { coinGroup, coinLook } from "./coin-faces.js";
import { html, pathOf, svg } from "../dom.js";
import { tableDrawing } from "./table.js";
import { boxOf, viewOf } from "./view.js";

/**
 * @import {
 *   Child, Evidence, PathPoint, Paths, Point, TableTopic, View
 * } from "../../../types/page"
 */

const CLOSE_TILES = 1.6;

/**
 * The whole flick. The path is dashed where a coin was not seen and its path was computed.
 * @param {TableTopic} table
 * @param {Paths} coins
 * @param {Partial<Evidence>} shown
 */
export function flickPicture(table, coins, shown) {
  const view = viewOf(table);
  const size = view.width / 60;
  const spot = spotOf(coins, shown);
  return figure(
    "The flick. A path is dashed where the camera did not see the coin.",
    view,
    ...tableDrawing(table, view, null, "flick"),
    ...Object.entries(coins).flatMap(([coin, points]) => trail(coin, points, size / 5)),
    ...(spot
      ? [
          svg("circle", {
            cx: spot[0],
            cy: -spot[1],
            r: size * 1.9,
            class: "look-spot",
            "stroke-width": size / 4,
          }),
        ]
      : []),
    ...Object.entries(coins).map(([coin, points]) => ending(coin, points[points.length - 1], size)),
  );
}

/**
 * The place of the incident: the coins in their true size at that moment, with the uncertainty of
 * their places.
 * @param {TableTopic} table
 * @param {Paths} coins
 * @param {Partial<Evidence>} shown
 */
export function closePicture(table, coins, shown) {
  const spot = spotOf(coins, shown);
  if (!spot) return null;
  const reach = CLOSE_TILES * table.tile_mm;
  const view = {
    x: spot[0] - 1.6 * reach,
    y: -spot[1] - reach,
    width: 3.2 * reach,
    height: 2 * reach,
  };
  const met = shown.kind === "contact" ? [shown.coin, shown.with] : [];
  return figure(
    "The moment that decided the call, with the coins at their true size.",
    view,
    ...tableDrawing(table, viewOf(table), null, "close"),
    ...Object.entries(coins).flatMap(([coin, points]) => trail(coin, points, reach / 90)),
    ...Object.entries(coins).flatMap(([coin, points]) =>
      there(
        coin,
        (met.includes(coin) ? placeBefore : placeAt)(points, shown.t_s ?? 0),
        table.coin_mm / 2,
      ),
    ),
  );
}

/**
 * @param {string} caption
 * @param {View} view
 * @param {...Child} children
 */
function figure(caption, view, ...children) {
  const drawing = svg(
    "svg",
    { class: "look-picture", viewBox: boxOf(view), role: "img", "aria-label": caption },
    ...children,
  );
  return html("figure", { class: "look-figure" }, drawing, html("figcaption", {}, caption));
}

/**
 * @param {string} coin
 * @param {PathPoint[]} points
 * @param {number} width
 */
function trail(coin, points, width) {
  const parts = runs(points).map(({ seen, part }) =>
    svg("path", {
      d: pathOf(part.map(([, x, y]) => [x, y])),
      class: "trail",
      ...coinLook(coin),
      "stroke-width": width * (seen ? 1 : 0.8),
      "stroke-dasharray": seen ? null : `${2 * width} ${2 * width}`,
    }),
  );
  return [
    svg("path", {
      d: pathOf(points.map(([, x, y]) => [x, y])),
      class: "trail-casing",
      "stroke-width": 1.8 * width,
    }),
    ...parts,
  ];
}

/**
 * The path in seen and unseen parts. The part between two frames is seen if the coin was seen in
 * both.
 * @param {PathPoint[]} points
 */
function runs(points) {
  /** @type {{ seen: boolean; part: PathPoint[] }[]} */
  const found = [];
  for (let i = 1; i < points.length; i += 1) {
    const seen = Boolean(points[i - 1][4] && points[i][4]);
    const last = found.at(-1);
    if (last?.seen === seen) last.part.push(points[i]);
    else found.push({ seen, part: [points[i - 1], points[i]] });
  }
  return found;
}

/**
 * @param {string} coin
 * @param {PathPoint} more
 * @param {number} size
 */
const ending = (coin, [, x, y], size) =>
  svg("g", { transform: `translate(${x} ${-y}) scale(${size / 10})` }, coinGroup(coin));

/**
 * @param {string} coin
 * @param {[number, number, number] | null} place
 * @param {number} radius
 */
function there(coin, place, radius) {
  if (!place) return [];
  const [x, y, sigma] = place;
  return [
    svg("circle", { cx: x, cy: -y, r: radius, class: "look-coin", ...coinLook(coin) }),
    svg("circle", { cx: x, cy: -y, r: 2 * sigma, class: "look-sigma" }),
    svg(
      "g",
      { transform: `translate(${x} ${-y}) scale(${radius / 14})`, opacity: 0.55 },
      coinGroup(coin),
    ),
    svg("path", { d: `M${x - 2} ${-y}h4M${x} ${-y - 2}v4`, class: "look-centre" }),
  ];
}

/**
 * The place of the incident: given with it, or where its coin was at that time.
 * @param {Paths} coins
 * @param {Partial<Evidence>} shown
 * @returns {Point | null}
 */
function spotOf(coins, { at_mm: at, coin, t_s: when }) {
  if (at) return at;
  const points = coin && coins[coin];
  if (!points || typeof when !== "number") return null;
  const [x, y] = placeAt(points, when);
  return [x, y];
}

/**
 * A coin's place at a contact, [x, y, sigma]. A path changes its direction there between two
 * frames. The path of the moving coin is continued from the frames before. The path of the struck
 * coin begins after the contact and is continued backwards.
 * @param {PathPoint[]} points
 * @param {number} when
 * @returns {[number, number, number]}
 */
function placeBefore(points, when) {
  const known = points.filter(([t]) => t <= when).slice(-2);
  if (known.length === 1 || points.length < 2) return placeOf(known[0] ?? points[0]);
  const [a, b] = known.length ? known : points;
  const share = (when - a[0]) / (b[0] - a[0]);
  return [a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]), b[3]];
}

/**
 * A coin's place at a time, [x, y, sigma], interpolated between the frames. Before the first and
 * after the last frame, it is the place at that frame.
 * @param {PathPoint[]} points
 * @param {number} when
 * @returns {[number, number, number]}
 */
function placeAt(points, when) {
  const after = points.findIndex(([t]) => t >= when);
  if (after <= 0) return placeOf(after === 0 ? points[0] : points[points.length - 1]);
  const [before, next] = [points[after - 1], points[after]];
  const share = (when - before[0]) / (next[0] - before[0] || 1);
  const [x, y, sigma] = placeOf(before);
  return [x + share * (next[1] - x), y + share * (next[2] - y), sigma + share * (next[3] - sigma)];
}

/**
 * @param {PathPoint} point
 * @returns {[number, number, number]}
 */
const placeOf = ([, x, y, sigma]) => [x, y, sigma];
