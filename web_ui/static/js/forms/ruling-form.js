// The form for a ruling. It shows what the ruling would change before it is written. A ruling has a
// name and a reason.

import { differenceOf } from "./ruling-difference.js";
import { html } from "../dom.js";
import { knownName, rememberName } from "./who-decides.js";
import { sent } from "../server.js";
import { messageLine } from "./sending.js";

/**
 * @import {
 *   Child, RulingAsked, RulingBegun, Weighing, WeighingParts
 * } from "../../../types/page"
 */

/** @type {[RulingAsked["then"], string][]} */
const THEN = [
  [null, "judge each later flick again"],
  ["keep", "keep the table as it lies; later flicks stay with their players"],
  ["rewind", "go back to how the table lay after that flick"],
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
  const anew = ({ target }) => {
    if (target instanceof HTMLInputElement && ["by", "reason"].includes(target.name)) return;
    weighed.entries = null;
    write.disabled = true;
    change.replaceChildren();
  };
  for (const kind of ["change", "input"]) form.addEventListener(kind, anew);
  form.addEventListener("click", (event) => {
    const { target } = event;
    if (target instanceof Element && target.closest("[data-changes], .spot-drawing")) anew(event);
  });
  see.addEventListener("click", () => weigh(weighed, { change, message, write }));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    rule(form, weighed, { message, write, done });
  });
  return form;
}

/**
 * A ruling that is worked out before it is written, from the fields of a form.
 * @param {HTMLFormElement} form
 * @param {() => RulingBegun} asked
 * @returns {Weighing}
 */
export const weighedBy = (form, asked) => ({
  entries: null,
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
  thenChoice("If play has gone on since then: "),
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

/**
 * @param {Weighing} weighed
 * @param {WeighingParts} more
 */
export async function weigh(weighed, { change, message, write }) {
  const answer = await sent("/rulings/weighed", weighed.asked());
  message.textContent = answer.error ?? "";
  weighed.entries = answer.entries ?? null;
  write.disabled = weighed.entries === null;
  change.replaceChildren(...(answer.error ? [] : differenceOf(answer)));
  write.scrollIntoView({ block: "nearest" });
}

/**
 * @param {HTMLFormElement} form
 * @param {Weighing} weighed
 * @param {Omit<WeighingParts, "change"> & { done: () => void }} rest
 */
export async function rule(form, weighed, { message, write, done }) {
  write.disabled = true;
  rememberName(String(new FormData(form).get("by")));
  const answer = await sent("/rulings", { ...weighed.asked(), entries: weighed.entries });
  message.textContent = answer.error ?? "";
  if (!answer.error) done();
}
