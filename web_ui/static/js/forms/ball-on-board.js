// The ball that people move on the drawn board: by tapping where it goes, by dragging it, and by
// keys while it has the focus.

import { WAYS } from "./choices.js";
import { byId, svg } from "../dom.js";
import { coinGroup } from "../drawing/coin-faces.js";
import { markSizes } from "../drawing/mark-spacing.js";
import { onBoard } from "../drawing/targets.js";
import { boxOf, viewOf } from "../drawing/view.js";

/** @import { Board, HeldBall, Point, TableTopic, Way } from "../../../types/page" */

/**
 * The keys for each direction: arrows, and for slants the keys of a number pad.
 * @type {Record<string, Way>}
 */
const KEYS = {
  ...{ ArrowUp: "n", ArrowRight: "e", ArrowDown: "s", ArrowLeft: "w" },
  ...{ Home: "nw", PageUp: "ne", PageDown: "se", End: "sw" },
  ...{ 1: "sw", 2: "s", 3: "se", 4: "w", 6: "e", 7: "nw", 8: "n", 9: "ne" },
};
/** The least width of what a finger must hit, px. */
const FINGER_PX = 44;

/** @type {HeldBall | null} */
let held = null;
/** @type {SVGGElement | null} */
let grip = null;
/** @type {Point | null} the place over which the ball is dragged */
let over = null;
let dragged = false;

/**
 * Let people move this ball on the board, or none. The same ball keeps its focus.
 * @param {HeldBall | null} ball
 */
export function holdBall(ball) {
  held = ball;
  const picture = byId("board-picture");
  const board = ball?.table.board;
  picture.classList.toggle("has-ball", Boolean(board));
  picture.querySelector(".table-next")?.remove();
  if (!ball || !board) {
    picture.querySelector(".table-ball")?.remove();
    grip = null;
    return;
  }
  drawNext(ball, board);
  if (ball.at) drawGrip(ball, board, ball.at);
}

/**
 * Let people choose one of these places on the board: a tap presses the control of that place.
 * @param {TableTopic} table
 * @param {Point[]} places
 * @param {HTMLElement[]} controls
 */
export function tapPlaces(table, places, controls) {
  const no = () => false;
  /** @param {Point} at */
  const goTo = (at) => controls[places.findIndex((one) => same(one, at))]?.click();
  const fixed = { at: null, pawn: "", next: places, ways: [], label: "" };
  const acts = { step: no, back: no, clear: no, confirm: no, picked: no, walkTo: no };
  holdBall({ table, ...fixed, ...acts, goTo });
}

/** Draw the ball again, because the board has another size on the screen. */
export const fitBall = () => holdBall(held);

/** Whether the ball on the board has the keyboard focus. */
export const ballHasFocus = () => grip !== null && document.activeElement === grip;

/** Give the ball on the board the keyboard focus; false where there is none. */
export function focusBall() {
  grip?.focus();
  return ballHasFocus();
}

/**
 * Dots where one more step may lead.
 * @param {HeldBall} ball
 * @param {Board} board
 */
function drawNext({ table, next }, board) {
  const dots = next.map((at) => {
    const [x, y] = onBoard(at, board);
    return svg("circle", { cx: x, cy: -y, r: board.unit_mm * 0.13, class: "next-dot" });
  });
  byId("board-picture").append(
    svg(
      "svg",
      { class: "table-next", viewBox: boxOf(viewOf(table)), "aria-hidden": "true" },
      ...dots,
    ),
  );
}

/**
 * @param {HeldBall} ball
 * @param {Board} board
 * @param {Point} at
 */
function drawGrip({ table, pawn, label }, board, at) {
  const picture = byId("board-picture");
  const view = viewOf(table);
  if (!grip?.isConnected) {
    grip = newGrip();
    picture.append(svg("svg", { class: "table-ball", viewBox: boxOf(view) }, grip));
  }
  const { mark } = markSizes(table, view, picture);
  const wide = Math.min(picture.clientWidth, (picture.clientHeight * view.width) / view.height);
  const finger = (FINGER_PX / 2) * (view.width / (wide || 1));
  const [x, y] = onBoard(at, board);
  const moved = grip.hasAttribute("transform") && grip.dataset.at !== String(at);
  grip.dataset.at = String(at);
  grip.setAttribute("transform", `translate(${x} ${-y})`);
  grip.setAttribute("aria-label", label);
  if (moved && !over) requestAnimationFrame(() => grip?.scrollIntoView({ block: "nearest" }));
  grip.replaceChildren(
    svg("circle", { r: Math.max(1.4 * mark, finger), class: "ball-reach" }),
    svg("circle", { r: 1.4 * mark, class: "ball-ring" }),
    svg("g", { transform: `scale(${mark / 10})` }, coinGroup(pawn)),
  );
}

function newGrip() {
  const made = svg("g", { class: "ball-grip", tabindex: 0, role: "application" });
  made.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    event.preventDefault();
    made.focus({ preventScroll: true });
    made.setPointerCapture(event.pointerId);
    over = placeAt(event);
    dragged = false;
  });
  // a finger drags the ball and does not scroll the page; styles do not reach inside a drawing
  made.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  made.addEventListener("pointermove", drag);
  for (const end of ["pointerup", "pointercancel"])
    made.addEventListener(end, () => {
      if (over && !dragged) held?.picked();
      over = null;
    });
  return made;
}

/** @param {PointerEvent} event */
function drag(event) {
  const place = over && placeAt(event);
  if (!held || !over || !place || same(place, over)) return;
  over = place;
  dragged = true;
  held.walkTo(place);
}

/**
 * @param {Point} a
 * @param {Point} b
 */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/**
 * The point or space of the board under the pointer.
 * @param {MouseEvent} event
 * @returns {Point | null}
 */
function placeAt({ clientX, clientY }) {
  /** @type {SVGSVGElement | null} */
  const still = byId("board-picture").querySelector(".table-still");
  const matrix = still?.getScreenCTM();
  const board = held?.table.board;
  if (!matrix || !board) return null;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  const unit = board.unit_mm;
  return board.kind === "points"
    ? [Math.round(x / unit), Math.round(-y / unit)]
    : [Math.floor(x / unit) + 1, Math.floor(-y / unit) + 1];
}

/** @param {MouseEvent} event */
function tap(event) {
  const place = placeAt(event);
  if (!held || !place || grip?.contains(/** @type {Node} */ (event.target))) return;
  held.goTo(place);
}

/**
 * Handle a key that moves the ball, while the ball or its own form has the focus.
 * @param {KeyboardEvent} event
 */
function press(event) {
  const { key, target } = event;
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (!held || !plain || (target instanceof HTMLElement && target.matches("input, select"))) return;
  const way = KEYS[key];
  const done =
    way && way in WAYS && held.ways.includes(way)
      ? held.step(way)
      : key === "Backspace"
        ? held.back()
        : key === "Escape"
          ? held.clear()
          : (key === "Enter" || key === " ") && target === grip
            ? held.confirm()
            : false;
  if (done) event.preventDefault();
}

/** Let people move balls on the board. */
export function listenForBalls() {
  const picture = byId("board-picture");
  picture.addEventListener("click", tap);
  picture.addEventListener("keydown", press);
  byId("say").addEventListener("keydown", press);
}
