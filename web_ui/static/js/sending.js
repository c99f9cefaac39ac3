// What people say and do, sent to be written into the record as the match stands on this page.

import { html } from "./dom.js";

/** Send something the record may take; what is wrong with it in a line, nothing once it is written. */
export async function sent(where, body) {
  try {
    const taken = await fetch(where, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return taken.ok ? "" : (await taken.json()).error;
  } catch {
    return "The referee could not be reached. Nothing was written.";
  }
}

/** Where what is wrong is said. */
export const messageLine = () => html("p", { class: "answer-message", role: "alert" });

/** A button that writes an entry at once: `entry()` gives it as {said} (a declaration) or {done} (a roll or a move). */
export function entryButton(words, entry, record, message, kind = "button-plain") {
  const button = html("button", { class: `button ${kind}`, type: "button" }, ...[words].flat());
  button.addEventListener("click", async () => {
    const body = entry();
    button.disabled = true;
    message.textContent = await sent("said" in body ? "/declarations" : "/plays", { ...body, entries: record.entries });
    button.disabled = false;
  });
  return button;
}
