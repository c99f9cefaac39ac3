// The buttons under a question. The answer is written into the record as a ruling.

import { mayRule } from "../access.js";
import { html } from "../dom.js";
import { gameCalled } from "../games/games.js";
import { evidenceOf } from "../look-again.js";
import { sent } from "../server.js";
import { knownName, rememberName } from "./who-decides.js";
import { addition, canRule, coinsToFlick, standingNow } from "./call-ruling.js";
import { calledCoin, incidentName } from "../words.js";

/** @import { QuestionAnswer, QuestionShown, WordedAnswers } from "../../../types/page" */

/** @type {WordedAnswers} */
const BUTTONS = {
  too_close: [
    ["upheld", "It happened"],
    ["overturned", "It did not"],
  ],
  met_again: [
    ["upheld", "They met again"],
    ["overturned", "They did not"],
  ],
  wrong_flick: [
    ["overturned", "Take it back"],
    ["upheld", "Let the flick stand, without its hits"],
  ],
  unseen: [["upheld", "Nothing happened to it"]],
};
/** @type {[QuestionAnswer["verdict"], string][]} */
const RENAMED = [
  ["upheld", "Yes, exchange the names"],
  ["overturned", "No, the names are right"],
];
/**
 * Answers that are declarations and not rulings; they are only offered where the page may write.
 */
const DECLARED = ["rover", "leave"];
/** @type {Record<string, string>} */
const MORE = {
  unseen: "If something did happen to the coin, add what happened to the record.",
  rover: "Add the declaration to the record.",
};
const OTHER_COIN = "If another coin was flicked, replace the flick in the record.";
/** @type {Record<string, string>} */
const FOLLOWED = { unseen: "If something did happen to the coin, add it:" };

/**
 * The answers to a question as buttons, and what else can be done; null where nothing is asked and
 * where this device may only look.
 * @param {Partial<QuestionShown>} question
 */
export function answersTo(question) {
  if (!question.answers || !mayRule()) return null;
  const asked = /** @type {QuestionShown} */ (question);
  const message = html("p", { class: "answer-message", role: "alert" });
  const name = html("input", {
    class: "answer-name",
    "aria-label": "Who decides",
    placeholder: "Who decides?",
    maxlength: 100,
    autocomplete: "off",
    value: knownName(),
  });
  name.addEventListener("change", () => rememberName(name.value.trim()));
  /**
   * @param {string} words
   * @param {() => QuestionAnswer} answer
   */
  const button = (words, answer) => {
    const made = html("button", { class: "button", type: "button" }, words);
    made.addEventListener("click", () =>
      send(made, { ...answer(), ...(name.value.trim() ? { by: name.value.trim() } : {}) }, message),
    );
    return made;
  };
  const choices = choicesOf(asked).map(([words, answer]) => button(words, () => answer));
  const more =
    (canRule() ? FOLLOWED : MORE)[asked.what] ??
    (asked.answers.includes("replaced") && !canRule() ? OTHER_COIN : undefined) ??
    (choices.length
      ? ""
      : "No button answers this question. Add a ruling with the command `referee rule`.");
  return html(
    "div",
    { class: "answers" },
    ...choices,
    ...otherCoin(asked, button),
    name,
    more
      ? html(
          "div",
          { class: "answer-more" },
          more,
          canRule() && question.what === "unseen" ? addition(question.on) : null,
        )
      : null,
    message,
  );
}

/**
 * For a flick: the answer that another coin was flicked, and which.
 * @param {QuestionShown} of
 * @param {(words: string, answer: () => QuestionAnswer) => HTMLButtonElement} button
 */
function otherCoin({ on, answers, coin }, button) {
  const others = coinsToFlick().filter((name) => name !== coin);
  if (!canRule() || !answers.includes("replaced") || !others.length) return [];
  const choice = html(
    "select",
    { class: "answer-name", "aria-label": "The coin that was flicked" },
    ...others.map((name) => html("option", { value: name }, calledCoin(name, standingNow()))),
  );
  return [
    html(
      "span",
      { class: "answer-other" },
      button("It was another coin:", () => ({ on, verdict: "replaced", coin: choice.value })),
      choice,
    ),
  ];
}

/**
 * @param {QuestionShown} question
 * @returns {[string, QuestionAnswer][]}
 */
function choicesOf(question) {
  const { on, other, what, answers } = question;
  if (what === "order" && other) {
    return [
      [on, other],
      [other, on],
    ].map(([first, second]) => [
      `First: ${nameOf(first)}`,
      { on: first, verdict: "before", other: second },
    ]);
  }
  const words =
    evidenceOf({ on })?.kind === "renamed"
      ? RENAMED
      : (gameCalled(standingNow()?.game)?.answers?.[what] ?? BUTTONS[what] ?? []);
  return words
    .filter(([verdict]) => answers.includes(verdict) && (canRule() || !DECLARED.includes(verdict)))
    .map(([verdict, words]) => [words, { on, verdict }]);
}

/** @param {string} on */
const nameOf = (on) => incidentName(evidenceOf({ on }) ?? { kind: on }, standingNow());

/**
 * @param {HTMLButtonElement} button
 * @param {QuestionAnswer} answer
 * @param {HTMLElement} message
 */
async function send(button, answer, message) {
  const all = /** @type {HTMLElement} */ (button.parentElement).querySelectorAll("button");
  all.forEach((each) => {
    each.disabled = true;
  });
  const { error } = await sent("/answers/question", answer);
  message.textContent = error ?? "Thank you.";
  // The answer removes the question. If it stays, people can answer again.
  setTimeout(
    () =>
      all.forEach((each) => {
        each.disabled = false;
      }),
    2000,
  );
}
