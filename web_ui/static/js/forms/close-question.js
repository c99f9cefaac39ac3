// The question whether something happened that was too close to call: its words, and its answers.

import { html } from "../dom.js";
import { sent } from "../server.js";
import { messageLine } from "./sending.js";
import { knownName } from "./who-decides.js";
import { canRule, standingNow } from "./call-ruling.js";
import { mm, whether } from "../words.js";

/** @import { Evidence, Looked, QuestionShown } from "../../../types/page" */

const CLOSE = ["too_close", "met_again"];
/** Chosen: a tap that was meant for what stood there before comes within this time, ms. */
const MEANT_ELSEWHERE_MS = 600;

/**
 * The question and its two answers, for those who may rule; null for anything else. `byItself` says
 * that the page opened the question without being asked, so for a moment no tap answers it.
 * @param {Looked & Partial<QuestionShown>} asked
 * @param {Partial<Evidence>} shown
 * @param {() => void} done
 * @param {boolean} byItself
 */
export function closeQuestion(asked, shown, done, byItself) {
  if (!isClose(asked, shown)) return null;
  const message = messageLine();
  const buttons = [answer("Yes", "upheld"), answer("No", "overturned")];
  /**
   * @param {string} words
   * @param {"upheld" | "overturned"} verdict
   */
  function answer(words, verdict) {
    const button = html("button", { class: "button", type: "button", disabled: byItself }, words);
    button.addEventListener("click", async () => {
      enable(false);
      const by = knownName();
      const { error } = await sent("/answers/question", {
        on: asked.on,
        verdict,
        ...(by ? { by } : {}),
      });
      if (!error) return done();
      message.textContent = error;
      enable(true);
    });
    return button;
  }
  /** @param {boolean} to */
  const enable = (to) => buttons.forEach((button) => (button.disabled = !to));
  if (byItself) setTimeout(() => enable(true), MEANT_ELSEWHERE_MS);
  return {
    title: whether(shown, standingNow()) ?? asked.text,
    odds: oddsOf(shown),
    answers: html("div", { class: "answers close-answers" }, ...buttons, message),
  };
}

/**
 * Whether a question asks if something happened, and this page may answer it.
 * @param {Partial<QuestionShown>} asked
 * @param {Partial<Evidence>} shown
 */
export const isClose = ({ what, answers }, { kind }) =>
  canRule() &&
  CLOSE.includes(what ?? "") &&
  kind !== "renamed" &&
  ["upheld", "overturned"].every((one) => answers?.includes(one));

/**
 * How close it was: "0.1 mm, 50:50".
 * @param {Partial<Evidence>} of
 */
function oddsOf({ margin_mm: margin, probability }) {
  const share = typeof probability === "number" ? Math.round(100 * probability) : null;
  return [
    typeof margin === "number" ? `${mm(Math.abs(margin))} mm` : "",
    share === null ? "" : `${share}:${100 - share}`,
  ]
    .filter(Boolean)
    .join(", ");
}
