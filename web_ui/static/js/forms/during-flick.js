// The forms while coins move: what happens to them, in order, each with one press.

import { flickOf, folded } from "./between-flicks.js";
import { chips, pick, worded } from "./choices.js";
import { html, present } from "../dom.js";
import { layCoins } from "./rest-places.js";
import { onEdge } from "./suggested-places.js";
import { chosenPlace, spotPicker } from "./place-picker.js";
import { coinButton, coinChoice, named } from "./coin-choices.js";
import { toolbar } from "./toolbar.js";
import { byTap } from "./coin-taps.js";
import { incidentName, listed, pieceName, placeName, placeWords, wayName } from "../words.js";

/** @import { Form, Incident, LineWay, Now } from "../../../types/page" */

/**
 * The forms while a flick is under way: {title, parts, rest}.
 * @param {Now} now
 * @returns {Form}
 */
export function whileMoving(now) {
  const { hand, standing, enter } = now;
  const flicked = hand.flick[0]?.coin ?? standing.turn.flick;
  const rest = html(
    "p",
    { class: "answers hand-rest" },
    enter("All is at rest", () => ({ kind: "at_rest", coins: {} }), ""),
  );
  if (standing.status === "won") return { title: "The last flick", parts: [], rest };
  const told = hand.flick.slice(1).map((entry) => incidentName(entry, standing));
  const parts = [
    html(
      "p",
      { class: "hand-told" },
      told.length
        ? `So far: ${listed(told)}.`
        : "Enter what happens, in order. Then press “All is at rest”.",
    ),
    ...(now.game?.whileMoving?.(now) ?? onCourse(now, flicked)),
    pushes(now),
    layCoins(now),
  ];
  return { title: `${named(flicked, standing)} is flicked`, parts: present(parts), rest };
}

/**
 * The form for a game with a course: which coin, and what it does.
 * @param {Now} now
 * @param {string} flicked
 */
function onCourse(now, flicked) {
  const { standing } = now;
  const coins = now.hand.on_table;
  const does = html("div", { class: "hand-does" });
  const which = chips(
    "Which coin?",
    coins.map((coin) => [coin, coinChoice(coin, standing)]),
    { taken: coins.includes(flicked) ? flicked : coins[0] },
  );
  const show = () => does.replaceChildren(...actionsOf(which.value(), coins, now));
  which.element.addEventListener("change", show);
  show();
  return coins.length > 1 ? [which.element, does] : [does];
}

/**
 * @param {string} coin
 * @param {string[]} coins
 * @param {Now} now
 */
function actionsOf(coin, coins, now) {
  const { standing, enter } = now;
  const others = coins.filter((other) => other !== coin);
  const next = nextSteps(coin, now).map(([words, done]) => enter(words, () => done, ""));
  const hits = others.map((other) =>
    coinButton(other, standing, enter, () => ({ kind: "contact", coin, with: other })),
  );
  const hit = html(
    "fieldset",
    { class: "chips" },
    html("legend", {}, "Hits"),
    toolbar("Hits", "chip-row", [hits]),
  );
  const buttons = Object.fromEntries(others.map((other, i) => [other, hits[i]]));
  const asks = (/** @type {string} */ other) =>
    `${named(coin, standing)} hits ${pieceName(other, standing)}?`;
  return present([
    next.length ? html("div", { class: "answers" }, ...next) : null,
    ...(hits.length ? [hit, byTap(hit, buttons, asks)] : []),
    elsewhere(coin, now),
    falls(() => coin, now),
  ]);
}

/**
 * Buttons for what the rules expect of this coin: its next line, post, door or tower, and for a
 * guard its own gate.
 * @param {string} coin
 * @param {Now} more
 * @returns {[string, Incident][]}
 */
