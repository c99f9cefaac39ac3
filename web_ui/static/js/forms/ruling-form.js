// The form for a ruling. It shows what the ruling would change before it is written. A ruling has a
// name and a reason.

import { differenceOf } from "./ruling-difference.js";
import { html } from "../dom.js";
import { knownName, rememberName } from "./who-decides.js";
import { sent } from "../server.js";
import { messageLine } from "./sending.js";

/**
 * @import {
 *   Child, Looked, RulingAsked, RulingBegun, Weighing, WeighingParts
 * } from "../../../types/page"
 */

/** @type {[RulingAsked["then"], string][]} */
const THEN = [
  [null, "judge every later flick again by the rules"],
  ["keep", "keep the table as it lies; later flicks stay with their players"],
  ["rewind", "put the pieces back where they lay after that flick"],
];

/**
 * A form with `fields` of its own. `asked()` gives the ruling that they make, without the parts
 * that every ruling has. `done` is called when it is written.
 * @param {string} title
 * @param {Child[]} fields
 * @param {() => RulingBegun} asked
 * @param {() => void} done
 */
export function weighedForm(title, fields, asked, done) {
  const change = html("div", { class: "rule-change", role: "status" });
  const message = messageLine();
  const write = html(
    "button",
    { class: "button", type: "submit", disabled: true },
    "Write this ruling",
  );
  const see = html("button", { class: "button button-plain", type: "button" }, "See what changes");
  const form = html(
    "form",
    { class: "rule" },
    html("h3", {}, title),
    ...fields.filter(Boolean),
    ...always(),
    html("p", { class: "answers" }, see),
    change,
    html("p", { class: "answers" }, write),
    message,
  );
  const weighed = weighedBy(form, asked);
  /** @param {Event} of */
  const forget = ({ target }) => {
    if (target instanceof HTMLInputElement && ["by", "reason"].includes(target.name)) return;
    weighed.entries = null;
    write.disabled = true;
    change.replaceChildren();
  };
  for (const kind of ["change", "input"]) form.addEventListener(kind, forget);
  form.addEventListener("click", (event) => {
    const { target } = event;
    if (target instanceof Element && target.closest("[data-changes], .spot-drawing")) forget(event);
  });
  see.addEventListener("click", () => weigh(weighed, { change, message, write }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    rule(form, weighed, { change, message, write, done });
  });
  return form;
}

/**
 * A ruling from the fields of a form, whose effect is computed before it is written.
 * @param {HTMLFormElement} form
 * @param {() => RulingBegun} asked
 * @param {Looked | null} [ruledOn] the call that it is on
 * @returns {Weighing}
 */
export const weighedBy = (form, asked, ruledOn = null) => ({
  form,
  ruledOn,
  entries: null,
  difference: "",
  asked: () => ({ ...asked(), ...decided(form) }),
});

/**
 * The choice of what becomes of the flicks after the ruling's entry.
 * @param {string} label
 */
export const thenChoice = (label) =>
  html(
    "label",
    { class: "rule-field" },
    label,
    html(
      "select",
      { name: "then" },
      ...THEN.map(([value, words]) => html("option", { value: value ?? "" }, words)),
    ),
  );

const always = () => [
  thenChoice("If play went on after this entry: "),
  html(
    "label",
    { class: "rule-field" },
    "Who decides: ",
    html("input", {
      name: "by",
      required: true,
      maxlength: 200,
      autocomplete: "off",
      value: knownName(),
    }),
  ),
  html(
    "label",
    { class: "rule-field" },
    "Reason: ",
    html("input", { name: "reason", required: true, maxlength: 200, autocomplete: "off" }),
  ),
];

/**
 * @param {HTMLFormElement} form
 * @returns {Pick<RulingAsked, "then" | "by" | "reason">}
 */
function decided(form) {
  const given = new FormData(form);
  const [then] = THEN.find(([value]) => value === given.get("then")) ?? [null];
  return { then, by: String(given.get("by")), reason: String(given.get("reason")) };
}

/** What the open forms show. @type {Map<Weighing, WeighingParts>} */
const shown = new Map();

/**
 * Ask the server what a ruling would change, and show it, unless the form has changed meanwhile.
 * @param {Weighing} weighed
 * @param {WeighingParts} parts
 */
export async function weigh(weighed, parts) {
  const { change, message, write } = parts;
  const asked = weighed.asked();
  const answer = await sent("/rulings/weighed", asked);
  if (unlike(asked, weighed.asked())) return;
  const anew = weighed.entries !== null;
  const { entries, error = "", ...difference } = answer;
  if (anew && !error && (entries ?? 0) < (weighed.entries ?? 0)) return; // a later one came
  message.textContent = error;
  weighed.entries = entries ?? null;
  weighed.difference = JSON.stringify(difference);
  write.disabled = weighed.entries === null;
  change.replaceChildren(...(error ? [] : differenceOf(answer, weighed.ruledOn)));
  shown.set(weighed, parts);
  if (!anew) write.scrollIntoView({ block: "nearest" });
}

/**
 * Whether two rulings differ in more than who decides and why.
 * @param {RulingAsked} one
 * @param {RulingAsked} other
 */
function unlike(one, other) {
  const made = (/** @type {RulingAsked} */ of) => JSON.stringify({ ...of, by: "", reason: "" });
  return made(one) !== made(other);
}

/**
 * The match has gone on: show in the open forms what their rulings would change now.
 * @param {number} entries how many entries the match has
 */
export function weighAnew(entries) {
  for (const [weighed, parts] of shown) {
    if (!weighed.form.isConnected) shown.delete(weighed);
    else if (weighed.entries !== null && weighed.entries < entries) weigh(weighed, parts);
  }
}

/**
 * Write a ruling. Where the match has gone on and the ruling would change something else now, that
 * is shown, and it has to be confirmed again.
 * @param {HTMLFormElement} form
 * @param {Weighing} weighed
 * @param {WeighingParts & { done: () => void }} rest
 */
export async function rule(form, weighed, rest) {
  const { message, write, done } = rest;
  write.disabled = true;
  rememberName(String(new FormData(form).get("by")));
  const { entries, difference } = weighed;
  const answer = await sent("/rulings", { ...weighed.asked(), entries });
  if (!answer.error) return done();
  if (entries !== null) await weigh(weighed, rest);
  if (weighed.entries === entries || weighed.entries === null) message.textContent = answer.error;
  else if (weighed.difference === difference) await rule(form, weighed, rest);
  else
    message.textContent =
      "The match has gone on. Look at what the ruling would change now, and decide again.";
}
