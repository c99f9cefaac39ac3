// Shows why something was called: the clauses of the rule, whether each was met, and the facts that
// decided it.

import { html } from "./dom.js";
import { asked } from "./server.js";
import { inWords, mm } from "./words.js";

/** @import { Clause, Looked } from "../../types/page" */

/** @type {[boolean | null, string, string][]} */
const MET = [
  [true, "✓", "met"],
  [false, "✗", "not met"],
  [null, "?", "not known"],
];
/** @type {Record<NonNullable<Clause["about"]>, string>} */
const ABOUT = { call: "", flicks: " (for its flicks)", step: " (for a step of the course)" };
/** @type {Record<string, string>} */
const UNITS = { _mm: " mm", _s: " s", _deg: "°" };

/**
 * The clauses of an entry, as an element that loads its contents itself. It stays empty where there
 * are no clauses.
 * @param {Looked} of
 */
export function whyBox({ on }) {
  const box = html("details", { class: "why rule-more", hidden: true });
  asked("/explained", `?on=${encodeURIComponent(on)}`)
    .then((why) => {
      box.hidden = !why?.clauses.length && !why?.flick;
      box.append(html("summary", {}, "Why"));
      if (why?.flick)
        box.append(
          html(
            "p",
            { class: "why-flick" },
            why.flick.text,
            why.flick.rule ? html("cite", { class: "call-rule" }, why.flick.rule) : null,
          ),
        );
      if (why?.clauses.length)
        box.append(html("ul", { class: "why-list" }, ...why.clauses.map(clause)));
    })
    .catch(() =>
      box.replaceWith(
        html(
          "p",
          { class: "look-wait" },
          "The page cannot reach the referee, so it cannot show the reasons.",
        ),
      ),
    );
  return box;
}

/** @param {Clause} of */
function clause({ text, met, about = "call", facts = {} }) {
  const [, sign, words] = MET.find(([value]) => value === met) ?? MET[2];
  const judged = Object.entries(facts)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => fact(name, value))
    .join("; ");
  return html(
    "li",
    { class: `why-${words.replace(" ", "-")}` },
    html("span", { class: "why-sign", "aria-hidden": "true" }, sign),
    html("span", { class: "unseen" }, `${words}: `),
    html(
      "span",
      {},
      `${text}${ABOUT[about]}`,
      judged ? html("span", { class: "why-facts" }, judged) : null,
    ),
  );
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function fact(name, value) {
  const unit = Object.keys(UNITS).find((ending) => name.endsWith(ending));
  const words = name.slice(0, unit ? -unit.length : undefined).replaceAll("_", " ");
  const told = typeof value === "number" && unit === "_mm" ? mm(value) : inWords(value);
  return `${words} ${told}${unit ? UNITS[unit] : ""}`;
}
