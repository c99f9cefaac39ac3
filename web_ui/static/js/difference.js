// What a ruling would change: standings and turn before and after, calls that come and go, and play that would have been without a right.

import { html } from "./dom.js";
import { fieldName, inWords } from "./words.js";

/** Of the turn these are told; the rest follows from them. */
const OF_TURN = new Set(["player", "coin", "pawn", "flicks_left", "expects", "roll", "restore"]);

/** A difference as elements. */
export function differenceOf({ changes, calls_gone: gone, calls_new: fresh, played_on: played, questions_new: asked, questions_gone: unasked, irregularities_new: odd }) {
  const shown = changes.filter(({ of, field }) => of !== "turn" || OF_TURN.has(field));
  const others = odd.filter((one) => !played.some((other) => other.on === one.on && other.text === one.text));
  const parts = [
    shown.length ? table(shown) : null,
    ...list("Calls that fall away", gone, "difference-gone"),
    ...list("Calls that come", fresh, "difference-new"),
    ...list("Played on a void entitlement, or left short", played, "difference-odd"),
    ...list("Not by the rules then", others, "difference-odd"),
    ...list("Asked then", asked, "difference-odd"),
    ...list("Not asked any more", unasked, ""),
  ].filter(Boolean);
  return parts.length ? parts : [html("p", {}, "Nothing changes.")];
}

function table(changes) {
  return html("table", { class: "difference" },
    html("thead", {}, html("tr", {}, ...["Of", "What", "Now", "Then"].map((word) => html("th", { scope: "col" }, word)))),
    html("tbody", {}, ...changes.map(({ of, player, field, before, after }) => html("tr", {},
      html("th", { scope: "row" }, of === "standing" ? player : of === "turn" ? "the turn" : "the match"),
      html("td", {}, of === "turn" ? fieldName(field) : field.replaceAll("_", " ")), html("td", {}, inWords(before)), html("td", { class: "difference-after" }, inWords(after))))));
}

function list(heading, verdicts, kind) {
  if (!verdicts.length) return [];
  const items = verdicts.map(({ on, text, rule }) => html("li", {},
    kind === "difference-odd" ? html("span", { class: "difference-on" }, `${on}: `) : null, text, rule ? html("cite", { class: "call-rule" }, rule) : null));
  return [html("h4", {}, heading), html("ul", { class: `difference-list ${kind}` }, ...items)];
}
