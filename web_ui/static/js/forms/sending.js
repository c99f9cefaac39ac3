// Sends what people declare, enter and decide, to be written into the record.

import { focusPinned, html, present } from "../dom.js";
import { sent } from "../server.js";
import { keepingChoices, wasSent } from "./kept-choices.js";

/** @import { Child, Entry, RecordTopic, Words } from "../../../types/page" */

/** The line for error messages. */
export const messageLine = () => html("p", { class: "answer-message", role: "alert" });

/**
 * A button for an action that takes a while. It runs once at a time and keeps the focus meanwhile.
 * @param {Words} words
 * @param {(button: HTMLButtonElement) => Promise<void>} act
 * @param {string} kind
 */
export function pressed(words, act, kind = "button-plain") {
  const button = html("button", { class: `button ${kind}`, type: "button" }, ...[words].flat());
  button.addEventListener("click", async () => {
    if (button.hasAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    await act(button);
    button.removeAttribute("aria-busy");
  });
  return button;
}

/**
 * A button that writes an entry at once. `entry()` gives it as {said} (a declaration) or {done} (a
 * roll, a move, what a coin did).
 * @param {Words} words
 * @param {() => Entry} entry
 * @param {RecordTopic} record
 * @param {HTMLElement} message
 * @param {string} [kind]
 */
export const entryButton = (words, entry, record, message, kind) =>
  pressed(words, (button) => write(entry(), record, message, button.closest("section")), kind);

/**
 * @param {Entry & { anyway?: boolean }} body
 * @param {RecordTopic} record
 * @param {HTMLElement} message
 * @param {HTMLElement | null} section
 */
async function write(body, record, message, section) {
  const { entries } = record;
  const { error, anyway } = await ("said" in body
    ? sent("/declarations", { ...body, entries })
    : sent("/plays", { ...body, entries }));
  if (!error && section) wasSent(section);
  const again = () => write({ ...body, anyway: true }, record, message, section);
  message.replaceChildren(
    error ?? "",
    ...(anyway
      ? [html("span", { class: "answers" }, pressed("It happened: enter it anyway", again))]
      : []),
  );
  if (error) message.scrollIntoView({ block: "nearest" });
}

/**
 * Fill a section with new contents and keep what was chosen in it. The keyboard focus goes to the
 * element with the same name, else to the section's title.
 * @param {HTMLElement} section
 * @param {...Child} children
 */
export function refill(section, ...children) {
  const focused = document.activeElement;
  const left = focused && section.contains(focused) ? focused.textContent : null;
  keepingChoices(section, () => section.replaceChildren(...present(children)));
  if (left === null || section.contains(document.activeElement)) return;
  /** @type {NodeListOf<HTMLElement>} */
  const controls = section.querySelectorAll("button, summary");
  /** @type {HTMLElement | null} */
  const title = section.querySelector(".side-title");
  focusPinned([...controls].find((one) => one.textContent === left) ?? title);
}

/**
 * Choices that scroll by themselves where they are too many for the window.
 * @param {HTMLElement[]} parts
 */
export const pinnedList = (parts) => html("div", { class: "pinned-list" }, ...parts);

/**
 * The title of a section that is refilled.
 * @param {string | undefined} words
 */
export const sideTitle = (words) => html("h2", { class: "side-title", tabindex: -1 }, words);
