// Draws the faces of coins. The mark identifies a coin, and the colour of the set on the table is
// added to it.

import { svg } from "../dom.js";
import { PAWNS } from "../words.js";

/** @import { Topics } from "../../../types/page" */

/** @type {Record<string, string>} */
const USUAL = { moons: "black", suns: "red", arms: "blue", crowns: "green" };
/** @type {Record<string, string>} */
let tints = {};

/**
 * Use the colours of this match's set from now on. Coins without a known colour keep the usual one.
 * @param {Topics} of
 */
export function takeTints({ match }) {
  tints = match?.tints ?? {};
}

/**
 * The attributes by which styles know which coin something belongs to.
 * @param {string} name
 */
export const coinLook = (name) => ({
  "data-coin": name,
  "data-tint": tints[faceOf(name)] ?? USUAL[faceOf(name)] ?? (PAWNS.includes(name) ? name : "rank"),
});

/**
 * The face that a coin shows. One of six equal coins (`suns-3`) shows its suit.
 * @param {string} name
 */
const faceOf = (name) => name.replace(/-\d$/, "");

/** @type {Record<string, () => SVGElement[]>} */
const MARKS = {
  moons: () => [
    svg("path", { d: "M2.4-5.9A6.4 6.4 0 1 0 2.4 5.9A6.6 6.6 0 0 1 2.4-5.9Z", class: "mark-fill" }),
  ],
  suns: () => [
    svg("circle", { r: 3.1, class: "mark-fill" }),
    svg("path", { d: rays(8, 4.5, 7), class: "mark-line" }),
  ],
  arms: () => [
    svg("path", {
      d: "M-5.3-5.8H5.3V-.6C5.3 3.3 2.7 5.8 0 7C-2.7 5.8-5.3 3.3-5.3-.6Z",
      class: "mark-fill",
    }),
    svg("path", { d: "M0-4.6V5.2M-4.2-1.4H4.2", class: "mark-cut" }),
  ],
  crowns: () => [
    svg("path", { d: "M-6 4.9L-6.9-3.6L-3.1-.2L0-5.8L3.1-.2L6.9-3.6L6 4.9Z", class: "mark-fill" }),
  ],
  null: () => [svg("circle", { r: 5, class: "mark-ring" })],
  ace: () => [letter("A")],
  black: () => [letter("K")], // croquet players write K for black, because B is blue
};

/**
 * @param {number} count
 * @param {number} from
 * @param {number} to
 */
function rays(count, from, to) {
  return Array.from({ length: count }, (_, i) => {
    const turn = (2 * Math.PI * i) / count;
    /** @param {number} far */
    const at = (far) => `${(Math.cos(turn) * far).toFixed(2)} ${(Math.sin(turn) * far).toFixed(2)}`;
    return `M${at(from)}L${at(to)}`;
  }).join("");
}

/** @param {string} text */
const letter = (text) => svg("text", { y: 0.5, class: "mark-letter" }, text);

/** A pawn from above: a round body with a flat foot. */
const PAWN = "M0-10.5A9 9 0 0 1 8.6 1.5L10 10H-10L-8.6 1.5A9 9 0 0 1 0-10.5Z";

/**
 * A small number at the coin's side, for one of several equal coins.
 * @param {string} number
 */
const numbered = (number) => [
  svg("circle", { cx: 6.5, cy: 6.5, r: 5, class: "coin-number" }),
  svg("text", { x: 6.5, y: 6.8, class: "coin-digit" }, number),
];

/**
 * What a coin shows, without the coin.
 * @param {string} name
 */
export const coinMark = (name) =>
  MARKS[faceOf(name)]?.() ?? [letter(name.slice(0, 1).toUpperCase())];

/**
 * A coin as an SVG group of radius 10 about the origin.
 * @param {string} name
 */
export function coinGroup(name) {
  const marks = coinMark(name);
  const number = name.match(/-(\d)$/)?.[1];
  const face = PAWNS.includes(name)
    ? svg("path", { d: PAWN, class: "coin-face" })
    : svg("circle", { r: 10, class: "coin-face" });
  return svg(
    "g",
    { class: "coin", ...coinLook(name) },
    face,
    ...marks,
    ...(number ? numbered(number) : []),
  );
}

/**
 * A coin as a picture beside text. The picture has no text of its own, because the coin's name is
 * next to it, shown or hidden.
 * @param {string} name
 */
export function coinPicture(name) {
  return svg(
    "svg",
    { class: "coin-picture", viewBox: "-11.5 -11.5 23 23", "aria-hidden": "true" },
    coinGroup(name),
  );
}

/**
 * The number by which people call a coin without a name.
 * @param {string} id
 */
export const calledNumber = (id) => id.replace(/^\?/, "");

/**
 * A coin without a name as an SVG group of radius 10 about the origin: its number.
 * @param {string} id
 */
export const numberedCoin = (id) =>
  svg(
    "g",
    { class: "coin coin-asked" },
    svg("circle", { r: 10, class: "coin-face" }),
    svg("text", { y: 0.5, class: "mark-letter" }, calledNumber(id)),
  );

/**
 * The colour in which this match's set shows a coin's face, in a word; empty where it is not known.
 * @param {string} name
 */
export const tintOf = (name) => tints[faceOf(name)] ?? "";
