// What must be done on the table before play goes on, shown where it is to be done: where a coin
// goes back, where a ball may be placed.

import { coinLook } from "./coins.js";
import { svg } from "./dom.js";

/**
 * What is asked for by a turn, as places: {coin, at, reach} with `reach` the radius of a region,
 * none for a spot.
 */
export function targetsOf(turn, table) {
  const tasks = (turn?.before_flick ?? []).filter((task) => task.do === "place");
  const beside = turn?.options?.place;
  return [
    ...tasks.flatMap((task) => spotsOf(task, table)),
    ...(beside?.beside_mm
      ? [{ coin: turn.coin, at: beside.beside_mm, reach: beside.within_mm }]
      : []),
    ...(table.board
      ? (turn?.places ?? []).map((at) => ({ coin: turn.pawn, at: onBoard(at, table.board) }))
      : []),
    ...Object.entries(turn?.restore ?? {})
      .filter(([, at]) => at)
      .map(([coin, at]) => ({ coin, at: table.board ? onBoard(at, table.board) : at })),
  ];
}

/** The middle of a point or a space, mm. */
export function onBoard([x, y], { kind, unit_mm: unit }) {
  const shift = kind === "spaces" ? -0.5 : 0;
  return [(x + shift) * unit, (y + shift) * unit];
}

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

/** The places as dashed rings. */
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
