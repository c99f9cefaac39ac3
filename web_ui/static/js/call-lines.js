// The lines among the calls: the calls, what the camera could not see, and what was overturned.

import { begun, entryName, listed, moment } from "./words.js";

/** @import { AnyStanding, Call, CallLine, Evidence, Fate, NotSeen } from "../../types/page" */

/**
 * The calls, with lines for what the camera could not see and for what a ruling overturned, in the
 * record's order. Where nothing could be seen, it must not look as if nothing happened.
 * @param {Call[]} calls
 * @param {Record<string, Evidence>} evidence
 * @param {AnyStanding | null | undefined} standing
 * @param {Map<string, Fate>} fates
 * @returns {CallLine[]}
 */
export function linesOf(calls, evidence, standing, fates) {
  const entries = Object.entries(evidence);
  const places = new Map(entries.map(([id], i) => [id, i]));
  const ends = new Map(entries.map(([, { flick }], i) => [flick, i])); // of each flick
  const unseen = entries.flatMap(([on, shown]) =>
    fates.get(on)?.verdict === "overturned"
      ? [overturnedLine(on, shown, standing)]
      : shown.kind === "unseen"
        ? [notSeenLine(on, shown)]
        : [],
  );
  /** @type {CallLine[]} */
  const lines = [];
  let flick = 0;
  for (const call of calls) {
    flick = evidence[call.on]?.flick ?? flick;
    // an `at_rest` has no evidence; its calls come right after its flick
    const place = places.get(call.on) ?? (ends.get(flick) ?? -1) + 0.5;
    while (unseen.length && (places.get(unseen[0].on) ?? 0) < place)
      lines.push(...unseen.splice(0, 1));
    lines.push(call);
  }
  return [...lines, ...unseen];
}

/**
 * An overturned entry has no call any more; this line takes its place.
 * @param {string} on
 * @param {Evidence} shown
 * @param {AnyStanding | null | undefined} standing
 * @returns {CallLine}
 */
function overturnedLine(on, shown, standing) {
  const words = entryName(shown, standing);
  return {
    on,
    call: "overturned",
    coin: shown.coin ?? null,
    text: `${begun(words)}.`,
    rule: "",
  };
}

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
