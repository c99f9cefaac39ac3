// Opens the dialog about a call that was too close, without being asked, for those who may rule. It
// never covers a choice that somebody is making.

import { isClose } from "./forms/close-question.js";
import { isChoosing } from "./forms/kept-choices.js";
import { evidenceOf, lookAtClose } from "./look-again.js";

/** @import { QuestionShown, Topics } from "../../types/page" */

/** Chosen: how often the page checks whether somebody has finished choosing, ms. */
const AGAIN_MS = 700;
/** @type {Set<string>} */
const opened = new Set();
/** @type {QuestionShown[]} */
let asked = [];
let waiting = 0;

/** @param {Topics} of */
export function offerCloseCall({ standing }) {
  asked = standing?.questions ?? [];
  closeAnswered();
  offer();
}

function offer() {
  clearTimeout(waiting);
  const next = asked.find((question) => !opened.has(question.on) && isShown(question));
  if (!next) return;
  if (isBusy()) {
    waiting = setTimeout(offer, AGAIN_MS);
    return;
  }
  opened.add(next.on);
  lookAtClose(next);
}

/** @param {QuestionShown} question */
const isShown = (question) => {
  const shown = evidenceOf(question);
  return Boolean(shown?.clip) && isClose(question, shown ?? {});
};

/** Close the dialog about a question that somebody has answered, on this page or another one. */
function closeAnswered() {
  /** @type {NodeListOf<HTMLDialogElement>} */
  const looks = document.querySelectorAll("dialog[data-asks]");
  for (const look of looks) if (!asked.some(({ on }) => on === look.dataset.asks)) look.close();
}

/** Whether somebody is choosing or writing something, or has a dialog open. */
const isBusy = () =>
  Boolean(document.querySelector("dialog")) ||
  document.activeElement instanceof HTMLInputElement ||
  document.activeElement instanceof HTMLSelectElement ||
  [...document.querySelectorAll("main section")].some(
    (section) => section instanceof HTMLElement && isChoosing(section),
  );
