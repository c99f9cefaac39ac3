// The form for a ruling on a call. It shows what would change before anything is written. A ruling
// has a name and a reason.

import { mayRule } from "../access.js";
import { coinsOf } from "./coin-choices.js";
import { addForm, anyEntry } from "./any-entry.js";
import { disputeForm } from "./dispute.js";
import { challenge } from "./match-endings.js";
import { html, present } from "../dom.js";
import { gameCalled } from "../games/games.js";
import { insteadOf } from "./corrected-incident.js";
import { missedBox } from "./rule-command.js";
import { weighAnew } from "./ruling-form.js";
import { pieceName } from "../words.js";

/**
 * @import {
 *   AnyTurn, Evidence, Looked, RulingState, Topics
 * } from "../../../types/page"
 */

/** @type {RulingState} */
let state = {};

/**
 * Keep the topics that rulings need. The topic `rulings` is missing where this page may not make
 * rulings.
 * @param {Topics} of
 */
export function takeRulings({ rulings, record, match, standing, table, evidence, hand }) {
  state = { rulings, record, match, standing, table, evidence, hand };
  if (record) weighAnew(record.entries);
}

/** Whether the match takes rulings from its page, and so also explains its calls. */
export const takesRulings = () => Array.isArray(state.rulings);

/** Whether this page may make rulings. */
export const canRule = () => takesRulings() && mayRule();

/** How the match stands, as this page shows it. */
export const standingNow = () => state.standing;

/** The coins of the match that are flicked. */
const coinsFlicked = () => gameCalled(state.match?.game)?.flicked ?? coinsOf(state.standing);

/**
 * The coins that somebody may just have flicked: those on the table, and the one whose turn it is.
 * Where nothing is entered by hand, all coins that are flicked in the match.
 */
export function coinsToFlick() {
  const { match, standing, hand } = state;
  if (gameCalled(match?.game)?.flicked || !hand) return coinsFlicked();
  /** @type {AnyTurn | undefined} */
  const turn = standing?.turn;
  return [...new Set([...hand.on_table, ...present([turn?.flick])])];
}

/**
 * How to replace an entry, or add one after it, with a command in a terminal. The part is folded.
 * Null for a ruling and for the setup.
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
 * @param {Looked} call
 * @param {Partial<Evidence>} shown
 * @param {() => void} done
 */
export function ruleForm(call, shown, done) {
  const { on } = call;
  if (!canRule() || !on || on === "setup") return null;
  const instead = () =>
    anyEntry("What was it?", state, coinsFlicked(), shown, insteadOf(shown, state, coinsFlicked()));
  return disputeForm({
    call,
    isRuling: Boolean(isRuling(on)),
    players: [...new Set((state.match?.players ?? []).map(({ name }) => name))],
    other: state.match && !isRuling(on) ? instead : null,
    later: playedSince(on),
    reason: shown.clip ? "seen in the clip" : "seen at the table",
    done,
  });
}

/**
 * Whether anything was flicked, rolled or moved after an entry and the rest of its own flick. Where
 * the entry is not known, it may have been.
 * @param {string} on
 */
function playedSince(on) {
  const entries = Object.entries(state.evidence ?? {});
  const place = entries.findIndex(([id]) => id === on);
  return place < 0 || entries.slice(place + 1).some(([, { kind }]) => PLAYED.includes(kind ?? ""));
}

const PLAYED = ["flicked", "rolled", "moved"];

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
    if (box.children.length === 1) box.append(addForm(on, state, coinsFlicked(), done ?? anew));
  });
  return box;
}
