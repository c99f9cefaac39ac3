// The forms between flicks: what hands do, and the next flick.

import { boxes, chips, pick, worded } from "./choices.js";
import { html, present } from "../dom.js";
import { byTap } from "./coin-taps.js";
import { layCoins } from "./rest-places.js";
import { spotFor } from "./suggested-places.js";
import { spotPicker } from "./place-picker.js";
import { coinChoice, coinsInPlay, named } from "./coin-choices.js";
import { pieceName, placeName } from "../words.js";

/**
 * @import {
 *   Child, FlickStanding, FlickTurn, Form, HandTask, Incident, Now, TileDisplaced
 * } from "../../../types/page"
 */

/**
 * The forms between flicks: {title, parts}.
 * @param {Now} now
 * @returns {Form}
 */
export function betweenFlicks(now) {
  const { turn } = now.standing;
  const tasks = [...toRestore(turn), ...(turn.before_flick ?? [])].filter(
    (task) => task.do !== "answer",
  );
  const [first] = tasks;
  const beside = turn.options?.place;
  const parts = first
    ? [doFirst(first, now)]
    : [
        beside
          ? doFirst({ ...beside, do: "place", coin: turn.coin, next_to: beside.coin }, now)
          : null,
        flickOf(now, ""),
      ];
  const more = [
    movedByHand(now),
    outOfPocket(now),
    layCoins(now),
    first ? folded("Flicked anyway", flickOf(now, "button-plain")) : null,
  ];
  return {
    title: first ? titleOf(first, now.standing) : "The next flick",
    parts: present([...parts, ...more]),
  };
}

/**
 * @param {HandTask} of
 * @param {FlickStanding} standing
 */
const titleOf = ({ do: what, coin, tile }, standing) =>
  what === "restore"
    ? `The tile ${placeName(tile)}`
    : `${named(coin, standing)} is ${what === "lift" ? "taken away" : "put down"}`;

/**
 * Parts that are seldom needed, folded away under a title.
 * @param {string} words
 * @param {...Child} parts
 */
export const folded = (words, ...parts) =>
  html("details", { class: "say-more" }, html("summary", {}, words), ...parts);

/**
 * The pieces that must be put back because a ruling took play back.
 * @param {FlickTurn} of
 * @returns {HandTask[]}
 */
const toRestore = ({ restore }) =>
  Object.entries(restore ?? {}).map(([coin, at]) =>
    at ? { do: "place", coin, back_mm: at } : { do: "lift", coin },
  );

/**
 * The form for one thing that a hand must do: put a coin or a tile back, or take a coin off.
 * @param {HandTask} task
 * @param {Now} now
 */
function doFirst(task, now) {
  const { hand, enter, standing } = now;
  const taken = task.coin ?? "";
  if (task.do === "lift")
    return html(
      "p",
      { class: "answers" },
      enter(
        `${named(taken, standing)} is taken off the table`,
        () => ({ kind: "placed", coin: taken, at_mm: null }),
        "",
      ),
    );
  if (task.do === "restore")
    return html(
      "p",
      { class: "answers" },
      enter(
        `The tile ${placeName(task.tile)} is put back`,
        () => putBack(hand.displaced[task.tile ?? ""]),
        "",
      ),
    );
  return placing(task, now);
}

/**
 * @param {TileDisplaced} of
 * @returns {Incident}
 */
const putBack = ({ tile, moved_mm: moved, turned_deg: turned, from, to }) => ({
  kind: "tile_restored",
  tile,
  moved_mm: moved,
  turned_deg: turned,
  by: "hand",
  from: to,
  to: from,
});

/** @type {Record<string, string>} */
const WHERE = {
  any: "The coin may lie anywhere on the board. Tap the table where it lies.",
  break: "The coin must lie within a tile of a wall. Tap the table where it lies.",
};

/**
 * The form for a coin that is put down, where the rules ask for it or in another place.
 * @param {HandTask} task
 * @param {Now} more
 */
