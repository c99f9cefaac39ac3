// What people say, do and decide, sent to be written into the record as the match stands on this
// page.

import { html } from "./dom.js";
import { keepingChoices, wasSent } from "./kept.js";

/**
 * Send something: the answer, an empty one where there is nothing to tell; what is wrong as
 * {error}, with `anyway` where it can be written all the same.
 */
export async function sent(where, body) {
  try {
    const answer = await fetch(where, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return answer.status === 204 ? {} : await answer.json();
  } catch {
    return { error: "The referee could not be reached. Nothing was written." };
  }
}

/** Where what is wrong is said. */
export const messageLine = () => html("p", { class: "answer-message", role: "alert" });

/**
 * A button that does something that takes a while, once at a time. It keeps the focus meanwhile.
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
 * A button that writes an entry at once: `entry()` gives it as {said} (a declaration) or {done} (a
 * roll, a move, what a coin did).
 */
export const entryButton = (words, entry, record, message, kind) =>
  pressed(words, (button) => write(entry(), record, message, button.closest("section")), kind);

async function write(body, record, message, section) {
  const { error, anyway } = await sent("said" in body ? "/declarations" : "/plays", {
    ...body,
    entries: record.entries,
  });
  if (!error && section) wasSent(section);
  const again = () => write({ ...body, anyway: true }, record, message, section);
  message.replaceChildren(
    error ?? "",
    ...(anyway
      ? [html("span", { class: "answers" }, pressed("It happened: enter it all the same", again))]
      : []),
  );
  if (error) message.scrollIntoView({ block: "nearest" });
}

/**
 * New contents for a section, with what was chosen in it. Whoever used the keyboard in it goes on
 * at what is called the same, else at its title.
 */
export function refill(section, ...children) {
  const left = section.contains(document.activeElement) ? document.activeElement.textContent : null;
  keepingChoices(section, () => section.replaceChildren(...children));
  if (left === null || section.contains(document.activeElement)) return;
  const same = [...section.querySelectorAll("button, summary")].find(
    (one) => one.textContent === left,
  );
  (same ?? section.querySelector(".side-title"))?.focus();
}

/** The title of a section that is refilled. */
export const sideTitle = (words) => html("h2", { class: "side-title", tabindex: -1 }, words);
