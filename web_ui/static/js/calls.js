// The calls, newest on top: what the rules make of what was seen, each with the rule it rests on.

import { coinPicture } from "./coins.js";
import { byId, html } from "./dom.js";
import { plural, sureness } from "./words.js";

const QUIET = new Set(["flick_began", "turn_ended"]);
const SHOWN = 80;
let drawn = [];

export function drawCalls({ standing, provisional }) {
  const calls = standing?.calls ?? [];
  drawProvisional(provisional ?? []);
  drawDecided(calls);
  byId("calls-none").hidden = calls.length > 0 || (provisional ?? []).length > 0;
}

function drawProvisional(calls) {
  byId("provisional").replaceChildren(...calls.filter(({ call }) => call !== "turn_ended").reverse().map((call) => item(call, "call-provisional")));
}

/** Put new calls on top; when the match now reads otherwise (after a ruling) draw them all anew. */
function drawDecided(calls) {
  const list = byId("calls");
  const keys = calls.map((call) => JSON.stringify(call));
  const same = drawn.length <= keys.length && drawn.every((key, i) => key === keys[i]);
  if (!same) list.replaceChildren();
  const first = same ? drawn.length : 0;
  const fresh = same && drawn.length > 0 ? "call-fresh" : "";
  for (const call of calls.slice(Math.max(first, calls.length - SHOWN))) list.prepend(item(call, fresh));
  while (list.children.length > SHOWN) list.lastChild.remove();
  if (calls.length > first && drawn.length > 0) speak(calls.slice(first));
  if (calls.length > first) list.scrollTop = 0;
  drawn = keys;
}

function speak(calls) {
  byId("spoken").textContent = calls.filter(({ call }) => !QUIET.has(call)).map(({ text }) => text).join(" ");
}

function item(call, extra) {
  if (call.call === "turn_began") return heading(call, extra);
  if (QUIET.has(call.call)) return html("li", { class: `call-quiet ${extra}` }, call.text, cite(call));
  const unsure = sureness(call.probability ?? call.facts?.probability);
  return html("li", { class: `call call-${call.call} ${extra}` },
    call.coin ? coinPicture(call.coin) : html("span"),
    html("div", { class: "call-words" },
      html("p", { class: "call-text" }, call.text),
      html("p", { class: "call-why" },
        extra === "call-provisional" ? html("span", { class: "tag tag-provisional" }, "provisional") : null,
        call.guessed ? html("span", { class: "tag" }, "guessed") : null,
        unsure ? html("span", { class: "tag tag-unsure" }, unsure) : null,
        cite(call))),
    chip(call.flicks));
}

function heading(call, extra) {
  return html("li", { class: `call-turn ${extra}` }, call.coin ? coinPicture(call.coin) : null, html("span", {}, call.text), cite(call));
}

const cite = ({ rule }) => (rule ? html("cite", { class: "call-rule" }, html("span", { class: "unseen" }, "by the rule "), rule) : null);

function chip(flicks) {
  if (!flicks) return null;
  const words = `${plural(Math.abs(flicks), "flick")} ${flicks > 0 ? "earned" : "lost"}`;
  return html("span", { class: `chip ${flicks > 0 ? "" : "chip-lost"}`, title: words },
    html("span", { "aria-hidden": "true" }, `${flicks > 0 ? "+" : "−"}${Math.abs(flicks)}`), html("span", { class: "unseen" }, words));
}
