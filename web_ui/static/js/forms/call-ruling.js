// The form for a ruling on a call. It shows what would change before anything is written. A ruling
// has a name and a reason.

import { coinsOf } from "./coin-choices.js";
import { addForm, anyEntry } from "./any-entry.js";
import { challenge } from "./match-endings.js";
import { html } from "../dom.js";
import { gameCalled } from "../games/games.js";
import { insteadOf } from "./corrected-incident.js";
import { missedBox } from "./rule-command.js";
import { weighedForm } from "./ruling-form.js";
import { pieceName } from "../words.js";

/**
 * @import {
 *   Evidence, Looked, RulingBegun, RulingState, RulingVerdict, Topics
 * } from "../../../types/page"
 */

/** @type {RulingState} */
let state = {};

/**
 * Keep the topics that rulings need. The topic `rulings` is missing where this page may not make
 * rulings.
 * @param {Topics} of
 */
export function takeRulings({ rulings, record, match, standing, table }) {
  state = { rulings, record, match, standing, table };
}

/** Whether this page may make rulings. */
export const canRule = () => Array.isArray(state.rulings);

/** How the match stands, as this page shows it. */
export const standingNow = () => state.standing;

/** The coins of the match that are flicked. */
export const coinsInPlay = () => gameCalled(state.match?.game)?.flicked ?? coinsOf(state.standing);

/** @type {[RulingVerdict, string][]} */
const VERDICTS = [
  ["overturned", "Overturn: it does not count"],
  ["upheld", "Uphold: it stands"],
  ["replaced", "Replace: it was something else"],
];

/**
 * The command that replaces an entry or adds one after it, folded away; null for a ruling.
 * @param {Looked} of
 */
export function otherwise({ on }) {
  const box = on !== "setup" && !isRuling(on) ? missedBox(state.record, on, state, true) : null;
  return box && html("details", { class: "rule-more" }, html("summary", {}, "Advanced"), box);
}

/** @param {string} on */
const isRuling = (on) => state.rulings?.some(({ id }) => id === on);

/**
 * A player wants an entry looked at by whoever rules.
 * @param {Looked} of
 */
export const challengeOf = ({ on }) =>
  canRule() && on && on !== "setup" ? challenge(state, on) : null;

/**
 * The form for a ruling on the entry of a call; null where this page may not make rulings. `shown`
 * is what was seen. `done` is called when the ruling is written.
 * @param {Looked} of
 * @param {Partial<Evidence>} shown
 * @param {() => void} done
 */
export function ruleForm({ on }, shown, done) {
  if (!canRule() || !on || on === "setup") return null;
  const verdicts = html(
    "fieldset",
    { class: "rule-row" },
    html("legend", { class: "unseen" }, "Ruling"),
    ...VERDICTS.filter(([one]) => one !== "replaced" || mayReplace(on)).map(verdictChoice),
  );
  const verdict = () => {
    /** @type {HTMLInputElement | null} */
    const checked = verdicts.querySelector(":checked");
    return VERDICTS.find(([one]) => one === checked?.value)?.[0] ?? VERDICTS[0][0];
  };
  const box = html("div", { class: "rule-other", hidden: true });
  /** @type {ReturnType<typeof anyEntry> | null} */
  let other = null;
  verdicts.addEventListener("change", () => {
    box.hidden = verdict() !== "replaced";
    if (box.hidden || other) return;
    other = anyEntry(
      "What was it?",
      state,
      coinsInPlay(),
      shown,
      insteadOf(shown, state, coinsInPlay()),
    );
    box.append(...other.elements);
  });
  /** @returns {RulingBegun} */
  const asked = () => ({
    on,
    verdict: verdict(),
    ...(verdict() === "replaced" ? other?.value() : {}),
  });
  return weighedForm(`Rule on it (${on})`, [verdicts, box], asked, done);
}

/** @param {string} on */
const mayReplace = (on) => state.match && !isRuling(on);

/**
 * @param {[RulingVerdict, string]} of
 * @param {number} i
 */
const verdictChoice = ([value, words], i) =>
  html(
    "label",
    {},
    html("input", { type: "radio", name: "verdict", value, checked: i === 0 }),
    ` ${words}`,
  );

/**
 * The form that adds a missed entry after an entry, folded away; null after a ruling, and where
 * this page may not make rulings. `done` is called when it is written; without it the form starts
 * again.
 * @param {string | undefined} on
 * @param {(() => void) | null} done
 * @returns {HTMLDetailsElement | null}
 */
export function addition(on, done = null) {
  if (!canRule() || !on || !state.match || isRuling(on)) return null;
  const box = html(
    "details",
    { class: "rule-more adding" },
    html("summary", {}, `Add a missed event after ${on}`),
  );
  const anew = () => box.replaceWith(addition(state.record?.last) ?? "");
  box.addEventListener("toggle", () => {
    if (box.children.length === 1) box.append(addForm(on, state, coinsInPlay(), done ?? anew));
  });
  return box;
}
