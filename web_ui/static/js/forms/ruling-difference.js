// Shows what a ruling would change: standings and turn before and after, calls that come and go,
// and flicks played without a right.

import { html, present } from "../dom.js";

/** @import { ChangeInWords, Looked, Verdict, Weighed } from "../../../types/page" */

/**
 * A difference as elements. The call that is ruled on is "this call".
 * @param {Partial<Weighed>} of
 * @param {Looked | null} ruledOn
 */
export function differenceOf(of, ruledOn) {
  const {
    told = [],
    calls_gone: gone = [],
    calls_new: fresh = [],
    played_on: played = [],
    questions_new: asked = [],
    questions_gone: unasked = [],
    irregularities_new: odd = [],
  } = of;
  const others = odd.filter(
    (one) => !played.some((other) => other.on === one.on && other.text === one.text),
  );
  const parts = present([
    told.length ? table(told) : null,
    ...list("Removed", gone, "difference-gone", ruledOn),
    ...list("Added", fresh, "difference-new"),
    ...list(
      "Flicks without a right to them, and flicks that were due but not made",
      played,
      "difference-odd",
    ),
    ...list("Irregularities", others, "difference-odd"),
    ...list("New questions", asked, "difference-odd"),
    ...list("Questions no longer asked", unasked, ""),
  ]);
  return parts.length ? parts : [html("p", {}, "Nothing changes.")];
}

/** @param {ChangeInWords[]} told */
function table(told) {
  return html(
    "table",
    { class: "difference" },
    html(
      "tbody",
      {},
      ...told.map(({ of, what, before, after }, i) =>
        html(
          "tr",
          {},
          html(
            "th",
            { scope: "row" },
            html("span", { class: of === told[i - 1]?.of ? "unseen" : null }, of),
          ),
          html("td", {}, what),
          html("td", {}, html("del", {}, before), " → ", html("ins", {}, after)),
        ),
      ),
    ),
  );
}

/**
 * @param {string} heading
 * @param {Verdict[]} verdicts
 * @param {string} kind
 * @param {Looked | null} [ruledOn]
 */
function list(heading, verdicts, kind, ruledOn) {
  if (!verdicts.length) return [];
  const items = verdicts.map(({ on, text }) =>
    html(
      "li",
      {},
      kind === "difference-odd" ? html("span", { class: "difference-on" }, `${on}: `) : null,
      on === ruledOn?.on && text === ruledOn.text ? "this call" : text,
    ),
  );
  return [html("h4", {}, heading), html("ul", { class: `difference-list ${kind}` }, ...items)];
}
