// The calls, the newest on top, each with the rule that it rests on.

import { linesOf } from "./call-lines.js";
import { isFlick, playersOf, rowsOf, rowsOfRun } from "./call-rows.js";
import { coinPicture } from "./drawing/coin-faces.js";
import { byId, html, present } from "./dom.js";
import { evidenceOf, lookButton } from "./look-again.js";
import { canRule } from "./forms/call-ruling.js";
import { marginPicture, sureTag } from "./drawing/margin-scale.js";
import { earned } from "./drawing/earned.js";
import { fatesOf, fateTag } from "./fates.js";
import { struckThrough, turnOver } from "./overturned-calls.js";
import { askEarlier, earlier } from "./stream.js";
import { plural } from "./words.js";

/**
 * @import {
 *   Call, CallLine, CallRow, Fate, NotSeen, ProvisionalCall, Topics
 * } from "../../types/page"
 */

const QUIET = new Set(["flick_began", "turn_ended"]);
const MORE = 80;
const NEAR_THE_END_PX = 200;
/** How many rows are drawn. There are more when somebody looks at earlier ones. */
let most = MORE;
/** The drawn rows by what they show. @type {Map<string, HTMLElement>} */
let drawn = new Map();
/** The lines that were drawn last, as keys. @type {Set<string>} */
let known = new Set();
/** The first entries of the runs that somebody has unfolded. @type {Set<string>} */
const unfolded = new Set();
let runs = 0; // the number of runs drawn; each gets an id with its number
let latest = "";
/** @type {Map<string, Fate>} */
let fates = new Map();

/** @param {Topics} of */
export function drawCalls({ calls, provisional, evidence, match, rulings, standing }) {
  fates = fatesOf({ rulings, evidence, standing });
  const lines = linesOf(calls ?? [], evidence ?? {}, standing, fates);
  const rows = rowsOf(lines, ({ on }) => fates.has(on));
  drawProvisional(provisional ?? []);
  drawDecided(rows, JSON.stringify(match?.tints ?? null));
  speak(lines);
  drawLatest(rows, provisional ?? []);
  byId("calls-end").hidden = rows.length <= most && !earlier("calls");
  byId("calls-none").hidden = lines.length > 0 || (provisional ?? []).length > 0;
}

/** @param {ProvisionalCall[]} calls */
function drawProvisional(calls) {
  byId("provisional").replaceChildren(
    ...calls
      .filter(({ call }) => call !== "turn_ended")
      .reverse()
      .map((call) => item(call, "call-provisional")),
  );
}

/**
 * Draw the newest call on its own; on a phone it stands under the table. A provisional call comes
 * before a decided one.
 * @param {CallRow[]} rows
 * @param {CallLine[]} provisional
 */
function drawLatest(rows, provisional) {
  /** @param {CallLine} line */
  const said = ({ call }) => !QUIET.has(call) && call !== "turn_began";
  const running = provisional.findLast(said);
  const decided = rows.findLast(({ line }) => line && said(line));
  const key = JSON.stringify([running, decided && lookOf(decided), canRule()]);
  if (key === latest) return;
  latest = key;
  const shown = running
    ? item(running, "call-provisional")
    : decided?.line
      ? item(decided.line, "", decided)
      : null;
  byId("latest").hidden = !shown;
  byId("latest").replaceChildren(...(shown ? [html("ol", { class: "call-list" }, shown)] : []));
}

/**
 * Everything that decides how a row looks.
 * @param {CallRow} row
 */
const lookOf = (row) => [
  row,
  (row.run ?? present([row.line])).map((line) => [evidenceOf(line), fates.get(line.on)]),
];

/**
 * Draw the rows, the newest on top. A row that is drawn already stays as it is, with what somebody
 * does in it.
 * @param {CallRow[]} rows
 * @param {string} tints
 */
function drawDecided(rows, tints) {
  const list = byId("calls");
  const newest = list.firstElementChild;
  /** @type {Map<string, CallRow>} */
  const wanted = new Map();
  for (const row of rows.slice(-most).reverse()) {
    const look = JSON.stringify([lookOf(row), tints, canRule()]);
    wanted.set(wanted.has(look) ? `${look} ${wanted.size}` : look, row);
  }
  const kept = [...wanted.keys()].findIndex((key) => drawn.has(key));
  const shown = new Map(
    [...wanted].map(([key, row], i) => [
      key,
      drawn.get(key) ?? rowOf(row, i < kept ? "call-fresh" : ""),
    ]),
  );
  for (const [key, element] of drawn) if (!shown.has(key)) element.remove();
  let next = list.firstElementChild;
  for (const element of shown.values()) {
    if (element === next) next = next.nextElementSibling;
    else list.insertBefore(element, next);
  }
  drawn = shown;
  if (list.firstElementChild !== newest) list.scrollTop = 0;
}

/**
 * @param {CallRow} row
 * @param {string} fresh
 */
function rowOf({ line, run, ...more }, fresh) {
  if (line) return item(line, fresh, more);
  return foldedRun(run ?? [], fresh, more.ends);
}

/**
 * Flicks without a call in one line, which unfolds to a row for each.
 * @param {CallLine[]} run
 * @param {string} fresh
 * @param {CallLine} [ends]
 */
