// The last call, large, with its reason. What the referee asks, and why it stopped, stands in its
// place.

import { coinPicture } from "./drawing/coin-faces.js";
import { earned } from "./drawing/earned.js";
import { sureTag } from "./drawing/margin-scale.js";
import { byId, html, present } from "./dom.js";
import { fatesOf, fateTag } from "./fates.js";
import { likelihood, marginSentence } from "./words.js";

/** @import { Call, Evidence, Measured, LastCallShown, Topics } from "../../types/page" */

/** The calls that are not spoken: who flicks, and whose turn begins and ends. */
export const QUIET = new Set(["flick_began", "turn_began", "turn_ended"]);
const ASKS = "A question to the players";

/** @param {Topics} state */
export function drawLast(state) {
  const section = byId("last");
  const told = whatToTell(state);
  const view = JSON.stringify([told, state.match?.tints]);
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  const { kind, title, text, why, call, fate } = told;
  section.className = `last ${kind}`;
  section.replaceChildren(
    ...present([
      call?.coin ? coinPicture(call.coin) : null,
      title ? html("h2", { class: "last-title" }, title) : null,
      html("p", { class: "last-text" }, text),
      html(
        "p",
        { class: "last-why" },
        kind === "last-provisional"
          ? html("span", { class: "tag tag-provisional" }, "while coins move")
          : null,
        fate?.verdict ? null : sureTag(call), // a person has decided
        fateTag(fate),
        html("span", {}, why),
      ),
      call ? earned(call) : null,
    ]),
  );
}

/**
 * @param {Topics} state
 * @returns {LastCallShown}
 */
function whatToTell(state) {
  const { doing, standing } = state;
  if (doing?.phase === "failed")
    return { kind: "last-stop", title: "The referee has stopped", text: doing.text };
  const asked = standing?.status === "won" ? null : questionOf(state);
  if (asked) return { kind: "last-asks", title: ASKS, ...asked };
  if (doing?.phase === "setting_up")
    return { kind: "", title: "Getting ready", text: doing.text, why: shareOf(doing) };
  if (doing?.phase === "following" && standing && doing.text)
    return { kind: "last-stop", title: "Not read yet", text: doing.text };
  return lastCall(state);
}

/**
 * What is asked and why, null where nothing is.
 * @param {Topics} of
 */
function questionOf({ castle, naming, missing, standing, evidence }) {
  if (castle) return { text: "Which castle is Moons’?" };
  if (naming?.coins?.length) return { text: "Which coin is which?" };
  if (missing) return { text: `${missing.text}.` };
  const question = standing?.questions?.[0];
  if (!question) return null;
  const likely = likelihood((evidence ?? {})[question.on]?.probability);
  return { text: question.text, why: [likely, ruleWords(question)].filter(Boolean).join(" · ") };
}

/** @param {{ share: number | null }} doing */
const shareOf = ({ share }) =>
  typeof share === "number" ? `${Math.round(share * 100)}\u00a0%` : "";

/** @param {{ rule?: string }} of */
const ruleWords = ({ rule }) => (rule ? `Rule: ${rule}` : "");

/**
 * @param {Topics} state
 * @returns {LastCallShown}
 */
function lastCall(state) {
  const { calls, provisional, irregularities, evidence, standing } = state;
  const running = newest(provisional);
  if (running) return shownCall(running, {}, state, "last-provisional");
  const call = newest(calls);
  const odd = irregularities?.at(-1);
  const places = Object.keys(evidence ?? {});
  if (odd && (!call || places.indexOf(odd.on) > places.indexOf(call.on)))
    return { kind: "last-odd", title: "Not by the rules", text: odd.text, why: ruleWords(odd) };
  if (call) return shownCall(call, (evidence ?? {})[call.on] ?? {}, state, "");
  return { kind: "last-none", text: standing ? "Nothing has been called yet." : "" };
}

/** @param {(Call & Measured)[] | null | undefined} calls */
const newest = (calls) => calls?.findLast(({ call }) => !QUIET.has(call));

/**
 * @param {Call & Measured} call
 * @param {Partial<Evidence>} seen
 * @param {Topics} state
 * @param {string} kind
 * @returns {LastCallShown}
 */
function shownCall(call, seen, state, kind) {
  const measured = { ...seen, ...call };
  const { margin_mm, sigma_mm } = measured;
  return {
    kind,
    text: call.text,
    why: [
      marginSentence({ kind: seen.kind, line: seen.line, margin_mm, sigma_mm }),
      ruleWords(call),
    ]
      .filter(Boolean)
      .join(" "),
    call: measured,
    fate: fatesOf(state).get(call.on),
  };
}
