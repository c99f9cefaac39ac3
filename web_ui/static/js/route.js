// A route told step by step with arrows, and drawn on the board as it grows.

import { ARROWS, WAYS } from "./choices.js";
import { byId, html, pathOf, svg } from "./dom.js";
import { boxOf, viewOf } from "./table.js";
import { onBoard } from "./targets.js";
import { plural } from "./words.js";

const ROSE = ["nw", "n", "ne", "w", null, "e", "sw", "s", "se"];

/**
 * Arrows that make a route from `start`: {element, steps()}. `words` names the directions there
 * are, `allows(route, way)` says whether a step may come
 * next.
 */
export function routePad(start, table, words, allows, changed = () => {}) {
  const route = [];
  const told = html("p", { class: "route-told", role: "status" });
  const arrows = ROSE.map((way) =>
    way in words
      ? arrow(way, words[way], () => {
          route.push({ way, at: step(route, start, way) });
          draw();
        })
      : null,
  );
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
    arrows.forEach((button, i) => {
      if (button) button.disabled = !allows(route, ROSE[i], step(route, start, ROSE[i]));
    });
    back.disabled = !route.length;
    told.textContent = route.length
      ? `${inWords(route, words)}: to ${point(route.at(-1).at)}`
      : `From ${point(start)}`;
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

const point = (at) => at.join(",\u00a0");

/** A route in words: "2 steps up, 1 step up and right". */
function inWords(route, words) {
  const runs = [];
  for (const { way } of route) {
    if (runs.at(-1)?.way === way) runs.at(-1).steps += 1;
    else runs.push({ way, steps: 1 });
  }
  return runs.map(({ way, steps }) => `${plural(steps, "step")} ${words[way]}`).join(", ");
}

function arrow(way, word, go) {
  const button = html(
    "button",
    { class: "route-arrow", type: "button", "aria-label": word, title: word },
    ARROWS[way],
  );
  button.addEventListener("click", go);
  return button;
}

/** Where a step that way leads behind the route so far. */
function step(route, start, way) {
  const [x, y] = route.at(-1)?.at ?? start;
  return [x + (WAYS[way]?.[0] ?? 0), y + (WAYS[way]?.[1] ?? 0)];
}

/** The route on the board; without points nothing is drawn. */
export function drawRoute(table, points = []) {
  const place = byId("board-picture");
  place.querySelector(".table-route")?.remove();
  if (!table?.board || points.length < 2) return;
  const places = points.map((at) => onBoard(at, table.board));
  const unit = table.board.unit_mm;
  const [x, y] = places.at(-1);
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
