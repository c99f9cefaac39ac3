// Keeps the latest value of every topic, and draws a part of a page again when one of its topics
// has changed.

import { listen } from "./stream.js";

/** @import { Connection, Part, Topics } from "../../types/page" */

/** @type {Topics} */
const state = {};
/** @type {Set<keyof Topics>} */
const changed = new Set();
/** @type {Part[]} */
let parts = [];
let waiting = false;

/** @param {Topics} topics */
const namesOf = (topics) => /** @type {(keyof Topics)[]} */ (Object.keys(topics));

function draw() {
  waiting = false;
  for (const [part, topics] of parts) {
    if (topics.some((topic) => changed.has(topic))) part(state);
  }
  changed.clear();
}

/**
 * Draw the parts that these topics concern, before the next picture.
 * @param {(keyof Topics)[]} topics
 */
export function redraw(topics) {
  topics.forEach((topic) => changed.add(topic));
  if (!waiting) {
    waiting = true;
    // A page in the background gets no animation frames, but its title and calls should still keep
    // up.
    if (document.hidden) setTimeout(draw, 0);
    else requestAnimationFrame(draw);
  }
}

/**
 * Follow the feed as long as the page is open, and draw the page's parts. `onTopics` gets the state
 * with every change, and whether the change is old, so that it is not spoken. `onConnection` gets
 * the state of the connection, and when the page last received something.
 * @param {Part[]} own
 * @param {(state: Topics, old: boolean) => void} onTopics
 * @param {(connection: Connection, since: Date) => void} onConnection
 */
export function drawParts(own, onTopics, onConnection) {
  parts = own;
  listen((topics, whole, old) => {
    if (whole) {
      for (const topic of namesOf(state)) if (!(topic in topics)) delete state[topic];
      redraw(parts.flatMap(([, needed]) => needed));
    }
    Object.assign(state, topics);
    onTopics(state, whole || old);
    redraw(namesOf(topics));
  }, onConnection);
  document.addEventListener("visibilitychange", draw);
}
