// What became of a call: who overturned, upheld or replaced it, and why.

import { html } from "./dom.js";
import { challengesLeft, entryName } from "./words.js";

/** @import { AnyStanding, Evidence, Fate, Looked, RulingMade, Topics } from "../../types/page" */

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
export const told = ({ verdict, by, reason }) =>
  verdict
    ? `${by ? `${by}: it` : "It"} ${WORDS[verdict]}${reason ? ` (${reason})` : ""}`
    : `challenged by ${by}${reason ? `, ${reason}` : ""}: look and decide`;

/**
 * A ruling in a few words. `shown` is the entry that it is on; one that this page does not know is
 * not named.
 * @param {RulingMade} ruling
 * @param {Evidence | undefined} shown
 * @param {AnyStanding} standing
 */
export function rulingName({ on, verdict }, shown, standing) {
  if (verdict === "added") return "the ruling that the referee missed something";
  if (verdict === "before") return "the ruling on what came first";
  if (on === "setup") return "the ruling on how the match began";
  const what = shown ? `“${entryName(shown, standing)}”` : "it";
  return `the ruling that ${what} ${WORDS[verdict]}`;
}

/**
 * If a ruling has changed an entry, the next ruling is on that ruling and not on the entry:
 * reversing a ruling restores the match exactly.
 * @param {Fate | undefined} fate
 * @returns {Looked | undefined}
 */
export const ruledOn = (fate) =>
  fate && ["overturned", "replaced"].includes(fate.verdict)
    ? { on: fate.id, text: told(fate) }
    : undefined;

/** @param {Fate | undefined} fate */
export const fateTag = (fate) => (fate ? html("span", { class: "tag fate" }, told(fate)) : null);
