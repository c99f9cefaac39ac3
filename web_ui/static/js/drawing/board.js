// Draws a game on points or spaces from above: the lawn of Croquet for piecepack or the board of
// Wickets. Hoops show their number and the direction in which they are passed.

import { pathOf, svg } from "../dom.js";
import { placeName } from "../words.js";

/** @import { Board, CourseStep, Next, Point, Spot } from "../../../types/page" */

/** @type {Record<string, number>} */
const TURNS = { n: 0, e: 90, s: 180, w: 270 };

/**
 * The board's outline in the table frame, [[left, bottom], [right, top]], mm, with room for what
 * stands on its edge.
 * @param {Board} of
 * @returns {Point[]}
 */
export function boardCorners({ kind, unit_mm: unit, width, height }) {
  const room = unit * (kind === "points" ? 1.05 : 0.8);
  return [
    [-room, -room],
    [width * unit + room, height * unit + room],
  ];
}

/**
 * The elements of the board; `next` is the place that is next, with the heading in which it is
 * passed.
 * @param {Board} board
 * @param {Next | null} next
 */
export function boardDrawing(board, next) {
  return [
    ...ground(board),
    ...numbers(board),
    ...board.starts_mm.map((at) => start(at, board)),
    ...board.hoops.map((hoop) => drawHoop(hoop, board, next)),
    ...board.posts.map((post) => drawPost(post, board, next)),
  ];
}

/** @param {Board} board */
function ground(board) {
  const { kind, unit_mm: unit, width, height } = board;
  const [[left, bottom], [right, top]] = boardCorners(board);
  const every = kind === "points" ? 2 : 1;
  const down = Array.from({ length: width + 1 }, (_, x) =>
    pathOf([
      [x * unit, 0],
      [x * unit, height * unit],
    ]),
  );
  const across = Array.from({ length: height + 1 }, (_, y) =>
    pathOf([
      [0, y * unit],
      [width * unit, y * unit],
    ]),
  );
  /** @param {number} i */
  const kindOf = (i) => (kind === "points" && i % every ? "lawn-half" : "lawn-line");
  return [
    svg("rect", {
      x: left,
      y: -top,
      width: right - left,
      height: top - bottom,
      rx: unit * 0.15,
      class: "lawn",
    }),
    ...[...down, ...across].map((d, i) =>
      svg("path", { d, class: kindOf(i <= width ? i : i - width - 1) }),
    ),
  ];
}

/**
 * The points or spaces along the left and the lower edge, as standings name them.
 * @param {Board} of
 */
function numbers({ kind, unit_mm: unit, width, height }) {
  const [first, shift, away, size] = kind === "points" ? [0, 0, 0.72, 0.36] : [1, -0.5, 0.32, 0.42];
  /** @param {number} count */
  const along = (count) => Array.from({ length: count + 1 - first }, (_, i) => i + first);
  /**
   * @param {number} x
   * @param {number} y
   * @param {number} text
   */
  const number = (x, y, text) =>
    svg(
      "text",
      { x: x * unit, y: -y * unit + unit * 0.14, "font-size": unit * size, class: "lawn-number" },
      String(text),
    );
  return [
    ...along(width).map((x) => number(x + shift, -away - 0.06, x)),
    ...along(height).map((y) => number(-away, y + shift, y)),
  ];
}

/**
 * @param {Point} of
 * @param {Board} more
 */
const start = ([x, y], { unit_mm: unit }) =>
  svg("circle", { cx: x, cy: -y, r: unit * 0.3, class: "lawn-start" }, svg("title", {}, "start"));

/**
 * The steps of the course that pass a hoop, as their headings and labels.
 * @param {string} name
 * @param {CourseStep[]} course
 */
const stepsAt = (name, course) => course.filter(({ place }) => place === name);

/**
 * @param {Spot} of
 * @param {Board} board
 * @param {Next | null} next
 */
function drawHoop({ name, at_mm: [x, y] }, board, next) {
  const unit = board.unit_mm;
  const isNext = next?.place === name;
  const steps = stepsAt(name, board.course);
  const upright = steps.some(({ heading }) => heading === "n" || heading === "s");
  const [wide, deep] = [unit * 0.46, unit * 0.3];
  const legs = upright
    ? `M${-wide} ${deep}V${-deep}M${wide} ${deep}V${-deep}`
    : `M${deep} ${-wide}H${-deep}M${deep} ${wide}H${-deep}`;
  return svg(
    "g",
    { transform: `translate(${x} ${-y})`, class: isNext ? "hoop hoop-next" : "hoop" },
    svg("rect", {
      x: -unit * 0.5,
      y: -unit * 0.5,
      width: unit,
      height: unit,
      class: "hoop-ground",
    }),
    svg("path", { d: legs, class: "hoop-legs", "stroke-width": unit * 0.12 }),
    svg("text", { "font-size": unit * 0.62, y: unit * 0.22, class: "hoop-number" }, numberOf(name)),
    ...(isNext
      ? [way(next.heading, unit, "way-next")]
      : [...new Set(steps.map(({ heading }) => heading))].map((heading) =>
          way(heading, unit, "way"),
        )),
  );
}

/** @param {string} name */
const numberOf = (name) => name.split("-").at(-1);

/**
 * The arrow head behind a hoop that shows the direction in which it is passed.
 * @param {string | null | undefined} heading
 * @param {number} unit
 * @param {string} kind
 */
function way(heading, unit, kind) {
  if (!heading || !(heading in TURNS)) return null;
  const size = kind === "way-next" ? 1.5 : 1;
  const [w, h, far] = [unit * 0.2 * size, unit * 0.22 * size, unit * 0.58];
  return svg("path", {
    d: `M${-w} ${-far}L0 ${-far - h}L${w} ${-far}Z`,
    class: kind,
    transform: `rotate(${TURNS[heading]})`,
  });
}

/**
 * @param {Spot} of
 * @param {Board} more
 * @param {Next | null} next
 */
function drawPost({ name, at_mm: [x, y] }, { unit_mm: unit }, next) {
  const isNext = next?.place === name;
  return svg(
    "g",
    { transform: `translate(${x} ${-y})`, class: isNext ? "stake stake-next" : "stake" },
    svg("circle", { r: unit * 0.42, class: "stake-top" }),
    svg("circle", { r: unit * 0.14, class: "stake-point" }),
    svg("title", {}, placeName(name)),
  );
}
