// The buttons under a question: what people decide is written into the record as a ruling.

import { html } from "./dom.js";
import { evidenceOf } from "./look.js";
import { incidentName } from "./words.js";

const BUTTONS = {
  too_close: { upheld: "It happened", overturned: "It did not" },
  met_again: { upheld: "They met anew", overturned: "They did not" },
  wrong_flick: { overturned: "Take it back", upheld: "Let it stand, without hits" },
  unseen: { upheld: "Nothing happened to it" },
};
const MORE = {
  unseen: "If something did happen, add it to the record.",
  wrong_flick: "If another coin was meant, replace the flick in the record.",
  rover: "Declare it in the record.",
};

/** The answers to a question as buttons, and what else can be done; nothing for what asks nothing. */
export function answersTo(question) {
  if (!question.answers) return null;
  const message = html("p", { class: "answer-message", role: "alert" });
  const choices = choicesOf(question).map(([words, answer]) => {
    const button = html("button", { class: "button", type: "button" }, words);
    button.addEventListener("click", () => send(button, answer, message));
    return button;
  });
  const more = MORE[question.what] ?? (choices.length ? "" : "Answer it by a ruling in the record.");
  return html("div", { class: "answers" }, ...choices, more ? html("p", { class: "answer-more" }, more) : null, message);
}

function choicesOf(question) {
  const { on, other, what, answers } = question;
  if (what === "order" && other) {
    return [[on, other], [other, on]].map(([first, second]) => [`First: ${nameOf(first)}`, { on: first, verdict: "before", other: second }]);
  }
  return Object.entries(BUTTONS[what] ?? {}).filter(([verdict]) => answers.includes(verdict)).map(([verdict, words]) => [words, { on, verdict }]);
}

const nameOf = (on) => incidentName(evidenceOf({ on }) ?? { kind: on });

async function send(button, answer, message) {
  const all = button.parentElement.querySelectorAll("button");
  all.forEach((each) => { each.disabled = true; });
  try {
    const taken = await fetch("/answers/question", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(answer) });
    message.textContent = taken.ok ? "Thank you." : (await taken.json()).error;
  } catch {
    message.textContent = "The referee could not be reached. Please try again.";
  }
  // The answer makes the question go away; where it does not, it can be given again.
  setTimeout(() => all.forEach((each) => { each.disabled = false; }), 2000);
}