function foldedRun(run, fresh, ends) {
  const [{ on }] = run;
  const players = playersOf(run);
  const rows = html(
    "ol",
    { class: "call-list", id: `run-${(runs += 1)}`, hidden: !unfolded.has(on) },
    ...rowsOfRun([...run, ...present([ends])])
      .flatMap(({ line, ...more }) => (line ? [item(line, "", more)] : []))
      .reverse(),
  );
  const fold = html(
    "button",
    {
      class: "call-fold",
      type: "button",
      "aria-expanded": String(unfolded.has(on)),
      "aria-controls": rows.id,
    },
    `${plural(players.length, "flick")} without a call: ${players.join(", ")}`,
  );
  fold.addEventListener("click", () => {
    rows.hidden = !rows.hidden;
    fold.setAttribute("aria-expanded", String(!rows.hidden));
    if (rows.hidden) unfolded.delete(on);
    else unfolded.add(on);
  });
  return html("li", { class: `call-run ${fresh}` }, fold, rows);
}

/** Show more of the earlier calls, and ask for those that this page does not know. */
async function showEarlier() {
  if (byId("calls-end").hidden || asking) return;
  asking = true;
  most += MORE;
  try {
    await askEarlier();
  } finally {
    asking = false;
  }
}

let asking = false;

/** Let people get earlier calls: by the button, and by scrolling to the end. */
export function offerEarlierCalls() {
  byId("calls-earlier").addEventListener("click", showEarlier);
  byId("calls").addEventListener("scroll", ({ currentTarget: list }) => {
    if (!(list instanceof HTMLElement)) return;
    if (list.scrollTop + list.clientHeight > list.scrollHeight - NEAR_THE_END_PX) showEarlier();
  });
}

/**
 * Let screen readers speak new calls. Calls that come before those already shown are not new, and
 * neither are the first ones that a page shows.
 * @param {CallLine[]} lines
 */
function speak(lines) {
  /** @param {CallLine} line */
  const key = ({ on, call, text }) => JSON.stringify([on, call, text]);
  const first = lines.findIndex((line) => known.has(key(line)));
  const fresh = first < 0 ? [] : lines.slice(first).filter((line) => !known.has(key(line)));
  known = new Set(lines.map(key));
  if (!fresh.length) return;
  byId("spoken").textContent = fresh
    .filter(({ call }) => !QUIET.has(call))
    .map(({ text }) => text)
    .join(" ");
}

/**
 * @param {CallLine} call
 * @param {string} extra
 * @param {Pick<CallRow, "flick" | "who" | "ends">} [more]
 */
function item(call, extra, { flick, who, ends } = {}) {
  if ("unseen" in call) return notSeen(call, extra, ends);
  if (call.call === "overturned")
    return struckThrough(call, fates.get(call.on), extra, flick && withFate(flick), ends);
  if (call.call === "turn_began") return heading(call, extra);
  if (QUIET.has(call.call))
    return html(
      "li",
      { class: `call-quiet ${extra}` },
      html("span", {}, call.text),
      ...(isFlick(call) ? [fateTag(fates.get(call.on)), recordedLook(call, extra)] : []),
      turnOver(ends),
      cite(call),
    );
  const measured = { ...evidenceOf(call), ...call };
  return html(
    "li",
    { class: `call call-${call.call} ${extra}` },
    call.coin ? coinPicture(call.coin) : html("span"),
    html(
      "div",
      { class: "call-words" },
      html("p", { class: "call-text" }, call.text),
      html(
        "p",
        { class: "call-why" },
        extra === "call-provisional"
          ? html("span", { class: "tag tag-provisional" }, "provisional")
          : null,
        measured.guessed ? html("span", { class: "tag" }, "guessed") : null,
        who ? html("span", { class: "tag" }, `${who}’s flick`) : null,
        fates.get(call.on)?.verdict ? null : sureTag(measured), // a person has decided
        fateTag(fates.get(call.on)),
        marginPicture(measured),
        cite(call),
        recordedLook(call, extra, flick),
        turnOver(ends),
      ),
    ),
    earned(call),
  );
}

/**
 * The button to look at a call. Provisional calls have none, because they are not in the record.
 * @param {CallLine} call
 * @param {string} extra
 * @param {CallLine} [flick] the flick to which the call belongs
 */
const recordedLook = (call, extra, flick) =>
  extra === "call-provisional"
    ? null
    : lookButton({ ...withFate(call), flick: flick && withFate(flick) });

/** @param {CallLine} call */
const withFate = (call) => ({ ...call, fate: fates.get(call.on) });

/**
 * @param {NotSeen} line
 * @param {string} extra
 * @param {CallLine} [ends]
 */
function notSeen(line, extra, ends) {
  return html(
    "li",
    { class: `call call-unseen ${extra}` },
    html("span", { class: "call-blind", "aria-hidden": "true" }, "?"),
    html(
      "div",
      { class: "call-words" },
      html("p", { class: "call-text" }, line.text),
      html(
        "p",
        { class: "call-why" },
        html("span", { class: "tag" }, "not seen"),
        recordedLook(line, extra),
        turnOver(ends),
      ),
    ),
  );
}

/**
 * @param {Call} call
 * @param {string} extra
 */
function heading(call, extra) {
  return html(
    "li",
    { class: `call-turn ${extra}` },
    call.coin ? coinPicture(call.coin) : null,
    html("p", { class: "call-turn-words" }, html("span", {}, call.text), cite(call)),
  );
}

/** @param {{ rule?: string }} of */
const cite = ({ rule }) =>
  rule
    ? html("cite", { class: "call-rule" }, html("span", { class: "unseen" }, "by the rule "), rule)
    : null;