function nextSteps(coin, { standing, table, game }) {
  const row = standing.standings.find((one) => one.coin === coin || one.guard === coin);
  /**
   * @param {string} line
   * @param {LineWay} direction
   * @returns {[string, Incident]}
   */
  const crossing = (line, direction) => [
    `${through(line)} ${wayName(direction)}`,
    { kind: "line_crossed", coin, line, direction },
  ];
  if (!row) return [];
  if (row.guard === coin)
    return [crossing(`gate-${row.knight}`, row.guard_inside === row.knight ? "out" : "in")];
  if (!row.next || row.next === "null") return [];
  if (!(row.next in (table.lines ?? {})))
    return [[`Touches ${placeWords(row.next)}`, { kind: "contact", coin, with: row.next }]];
  const { next } = row;
  const way = game?.wayThrough?.(row) ?? row.direction;
  const ways = way ? [way] : (game?.ways ?? []);
  return ways.map((direction) => crossing(next, direction));
}

/** @param {string} line */
const through = (line) => `Passes ${placeWords(line)}`;

/**
 * The form for any other line or place, and for a flick that is made too early, folded away.
 * @param {string} coin
 * @param {Now} now
 */
function elsewhere(coin, now) {
  const { table, enter, game } = now;
  const lines = Object.keys(table.lines ?? {}).filter((name) => !name.startsWith("pocket-"));
  const posts = Object.keys(table.tiles ?? {}).filter(
    (name) => name.endsWith("-endpost") || name.startsWith("tower-"),
  );
  const line = pick(
    "passes",
    lines.map((name) => [name, placeWords(name)]),
  );
  const way = pick(
    "which way",
    (game?.ways ?? []).map((name) => [name, wayName(name)]),
  );
  const post = pick(
    "touches",
    posts.map((name) => [name, placeWords(name)]),
  );
  return folded(
    "Something else happens",
    html(
      "div",
      { class: "hand-row" },
      line.element,
      way.element,
      enter("It does", () => ({
        kind: "line_crossed",
        coin,
        line: line.value(),
        direction: way.value(),
      })),
    ),
    html(
      "div",
      { class: "hand-row" },
      post.element,
      enter("It does", () => ({ kind: "contact", coin, with: post.value() })),
    ),
    folded("A player flicks a coin before everything is at rest", flickOf(now, "button-plain")),
  );
}

/**
 * The form for a coin that leaves the table. The place is tapped on the drawing.
 * @param {() => string} coin
 * @param {Now} more
 * @param {string} words
 */
export function falls(coin, { table, enter }, words = "Leaves the table") {
  const go = enter(
    "It leaves there",
    () => ({ kind: "left_table", coin: coin(), at_mm: chosenPlace(spot) }),
    "",
  );
  const spot = spotPicker(table, {
    snap: (at) => onEdge(at, table.edge_mm),
    coin,
    changed: (at) => {
      go.disabled = !at;
    },
  });
  return folded(words, spot.element, html("p", { class: "answers" }, go));
}

/**
 * The form for a coin that pushes a tile. The tile's new middle is tapped on the drawing; how far
 * it is turned is not entered.
 * @param {Now} of
 */
function pushes({ table, enter }) {
  const which = pick("Which tile?", worded(Object.keys(table.tiles ?? {}), placeName));
  const go = enter("The tile's middle is there", () => {
    const name = which.value();
    const { centre_mm, rotation_deg } = table.tiles[name];
    const pose = { centre_mm, rotation_deg };
    const to = spot.value() ?? centre_mm;
    const moved = Math.hypot(to[0] - centre_mm[0], to[1] - centre_mm[1]);
    return {
      kind: "tile_displaced",
      tile: name,
      moved_mm: Math.round(moved * 10) / 10,
      turned_deg: 0,
      by: "coin",
      from: pose,
      to: { ...pose, centre_mm: to },
    };
  });
  const spot = spotPicker(table, {
    changed: (at) => {
      go.disabled = !at;
    },
  });
  return folded(
    "A tile is pushed",
    which.element,
    spot.element,
    html("p", { class: "answers" }, go),
  );
}
