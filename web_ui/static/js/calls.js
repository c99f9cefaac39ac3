// The calls, the newest on top, each with the rule that it rests on.

import { coinPicture } from "./drawing/coin-faces.js";
import { byId, html } from "./dom.js";
import { evidenceOf, lookButton } from "./look-again.js";
import { canRule } from "./forms/call-ruling.js";
import { marginPicture, sureTag } from "./drawing/margin-scale.js";
import { earned } from "./drawing/earned.js";
import { fatesOf, fateTags, overturnedLine, struckThrough } from "./fates.js";
import { askEarlier, earlier } from "./stream.js";
import { listed, moment } from "./words.js";

/**
 * @import {
 *   AnyStanding, Call, CallLine, Evidence, Fate, Looked, NotSeen, ProvisionalCall, Topics
 * } from "../../types/page"
 */

const QUIET = new Set(["flick_began", "turn_ended"]);
const MORE = 80;
const NEAR_THE_END_PX = 200;
/** How many lines are drawn. There are more when somebody looks at earlier ones. */
let most = MORE;
/** @type {string[]} */
let drawn = [];
let latest = "";
/** @type {Map<string, Fate>} */
let fates = new Map();

/** @param {string} on */
const isOverturned = (on) => fates.get(on)?.verdict === "overturned";

/** @param {Topics} of */
export function drawCalls({ calls, provisional, evidence, match, rulings, standing }) {
  fates = fatesOf({ rulings, evidence, standing });
  const lines = withOthers(calls ?? [], evidence ?? {}, standing);
  drawProvisional(provisional ?? []);
  drawDecided(lines, JSON.stringify(match?.tints ?? null));
  drawLatest(lines, provisional ?? []);
  byId("calls-earlier").hidden = lines.length <= most && !earlier("calls");
  byId("calls-none").hidden = lines.length > 0 || (provisional ?? []).length > 0;
}

/**
 * The calls, with lines for what the camera could not see and for what a ruling overturned, in the
 * record's order. Where nothing could be seen, it must not look as if nothing happened.
 * @param {Call[]} calls
 * @param {Record<string, Evidence>} evidence
 * @param {AnyStanding | null | undefined} standing
 * @returns {CallLine[]}
 */
function withOthers(calls, evidence, standing) {
  const places = new Map(Object.keys(evidence).map((id, i) => [id, i]));
  const unseen = Object.entries(evidence).flatMap(([on, shown]) =>
    isOverturned(on)
      ? [overturnedLine(on, shown, standing)]
      : shown.kind === "unseen"
        ? [notSeenLine(on, shown)]
        : [],
  );
  /** @type {CallLine[]} */
  const lines = [];
  for (const call of calls) {
    const place = places.get(call.on) ?? -1;
    while (unseen.length && (places.get(unseen[0].on) ?? 0) < place)
      lines.push(...unseen.splice(0, 1));
    lines.push(call);
  }
  return [...lines, ...unseen];
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
 * @param {CallLine[]} lines
 * @param {CallLine[]} provisional
 */
function drawLatest(lines, provisional) {
  const [running, decided] = [provisional, lines].map((calls) =>
    calls.findLast(({ call }) => !QUIET.has(call) && call !== "turn_began"),
  );
  const key = JSON.stringify([
    running,
    decided,
    decided && [evidenceOf(decided), fates.get(decided.on)],
    canRule(),
  ]);
  if (key === latest) return;
  latest = key;
  const shown = running ? item(running, "call-provisional") : decided ? item(decided, "") : null;
  byId("latest").hidden = !shown;
  byId("latest").replaceChildren(...(shown ? [html("ol", { class: "call-list" }, shown)] : []));
}

/**
 * Put new calls on top. When a ruling has changed earlier calls, draw all of them again.
 * @param {CallLine[]} calls
 * @param {string} tints
 */
function drawDecided(calls, tints) {
  const list = byId("calls");
  const keys = calls.map((call) =>
    JSON.stringify([call, evidenceOf(call), fates.get(call.on), tints, canRule()]),
  );
  const added = keys.length - drawn.length;
  const same = added >= 0 && drawn.every((key, i) => key === keys[i]);
  if (added > 0 && drawn.length > 0 && drawn.every((key, i) => key === keys[i + added])) {
    drawn = keys; // the new ones are earlier
    return drawEarlier(calls);
  }
  if (!same) list.replaceChildren();
  const first = same ? drawn.length : 0;
  const fresh = same && drawn.length > 0 ? "call-fresh" : "";
  for (const call of calls.slice(Math.max(first, calls.length - most)))
    list.prepend(item(call, fresh));
  while (list.children.length > most) list.lastChild?.remove();
  drawEarlier(calls);
  if (calls.length > first && drawn.length > 0) speak(calls.slice(first));
  if (calls.length > first) list.scrollTop = 0;
  drawn = keys;
}

/**
 * Draw the lines that come before those that are drawn.
 * @param {CallLine[]} calls
 */
function drawEarlier(calls) {
  const list = byId("calls");
  const end = Math.max(calls.length - list.children.length, 0);
  const begin = Math.min(Math.max(calls.length - most, 0), end);
  list.append(
    ...calls
      .slice(begin, end)
      .reverse()
      .map((call) => item(call, "")),
  );
}

/** Show more of the earlier calls, and ask for those that this page does not know. */
async function showEarlier() {
  const button = byId("calls-earlier");
  if (button.hidden || asking) return;
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

/** @param {CallLine[]} calls */
function speak(calls) {
  byId("spoken").textContent = calls
    .filter(({ call }) => !QUIET.has(call))
    .map(({ text }) => text)
    .join(" ");
}

/**
 * @param {CallLine} call
 * @param {string} extra
 */
function item(call, extra) {
  if ("unseen" in call) return notSeen(call, extra);
  if (call.call === "overturned") return struckThrough(call, fates.get(call.on), extra);
  if (call.call === "turn_began") return heading(call, extra);
  if (QUIET.has(call.call))
    return html(
      "li",
      { class: `call-quiet ${extra}` },
      html("span", {}, call.text),
      cite(call),
      call.call === "flick_began" ? recordedLook(call, extra) : null,
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
        fates.get(call.on)?.verdict ? null : sureTag(measured), // a person has decided
        ...fateTags(fates.get(call.on)),
        marginPicture(measured),
        cite(call),
        recordedLook(call, extra),
      ),
    ),
    earned(call),
  );
}

/**
 * The button to look at a call. Provisional calls have none, because they are not in the record.
 * @param {Looked} call
 * @param {string} extra
 */
const recordedLook = (call, extra) => (extra === "call-provisional" ? null : lookButton(call));

/**
 * @param {string} on
 * @param {Evidence} unseen
 * @returns {NotSeen}
 */
function notSeenLine(on, unseen) {
  const { pieces = [], from_s: from = 0, to_s: to = 0 } = unseen;
  const text =
    `The camera could not see ${listed(pieces)} from ${moment(from)} to ${moment(to)}. ` +
    "What happened there is not known.";
  return { on, call: "unseen", text, unseen };
}

/**
 * @param {NotSeen} line
 * @param {string} extra
 */
function notSeen(line, extra) {
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
