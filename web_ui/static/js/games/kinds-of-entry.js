// Kinds of entries that several games have: their words, their fixed fields, and how to choose the
// other fields.

/** @import { Declaration, EntryField, FixedFields, Incident, Missed } from "../../../types/page" */

/**
 * The fixed fields of an incident of this kind.
 * @param {Incident["kind"]} kind
 * @param {{ [K in EntryField]?: unknown }} more
 * @returns {FixedFields}
 */
export const incident = (kind, more = {}) => ({ ...more, entry: "incident", kind });
/**
 * The fixed fields of a declaration of this kind.
 * @param {Declaration["kind"]} kind
 * @param {{ [K in EntryField]?: unknown }} more
 * @returns {FixedFields}
 */
export const said = (kind, more = {}) => ({ ...more, entry: "declaration", kind });

/** @type {Missed[]} */
export const ON_A_TABLE = [
  ["A coin hits something", incident("contact"), { coin: "coin", with: "with" }],
  ["A coin leaves the table", incident("left_table"), { coin: "coin", at_mm: "spot" }],
  ["A hand puts a coin down", incident("placed"), { coin: "coin", at_mm: "spot" }],
  ["A hand takes a coin off the table", incident("placed", { at_mm: null }), { coin: "coin" }],
  ["A player flicks a coin", incident("flicked"), { coin: "coin", touching: "coins" }],
  ["Everything is at rest", incident("at_rest", { coins: {} }), {}],
];
/** @type {Missed} */
export const CROSSED = [
  "A coin passes a line",
  incident("line_crossed"),
  { coin: "coin", line: "line", direction: "direction" },
];
/** @type {Missed} */
export const PASS = ["A player passes", said("pass"), { player: "player" }];
/** @type {Missed} */
export const ROLLED = ["A player rolls a die", incident("rolled"), { die: "die", face: "face" }];
