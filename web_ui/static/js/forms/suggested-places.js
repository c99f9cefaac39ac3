// Proposes the place where the rules put a coin. If the coin lies elsewhere, people tap that place.

/** @import { HandTask, Point, TableTopic } from "../../../types/page" */

/**
 * The spot for a task of `before_flick`, or for a move beside a coin: [x, y] in mm, null where
 * nothing is known. `lying` are the known places of coins.
 * @param {HandTask} task
 * @param {TableTopic} table
 * @param {Record<string, Point>} lying
 * @returns {Point | null}
 */
export function spotFor(task, table, lying) {
  const taken = Object.entries(lying)
    .filter(([name]) => name !== task.coin)
    .map(([, at]) => at);
  /**
   * @param {Point[]} spots
   * @returns {Point | null}
   */
  const free = (spots) =>
    spots.find((spot) => taken.every((at) => away(at, spot) >= table.coin_mm)) ?? spots[0] ?? null;
  if (task.back_mm) return task.back_mm;
  if (task.start_mm) return free(grid(task.start_mm, table.coin_mm));
  if (task.beside_mm) return free(round(task.beside_mm, 1.05 * table.coin_mm, 12));
  if (task.on) return task.tower_mm ?? null;
  if (task.beside) return free(besideTower(task.beside, table));
  if (task.exit_mm) return inwards(task.exit_mm, task.inset_mm ?? 0, middle(table));
  if (task.why === "break" || task.where) return byWall(table);
  return task.why ? free(table.rack_mm ?? []) : null;
}

/**
 * @param {Point} of
 * @param {Point} more
 */
const away = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

/**
 * Spots in front of the left endpost: the middle, then beside it, then the same farther away.
 * @param {Point} of
 * @param {number} coin
 * @returns {Point[]}
 */
const grid = ([x, y], coin) =>
  [0, 1.05].flatMap((far) =>
    [0, 1.2, -1.2, 2.4, -2.4].map(
      (aside) => /** @type {Point} */ ([x + far * coin, y + aside * coin]),
    ),
  );

/**
 * @param {Point} of
 * @param {number} far
 * @param {number} count
 * @returns {Point[]}
 */
const round = ([x, y], far, count) =>
  Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count).map((turn) => [
    x + far * Math.cos(turn),
    y + far * Math.sin(turn),
  ]);

/**
 * Spots at the tower's sides, those towards its gate first.
 * @param {string} name
 * @param {TableTopic} table
 * @returns {Point[]}
 */
function besideTower(name, table) {
  const tower = table.tiles?.[name];
  if (!tower) return [];
  const gate = table.lines?.[name.replace("tower-", "gate-")];
  const far = (table.tile_mm + 1.5 * table.coin_mm) / 2;
  const first = (tower.rotation_deg * Math.PI) / 180;
  const [x, y] = tower.centre_mm;
  const sides = [0, 1, 2, 3]
    .map((i) => first + (i * Math.PI) / 2)
    .map((turn) => /** @type {Point} */ ([x + far * Math.cos(turn), y + far * Math.sin(turn)]));
  const goal = gate ? mean([gate.left_mm, gate.right_mm]) : middle(table);
  return sides.sort((a, b) => away(a, goal) - away(b, goal));
}

/**
 * The middle of the course.
 * @param {TableTopic} table
 * @returns {Point}
 */
function middle(table) {
  return mean(Object.values(table.tiles ?? {}).map(({ centre_mm: at }) => at));
}

/**
 * @param {Point[]} points
 * @returns {Point}
 */
function mean(points) {
  const along = (/** @type {0 | 1} */ i) =>
    points.reduce((sum, at) => sum + at[i], 0) / (points.length || 1);
  return [along(0), along(1)];
}

/**
 * @param {Point} at
 * @param {number} far
 * @param {Point} goal
 * @returns {Point}
 */
function inwards([x, y], far, goal) {
  const share = far / (away([x, y], goal) || 1);
  return [x + (goal[0] - x) * share, y + (goal[1] - y) * share];
}

/**
 * A spot on the board, a coin's width from the southern wall.
 * @param {TableTopic} table
 * @returns {Point | null}
 */
function byWall(table) {
  const wall = Object.entries(table.tiles ?? {})
    .filter(([name]) => name.startsWith("wall-s-"))
    .map(([, { centre_mm: at }]) => at);
  if (!wall.length) return null;
  return inwards(
    mean(wall),
    table.tile_mm / 2 + table.coin_mm,
    table.rack_mm?.[0] ?? middle(table),
  );
}

/**
 * The point of the table's edge that is nearest to `at`; `at` itself where the edge is not known.
 * @param {Point} at
 * @param {Point[] | undefined} edge
 */
export function onEdge(at, edge) {
  if (!edge?.length) return at;
  const feet = edge.map((from, i) => foot(at, from, edge[(i + 1) % edge.length]));
  return feet.reduce((best, one) => (away(one, at) < away(best, at) ? one : best));
}

/**
 * @param {Point} at
 * @param {Point} from
 * @param {Point} to
 * @returns {Point}
 */
function foot(at, from, to) {
  const way = [to[0] - from[0], to[1] - from[1]];
  const share =
    ((at[0] - from[0]) * way[0] + (at[1] - from[1]) * way[1]) / (way[0] ** 2 + way[1] ** 2 || 1);
  const kept = Math.max(0, Math.min(1, share));
  return [from[0] + kept * way[0], from[1] + kept * way[1]];
}
