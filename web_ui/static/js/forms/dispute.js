// The form under a clip: three taps decide a dispute. First somebody looks, then says what is true,
// and then whoever decides confirms what would change.

import { html } from "../dom.js";
import { messageLine } from "./sending.js";
import { rule, thenChoice, weigh, weighedBy } from "./ruling-form.js";
import { knownName } from "./who-decides.js";

/** @import { DisputeNeeds, RulingVerdict } from "../../../types/page" */

/** @type {[RulingVerdict, string][]} */
const VERDICTS = [
  ["upheld", "It stands"],
  ["overturned", "It does not count"],
  ["replaced", "It was something else"],
];

/**
 * The form. `other()` makes the form for what happened instead; it is missing where nothing else
 * is possible. `later` says that players have gone on since.
 * @param {DisputeNeeds} needs
 */
export function disputeForm({ call, isRuling, players, other, later, reason, done }) {
  const change = html("div", { class: "rule-change", role: "status" });
  const message = messageLine();
  const instead = html("div", { class: "rule-other", hidden: true });
  const see = html("button", { class: "button button-plain", type: "button" }, "See what changes");
  const seeing = html("p", { class: "answers", hidden: true }, see);
  const { element: deciding, write } = decidingPart(players, later, reason);
  /** @type {RulingVerdict | null} */
  let verdict = null;
  /** @type {ReturnType<NonNullable<typeof other>> | null} */
  let made = null;
  const buttons = VERDICTS.filter(([one]) => one !== "replaced" || other).map(([one, words]) =>
    verdictButton(one, isRuling ? words.replace("It", "The ruling") : words),
  );
  const form = html(
    "form",
    { class: "rule dispute" },
    html("h3", { class: "unseen" }, `Rule on this call (${call.on})`),
    html("p", { class: "answers dispute-verdicts" }, ...buttons),
    instead,
    seeing,
    change,
    deciding,
    message,
  );
  const weighed = weighedBy(
    form,
    () => ({
      on: call.on,
      verdict: verdict ?? "upheld",
      ...(verdict === "replaced" ? made?.value() : {}),
    }),
    call,
  );
  const parts = { change, message, write };
  const show = async () => {
    const asked = verdict;
    await weigh(weighed, parts);
    if (verdict !== asked) return void (verdict === "replaced" ? forget() : show());
    deciding.hidden = weighed.entries === null;
    if (!deciding.hidden) deciding.scrollIntoView({ block: "nearest" });
  };
  const forget = () => {
    weighed.entries = null;
    deciding.hidden = write.disabled = true;
    change.replaceChildren();
  };
  /** @param {RulingVerdict} one */
  const choose = async (one) => {
    verdict = one;
    buttons.forEach((each) => each.setAttribute("aria-pressed", String(each.value === one)));
    forget();
    seeing.hidden = instead.hidden = one !== "replaced";
    if (one !== "replaced") return show();
    made ??= other?.() ?? null;
    if (!instead.children.length) instead.append(...(made?.elements ?? []));
  };
  buttons.forEach((each) =>
    each.addEventListener("click", () => choose(/** @type {RulingVerdict} */ (each.value))),
  );
  for (const kind of ["change", "input", "click"]) instead.addEventListener(kind, forget);
  deciding.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement) show();
  });
  see.addEventListener("click", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    rule(form, weighed, { ...parts, done });
  });
  return form;
}

/**
 * @param {RulingVerdict} value
 * @param {string} words
 */
const verdictButton = (value, words) =>
  html("button", { class: "button", type: "button", value, "aria-pressed": "false" }, words);

/**
 * What confirms the ruling: a button for each player, and a field for somebody else.
 * @param {string[]} players
 * @param {boolean} later
 * @param {string} reason
 */
function decidingPart(players, later, reason) {
  const by = html("input", {
    name: "by",
    required: true,
    maxlength: 200,
    autocomplete: "off",
    value: knownName(),
  });
  const write = html("button", { class: "button", type: "submit", disabled: true }, "Decide");
  const chips = players.map((player) => {
    const chip = html("button", { class: "button", type: "button" }, `${player} decides`);
    chip.addEventListener("click", () => {
      by.value = player;
      chip.closest("form")?.requestSubmit();
    });
    return chip;
  });
  const why = html("input", {
    name: "reason",
    required: true,
    maxlength: 200,
    autocomplete: "off",
    value: reason,
  });
  const element = html(
    "div",
    { class: "dispute-decide", hidden: true },
    later ? thenChoice("Later flicks: ") : null,
    html("label", { class: "rule-field" }, "Reason: ", why),
    html("p", { class: "answers" }, ...chips),
    html(
      "details",
      { class: "rule-more" },
      html("summary", {}, "Somebody else decides"),
      html("p", { class: "answers" }, html("label", { class: "rule-field" }, "Name: ", by), write),
    ),
  );
  return { element, write };
}
