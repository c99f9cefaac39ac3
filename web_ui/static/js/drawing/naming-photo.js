// The picture of the table. It replaces the drawing while the page asks which coin is which, or
// which castle is Moons'. Beside each coin or tower that is asked about stands its number.

import { numberedCoin } from "./coin-faces.js";
import { byId, html, svg } from "../dom.js";

/**
 * @import { Beside, CastleTopic, InPicture, Numbered, Point, Topics } from "../../../types/page"
 */

const MARK_REM = 0.85; // a mark's radius on the screen
const GAP = 0.5; // of that radius, between a coin and its mark
const RING = 1.15; // of a coin's radius, so that its rim is seen
const WAYS = 16; // directions in which a mark may stand beside its coin
let drawn = "";
let shownAt = 0;

/** @param {Topics} of */
export function drawNamingPhoto({ naming, castle }) {
  const place = byId("board-picture");
  const asked = castle ? towers(castle) : naming;
  const size = asked?.picture_px;
  byId("board").classList.toggle("has-photo", Boolean(size));
  if (!asked || !size) {
    drawn = "";
    return place.querySelector(".photo")?.remove();
  }
  byId("court").style.setProperty("--photo", String(size[0] / size[1]));
  if (!place.querySelector(".photo")) shownAt = Date.now();
  const marks = marksOf(asked, size, markRadius(place, size));
  const address = `/pictures/${castle ? "castle" : "naming"}?${shownAt}`;
  const key = JSON.stringify([address, size, marks]);
  if (drawn === key) return;
  drawn = key;
  place.querySelector(".photo")?.remove();
  place.append(
    html(
      "a",
      { class: "photo", href: address, target: "_blank" },
      svg(
        "svg",
        {
          viewBox: `-0.5 -0.5 ${size[0]} ${size[1]}`,
          role: "img",
          "aria-label": "The table as the camera sees it, with the numbers",
        },
        svg("image", { href: address, x: -0.5, y: -0.5, width: size[0], height: size[1] }),
        ...marks.map(mark),
      ),
    ),
  );
}

/**
 * The castles as things to be numbered: at their towers, from 1 on.
 * @param {CastleTopic} of
 * @returns {Numbered}
 */
const towers = ({ castles, picture_px }) => ({
  coins: castles.map(({ in_picture }, i) => ({ id: String(i + 1), in_picture })),
  others: [],
  picture_px,
});

/**
 * The radius of a mark, in pixels of the picture.
 * @param {Element} place
 * @param {Point} size
 */
function markRadius(place, [width, height]) {
  const scale = Math.min(place.clientWidth / width, place.clientHeight / height) || 1;
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return (MARK_REM * rem) / scale;
}

/**
 * Where each number stands. It covers no coin and no other number as long as there is room beside
 * its coin.
 * @param {Numbered} asked about
 * @param {Point} size
 * @param {number} radius
 */
function marksOf({ coins, others }, size, radius) {
  const asked = coins.flatMap(({ id, in_picture: coin }) => (coin ? [{ id, coin }] : []));
  /** @type {Beside[]} */
  const marks = [];
  for (const { id, coin } of asked) {
    const taken = [
      ...others,
      ...asked.flatMap((one) => (one.coin === coin ? [] : [one.coin])),
      ...marks.map(({ at }) => ({ at_px: at, radius_px: radius })),
    ];
    marks.push({ id, coin, radius, at: clearest(coin, radius, taken, size) });
  }
  return marks;
}

/**
 * The place beside a coin that is farthest from everything else.
 * @param {InPicture} coin
 * @param {number} radius
 * @param {InPicture[]} taken
 * @param {Point} size
 * @returns {Point}
 */
function clearest({ at_px: [x, y], radius_px: own }, radius, taken, [width, height]) {
  const reach = own + (1 + GAP) * radius;
  const places = Array.from({ length: WAYS }, (_, i) => {
    const turn = (2 * Math.PI * (i + 0.5)) / WAYS - Math.PI / 2; // the upper right one first
    return /** @type {Point} */ ([x + reach * Math.cos(turn), y + reach * Math.sin(turn)]);
  });
  /** @param {Point} at */
  const room = ([u, v]) =>
    Math.min(
      ...taken.map(({ at_px: [a, b], radius_px: r }) => Math.hypot(a - u, b - v) - r - radius),
      ...[u, v, width - u, height - v].map((edge) => edge - radius),
      radius, // more room than this is not better
    );
  return places.reduce((best, at) => (room(at) > room(best) + 0.01 ? at : best));
}

/** @param {Beside} of */
function mark({ id, coin: { at_px: from, radius_px: own }, radius, at }) {
  const way = Math.hypot(at[0] - from[0], at[1] - from[1]);
  const edge = from.map((value, i) => value + ((at[i] - value) * own) / way);
  return svg(
    "g",
    {},
    svg("circle", { class: "photo-ring", cx: from[0], cy: from[1], r: RING * own }),
    svg("path", { class: "photo-ring", d: `M${edge.join(" ")}L${at.join(" ")}` }),
    svg(
      "g",
      { class: "photo-mark", transform: `translate(${at.join(" ")}) scale(${radius / 10})` },
      numberedCoin(id),
    ),
  );
}
