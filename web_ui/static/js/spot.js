// A place on the table: tapped on its drawing, or given in millimetres.

import { coinLook } from "./coins.js";
import { byId, html, svg } from "./dom.js";
import { boxOf, tableDrawing, viewOf } from "./table.js";

let spots = [];
let current = null;
let drawn = null;

/**
 * A place to be chosen: {element, value()}, the value [x, y] in mm or null. `at` is chosen from the
 * start, which `why` says in words; `snap(at)` moves
 * what is tapped to where it can be; `coin()` is what lies there; `changed` is told of each choice,
 * and how it was
 * made (`tapped`, `typed`); `others()` are coins that were given a place before, [coin, [x, y]].
 * With `own` the drawing is a small one beside it.
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
  const spot = { table, coin, others, element: null, at };
  function place(next, words, how = "") {
    spot.at = next;
    told.textContent = next ? words : "Tap the table where it is.";
    if (how !== "typed")
      inputs.forEach((input, i) => {
        input.value = next ? String(next[i]) : "";
      });
    if (how === "")
      inputs.forEach((input) => {
        input.defaultValue = input.value;
      }); // proposed, not chosen
    if (own) drawMark(picture, spot);
    else drawSpot();
    changed(next, how);
  }
  spot.tapped = (where) => {
    current = spot;
    place(snap(where).map(whole), "Where you tapped.", "tapped");
  };
  inputs.forEach((input) =>
    input.addEventListener("input", () => {
      current = spot;
      const given = inputs.map(({ valueAsNumber }) => valueAsNumber);
      place(given.every(Number.isFinite) ? given : null, "As given.", "typed");
    }),
  );
  const [x, y] = inputs.map((input, i) => html("label", { class: "spot-mm" }, "xy"[i], input));
  picture?.addEventListener("click", (event) =>
    spot.tapped(placeOf(event, picture.querySelector(".table-still"))),
  );
  spot.element = html(
    "div",
    { class: "spot" },
    picture,
    told,
    html("p", { class: "spot-given" }, x, y, "mm"),
  );
  if (!own) spots.push(spot);
  place(at?.map(whole) ?? null, why);
  return { element: spot.element, value: () => spot.at, place };
}

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

const whole = (mm) => Math.round(mm);

/** The spot that a tap is for: the one used last, else the first, of those that can be seen. */
function armed() {
  spots = spots.filter(({ element }) => element.isConnected);
  const seen = spots.filter(({ element }) => element.checkVisibility());
  return seen.includes(current) ? current : (seen[0] ?? null);
}

/** Draw the chosen place on the table; called whenever what can be seen has changed. */
export function drawSpot() {
  if (drawn === null) {
    drawn = requestAnimationFrame(() => {
      drawn = null;
      mark(armed());
    });
  }
}

function mark(spot) {
  const picture = byId("board-picture");
  picture.classList.toggle("is-pointing", spot !== null);
  drawMark(picture, spot);
}

function drawMark(picture, spot) {
  picture.querySelector(".table-spot")?.remove();
  if (!spot) return;
  const view = viewOf(spot.table);
  const placed = [...spot.others(), ...(spot.at ? [[spot.coin(), spot.at]] : [])];
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

const cross = ([x, y], arm) =>
  svg("path", {
    d:
      `M${x - 2 * arm} ${-y}h${arm}M${x + arm} ${-y}h${arm}` +
      `M${x} ${-y - 2 * arm}v${arm}M${x} ${-y + arm}v${arm}`,
    class: "spot-cross",
    "stroke-width": arm / 3,
  });

/** Where on the table a drawing was tapped, mm. */
function placeOf({ clientX, clientY }, still) {
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(still.getScreenCTM().inverse());
  return [x, -y];
}

/** Let taps on the drawing choose places. */
export function listenForTaps() {
  const picture = byId("board-picture");
  picture.addEventListener("click", (event) => {
    const still = picture.querySelector(".table-still");
    if (still) armed()?.tapped(placeOf(event, still));
  });
  document.addEventListener(
    "toggle",
    ({ target }) => {
      current = spots.find(({ element }) => target.open && target.contains(element)) ?? current;
      drawSpot();
    },
    true,
  );
}
