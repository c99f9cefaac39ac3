// Ruling on a call: what would change is shown before anything is written; a ruling has a name and a reason.

import { differenceOf } from "./difference.js";
import { challenge } from "./endings.js";
import { html } from "./dom.js";
import { insteadOf } from "./instead.js";
import { missedBox, ruleCommand } from "./missed.js";
import { knownName, rememberName } from "./names.js";
import { sent } from "./sending.js";
import { pieceName } from "./words.js";

let state = {};

/** Keep what rulings need. Where nobody takes rulings there is no such topic. */
export function takeRulings({ rulings, record, match, standing, table }) {
  state = { rulings, record, match, standing, table };
}

/** Whether this page may rule. */
export const canRule = () => Array.isArray(state.rulings);

/** How the match stands, as this page shows it. */
export const standingNow = () => state.standing;

/** The coins of the match that are flicked. */
export function coinsInPlay() {
  if (state.match?.game === "carroms") return ["striker"];
  return [...new Set((state.standing?.standings ?? []).flatMap(({ coin, guard }) => [coin, guard]).filter(Boolean))];
}

/** A coin as its players call it, with what it shows. */
export const calledCoin = (coin) => `${pieceName(coin, state.standing)} (${coin})`;

const THEN = [
  ["", "what was played since is looked at flick by flick"],
  ["keep", "the table stays as it lies; later flicks stay with their players"],
  ["rewind", "play goes back to how the table lay when that flick had ended"],
];
const VERDICTS = [["overturned", "Overturn: it does not count"], ["upheld", "Uphold: it stands"]];

/** How something else is put in the place of an entry, or behind it, folded away; nothing for a ruling. */
export function otherwise({ on }) {
  const box = on !== "setup" && !state.rulings?.some(({ id }) => id === on) ? missedBox(state.record, on, state, true) : null;
  return box && html("details", { class: "rule-more" }, html("summary", {}, "Was it something else, or was something missed?"), box);
}

/** A player wants an entry looked at by whoever rules. */
export const challengeOf = ({ on }) => (canRule() && on && on !== "setup" ? challenge(state, on) : null);

/** The command that adds something behind an entry. */
export const addCommand = (on) => ruleCommand(state.record, on, "--add");

/** The form with which the entry behind a call is ruled on; nothing where this page may not rule. `shown` is what was seen, `done` called when it is written. */
export function ruleForm({ on }, shown, done) {
  if (!canRule() || !on || on === "setup") return null;
  const instead = insteadOf(shown, state, coinsInPlay());
  const change = html("div", { class: "rule-change", role: "status" });
  const message = html("p", { class: "answer-message", role: "alert" });
  const write = html("button", { class: "button", type: "submit", disabled: true }, "Write this ruling");
  const see = html("button", { class: "button button-plain", type: "button" }, "See what changes");
  const form = html("form", { class: "rule" }, html("h3", {}, `Rule on it (${on})`), ...fieldsOf(instead),
    html("p", { class: "answers" }, see), change, html("p", { class: "answers" }, write), message);
  const weighed = { entries: null, asked: () => asked(form, on, instead) };
  form.addEventListener("change", ({ target }) => {
    if (target.name === "by" || target.name === "reason") return;
    if (instead) instead.element.hidden = form.elements.verdict.value !== "replaced";
    weighed.entries = null;
    write.disabled = true;
    change.replaceChildren();
  });
  see.addEventListener("click", () => weigh(weighed, { change, message, write }));
  form.addEventListener("submit", (event) => { event.preventDefault(); rule(form, weighed, { message, write, done }); });
  return form;
}

function fieldsOf(instead) {
  const verdicts = [...VERDICTS, ...(instead ? [["replaced", "Replace: it was something else"]] : [])];
  if (instead) instead.element.hidden = true;
  return [
    html("fieldset", { class: "rule-row" }, html("legend", { class: "unseen" }, "Ruling"), ...verdicts.map(verdictChoice)),
    instead?.element ?? null,
    html("label", { class: "rule-field" }, "If play has gone on since: ", html("select", { name: "then" }, ...THEN.map(([value, words]) => html("option", { value }, words)))),
    html("label", { class: "rule-field" }, "Who decides: ", html("input", { name: "by", required: true, maxlength: 200, autocomplete: "off", value: knownName() })),
    html("label", { class: "rule-field" }, "Reason: ", html("input", { name: "reason", required: true, maxlength: 200, autocomplete: "off" })),
  ];
}

const verdictChoice = ([value, words], i) => html("label", {}, html("input", { type: "radio", name: "verdict", value, checked: i === 0 }), ` ${words}`);

const asked = (form, on, instead) => {
  const { verdict, then, by, reason } = Object.fromEntries(new FormData(form));
  return { on, verdict, then: then || null, by, reason, ...(verdict === "replaced" ? { instead: instead.value() } : {}) };
};

async function weigh(weighed, { change, message, write }) {
  const answer = await sent("/rulings/weighed", weighed.asked());
  message.textContent = answer.error ?? "";
  weighed.entries = answer.entries ?? null;
  write.disabled = weighed.entries === null;
  change.replaceChildren(...(answer.error ? [] : differenceOf(answer)));
  write.scrollIntoView({ block: "nearest" });
}

async function rule(form, weighed, { message, write, done }) {
  write.disabled = true;
  rememberName(new FormData(form).get("by"));
  const answer = await sent("/rulings", { ...weighed.asked(), entries: weighed.entries });
  message.textContent = answer.error ?? "";
  if (!answer.error) done();
}
