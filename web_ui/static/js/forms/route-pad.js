// A route that people enter step by step: with arrows, with keys, or on the board. The server says
// what the ball passes and hits, and where the route may go on. The board shows the route so far.

import { ARROWS, WAYS } from "./choices.js";
import { holdBall } from "./ball-on-board.js";
import { byId, html, pathOf, svg } from "../dom.js";
import { boxOf, viewOf } from "../drawing/view.js";
import { onBoard } from "../drawing/targets.js";
import { sent } from "../server.js";
import { pieceName, plural } from "../words.js";

/**
 * @import {
 *   Enter, Entry, Point, RouteFound, Routed, TableTopic, Way
 * } from "../../../types/page"
 */

/** @type {(Way | null)[]} */
const ROSE = ["nw", "n", "ne", "w", null, "e", "sw", "s", "se"];

const KEYS_DO = "Arrow keys move the ball, Enter enters the route, Escape clears the route.";
const HINT = "Tap where the ball goes, drag it, or press arrow keys.";

/**
 * The form for a route: arrows, what happens on the route, and the button that enters it.
 * `entry` makes the entry for a route.
 * @param {Routed} ball
 * @param {Enter} enter
 * @param {string} enters
 * @param {(route: RouteFound) => Entry} entry
 * @returns {HTMLElement}
 */
export function routeForm(ball, enter, enters, entry) {
  const { start, words } = ball;
  /** @type {RouteFound[]} */
  let found = [{ route: [], down: start, told: [], ready: false, left: null, next: [] }];
  let why = "";
  let taken = 0;
  const now = () => found[taken];
  const go = enter(enters, () => entry(now()), "");
  const told = toldOf(words);
  const other = html("button", { class: "button button-plain", type: "button" }, "The other way");
  const back = html(
    "button",
    { class: "route-back", type: "button", "aria-label": "Take the last step back" },
    "⌫",
  );
  const arrows = ROSE.map((way) => {
    const named = way && words[way];
    return way && named ? arrow(way, named, () => acts.step(way)) : null;
  });
  const cells = arrows.map((button, i) => (i === 4 ? back : (button ?? html("span", {}))));
  const element = html(
    "div",
    { class: "route" },
    html("div", { class: "route-moves" }, html("div", { class: "rose" }, ...cells), go),
    html("div", { class: "route-words" }, told.element, other),
  );
  let queue = Promise.resolve();
  let waiting = 0;
  /** @param {() => unknown} act */
  const after = (act) => {
    waiting += 1;
    queue = queue.then(async () => {
      if (element.isConnected) await act();
      waiting -= 1;
    });
    return true;
  };
  /**
   * Ask the server what happens on a route. Return whether it is possible.
   * @param {Point[]} route
   * @param {Point | null} to
   */
  async function ask(route, to = null) {
    const answer = await sent("/routes", { route, to, entries: ball.entries });
    if (!element.isConnected) return true;
    const { routes = [] } = answer;
    if (routes.length) [found, taken] = [routes, 0];
    why = answer.error ?? answer.why ?? "";
    draw();
    return routes.length > 0;
  }
  const acts = {
    step: (/** @type {Way} */ way) =>
      after(() => ask([...now().route, beyond(now().route.at(-1) ?? start, way)])),
    back: () => now().route.length > 0 && after(() => ask(now().route.slice(0, -1))),
    clear: () => (now().route.length > 0 || why !== "") && after(() => ask([])),
    /** @param {Point} place */
    walkTo: (place) => after(() => on(place, false)),
    /** @param {Point} place */
    goTo: (place) => after(() => on(place, true)),
    picked: () => {
      why = "Now tap where the ball goes, or drag it there.";
      draw();
    },
    /** @returns {boolean} */
    confirm: () => {
      if (waiting) return after(() => setTimeout(acts.confirm)); // earlier steps come first
      if (!go.disabled) go.click();
      else if (!why)
        why = now().route.length ? "The route cannot end there yet." : "The route has no step yet.";
      draw();
      return true;
    },
  };
  /**
   * Go on to a place, or back to it where the route has been there. With `anew`, also on another
   * route from the beginning.
   * @param {Point} place
   * @param {boolean} anew
   */
  async function on(place, anew) {
    const { route } = now();
    const been = route.findIndex((at) => same(at, place));
    if (same(place, start)) return ask([]);
    if (been >= 0) return ask(route.slice(0, been + 1));
    return (await ask(route, place)) || (anew && route.length > 0 && ask([], place));
  }
  function draw() {
    const { route, next, ready } = now();
    const end = route.at(-1) ?? start;
    arrows.forEach((button, i) => {
      const way = ROSE[i];
      const may = way && next.some((at) => same(at, beyond(end, way)));
      button?.setAttribute("aria-disabled", String(!may));
    });
    back.disabled = !route.length;
    other.hidden = found.length < 2;
    go.disabled = !ready;
    told.tell(start, now(), why);
    drawRoute(ball.table, [start, ...route]);
    holdBall({
      ...acts,
      table: ball.table,
      pawn: ball.pawn,
      at: now().down,
      next,
      ways: /** @type {Way[]} */ (Object.keys(words)),
      label: `${pieceName(ball.pawn)} on ${point(now().down)}. ${KEYS_DO}`,
    });
  }
  /** @param {Event} event */
  const inTurn = (event) => {
    if (!waiting) return;
    event.stopImmediatePropagation();
    acts.confirm();
  };
  go.addEventListener("click", inTurn, true);
  back.addEventListener("click", acts.back);
  other.addEventListener("click", () => {
    taken = (taken + 1) % found.length;
    draw();
  });
  draw();
  // ask once the form is on the page; somebody may have pressed a step by then
  setTimeout(() => after(() => ask(now().route)));
  return element;
}