function placing(task, { table, lying, standing, enter }) {
  const taken = task.coin ?? "";
  const choices = task.coins ?? [taken];
  const which =
    choices.length > 1
      ? chips(
          "Which coin?",
          choices.map((coin) => [coin, coinChoice(coin, standing)]),
          { taken },
        )
      : null;
  const coin = () => (which ? which.value() : taken);
  const go = enter(
    "It lies there",
    () => ({ kind: "placed", coin: coin(), at_mm: spot.value() }),
    task.next_to ? "button-plain" : "",
  );
  const spot = spotPicker(table, {
    at: spotFor(task, table, lying),
    why:
      WHERE[task.where ? "any" : (task.why ?? "")] ??
      "This is where the rules put the coin. If it lies elsewhere, tap the table there.",
    coin,
    changed: (at) => {
      go.disabled = !at;
    },
  });
  const parts = present([which?.element, spot.element, html("p", { class: "answers" }, go)]);
  return task.next_to
    ? folded(`Moved beside ${pieceName(task.next_to, standing)}`, ...parts)
    : html("div", {}, ...parts);
}

/**
 * The form for a flick. In most cases its coin is known.
 * @param {Now} now
 * @param {string} kind
 */
export function flickOf(now, kind) {
  const { standing, enter, match } = now;
  const { turn } = standing;
  const may = [
    ...new Set([
      turn.flick,
      ...(turn.may_flick ?? []),
      ...(turn.may_force ?? []),
      ...(turn.options?.coins ?? []),
    ]),
  ];
  const all = now.hand.on_table;
  const which = chips(
    "Which coin?",
    may.map((coin) => [coin, coinChoice(coin, standing)]),
    { taken: turn.flick },
  );
  const other = pick("Another coin was flicked", [
    ["", "no"],
    ...worded(
      all.filter((coin) => !may.includes(coin)),
      (coin) => pieceName(coin, standing),
    ),
  ]);
  const touching = boxes(
    "Coins that it lay against before the flick",
    all.filter((coin) => coin !== turn.flick).map((coin) => [coin, coinChoice(coin, standing)]),
  );
  touching.element.classList.add("touching");
  const others = [...new Set((match?.players ?? []).map(({ name }) => name))].filter(
    (name) => name !== turn.player,
  );
  const who = pick("Somebody else flicked it", [["", "no"], ...worded(others, String)]);
  const coin = () => other.value() || which.value();
  const words = html("span", {});
  /** @returns {Incident} */
  const done = () => ({
    kind: "flicked",
    coin: coin(),
    touching: touching.value().filter((one) => one !== coin()),
    ...(who.value() ? { player: who.value() } : {}),
  });
  if (may.length > 1) {
    const inputs = [...which.element.querySelectorAll("input")];
    byTap(which.element, Object.fromEntries(may.map((one, i) => [one, inputs[i]])));
  }
  const part = html(
    "div",
    {},
    may.length > 1 ? which.element : null,
    html("p", { class: "answers" }, enter(words, done, kind)),
    folded(
      "Enter another coin or player, or coins that it lay against",
      touching.element,
      now.game?.flicked ? null : other.element,
      who.element,
    ),
  );
  const show = () => {
    words.textContent = `${named(coin(), standing)} is flicked`;
  };
  part.addEventListener("change", show);
  show();
  return part;
}

/**
 * A hand moves a coin that is in play, or takes it off the table.
 * @param {Now} now
 */
const movedByHand = (now) => moves("A hand moved a coin", coinsInPlay(now.hand), now, true);

/**
 * A hand puts a coin on the table that is out of the game in a pocket; null where there is none.
 * @param {Now} now
 */
function outOfPocket(now) {
  const down = now.hand.down.filter((coin) => !coinsInPlay(now.hand).includes(coin));
  return down.length ? moves("A hand took a coin out of a pocket", down, now, false) : null;
}

/**
 * @param {string} words
 * @param {string[]} coins
 * @param {Now} now
 * @param {boolean} off whether the coin may also be taken off the table
 */
function moves(words, coins, { table, standing, lying, enter }, off) {
  const which = pick(
    "Which coin?",
    coins.map((coin) => [coin, pieceName(coin, standing)]),
  );
  const go = enter("It lies there", () => ({
    kind: "placed",
    coin: which.value(),
    at_mm: spot.value(),
  }));
  const spot = spotPicker(table, {
    coin: which.value,
    changed: (at) => {
      go.disabled = !at;
    },
  });
  which.element.addEventListener("change", () =>
    spot.place(lying[which.value()] ?? null, "Where it lay."),
  );
  /** @returns {Incident} */
  const away = () => ({ kind: "placed", coin: which.value(), at_mm: null });
  return folded(
    words,
    which.element,
    spot.element,
    html("p", { class: "answers" }, go, off ? enter("It is taken off the table", away) : null),
  );
}
