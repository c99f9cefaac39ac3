// The dialog that shows what a call rests on: where it happened, by how much, and the clip.

import { html, present } from "./dom.js";
import { flickPicture, closePicture } from "./drawing/flick-paths.js";
import { fatesOf, fateTag, ruledOn } from "./fates.js";
import { marginScale } from "./drawing/margin-scale.js";
import { clipPlayer } from "./clip-player.js";
import { closeQuestion } from "./forms/close-question.js";
import {
  addition,
  canRule,
  challengeOf,
  otherwise,
  ruleForm,
  standingNow,
  takesRulings,
} from "./forms/call-ruling.js";
import { whyBox } from "./explanation.js";
import { asked } from "./server.js";
import { begun, entryName, marginSentence, moment, sureness } from "./words.js";

/** @import { Evidence, Fate, Looked, QuestionShown, TableTopic, Topics } from "../../types/page" */

/** @type {TableTopic | null} */
let table = null;
/** @type {Record<string, Evidence>} */
let evidence = {};
/**
 * The open dialogs: which entry each is about, and the function that shows there what was decided.
 * @type {Map<Element, { on: string, decide: (fate: Fate | undefined) => void }>}
 */
const open = new Map();

/**
 * Keep the topics that a dialog needs. Nothing is drawn before somebody opens one.
 * @param {Topics} state
 */
export function keepForLook(state) {
  table = state.table ?? null;
  evidence = state.evidence ?? {};
  const fates = fatesOf(state);
  for (const { on, decide } of open.values()) decide(fates.get(on));
}

/**
 * What was measured for the entry of a call, if it is known.
 * @param {{ on: string }} of
 * @returns {Evidence | undefined}
 */
export const evidenceOf = ({ on }) => evidence[on];

/**
 * A button that opens a call, a question or an irregularity; null where there is nothing to look at
 * and nothing to decide.
 * @param {Looked} verdict
 */
export function lookButton(verdict) {
  /** @type {Partial<Evidence>} */
  const shown = evidenceOf(verdict) ?? {};
  const something = Boolean(shown.flick || shown.clip || typeof shown.margin_mm === "number");
  if (!something && !(canRule() && verdict.on !== "setup")) return null;
  const words = something
    ? ["Look", ` again: ${verdict.text}`]
    : ["Rule", ` on it: ${verdict.text}`];
  const button = html(
    "button",
    { class: "look-button", type: "button" },
    words[0],
    html("span", { class: "unseen" }, words[1]),
  );
  button.addEventListener("click", () => look(verdict, shown, something));
  return button;
}

/**
 * Open the dialog about a question without being asked, at the picture that decides it.
 * @param {QuestionShown} question
 */
export function lookAtClose(question) {
  return look(question, evidenceOf(question) ?? {}, true, true);
}

/**
 * @param {Looked & Partial<QuestionShown>} verdict
 * @param {Partial<Evidence>} shown
 * @param {boolean} something
 * @param {boolean} [byItself] whether nobody asked for it
 */
