// Computes the part of the table that is drawn.

import { boardCorners } from "./board.js";

/** @import { TableTopic, View } from "../../../types/page" */

const MARGIN_MM = 26;

/**
 * The part of the table frame that is drawn, as SVG has it (y down): {x, y, width, height}, mm.
 * @param {TableTopic} table
 * @returns {View}
 */
export function viewOf(table) {
  const tiles = Object.values(table.tiles ?? {}).map(({ centre_mm: centre }) => centre);
  const far = (table.tile_mm ?? 50) * 1.5;
  const around = tiles.flatMap(([x, y]) => [
    [x - far, y - far],
    [x + far, y + far],
  ]);
  const known = [
    ...(table.edge_mm ?? []),
    ...around,
    ...(table.board ? boardCorners(table.board) : []),
  ];
  const points = known.length
    ? known
    : [
        [0, 0],
        [1000, 600],
      ]; // a layout may have no tiles
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => -y)];
  const margin = table.board ? 2 : MARGIN_MM;
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return {
    x: left,
    y: top,
    width: Math.max(...xs) + margin - left,
    height: Math.max(...ys) + margin - top,
  };
}

/**
 * A part of the drawing as an SVG viewBox.
 * @param {View} of
 */
export const boxOf = ({ x, y, width, height }) => `${x} ${y} ${width} ${height}`;
