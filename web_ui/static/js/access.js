// What this device may do: look, or also rule, answer, name and enter. A device on which somebody
// has entered the PIN shown at the table may do all of these. The browser at the table also shows
// how to open the page on a phone.

import { byId, html, present } from "./dom.js";
import { messageLine, pressed } from "./forms/sending.js";
import { asked, sent } from "./server.js";

/** @import { AccessShown, Topics } from "../../types/page" */

/** @type {AccessShown | null} */
let access = null;
let changed = () => {};
/** Why this device may no longer rule. */
let why = "";

/** Whether this device may rule, answer, name and enter. */
export const mayRule = () => document.body.dataset.may === "rule";

/**
 * Call `redraw` whenever this device may do more or less than before.
 * @param {() => void} redraw
 */
export function watchAccess(redraw) {
  changed = redraw;
  byId("phone").addEventListener("click", openOnPhone);
  drawEntry();
}

/** Ask again what this device may do: sessions were closed, or the program was started anew. */
export async function drawAccess() {
  try {
    const now = await asked("/access");
    if (now) take(now);
  } catch {
    // the connection is lost, which the page says; it asks again when it is back
  }
}

/**
 * The topics as somebody sees them who may only look: without what can be ruled and entered.
 * @param {Topics} state
 * @returns {Topics}
 */
export const looked = (state) =>
  mayRule()
    ? state
    : { ...state, rulings: null, hand: null, castle: null, naming: null, missing: null };

/** @param {AccessShown} now */
function take(now) {
  const before = document.body.dataset.may;
  if (before === "rule" && now.may === "look")
    why =
      access && access.run !== now.run
        ? "The program was started again, so this device may only look."
        : "All sessions were closed at the table, so this device may only look.";
  if (now.may === "rule") why = "";
  access = now;
  document.body.dataset.may = now.may;
  byId("pin").textContent = now.pin && now.addresses.length ? `PIN ${spaced(now.pin)}` : "";
  if (before !== now.may) {
    drawEntry();
    changed();
  }
  const panel = document.querySelector("dialog.phone");
  panel?.replaceChildren(...panelParts(now));
}

/** @param {string} pin */
const spaced = (pin) => `${pin.slice(0, 3)}\u00a0${pin.slice(3)}`;

/** The line for somebody who may only look: one button, and then the field for the PIN. */
function drawEntry() {
  const section = byId("entry");
  section.hidden = mayRule();
  if (section.hidden) return section.replaceChildren();
  const open = html(
    "button",
    { class: "button", type: "button" },
    "Enter the PIN shown at the table",
  );
  open.addEventListener("click", () => {
    const form = pinForm();
    section.replaceChildren(form);
    form.querySelector("input")?.focus();
  });
  section.replaceChildren(
    html(
      "p",
      { class: why ? "entry-why" : false, role: "status" },
      why || "This device may only look. To make rulings and enter events:",
    ),
    open,
  );
}

function pinForm() {
  const message = messageLine();
  const input = html("input", {
    class: "entry-pin",
    id: "entry-pin",
    inputmode: "numeric",
    autocomplete: "one-time-code",
    maxlength: 7,
    required: true,
  });
  const send = html("button", { class: "button", type: "submit" }, "Open");
  const form = html(
    "form",
    { class: "entry-form" },
    html("label", { for: "entry-pin" }, "PIN shown at the table"),
    input,
    send,
    message,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    const { error } = await sent("/access/pin", { pin: input.value });
    send.disabled = false;
    message.textContent = error ?? "";
    if (error) input.select();
    else await drawAccess();
  });
  return form;
}

async function openOnPhone() {
  if (!access) await drawAccess();
  if (!access) return;
  const panel = html(
    "dialog",
    { class: "look phone", "aria-labelledby": "phone-title" },
    ...panelParts(access),
  );
  panel.addEventListener("click", (event) => {
    if (event.target === panel) panel.close();
  });
  panel.addEventListener("close", () => panel.remove());
  document.body.append(panel);
  panel.showModal();
}

/** @param {AccessShown} now */
function panelParts({ addresses, pin }) {
  const close = html("button", { class: "look-close", type: "button", "aria-label": "Close" }, "×");
  close.addEventListener("click", () => close.closest("dialog")?.close());
  return [
    html(
      "header",
      { class: "look-head" },
      html("h2", { id: "phone-title" }, "Open on a phone"),
      close,
    ),
    addresses.length
      ? html("div", { class: "phone-codes" }, ...addresses.map(code))
      : html(
          "p",
          {},
          "At present only this computer can open this page. Start the program with ",
          html("code", {}, "--host 0.0.0.0"),
          " so that every device in the network can open it.",
        ),
    ...(addresses.length > 1
      ? [html("p", {}, "Use the address in the network that both devices are in.")]
      : []),
    ...(pin ? atTable(pin) : []),
  ];
}

/**
 * @param {string} address
 * @param {number} number
 */
const code = (address, number) =>
  html(
    "figure",
    { class: "phone-code" },
    html("img", { src: `/access/code/${number}?${encodeURIComponent(address)}`, alt: "QR code" }),
    html("figcaption", {}, address),
  );

/**
 * What only the browser at the table shows.
 * @param {string} pin
 */
function atTable(pin) {
  const message = messageLine();
  const close = pressed("Close all sessions", async () => {
    const { error } = await sent("/access/closed", {});
    message.textContent = error ?? "All other devices may now only look.";
  });
  return present([
    html(
      "p",
      {},
      "Every device may look. To make rulings and enter events on it, enter this PIN there:",
    ),
    html("p", { class: "phone-pin" }, spaced(pin)),
    html("p", { class: "answers" }, close, message),
    html(
      "p",
      { class: "phone-note" },
      "When you close all sessions, all other devices may only look, and this PIN no longer works.",
    ),
  ]);
}
