// Ruling on a call: what would change is shown before anything is written; a ruling has a name and
// a reason.

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
 * Keep what rulings need. Where nobody takes rulings there is no such topic.
 * @param {Topics} of
 */
export function takeRulings({ rulings, record, match, standing, table }) {
  state = { rulings, record, match, standing, table };
}

/** Whether this page may rule. */
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
 * How something else is put in the place of an entry, or behind it, folded away; nothing for a
 * ruling.
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
 * The form with which the entry behind a call is ruled on; nothing where this page may not rule.
 * `shown` is what was seen, `done` called when it is written.
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
 * What was missed, added behind an entry by a ruling, folded away; nothing behind a ruling, and
 * where this page may not rule. `done` is called when it is
 * written; without it the form begins anew.
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