async function look(verdict, shown, something, byItself = false) {
  const close = html("button", { class: "look-close", type: "button", "aria-label": "Close" }, "×");
  const pictures = html(
    "div",
    { class: "look-pictures" },
    html("p", { class: "look-wait" }, "Fetching the paths …"),
  );
  const done = () => dialog.close();
  const question = closeQuestion(verdict, shown, done, byItself);
  const ruled = ruledOn(verdict.fate) ?? verdict;
  let form = ruleForm(ruled, shown, done);
  const ruling = question ? folded("Something else", form) : form;
  const [message, clip, frames, ...tools] = clipPlayer(shown, verdict.on, Boolean(question));
  const tag = html("span", { class: "look-fate" }, fateTag(verdict.fate));
  let claim = claimOf(ruled, verdict.fate);
  const film = html(
    "div",
    { class: "look-film" },
    message,
    clip,
    frames,
    question?.answers,
    ruling,
    ...tools,
  );
  const dialog = html(
    "dialog",
    { class: "look", "aria-labelledby": "look-title", "data-asks": question && verdict.on },
    html(
      "header",
      { class: "look-head" },
      html("h2", { id: "look-title" }, question?.title ?? verdict.text),
      close,
    ),
    html(
      "p",
      { class: "call-why" },
      question ? html("strong", { class: "look-odds" }, question.odds) : null,
      verdict.rule ? html("cite", { class: "call-rule" }, verdict.rule) : null,
      shown.kind && when(shown).toLowerCase() !== verdict.text.toLowerCase()
        ? html("span", {}, when(shown))
        : null,
      tag,
    ),
    something ? html("div", { class: "look-shown" }, film, pictures) : question?.answers,
    something ? null : ruling,
    ...sure(shown, Boolean(verdict.fate?.verdict)),
    takesRulings() ? whyBox(ruled) : null,
    claim,
    verdict.flick ? flickLine(verdict.flick, done) : null,
    verdict.on === "setup" ? null : addition(verdict.on, () => dialog.close()),
    canRule() ? otherwise(ruled) : null,
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => {
    open.delete(dialog);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  let known = verdict.fate?.id;
  const decide = (/** @type {Fate | undefined} */ fate) => {
    if (fate?.id === known) return;
    known = fate?.id;
    tag.replaceChildren(...present([fateTag(fate)]));
    // somebody else has decided, so a ruling that was begun here is about an earlier state
    const anew = ruleForm(ruledOn(fate) ?? verdict, shown, done);
    if (form && anew) form.replaceWith(anew);
    form = anew ?? form;
    const claimed = claimOf(ruledOn(fate) ?? verdict, fate);
    const focused = claim?.contains(document.activeElement);
    if (claim && claimed) claim.replaceWith(claimed);
    claim = claimed ?? claim;
    if (focused) claim?.focus();
  };
  open.set(dialog, { on: verdict.on, decide });
  if (something) pictures.replaceChildren(...(await drawn(shown)));
}

/**
 * The form of a challenge; where there is one already, who challenges and what settles it.
 * @param {Looked} of
 * @param {Fate | undefined} fate
 */
function claimOf(of, fate) {
  const form = challengeOf(of);
  return form && fate && !fate.verdict
    ? html(
        "p",
        { class: "look-claim", tabindex: -1, role: "status" },
        fateTag(fate),
        " A ruling on this call settles the challenge.",
      )
    : form;
}

/**
 * @param {string} title
 * @param {HTMLElement | null} form
 */
const folded = (title, form) =>
  form && html("details", { class: "rule-more" }, html("summary", {}, title), form);

/**
 * The flick to which a call belongs, and a button to look at the flick instead; null where there is
 * nothing to look at.
 * @param {Looked} flick
 * @param {() => void} done
 */
function flickLine(flick, done) {
  const button = lookButton(flick);
  button?.addEventListener("click", done);
  return (
    button &&
    html("p", { class: "look-flick" }, `The call is about this flick: ${flick.text} `, button)
  );
}

/** @param {Partial<Evidence>} shown */
const when = (shown) =>
  begun(entryName(shown, standingNow())) +
  (typeof shown.t_s === "number" ? `, at ${moment(shown.t_s)}` : "");

/**
 * @param {Partial<Evidence>} shown
 * @param {boolean} decided whether a person has decided, however sure the camera was
 */
function sure(shown, decided) {
  const sentence = marginSentence(shown);
  if (!sentence) return [];
  return present([
    marginScale(shown),
    html(
      "p",
      { class: "look-sure" },
      `${sentence} `,
      decided ? null : html("strong", {}, sureness(shown.probability) || "Certain."),
      html(
        "span",
        { class: "look-how" },
        " In 95 of 100 cases the true value lies within the bar.",
      ),
    ),
  ]);
}

/** @param {Partial<Evidence>} shown */
const nothingKept = ({ clip }) =>
  html(
    "p",
    { class: "look-wait" },
    clip ? "No path of this flick was kept." : "No clip and no path of this flick was kept.",
  );

/** @param {Partial<Evidence>} shown */
async function drawn(shown) {
  if (!shown.flick || !table)
    return [html("p", { class: "look-wait" }, "There is no path to show.")];
  try {
    const paths = await asked("/flicks", `/${shown.flick}`);
    if (!paths) return [nothingKept(shown)];
    const { coins } = paths;
    return present([flickPicture(table, coins, shown), closePicture(table, coins, shown)]);
  } catch {
    return [
      html(
        "p",
        { class: "look-wait" },
        "The program has ended; the paths are in paths.csv of the match's folder.",
      ),
    ];
  }
}
