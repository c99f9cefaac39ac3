// Draws what moves on the table: the coins, and the path of the flick. They have a layer of their
// own, so that the table is not painted again.

import { coinGroup, coinLook, numberedCoin } from "./coin-faces.js";
import { byId, pathOf, svg } from "../dom.js";
import { markSizes, sizesFor, spread } from "./mark-spacing.js";
import { viewOf } from "./view.js";

/**
 * @import {
 *   AnyStanding, CoinsTopic, Marked, MissingTopic, NamingTopic, PathTopic, Piece, Point, Sizes,
 *   Topics
 * } from "../../../types/page"
 */

const TRAIL_PIECES = 14;
/**
 * The states of coins that cannot be seen. Such a coin is drawn faded and with a question mark
 * where it was last seen: nobody knows whether it still lies there.
 */
const UNSEEN = new Set(["hidden", "in_hand", "off_table", "moved"]);

/** @param {Topics} of */
export function drawPieces({ table, coins, path, standing, naming, missing, match }) {
  const place = byId("board-picture");
  if (!table) return place.querySelector(".table-moving")?.remove();
  const view = viewOf(table);
  const layer = layerIn(place);
  layer.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  const large = markSizes(table, view, layer);
  byId("board").classList.toggle("has-hand", Boolean(coins?.hand));
  const active = standing && standing.status !== "won" ? pieceInTurn(standing) : null;
  const shown = whatLies(coins, naming, missing, large.coin);
  const sizes = sizesFor(
    shown.map(({ at }) => at),
    large,
  );
  const key = JSON.stringify([view, sizes, active, shown, path, match?.tints]);
  if (layer.dataset.drawn === key) return; // most frames show a table on which nothing moved
  layer.dataset.drawn = key;
  layer.replaceChildren(...trails(path, sizes), ...marks(shown, active, sizes));
}

/** @param {AnyStanding} standing */
const pieceInTurn = ({ turn }) => turn?.coin ?? turn?.pawn;

/** @param {HTMLElement} place */
function layerIn(place) {
  /** @type {SVGSVGElement | null} */
  const there = place.querySelector(".table-moving");
  if (there) return there;
  const made = svg("svg", { class: "table-moving", "aria-hidden": "true" });
  place.append(made);
  return made;
}

/**
 * The path of a coin. Older parts are fainter.
 * @param {PathTopic | null | undefined} path
 * @param {Sizes} more
 */
function trails(path, { px }) {
  return Object.entries(path?.coins ?? {}).flatMap(([coin, points]) => {
    if (points.length < 2) return [];
    const piece = Math.max(1, Math.ceil((points.length - 1) / TRAIL_PIECES));
    const parts = [];
    for (let i = 0; i < points.length - 1; i += piece) parts.push(points.slice(i, i + piece + 1));
    return [
      svg("path", { d: pathOf(points), class: "trail-casing", "stroke-width": 6.2 * px }),
      ...parts.map((part, i) =>
        svg("path", {
          d: pathOf(part),
          class: "trail",
          ...coinLook(coin),
          "stroke-width": 4 * px,
          opacity: 0.45 + (0.55 * (i + 1)) / parts.length,
        }),
      ),
    ];
  });
}

/**
 * The coins whose places are known, rounded to half a millimetre. A coin whose name is asked shows
 * its number.
 * @param {CoinsTopic | null | undefined} coins
 * @param {NamingTopic | null | undefined} naming
 * @param {MissingTopic | null | undefined} missing
 * @param {number} radius
 * @returns {Piece[]}
 */
function whatLies(coins, naming, missing, radius) {
  const seen = Object.entries(missing?.lying ?? {}).map(([name, at]) => ({
    name,
    at: half(at),
    state: "rest",
  }));
  const known = Object.entries(coins?.coins ?? {}).flatMap(([name, { at_mm: at, state }]) =>
    at ? [{ name, at: half(at), state }] : [],
  );
  const asked = (naming?.coins ?? []).map(({ id, at_mm: at }) => ({
    name: id,
    at: half(at),
    state: "asked",
  }));
  return [
    ...[...known, ...seen].filter(({ at }) => !asked.some((other) => near(at, other.at, radius))),
    ...asked,
  ];
}

/**
 * @param {Point} at
 * @returns {Point}
 */
const half = ([x, y]) => [Math.round(x * 2) / 2, Math.round(y * 2) / 2];

/**
 * @param {Piece[]} shown
 * @param {string | null | undefined} active
 * @param {Sizes} sizes
 */
function marks(shown, active, sizes) {
  const places = spread(
    shown.map(({ at }) => [at[0], -at[1]]),
    sizes.mark,
  );
  const drawn = shown.map((coin, i) => ({ ...coin, to: places[i], active: coin.name === active }));
  return [
    ...drawn.flatMap((coin) => foot(coin, sizes)),
    ...drawn.sort((a, b) => Number(a.active) - Number(b.active)).map((coin) => mark(coin, sizes)),
  ];
}

/**
 * @param {Point} a
 * @param {Point} b
 * @param {number} within
 */
const near = (a, b, within) => Math.hypot(a[0] - b[0], a[1] - b[1]) < within;

/**
 * The true place and size of a coin whose mark had to move aside.
 * @param {Marked} of
 * @param {Sizes} more
 */
function foot({ name, at: [x, y], to }, { coin, px }) {
  if (Math.hypot(to[0] - x, to[1] + y) < 1) return [];
  return [
    svg("path", {
      d: `M${x} ${-y}L${to[0]} ${to[1]}`,
      class: "coin-leader",
      "stroke-width": 2 * px,
    }),
    svg("circle", {
      cx: x,
      cy: -y,
      r: coin,
      class: "coin-foot",
      ...coinLook(name),
      "stroke-width": 1.5 * px,
    }),
  ];
}

/**
 * @param {Marked} of
 * @param {Sizes} sizes
 */
function mark({ name, to: [x, y], state, active }, sizes) {
  const face = state === "asked" ? numberedCoin(name) : coinGroup(name);
  const ring = active ? svg("circle", { r: 12.6, class: "coin-active" }) : null;
  const unseen = UNSEEN.has(state)
    ? [
        svg("circle", { r: 11.5, class: "coin-veil" }),
        svg(
          "g",
          { class: "coin-unseen", transform: "translate(8.5 -8.5)" },
          svg("circle", { r: 6 }),
          svg("text", { y: 0.3 }, "?"),
        ),
      ]
    : [];
  return svg(
    "g",
    {
      class: `piece piece-${state}`,
      "data-piece": name,
      transform: `translate(${x} ${y}) scale(${sizes.mark / 10})`,
    },
    ring,
    face,
    ...unseen,
  );
}
