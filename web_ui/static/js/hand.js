// A flicking game without a camera: what happens on the table is entered here, and what was entered
// last is taken back.

import { betweenFlicks } from "./between.js";
import { byId, html } from "./dom.js";
import { whileMoving } from "./motion.js";
import { knownName } from "./names.js";
import { entryButton, messageLine, pressed, refill, sent, sideTitle } from "./sending.js";
import { drawSpot, listenForTaps } from "./spot.js";
import { entryName } from "./words.js";

const FLICKED = ["tabletop-croquet", "castle-croquetnole", "carroms"];

listenForTaps();

/**
 * What may be entered as the match stands; hidden where a camera watches, or this page may write
 * nothing.
 */
export function drawHand({ hand, standing, record, table, match, coins }) {
  const section = byId("hand");
  const known = hand && record && standing && table;
  const view = JSON.stringify(
    known
      ? [
          hand,
          standing.status,
          standing.turn,
          standing.standings,
          record,
          table.tile_mm,
          coins?.coins,
        ]
      : null,
  );
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  const now = {
    hand,
    standing,
    record,
    table,
    match,
    lying: lyingOf(coins),
    message: messageLine(),
  };
  const parts = known ? [...forms(now), takeBack(now)].filter(Boolean) : [];
  section.hidden = parts.length === 0;
  refill(section, ...parts, now.message);
  drawSpot();
}

/** Where coins are known to lie. */
const lyingOf = (coins) =>
  Object.fromEntries(
    Object.entries(coins?.coins ?? {})
      .filter(([, { at_mm: at, state }]) => at && state === "rest")
      .map(([name, { at_mm: at }]) => [name, at]),
  );

function forms(now) {
  const { standing, hand, record, message } = now;
  const moving = hand.flick.length > 0;
  if (
    !FLICKED.includes(standing.game) ||
    !(standing.status === "in_progress" || (moving && standing.status === "won"))
  )
    return [];
  const enter = (words, done, kind) =>
    entryButton(words, () => ({ done: done() }), record, message, kind);
  const { title, parts } = (moving ? whileMoving : betweenFlicks)({ ...now, enter });
  if (!hand.camera) return [sideTitle(title), ...parts];
  return [
    html(
      "details",
      { class: "say-more", "data-stays": true },
      html("summary", {}, "The last flick was seen by a camera. Enter what happens by hand?"),
      sideTitle(title),
      ...parts,
    ),
  ];
}

/** One button for a mistake: a ruling that the last entry does not count. */
function takeBack({ hand, standing, record, message }) {
  if (!hand.back || standing.status === "question") return null;
  const act = async () => {
    const { error } = await sent("/plays/back", {
      on: hand.back.on,
      entries: record.entries,
      by: knownName(),
    });
    message.textContent = error ?? "";
  };
  const words = html(
    "span",
    {},
    "Take back: ",
    html("span", { class: "hand-last" }, entryName(hand.back, standing)),
  );
  const button = pressed(
    [html("span", { class: "arrow", "aria-hidden": "true" }, "↶"), words],
    act,
    "button-plain button-quiet",
  );
  return html(
    "div",
    { class: "hand-back" },
    button,
    html(
      "p",
      { class: "hand-earlier" },
      "What was entered before that is ruled on beside its call, or with what no call is about.",
    ),
  );
}
