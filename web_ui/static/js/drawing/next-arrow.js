// Shows the direction through the next line by two chevrons, in front of the line or beside it
// where no coin hides them.

import { pathOf, svg } from "../dom.js";

/** @import { LinePlaced, Point } from "../../../types/page" */

/**
 * The possible spots of the chevrons, the best first: distances from the line's middle along the
 * direction and across it, in tiles.
 * @type {Point[]}
 */
const SPOTS = [
  [-0.775, 0],
  [0.775, 0],
  [-0.775, 0.62],
  [-0.775, -0.62],
  [0.775, 0.62],
  [0.775, -0.62],
];
const REACH_TILES = 0.4; // how far the chevrons reach from their middle

/**
 * The frame of a line: its middle in mm, and the direction through it as a unit vector.
 * @param {LinePlaced} of
 * @param {boolean} outward
 * @returns {{ middle: Point; way: Point }}
 */
function frameOf({ left_mm: left, right_mm: right }, outward) {
  const [ax, ay] = [left[0] - right[0], left[1] - right[1]];
  const length = (outward ? 1 : -1) * (Math.hypot(ax, ay) || 1);
  return {
    middle: [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2],
    way: [ay / length, -ax / length],
  };
}

/**
 * @param {{ middle: Point; way: Point }} of
 * @param {number} size
 * @param {Point} rest
 * @returns {Point}
 */
const placeOf = ({ middle: [x, y], way: [u, v] }, size, [along, across]) => [
  x + size * (along * u - across * v),
  y + size * (along * v + across * u),
];

/**
 * The index of the first spot that no coin mark of radius `mark` (mm) covers; if all are covered,
 * of the spot farthest from the marks.
 * @param {LinePlaced} line
 * @param {boolean} outward
 * @param {number} size
 * @param {Point[]} coins
 * @param {number} mark
 */
export function clearSpot(line, outward, size, coins, mark) {
  const frame = frameOf(line, outward);
  const room = SPOTS.map((spot) => {
    const [x, y] = placeOf(frame, size, spot);
    return Math.min(...coins.map(([a, b]) => Math.hypot(a - x, b - y)), Infinity);
  });
  const clear = room.findIndex((far) => far >= mark + REACH_TILES * size);
  return clear >= 0 ? clear : room.indexOf(Math.max(...room));
}

/**
 * The chevrons at one of the spots.
 * @param {LinePlaced} line
 * @param {boolean} outward
 * @param {number} size
 * @param {number} spot
 */
export function arrow(line, outward, size, spot) {
  const frame = frameOf(line, outward);
  const [[x, y], [u, v], h] = [placeOf(frame, size, SPOTS[spot]), frame.way, size * 0.3];
  /**
   * @param {number} along
   * @param {number} across
   * @returns {Point}
   */
  const at = (along, across) => [x + along * u - across * v, y + along * v + across * u];
  /** @param {number} tip */
  const chevron = (tip) => pathOf([at(tip - h * 0.7, h), at(tip, 0), at(tip - h * 0.7, -h)]);
  return svg("path", { d: chevron(-size * 0.07) + chevron(size * 0.28), class: "wicket-arrow" });
}
