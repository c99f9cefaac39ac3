// Shows what must be done on the table before play goes on: where a coin goes back, where a ball
// may be placed.

import { coinLook } from "./coin-faces.js";
import { svg } from "../dom.js";

/** @import { AnyTurn, Board, Point, TableTopic, Target, Task } from "../../../types/page" */

/**
 * The places where a turn asks for pieces: {coin, at, reach}. `reach` is the radius of a region,
 * and missing for a spot.
 * @param {AnyTurn | null | undefined} turn
 * @param {TableTopic} table
 * @returns {Target[]}
 */
export function targetsOf(turn, table) {
  const tasks = (turn?.before_flick ?? []).filter((task) => task.do === "place");
  if (!turn) return [];
  const { options, restore, places } = turn;
  const beside = options && !Array.isArray(options) ? options.place : null;
  const { board } = table;
  return [
    ...tasks.flatMap((task) => spotsOf(task, table)),
    ...(beside?.beside_mm
      ? [{ coin: turn.coin, at: beside.beside_mm, reach: beside.within_mm }]
      : []),
    ...(board ? (places ?? []).map((at) => ({ coin: turn.pawn, at: onBoard(at, board) })) : []),
    ...Object.entries(restore ?? {}).flatMap(([coin, at]) =>
      at ? [{ coin, at: board ? onBoard(at, board) : at }] : [],
    ),
  ];
}

/**
 * The middle of a point or a space, mm.
 * @param {Point} of
 * @param {Board} more
 * @returns {Point}
 */
export function onBoard([x, y], { kind, unit_mm: unit }) {
  const shift = kind === "spaces" ? -0.5 : 0;
  return [(x + shift) * unit, (y + shift) * unit];
}

/**
 * @param {Task} task
 * @param {TableTopic} table
 * @returns {Target[]}
 */
function spotsOf(task, table) {
  const at = task.back_mm ?? task.start_mm;
  if (at) return [{ coin: task.coin, at }];
  if (task.tower_mm)
    return [
      {
        coin: task.coin,
        at: task.tower_mm,
        reach: task.within_mm ? task.within_mm + table.tile_mm / 2 : undefined,
      },
    ];
  return [];
}

/**
 * The places as dashed rings.
 * @param {Target[]} targets
 * @param {TableTopic} table
 */
export function targetRings(targets, table) {
  const r = (table.coin_mm ?? 19) / 2;
  return targets.map(({ coin, at: [x, y], reach }) =>
    svg(
      "circle",
      {
        cx: x,
        cy: -y,
        r: reach ?? r * 1.5,
        class: reach ? "target target-region" : "target",
        ...coinLook(coin ?? ""),
        "stroke-width": r / 3,
      },
      svg("title", {}, coin ? `${coin} goes here` : "goes here"),
    ),
  );
}
