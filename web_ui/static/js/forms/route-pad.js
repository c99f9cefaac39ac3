// A route that is entered step by step with arrows, and drawn on the board as it grows.

import { ARROWS, WAYS } from "./choices.js";
import { byId, html, pathOf, svg } from "../dom.js";
import { boxOf, viewOf } from "../drawing/view.js";
import { onBoard } from "../drawing/targets.js";
import { plural } from "../words.js";

/** @import { Point, RoutePad, Step, TableTopic, Way } from "../../../types/page" */

/** @type {(Way | null)[]} */
const ROSE = ["nw", "n", "ne", "w", null, "e", "sw", "s", "se"];

/**
 * Arrows that make a route from `start`: {element, steps()}. `words` names the possible directions.
 * `allows(route, way)` says whether a step may come next.
 * @param {Point} start
 * @param {TableTopic} table
 * @param {Partial<Record<Way, string>>} words
 * @param {(route: Step[], way: Way, to: Point) => boolean} allows
 * @param {(route: Step[]) => void} changed
 * @returns {RoutePad}
 */
export function routePad(start, table, words, allows, changed = () => {}) {
  /** @type {Step[]} */
  const route = [];
  const told = html("p", { class: "route-told", role: "status" });
  const arrows = ROSE.map((way) => {
    const named = way && words[way];
    return way && named
      ? arrow(way, named, () => {
          route.push({ way, at: step(route, start, way) });
          draw();
        })
      : null;
  });
  const back = html(
    "button",
    { class: "route-back", type: "button", "aria-label": "Take the last step back" },
    "⌫",
  );
  back.addEventListener("click", () => {
    route.pop();
    draw();
  });
  function draw() {
    const end = route.at(-1)?.at;
    arrows.forEach((button, i) => {
      const way = ROSE[i];
      if (button && way) button.disabled = !allows(route, way, step(route, start, way));
    });
    back.disabled = !route.length;
    told.textContent = end ? `${inWords(route, words)}: to ${point(end)}` : `From ${point(start)}`;
    drawRoute(table, [start, ...route.map(({ at }) => at)]);
    changed(route);
  }
  draw();
  const cells = arrows.map((button, i) => (i === 4 ? back : (button ?? html("span", {}))));
  return {
    element: html("div", { class: "route" }, html("div", { class: "rose" }, ...cells), told),
    steps: () => route.map(({ at }) => at),
  };
}

/** @param {Point} at */
const point = (at) => at.join(",\u00a0");

/**
 * A route in words: "2 steps up, 1 step up and right".
 * @param {Step[]} route
 * @param {Partial<Record<Way, string>>} words
 */
function inWords(route, words) {
  /** @type {{ way: Way; steps: number }[]} */
  const runs = [];
  for (const { way } of route) {
    const last = runs.at(-1);
    if (last?.way === way) last.steps += 1;
    else runs.push({ way, steps: 1 });
  }
  return runs.map(({ way, steps }) => `${plural(steps, "step")} ${words[way]}`).join(", ");
}

/**
 * @param {Way} way
 * @param {string} word
 * @param {() => void} go
 */
function arrow(way, word, go) {
  const button = html(
    "button",
    { class: "route-arrow", type: "button", "aria-label": word, title: word },
    ARROWS[way],
  );
  button.addEventListener("click", go);
  return button;
}

/**
 * Where a step in this direction leads after the route so far.
 * @param {Step[]} route
 * @param {Point} start
 * @param {Way} way
 * @returns {Point}
 */
function step(route, start, way) {
  const [x, y] = route.at(-1)?.at ?? start;
  return [x + (WAYS[way]?.[0] ?? 0), y + (WAYS[way]?.[1] ?? 0)];
}

/**
 * The route on the board; without points nothing is drawn.
 * @param {TableTopic | null | undefined} table
 * @param {Point[]} points
 */
export function drawRoute(table, points = []) {
  const place = byId("board-picture");
  place.querySelector(".table-route")?.remove();
  const board = table?.board;
  if (!board || points.length < 2) return;
  const places = points.map((at) => onBoard(at, board));
  const unit = board.unit_mm;
  const [x, y] = places[places.length - 1];
  place.insertBefore(
    svg(
      "svg",
      { class: "table-route", viewBox: boxOf(viewOf(table)), "aria-hidden": "true" },
      svg("path", { d: pathOf(places), class: "route-casing", "stroke-width": unit * 0.3 }),
      svg("path", { d: pathOf(places), class: "route-line", "stroke-width": unit * 0.17 }),
      svg("circle", { cx: x, cy: -y, r: unit * 0.24, class: "route-end" }),
    ),
    place.querySelector(".table-moving"),
  ); // beneath the balls
}
