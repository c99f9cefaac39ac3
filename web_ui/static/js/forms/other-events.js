// The choice of entries without a call, so that people can make rulings on them, too. The last
// entry comes first.

import { pick } from "./choices.js";
import { html } from "../dom.js";
import { lookButton } from "../look-again.js";
import { entryName } from "../words.js";

/** @import { Looked, Topics } from "../../../types/page" */

const SHOWN = 60;
/** @type {Topics} */
let state = {};

/**
 * The choice, folded away; null where everything has its call. While it is `open` it stays as it
 * is, even if the match goes on.
 * @param {Topics} now
 * @param {HTMLDetailsElement | null} open
 */
export function uncalled(now, open = null) {
  state = now;
  if (open) return open;
  if (!entries().length) return null;
  const summary = html("summary", {}, "Other events");
  const box = html("details", { class: "rule-more uncalled" }, summary);
  box.addEventListener("toggle", () => {
    if (box.open) box.replaceChildren(summary, ...choice());
  });
  return box;
}

function choice() {
  const which = pick("Which event?", entries());
  const looks = html("p", { class: "answers" });
  const choose = () => looks.replaceChildren(lookButton(which.value()) ?? "");
  which.element.addEventListener("change", choose);
  choose();
  return [which.element, looks];
}

/**
 * Every entry without a call, question or irregularity, as something to look at, with its words.
 * @returns {[Looked, string][]}
 */
function entries() {
  const { standing, calls, irregularities } = state;
  const verdicts = [...(calls ?? []), ...(standing?.questions ?? []), ...(irregularities ?? [])];
  const told = new Set(verdicts.map(({ on }) => on));
  const left = Object.entries(state.evidence ?? {}).filter(([on]) => !told.has(on));
  return left
    .slice(-SHOWN)
    .reverse()
    .map(([on, shown]) => {
      const words = entryName(shown, state.standing);
      return [
        { on, text: words.replace(/^./, (letter) => letter.toUpperCase()) },
        `${on}: ${words}`,
      ];
    });
}
