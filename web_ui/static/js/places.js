// Where the rules put a coin, as a spot to begin from: it is offered, and tapped elsewhere where
// the coin lies elsewhere.

/**
 * The spot for a task of `before_flick`, or for a move beside a coin: [x, y] mm, null where nothing
 * is known. `lying` are the coins' known places.
 */
export function spotFor(task, table, lying) {
  const taken = Object.entries(lying)
    .filter(([name]) => name !== task.coin)
    .map(([, at]) => at);
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

const away = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

/** In front of the left endpost: the middle, then beside it, then the same farther on. */
const grid = ([x, y], coin) =>
  [0, 1.05].flatMap((far) =>
    [0, 1.2, -1.2, 2.4, -2.4].map((aside) => [x + far * coin, y + aside * coin]),
  );

const round = ([x, y], far, count) =>
  Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count).map((turn) => [
    x + far * Math.cos(turn),
    y + far * Math.sin(turn),
  ]);

/** At the tower's sides, those towards its gate first. */
function besideTower(name, table) {
  const tower = table.tiles?.[name];
  if (!tower) return [];
  const gate = table.lines?.[name.replace("tower-", "gate-")];
  const far = (table.tile_mm + 1.5 * table.coin_mm) / 2;
  const first = (tower.rotation_deg * Math.PI) / 180;
  const sides = [0, 1, 2, 3]
    .map((i) => first + (i * Math.PI) / 2)
    .map((turn) => [
      tower.centre_mm[0] + far * Math.cos(turn),
      tower.centre_mm[1] + far * Math.sin(turn),
    ]);
  const goal = gate
    ? [(gate.left_mm[0] + gate.right_mm[0]) / 2, (gate.left_mm[1] + gate.right_mm[1]) / 2]
    : middle(table);
  return sides.sort((a, b) => away(a, goal) - away(b, goal));
}

/** The middle of the course. */
function middle(table) {
  const tiles = Object.values(table.tiles ?? {}).map(({ centre_mm: at }) => at);
  return [0, 1].map((i) => tiles.reduce((sum, at) => sum + at[i], 0) / (tiles.length || 1));
}

function inwards(at, far, goal) {
  const whole = away(at, goal) || 1;
  return at.map((value, i) => value + ((goal[i] - value) * far) / whole);
}

/** On the board, a coin's width from the southern wall. */
function byWall(table) {
  const wall = Object.entries(table.tiles ?? {})
    .filter(([name]) => name.startsWith("wall-s-"))
    .map(([, { centre_mm: at }]) => at);
  if (!wall.length) return null;
  const at = [0, 1].map((i) => wall.reduce((sum, one) => sum + one[i], 0) / wall.length);
  return inwards(at, table.tile_mm / 2 + table.coin_mm, table.rack_mm?.[0] ?? middle(table));
}

/**
 * The point of the table's edge that is nearest to `at`; `at` itself where the edge is not known.
 */
export function onEdge(at, edge) {
  if (!edge?.length) return at;
  const feet = edge.map((from, i) => foot(at, from, edge[(i + 1) % edge.length]));
  return feet.reduce((best, one) => (away(one, at) < away(best, at) ? one : best));
}

function foot(at, from, to) {
  const way = [to[0] - from[0], to[1] - from[1]];
  const share =
    ((at[0] - from[0]) * way[0] + (at[1] - from[1]) * way[1]) / (way[0] ** 2 + way[1] ** 2 || 1);
  const kept = Math.max(0, Math.min(1, share));
  return [from[0] + kept * way[0], from[1] + kept * way[1]];
}