/**
 * The lines that say what happens on a route. Screen readers speak them as they change.
 * @param {Partial<Record<Way, string>>} words
 */
function toldOf(words) {
  const [way, by, meets, left, wrong, hint] = ["told", "by", "meets", "left", "why", "hint"].map(
    (kind) => html("p", { class: `route-${kind}` }),
  );
  const element = html(
    "div",
    { role: "status", "aria-atomic": "false" },
    ...[way, wrong, by, meets, left, hint],
  );
  /**
   * @param {Point} start
   * @param {RouteFound} found
   * @param {string} why
   */
  function tell(start, { route, told, ready, left: more, next }, why) {
    const end = route.at(-1);
    say(hint, end ? "" : HINT);
    say(way, end ? `${inWords(start, route, words)}: to ${point(end)}` : `From ${point(start)}`);
    say(by, route.length > 1 ? `By ${route.slice(0, -1).map(point).join(" – ")}.` : "");
    say(meets, told.join(" "));
    say(left, leftOver(more, ready, next.length > 0));
    say(wrong, why);
  }
  return { element, tell };
}

/**
 * @param {HTMLElement} line
 * @param {string} words
 */
function say(line, words) {
  if (line.textContent !== words) line.textContent = words;
}

/**
 * What the dice leave, in words.
 * @param {number | null} left
 * @param {boolean} ready
 * @param {boolean} goesOn
 */
function leftOver(left, ready, goesOn) {
  if (left === null) return "";
  if (!goesOn) return ready && !left ? "The dice are used up." : "";
  return `${plural(left, "space")} left${ready ? "; the route may also end here" : ""}.`;
}

/** @param {Point} at */
const point = (at) => at.join(",\u00a0");

/**
 * @param {Point} a
 * @param {Point} b
 */
const same = (a, b) => a[0] === b[0] && a[1] === b[1];

/**
 * A route in words: "2 steps up, 1 step up and right".
 * @param {Point} start
 * @param {Point[]} route
 * @param {Partial<Record<Way, string>>} words
 */
function inWords(start, route, words) {
  /** @type {{ way: Way; steps: number }[]} */
  const runs = [];
  route.forEach((at, i) => {
    const way = wayTo(route[i - 1] ?? start, at);
    const last = runs.at(-1);
    if (last?.way === way) last.steps += 1;
    else runs.push({ way, steps: 1 });
  });
  return runs.map(({ way, steps }) => `${plural(steps, "step")} ${words[way]}`).join(", ");
}

/**
 * The direction of one step.
 * @param {Point} from
 * @param {Point} to
 * @returns {Way}
 */
function wayTo(from, to) {
  const ways = /** @type {Way[]} */ (Object.keys(WAYS));
  const way = ways.find((one) => same(beyond(from, one), to));
  if (!way) throw new Error(`${from} and ${to} are not neighbours.`);
  return way;
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
 * The next place in a direction, on the board or off it.
 * @param {Point} at
 * @param {Way} way
 * @returns {Point}
 */
const beyond = ([x, y], way) => [x + WAYS[way][0], y + WAYS[way][1]];

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
