// A flicking game without a camera: people enter here what happens on the table, and take back what
// was entered or decided last.

import { betweenFlicks } from "./between-flicks.js";
import { gameCalled } from "../games/games.js";
import { byId, html, present } from "../dom.js";
import { whileMoving } from "./during-flick.js";
import { knownName } from "./who-decides.js";
import { focusNext } from "./next-step.js";
import { sent } from "../server.js";
import { entryButton, messageLine, pinnedList, pressed, refill, sideTitle } from "./sending.js";
import { listenForCoinTaps } from "./coin-taps.js";
import { drawSpot, listenForTaps } from "./place-picker.js";
import { rulingName } from "../fates.js";
import { entryName } from "../words.js";

/**
 * @import {
 *   AnyStanding, CoinsTopic, Entering, FlickStanding, Form, Incident, Now, Point, Topics, Words
 * } from "../../../types/page"
 */

/**
 * Whether it is a game of flicks: its turn lists the tasks before a flick, even if there are none.
 * @param {AnyStanding} standing
 * @returns {standing is FlickStanding}
 */
const isFlicked = (standing) => Array.isArray(standing.turn.before_flick);

listenForTaps();
listenForCoinTaps();

/**
 * Draw what people may enter now. The section is hidden where a camera watches, and where this page
 * may not write.
 * @param {Topics} of
 */
export function drawHand({ hand, standing, record, table, match, coins, evidence }) {
  const section = byId("hand");
  const known = hand && record && standing && table ? { hand, standing, record, table } : null;
  const view = JSON.stringify(
    known && [
      hand,
      known.standing.status,
      known.standing.turn,
      known.standing.standings,
      record,
      known.table.tile_mm,
      coins?.coins,
    ],
  );
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  const message = messageLine();
  const parts = known
    ? entering({ ...known, match, evidence, lying: lyingOf(coins), message })
    : [];
  const focused = section.contains(document.activeElement);
  section.hidden = parts.length === 0;
  refill(section, ...parts, message);
  if (focused) focusNext();
  drawSpot();
}

/**
 * The choices in a list that scrolls by itself where it is long; below it, always in sight, what
 * ends the flick and what takes the last entry back.
 * @param {Entering} now
 */
function entering(now) {
  const { title, parts, rest } = forms(now);
  const foot = present([rest, takeBack(now)]);
  return present([
    title ? sideTitle(title) : null,
    parts.length ? pinnedList(parts) : null,
    foot.length ? html("div", { class: "hand-foot" }, ...foot) : null,
  ]);
}

/**
 * The known places of the coins.
 * @param {CoinsTopic | null | undefined} coins
 * @returns {Record<string, Point>}
 */
const lyingOf = (coins) =>
  Object.fromEntries(
    Object.entries(coins?.coins ?? {}).flatMap(([name, { at_mm: at, state }]) =>
      at && state === "rest" ? [[name, at]] : [],
    ),
  );

/**
 * @param {Entering} now
 * @returns {Form}
 */
function forms(now) {
  const { standing, hand, record, message } = now;
  const moving = hand.flick.length > 0;
  const open = standing.status === "in_progress" || (moving && standing.status === "won");
  if (!open || !isFlicked(standing)) return { title: "", parts: [] };
  /**
   * @param {Words} words
   * @param {() => Incident} done
   * @param {string} [kind]
   */
  const enter = (words, done, kind) =>
    entryButton(words, () => ({ done: done() }), record, message, kind);
  const form = (moving ? whileMoving : betweenFlicks)({
    ...now,
    standing,
    game: gameCalled(standing.game),
    enter,
  });
  if (!hand.camera) return form;
  const folded = html(
    "details",
    { class: "say-more", "data-stays": true },
    html("summary", {}, "A camera saw the last flick. Enter the next events by hand?"),
    sideTitle(form.title),
    ...present([...form.parts, form.rest]),
  );
  return { title: "", parts: [folded] };
}

/**
 * One button for a mistake: a ruling that the last entry, or the ruling made since, does not count.
 * @param {Entering} now
 */
function takeBack({ hand, standing, record, evidence, message }) {
  const { back, ruled } = hand;
  const on = ruled?.id ?? back?.on;
  if (!on || standing.status === "question") return null;
  const act = async () => {
    const { error } = await sent("/plays/back", { on, entries: record.entries, by: knownName() });
    message.textContent = error ?? "";
  };
  const last = ruled
    ? rulingName(ruled, evidence?.[ruled.on ?? ""], standing)
    : entryName(back ?? {}, standing);
  const words = html("span", {}, "Take back: ", html("span", { class: "hand-last" }, last));
  const button = pressed(
    [html("span", { class: "arrow", "aria-hidden": "true" }, "↶"), words],
    act,
    "button-plain button-quiet",
  );
  return html("div", { class: "hand-back" }, button);
}
