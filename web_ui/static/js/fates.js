// What became of a call: who overturned, upheld or replaced it, and why.

import { coinPicture } from "./drawing/coin-faces.js";
import { html } from "./dom.js";
import { lookButton } from "./look-again.js";
import { challengesLeft, entryName } from "./words.js";

/** @import { AnyStanding, CallLine, Evidence, Fate, Topics } from "../../types/page" */

/** @type {Record<string, string>} */
const WORDS = { upheld: "stands", overturned: "does not count", replaced: "was something else" };

/**
 * The last ruling in force on each entry, or else who challenges it.
 * @param {Topics} of
 * @returns {Map<string, Fate>}
 */
export const fatesOf = ({ rulings, evidence, standing }) =>
  new Map([
    ...challenged(evidence ?? {}, standing),
    ...(rulings ?? []).flatMap(({ id, on, verdict, by, reason, holds }) =>
      on && holds && verdict in WORDS
        ? [/** @type {[string, Fate]} */ ([on, { id, verdict, by, reason }])]
        : [],
    ),
  ]);

/**
 * @param {Record<string, Evidence>} evidence
 * @param {AnyStanding | null | undefined} standing
 * @returns {[string, Fate][]}
 */
const challenged = (evidence, standing) =>
  Object.entries(evidence).flatMap(([id, { kind, on, player }]) =>
    kind === "challenge" && on
      ? [[on, { id, verdict: "", by: player, reason: challengesLeft(player, standing) }]]
      : [],
  );

/** @param {Fate} of */
const told = ({ verdict, by, reason }) =>
  verdict
    ? `${by ?? "Somebody"}: it ${WORDS[verdict]}${reason ? ` (${reason})` : ""}`
    : `challenged by ${by}${reason ? `, ${reason}` : ""}: look and decide`;

/** @param {Fate | undefined} fate */
export const fateTags = (fate) => (fate ? [html("span", { class: "tag fate" }, told(fate))] : []);

/**
 * An overturned entry has no call any more; this line takes its place.
 * @param {string} on
 * @param {Evidence} shown
 * @param {AnyStanding | null | undefined} standing
 * @returns {CallLine}
 */
export function overturnedLine(on, shown, standing) {
  const words = entryName(shown, standing);
  return {
    on,
    call: "overturned",
    coin: shown.coin ?? null,
    text: `${words[0].toUpperCase()}${words.slice(1)}.`,
    rule: "",
  };
}

/**
 * @param {CallLine} line
 * @param {Fate | undefined} fate
 * @param {string} extra
 */
export const struckThrough = (line, fate, extra) =>
  html(
    "li",
    { class: `call call-overturned ${extra}` },
    "coin" in line && line.coin ? coinPicture(line.coin) : html("span"),
    html(
      "div",
      { class: "call-words" },
      html("p", { class: "call-text" }, html("s", {}, line.text)),
      html(
        "p",
        { class: "call-why" },
        ...fateTags(fate),
        lookButton(fate ? { on: fate.id, text: told(fate) } : line),
      ),
    ),
  );
