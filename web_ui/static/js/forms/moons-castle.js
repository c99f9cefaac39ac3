// The question which castle is Moons', where the survey could not tell. The castles are numbered in
// the picture of the table.

import { calledNumber } from "../drawing/coin-faces.js";
import { byId, html } from "../dom.js";
import { sent } from "../server.js";

/** @import { CastleAsked, CastleTopic, Topics } from "../../../types/page" */

let asked = "";

/** @param {Topics} of */
export function drawCastle({ castle }) {
  const section = byId("castle");
  section.hidden = !castle;
  const question = JSON.stringify(castle ?? null);
  if (asked === question) return;
  asked = question;
  section.replaceChildren(...(castle ? [formOf(castle)] : []));
}

/** @param {CastleTopic} of */
function formOf({ castles }) {
  const message = html("p", { class: "naming-message", role: "alert" });
  const go = html("button", { class: "button", type: "submit" });
  const form = html(
    "form",
    { class: "naming-form" },
    html(
      "div",
      { class: "naming-list pinned-list" },
      html(
        "p",
        { class: "naming-why" },
        "It is the one on whose tower the ace of moons lies. The numbers are in the picture.",
      ),
      html(
        "fieldset",
        { class: "naming-coin" },
        html("legend", {}, "Moons’ castle is the one"),
        html("div", { class: "naming-choices castle-choices" }, ...castles.map(choice)),
      ),
    ),
    html("div", { class: "naming-bar" }, message, go),
  );
  const wait = () => {
    go.disabled = !chosen(form);
    go.textContent = go.disabled ? "No castle chosen yet" : "This is Moons’ castle, go on";
  };
  form.addEventListener("change", wait);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, message);
  });
  wait();
  return form;
}

/**
 * @param {CastleAsked} castle
 * @param {number} place
 */
const choice = ({ side, words }, place) =>
  html(
    "label",
    { class: "naming-choice castle-choice" },
    html("input", { type: "radio", name: "castle", value: side, required: true }),
    html("span", { class: "naming-number" }, calledNumber(String(place + 1))),
    html("span", {}, words),
  );

/** @param {HTMLFormElement} form */
const chosen = (form) => String(new FormData(form).get("castle") ?? "");

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} message
 */
async function send(form, message) {
  const { error } = await sent("/answers/castle", chosen(form));
  message.textContent = error ?? "Thank you.";
}
