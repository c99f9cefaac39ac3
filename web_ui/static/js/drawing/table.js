// Draws a table from above: wood, tiles, wickets and endposts.

import { boardDrawing } from "./board.js";
import { castles, pockets, rack, towerMarks } from "./ground.js";
import { arrow } from "./next-arrow.js";
import { pathOf, svg } from "../dom.js";
import { placeName } from "../words.js";

/** @import { MarkedTiles, Next, Point, Side, TableTopic, View } from "../../../types/page" */

/**
 * The elements of the table's drawing. `name` makes the ids inside it different from those of
 * another drawing on the page.
 * @param {TableTopic} table
 * @param {View} view
 * @param {Next | null} next
 * @param {string} name
 * @param {MarkedTiles} marked
 */
export function tableDrawing(table, view, next = null, name = "board", marked = {}) {
  if (table.board) return boardDrawing(table.board, next);
  const ground = [gradient(name), ...wood(table, view, name)];
  return [
    ...ground,
    ...castles(table),
    ...pockets(table),
    ...rack(table),
    ...lines(table, next),
    ...tiles(table, next, marked),
    ...towerMarks(table),
  ];
}

/** @param {string} name */
function gradient(name) {
  return svg(
    "defs",
    {},
    svg(
      "linearGradient",
      { id: `wood-${name}`, x1: 0, y1: 0, x2: 0, y2: 1 },
      svg("stop", { offset: 0, class: "wood-far" }),
      svg("stop", { offset: 1, class: "wood-near" }),
    ),
  );
}

/**
 * @param {TableTopic} table
 * @param {View} view
 * @param {string} name
 */
function wood(table, view, name) {
  const fill = `url(#wood-${name})`;
  if (!table.edge_mm?.length) return [svg("rect", { ...view, class: "wood-open", fill })];
  const outline = pathOf(table.edge_mm, true);
  return [
    svg("clipPath", { id: `outline-${name}` }, svg("path", { d: outline })),
    svg("path", { d: outline, class: "wood-shadow", transform: "translate(0 9)" }),
    svg("path", { d: outline, fill }),
    svg("g", { "clip-path": `url(#outline-${name})` }, ...grain(view)),
    ...(table.sides?.length
      ? table.sides.flatMap(side)
      : [svg("path", { d: outline, class: "edge" })]),
  ];
}

/** @param {View} of */
function grain({ x, y, width, height }) {
  return Array.from({ length: 22 }, (_, i) => {
    const at = y + (height * (i + 0.5 + 0.35 * Math.sin(i * 2.4))) / 22;
    const wave = 5 + 4 * Math.sin(i * 1.7);
    const quarter = width / 4;
    const bows = [wave / 3, -wave / 2, 0].map((bow) => `t${quarter} ${bow}`).join("");
    const d = `M${x} ${at}q${width / 8} ${wave} ${quarter} 0${bows}`;
    return svg("path", { d, class: i % 3 ? "grain" : "grain grain-dark" });
  });
}

/** @param {Side} of */
function side({ begin_mm: begin, end_mm: end, seen: [from, to] }) {
  /**
   * @param {number} share
   * @returns {Point}
   */
  const at = (share) => [
    begin[0] + share * (end[0] - begin[0]),
    begin[1] + share * (end[1] - begin[1]),
  ];
  /**
   * @param {number} a
   * @param {number} b
   * @param {string} kind
   */
  const stretch = (a, b, kind) =>
    b - a > 0.001 ? [svg("path", { d: pathOf([at(a), at(b)]), class: kind })] : [];
  return [
    ...stretch(0, from, "edge-blind"),
    ...stretch(from, to, "edge"),
    ...stretch(to, 1, "edge-blind"),
  ];
}

/**
 * @param {TableTopic} table
 * @param {Next | null} next
 */
function lines(table, next) {
  const passed = Object.entries(table.lines ?? {}).filter(([name]) => !name.startsWith("pocket-"));
  return passed.flatMap(([name, { left_mm: left, right_mm: right }]) => {
    const [x, y] = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
    const isNext = next?.place === name;
    const size = table.tile_mm * 1.25;
    return [
      svg(
        "path",
        {
          d: pathOf([right, left]),
          class: `wicket ${name.startsWith("gate-") ? "gate" : ""} ${isNext ? "wicket-next" : ""}`,
        },
        svg("title", {}, placeName(name)),
      ),
      svg(
        "text",
        {
          x,
          y: -y + size * 0.35,
          "font-size": size,
          class: isNext ? "wicket-number number-next" : "wicket-number",
        },
        name.startsWith("wicket-") ? name.replace("wicket-", "") : "",
      ),
      ...(isNext && typeof next.outward === "boolean"
        ? [arrow({ left_mm: left, right_mm: right }, next.outward, table.tile_mm, next.arrow ?? 0)]
        : []),
    ];
  });
}

/**
 * @param {TableTopic} table
 * @param {Next | null} next
 * @param {MarkedTiles} marked
 */
function tiles(table, next, { wrong, held } = {}) {
  return Object.entries(table.tiles ?? {}).map(([name, tile]) => {
    const stack = tile.stack ?? 1;
    const [x, y] = tile.centre_mm;
    const isNext = next?.place === name;
    const layers = Array.from({ length: stack }, (_, i) =>
      layer(table.tile_mm, (i * table.tile_mm) / 16, i === stack - 1),
    );
    const marks = [
      isNext ? "tile-next" : "",
      wrong?.has(name) ? "tile-wrong" : "",
      held?.has(name.replace(/-\d+$/, "")) ? "tile-held" : "",
    ].join(" ");
    return svg(
      "g",
      { class: `tile ${marks}`, transform: `translate(${x} ${-y})` },
      svg("g", { transform: `rotate(${-tile.rotation_deg})` }, ...layers.flat()),
      stack > 1 && name.endsWith("-endpost")
        ? svg(
            "text",
            {
              "font-size": table.tile_mm * 0.6,
              y: table.tile_mm * (0.21 - (stack - 1) / 16),
              class: "post-letter",
            },
            name.startsWith("left") ? "L" : "R",
          )
        : null,
    );
  });
}

/**
 * @param {number} size
 * @param {number} lift
 * @param {boolean} top
 */
function layer(size, lift, top) {
  const half = size / 2;
  return [
    svg("rect", {
      x: -half,
      y: -half - lift,
      width: size,
      height: size,
      rx: size * 0.05,
      class: "tile-face",
    }),
    ...(top && lift === 0
      ? [svg("path", { d: `M0 ${-half}V${half}M${-half} 0H${half}`, class: "tile-cross" })]
      : []),
  ];
}
