// Coins are small on a screen, so their marks are drawn larger. Marks that would cover each other
// are moved apart.

/** @import { Point, Sizes, TableTopic, View } from "../../../types/page" */

const ROUNDS = 12;
const APART = 1.9; // of a mark's radius, between the centres of two marks
const CROWD = 6; // pairs too close: more than four coins that all touch

/**
 * The sizes of coin marks in a drawing of a part of the table, mm: {coin, mark} are radii, {px} is
 * a sixteenth of a letter's height.
 * @param {TableTopic} table
 * @param {View} view
 * @param {Element} drawing
 * @returns {Sizes}
 */
export function markSizes(table, view, drawing) {
  const scale = Math.min(drawing.clientWidth / view.width, drawing.clientHeight / view.height) || 1;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const coin = (table.coin_mm ?? 19) / 2;
  return { coin, mark: Math.max(coin, (0.72 * rem) / scale), px: rem / 16 / scale };
}

/**
 * The sizes for coins at `points`. In a crowd, such as a rack, marks are no larger than the coins:
 * so many could not be moved aside and still show where the coins lie.
 * @param {Point[]} points
 * @param {Sizes} sizes
 * @returns {Sizes}
 */
export function sizesFor(points, sizes) {
  const pairs = points.flatMap(([x, y], i) =>
    points.slice(i + 1).filter(([u, v]) => Math.hypot(u - x, v - y) < APART * sizes.mark),
  );
  return pairs.length > CROWD ? { ...sizes, mark: sizes.coin } : sizes;
}

/**
 * Where to draw marks of radius `radius` that belong at `points` ([[x, y], ...]). They are as near
 * to their points as possible without covering each other much. Marks that have room stay exactly
 * where they belong.
 * @param {Point[]} points
 * @param {number} radius
 * @returns {Point[]}
 */
export function spread(points, radius) {
  const places = points.map(([x, y]) => /** @type {Point} */ ([x, y]));
  const apart = APART * radius;
  for (let round = 0; round < ROUNDS; round += 1) {
    let moved = false;
    for (let i = 0; i < places.length; i += 1) {
      for (let j = i + 1; j < places.length; j += 1)
        moved = push(places[i], places[j], apart, i + j) || moved;
    }
    if (!moved) break;
  }
  return places;
}

/**
 * @param {Point} a
 * @param {Point} b
 * @param {number} apart
 * @param {number} turn
 */
function push(a, b, apart, turn) {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const gap = Math.hypot(dx, dy);
  if (gap >= apart - 0.01) return false;
  const [ux, uy] = gap > 0.01 ? [dx / gap, dy / gap] : [Math.cos(turn), Math.sin(turn)];
  const half = (apart - gap) / 2;
  a[0] -= ux * half;
  a[1] -= uy * half;
  b[0] += ux * half;
  b[1] += uy * half;
  return true;
}
