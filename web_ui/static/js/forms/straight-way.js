// A ball that goes straight on in one direction, chosen on the board by a tap, by
// dragging it, or by keys. The form's own choices show the same.

import { holdBall } from "./ball-on-board.js";
import { WAYS } from "./choices.js";
import { html } from "../dom.js";
import { drawRoute } from "./route-pad.js";
import { pieceName, plural } from "../words.js";

/** @import { Point, StraightBall, Way } from "../../../types/page" */

/**
 * Let people send a ball on the board, and return the line that says where it goes. A choice on the
 * board also changes the form, and the other way round.
 * @param {StraightBall} ball
 */
export function straightWay(ball) {
  const told = html("p", { class: "route-told", role: "status" });
  const ways = /** @type {Way[]} */ (Object.keys(ball.words));
  /**
   * @param {Way} way
   * @param {number} steps
   */
  const send = (way, steps) => {
    ball.choose(way, Math.min(steps, ball.most));
    draw();
    return true;
  };
  /** @param {Point} place */
  const to = (place) => {
    const [x, y] = [place[0] - ball.at[0], place[1] - ball.at[1]];
    const steps = Math.max(Math.abs(x), Math.abs(y));
    const way = ways.find((one) => same([WAYS[one][0] * steps, WAYS[one][1] * steps], [x, y]));
    if (way && steps > 0) send(way, steps);
    else told.textContent = `The ball goes straight, and ${place.join(", ")} is not on its way.`;
  };
  function draw() {
    const { way, steps } = ball.chosen();
    const end = along(ball.at, way, steps);
    told.textContent = ball.inWords(way, steps, end);
    drawRoute(ball.table, [ball.at, end]);
    hold(end);
  }
  /** @param {Point} end */
  const hold = (end) =>
    holdBall({
      table: ball.table,
      pawn: ball.pawn,
      at: end,
      next: [],
      ways,
      label: `${pieceName(ball.pawn)}. Arrow keys choose its way, Enter enters the way.`,
      step: (way) => {
        const { way: old, steps } = ball.chosen();
        return send(way, way === old ? steps + 1 : 1);
      },
      back: () => send(ball.chosen().way, Math.max(1, ball.chosen().steps - 1)),
      clear: () => send(ball.chosen().way, 1),
      confirm: () => {
        ball.go.click();
        return true;
      },
      picked: () => {
        told.textContent = "Now tap where the ball goes, or drag it there.";
      },
      walkTo: to,
      goTo: to,
    });
  setTimeout(() => told.isConnected && draw());
  return { element: told, draw };
}

/**
 * @param {Point} a
 * @param {Point} b
 */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/**
 * The place some steps on in a direction.
 * @param {Point} at
 * @param {Way} way
 * @param {number} steps
 * @returns {Point}
 */
export const along = ([x, y], way, steps) => [x + WAYS[way][0] * steps, y + WAYS[way][1] * steps];

/**
 * "2 steps up: to 3, 4".
 * @param {string} word
 * @param {number} steps
 * @param {Point} end
 */
export const stepsTo = (word, steps, end) =>
  `${plural(steps, "step")} ${word}: to ${end.join(",\u00a0")}`;
