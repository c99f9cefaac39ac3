// Shows what a ruling would change: standings and turn before and after, calls that come and go,
// and flicks played without a right.

import { html, present } from "../dom.js";

/** @import { ChangeInWords, Verdict, Weighed } from "../../../types/page" */

/**
 * A difference as elements.
 * @param {Partial<Weighed>} of
 */
export function differenceOf({
  told = [],
  calls_gone: gone = [],
  calls_new: fresh = [],
  played_on: played = [],
  questions_new: asked = [],
  questions_gone: unasked = [],
  irregularities_new: odd = [],
}) {
  const others = odd.filter(
    (one) => !played.some((other) => other.on === one.on && other.text === one.text),
  );
  const parts = present([
    told.length ? table(told) : null,
    ...list("Calls removed", gone, "difference-gone"),
    ...list("Calls added", fresh, "difference-new"),
    ...list("Flicks without a right, or turns cut short", played, "difference-odd"),
    ...list("Irregularities after the ruling", others, "difference-odd"),
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
      "thead",
      {},
      html(
        "tr",
        {},
        ...["Who", "What", "Now", "After the ruling"].map((word) =>
          html("th", { scope: "col" }, word),
        ),
      ),
    ),
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
          html("td", {}, before),
          html("td", { class: "difference-after" }, after),
        ),
      ),
    ),
  );
}

/**
 * @param {string} heading
 * @param {Verdict[]} verdicts
 * @param {string} kind
 */
function list(heading, verdicts, kind) {
  if (!verdicts.length) return [];
  const items = verdicts.map(({ on, text, rule }) =>
    html(
      "li",
      {},
      kind === "difference-odd" ? html("span", { class: "difference-on" }, `${on}: `) : null,
      text,
      rule ? html("cite", { class: "call-rule" }, rule) : null,
    ),
  );
  return [html("h4", {}, heading), html("ul", { class: `difference-list ${kind}` }, ...items)];
}
