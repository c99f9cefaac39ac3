// Shows what people must know or decide: questions, irregularities, and why the program stopped.

import { answersTo } from "./forms/question-answers.js";
import { byId, html, present } from "./dom.js";
import { keepingChoices } from "./forms/kept-choices.js";
import { evidenceOf, lookButton } from "./look-again.js";
import { marginPicture } from "./drawing/margin-scale.js";
import { likelihood, moment } from "./words.js";

/** @import { Noted, QuestionShown, Topics } from "../../types/page" */

/** @param {Topics} of */
export function drawAttention({ standing, irregularities, doing }) {
  const asked = standing?.questions ?? [];
  const irregular = (irregularities ?? [])
    .filter((odd) => !asked.some(({ what, on }) => what === "wrong_flick" && on === odd.on))
    .reverse();
  const cards = [
    ...(doing?.phase === "failed"
      ? [card("notice-stop", "The referee has stopped", [{ text: doing.text }])]
      : []),
    ...(doing?.phase === "following" && standing && doing.text
      ? [card("notice-stop", "Not read yet", [{ text: doing.text }])]
      : []),
    ...asked.map((question) => card("notice-question", title(question), [question])),
    ...(irregular.length
      ? [card("notice-irregular", "Not by the rules", irregular.slice(0, 1), irregular.slice(1))]
      : []),
  ];
  const section = byId("attention");
  const text = cards.map((element) => element.textContent).join("\n");
  // drawn again only when the text changes, so that screen readers do not repeat it
  if (section.dataset.text === text) return;
  section.dataset.text = text;
  keepingChoices(section, () => section.replaceChildren(...cards));
}

/** @type {Record<string, string>} */
const TITLES = {
  too_close: "Too close to call",
  order: "Too close to call which came first",
  met_again: "Too close to call",
  wrong_flick: "Was this flick right?",
  unseen: "The camera could not see it",
  rover: "Does the coin become a rover, or does it go for the endpost?",
};

/** @param {QuestionShown} of */
const title = ({ what }) => TITLES[what] ?? "The referee asks";

/**
 * A card with its entries. `before` are older entries, folded away so that the calls keep their
 * place.
 * @param {string} kind
 * @param {string} heading
 * @param {Noted[]} entries
 * @param {Noted[]} before
 */
function card(kind, heading, entries, before = []) {
  return html(
    "div",
    { class: `notice ${kind}` },
    html("h2", { class: "notice-title" }, heading),
    ...entries.flatMap(paragraphs),
    before.length
      ? html(
          "details",
          { class: "notice-more" },
          html("summary", {}, `${before.length} more`),
          ...before.flatMap(paragraphs),
        )
      : null,
  );
}

/** @param {Noted} entry */
const paragraphs = (entry) =>
  present([
    html("p", { class: "notice-text" }, entry.text),
    entry.on ? why({ ...entry, on: entry.on }) : null,
    answersTo(entry),
  ]);

/** @param {Noted & { on: string }} entry */
function why(entry) {
  const measured = evidenceOf(entry);
  const likely = likelihood(entry.answers ? measured?.probability : undefined);
  return html(
    "p",
    { class: "call-why" },
    likely ? html("span", { class: "tag" }, likely) : null,
    typeof measured?.from_s === "number" && typeof measured.to_s === "number"
      ? html("span", {}, `not seen from ${moment(measured.from_s)} to ${moment(measured.to_s)}`)
      : null,
    entry.answers ? marginPicture(measured) : null,
    entry.rule ? html("cite", { class: "call-rule" }, entry.rule) : null,
    lookButton(entry),
  );
}
