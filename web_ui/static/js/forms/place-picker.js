// The choice of a place on the table: tapped on the drawing, moved there with the arrow keys, or
// given in millimetres.

import { coinLook } from "../drawing/coin-faces.js";
import { byId, html, svg } from "../dom.js";
import { tableDrawing } from "../drawing/table.js";
import { boxOf, viewOf } from "../drawing/view.js";
import { arrowKeys } from "./spot-keys.js";

/** @import { AskedPlace, Picking, PlacePick, Point, TableTopic } from "../../../types/page" */

/** @type {AskedPlace[]} */
let spots = [];
/** @type {AskedPlace | null} */
let current = null;
/** @type {number | null} */
let drawn = null;

/**
 * The chosen place. Its button is disabled until there is one.
 * @param {PlacePick} picker
 */
export function chosenPlace(picker) {
  const at = picker.value();
  if (!at) throw new Error("No place was chosen.");
  return at;
}

/**
 * The choice of a place: {element, value()}, the value [x, y] in mm or null. `at` is proposed at
 * the start, and `why` explains it. `snap(at)` moves a tapped place to the nearest possible one.
 * `coin()` is the coin that lies there. `changed` is called after each choice, with how it was made
 * (`tapped`, `moved`, `typed`). `others()` are the coins that already have a place, [coin, [x, y]].
 * With `own`, the choice has a small drawing to itself instead of using the table's.
 * @param {TableTopic} table
 * @param {Picking} more
 * @returns {PlacePick}
 */
export function spotPicker(
  table,
  {
    at = null,
    why = "",
    snap = (place) => place,
    coin = () => "",
    changed = () => {},
    others = () => [],
    own = false,
  },
) {
  const told = html("p", { class: "spot-told", role: "status" });
  const inputs = ["x", "y"].map(() =>
    html("input", { type: "number", step: "any", inputmode: "text" }),
  );
  const picture = own ? smallDrawing(table) : null;
  const [x, y] = inputs.map((input, i) => html("label", { class: "spot-mm" }, "xy"[i], input));
  const view = viewOf(table);
  const keys = arrowKeys(
    whole([view.x + view.width / 2, -view.y - view.height / 2]),
    () => spot.at,
    (where) => {
      current = spot;
      const at = whole(snap(where));
      place(at, `At ${at[0]}, ${at[1]} mm.`, "moved");
    },
  );
  const given = html("p", { class: "spot-given" }, x, y, "mm", keys);
  /** @type {AskedPlace} */
  const spot = {
    table,
    coin,
    others,
    element: html("div", { class: "spot" }, picture, told, given),
    at,
    tapped: (where) => {
      current = spot;
      place(whole(snap(where)), "At the place that you tapped.", "tapped");
    },
  };
  /**
   * @param {Point | null} next
   * @param {string} words
   * @param {string} how
   */
  function place(next, words, how = "") {
    spot.at = next;
    told.textContent = next ? words : "Tap its place on the table.";
    if (how !== "typed")
      inputs.forEach((input, i) => {
        input.value = next ? String(next[i]) : "";
      });
    if (how === "")
      inputs.forEach((input) => {
        input.defaultValue = input.value;
      }); // only proposed, not yet chosen
    if (picture) drawMark(picture, spot);
    else drawSpot();
    changed(next, how);
  }
  inputs.forEach((input) =>
    input.addEventListener("input", () => {
      current = spot;
      const [left, up] = inputs.map(({ valueAsNumber }) => valueAsNumber);
      const known = Number.isFinite(left) && Number.isFinite(up);
      place(known ? [left, up] : null, "At the place that you typed.", "typed");
    }),
  );
  picture?.addEventListener("click", (event) => tapOn(picture, event, spot));
  if (!own) spots.push(spot);
  place(at && whole(at), why);
  return { element: spot.element, value: () => spot.at, place };
}

/** @param {TableTopic} table */
const smallDrawing = (table) =>
  html(
    "div",
    { class: "spot-drawing is-pointing" },
    svg(
      "svg",
      {
        class: "table-still",
        viewBox: boxOf(viewOf(table)),
        role: "img",
        "aria-label": "The table from above",
      },
      ...tableDrawing(table, viewOf(table), null, "spot"),
    ),
  );

/**
 * @param {Point} at
 * @returns {Point}
 */
const whole = ([x, y]) => [Math.round(x), Math.round(y)];

/** The picker that a tap is for: the one used last, else the first one that can be seen. */
function armed() {
  spots = spots.filter(({ element }) => element.isConnected);
  const seen = spots.filter(({ element }) => element.checkVisibility());
  return current && seen.includes(current) ? current : (seen[0] ?? null);
}

/** Whether a tap on the table chooses a place. */
export const isPointing = () => armed() !== null;

/** Draw the chosen place on the table. Call this whenever the visible pickers have changed. */
export function drawSpot() {
  if (drawn === null) {
    drawn = requestAnimationFrame(() => {
      drawn = null;
      mark(armed());
    });
  }
}

/** @param {AskedPlace | null} spot */
function mark(spot) {
  const picture = byId("board-picture");
  picture.classList.toggle("is-pointing", spot !== null);
  drawMark(picture, spot);
}

/**
 * @param {HTMLElement} picture
 * @param {AskedPlace | null} spot
 */
function drawMark(picture, spot) {
  picture.querySelector(".table-spot")?.remove();
  if (!spot) return;
  const view = viewOf(spot.table);
  /** @type {[string, Point][]} */
  const placed = [...spot.others()];
  if (spot.at) placed.push([spot.coin(), spot.at]);
  picture.append(
    svg(
      "svg",
      { class: "table-spot", viewBox: boxOf(view), "aria-hidden": "true" },
      ...placed.map(([coin, [x, y]]) =>
        svg("circle", {
          cx: x,
          cy: -y,
          r: (spot.table.coin_mm ?? 19) / 2,
          class: "spot-coin",
          ...coinLook(coin),
        }),
      ),
      ...(spot.at ? [cross(spot.at, view.width / 40)] : []),
    ),
  );
}

/**
 * @param {Point} of
 * @param {number} arm
 */
const cross = ([x, y], arm) =>
  svg("path", {
    d:
      `M${x - 2 * arm} ${-y}h${arm}M${x + arm} ${-y}h${arm}` +
      `M${x} ${-y - 2 * arm}v${arm}M${x} ${-y + arm}v${arm}`,
    class: "spot-cross",
    "stroke-width": arm / 3,
  });

/**
 * Choose the tapped place on the table, mm.
 * @param {HTMLElement} picture
 * @param {MouseEvent} event
 * @param {AskedPlace | null} spot
 */
function tapOn(picture, { clientX, clientY }, spot) {
  /** @type {SVGSVGElement | null} */
  const still = picture.querySelector(".table-still");
  const matrix = still?.getScreenCTM();
  if (!spot || !matrix) return;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  spot.tapped([x, -y]);
}

/** Let taps on the drawing choose places. */
export function listenForTaps() {
  const picture = byId("board-picture");
  picture.addEventListener("click", (event) => tapOn(picture, event, armed()));
  document.addEventListener(
    "toggle",
    ({ target }) => {
      const fold = target instanceof HTMLDetailsElement && target.open ? target : null;
      current = spots.find(({ element }) => fold?.contains(element)) ?? current;
      drawSpot();
    },
    true,
  );
}
