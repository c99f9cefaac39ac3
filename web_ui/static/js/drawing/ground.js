// Draws what only some games have on the table: castles with their gates, doors and towers, and the
// pockets and the rack of Carroms.

import { coinLook, coinMark } from "./coin-faces.js";
import { pathOf, svg } from "../dom.js";

/** @import { AnyTurn, Point, TableTopic } from "../../../types/page" */

const SUITS = ["moons", "suns", "crowns", "arms"];

/**
 * The ground of each castle, from its gate to its tower, in its suit's colour. It is only a
 * drawing: the gate decides which coins are inside.
 * @param {TableTopic} table
 */
export function castles(table) {
  return SUITS.filter(
    (suit) => table.lines?.[`gate-${suit}`] && table.tiles?.[`tower-${suit}`],
  ).map((suit) => {
    const gate = table.lines[`gate-${suit}`];
    const door = table.lines[`door-${suit}`];
    const [x, y] = table.tiles[`tower-${suit}`].centre_mm;
    /** @type {Point[]} */
    const points = [
      gate.left_mm,
      gate.right_mm,
      ...(door ? [door.right_mm] : []),
      [x, y],
      ...(door ? [door.left_mm] : []),
    ];
    return svg(
      "path",
      {
        d: pathOf(points, true),
        class: "castle",
        ...coinLook(suit),
        "stroke-width": table.tile_mm * 0.5,
      },
      svg("title", {}, `the castle of ${suit}`),
    );
  });
}

/**
 * The suit's mark on top of each tower.
 * @param {TableTopic} table
 */
export function towerMarks(table) {
  return Object.entries(table.tiles ?? {})
    .filter(([name]) => name.startsWith("tower-"))
    .map(
      ([
        name,
        {
          centre_mm: [x, y],
        },
      ]) =>
        svg(
          "g",
          { class: "tower-mark", transform: `translate(${x} ${-y}) scale(${table.tile_mm / 26})` },
          ...coinMark(name.replace("tower-", "")),
        ),
    );
}

/**
 * The pockets: half circles on the side of their mouths that is away from the middle of the board.
 * @param {TableTopic} table
 */
export function pockets(table) {
  const [cx, cy] = table.rack_mm?.[0] ?? [0, 0];
  return Object.entries(table.lines ?? {})
    .filter(([name]) => name.startsWith("pocket-"))
    .flatMap(([name, { left_mm: left, right_mm: right }]) => {
      const r = Math.hypot(left[0] - right[0], left[1] - right[1]) / 2;
      const beyond =
        // which of the two half circles
        (left[0] - cx) * (right[1] - cy) - (left[1] - cy) * (right[0] - cx) > 0 ? 0 : 1;
      return [
        svg(
          "path",
          {
            d: `M${left[0]} ${-left[1]}A${r} ${r} 0 0 ${beyond} ${right[0]} ${-right[1]}Z`,
            class: "pocket",
            "data-pocket": name,
          },
          svg("title", {}, name.replace("-", " ")),
        ),
        svg("path", { d: pathOf([left, right]), class: "pocket-mouth" }),
      ];
    });
}

/**
 * Where the coins lie at the break.
 * @param {TableTopic} table
 */
export function rack(table) {
  return (table.rack_mm ?? []).map(([x, y]) =>
    svg("circle", { cx: x, cy: -y, r: table.coin_mm / 2, class: "rack" }),
  );
}

/**
 * The walls that are held down, as their tiles' names begin (`wall-n`).
 * @param {AnyTurn | null | undefined} turn
 */
export function heldTiles(turn) {
  return new Set(
    Object.values(turn?.held ?? {})
      .flat()
      .map((wall) => `wall-${wall.toLowerCase()}`),
  );
}
