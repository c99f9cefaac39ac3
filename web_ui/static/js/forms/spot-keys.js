// A place on the table that is chosen with the arrow keys.

import { html } from "../dom.js";

/** @import { Point } from "../../../types/page" */

const STEP_MM = 1;
const SHIFT_MM = 10;

/** Which way each key leads; the table's second axis points up. @type {Record<string, Point>} */
const WAYS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/**
 * A button that moves a place with the arrow keys while it has the focus. `now()` is the place, mm,
 * and `move(at)` puts it elsewhere. Pressing the button, and any arrow where there is no place yet,
 * puts it at `middle`.
 * @param {Point} middle
 * @param {() => Point | null} now
 * @param {(at: Point) => void} move
 */
export function arrowKeys(middle, now, move) {
  const button = html(
    "button",
    {
      class: "button button-plain spot-keys",
      type: "button",
      "aria-keyshortcuts": "ArrowUp ArrowDown ArrowLeft ArrowRight",
      title: `Each arrow key moves the place by ${STEP_MM} mm, with Shift by ${SHIFT_MM} mm`,
      "aria-label": `Arrow keys move the place by ${STEP_MM} mm, with Shift by ${SHIFT_MM} mm`,
    },
    "Arrow keys",
  );
  button.addEventListener("click", () => move(now() ?? middle));
  button.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const at = now();
    const by = event.shiftKey ? SHIFT_MM : STEP_MM;
    move(at ? [at[0] + way[0] * by, at[1] + way[1] * by] : middle);
  });
  return button;
}
