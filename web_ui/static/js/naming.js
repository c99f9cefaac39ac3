// The question which coin is which: one row of faces to choose from for each numbered coin.

import { coinPicture } from "./coins.js";
import { byId, html } from "./dom.js";

const NOBODY = "nobody";
let asked = "";
let before = {};

export function drawNaming({ naming }) {
  const section = byId("naming");
  const coins = naming?.coins ?? [];
  section.hidden = coins.length === 0;
  const question = JSON.stringify(naming ?? null);
  if (asked === question) return;
  asked = question;
  before = {};
  if (section.hidden) return section.replaceChildren();
  const message = html("p", { class: "naming-message", role: "alert" });
  const form = html("form", { class: "naming-form" },
    html("p", { class: "naming-why" }, "The camera is not sure of these. The numbers are on the drawing of the table."),
    naming.picture ? html("a", { href: "/pictures/naming" }, html("img", { class: "naming-picture", src: `/pictures/naming?${Date.now()}`, alt: "The table as the camera sees it, with the numbers" })) : null,
    ...coins.map(choice),
    message,
    html("button", { class: "button", type: "submit" }, "That is right, go on"));
  form.addEventListener("change", (event) => swap(form, coins, event.target));
  form.addEventListener("submit", (event) => { event.preventDefault(); send(form, coins, message); });
  section.replaceChildren(form);
}

function choice({ id, guess, probability, candidates }) {
  const sure = typeof probability === "number" ? `, ${Math.round(probability * 100)} %` : "";
  return html("fieldset", { class: "naming-coin" },
    html("legend", {}, html("span", { class: "naming-number" }, id), guess ? html("span", { class: "naming-guess" }, `probably ${guess}${sure}`) : null),
    html("div", { class: "naming-choices" }, ...candidates.map((name) => html("label", { class: "naming-choice" },
      html("input", { type: "radio", name: id, value: name, required: true, checked: name === guess }),
      coinPicture(name), html("span", {}, name))),
    html("label", { class: "naming-choice" }, html("input", { type: "radio", name: id, value: NOBODY, required: true }), html("span", {}, "not in play"))));
}

const chosen = (form, coins) => Object.fromEntries(coins.map(({ id }) => [id, new FormData(form).get(id)]));

/** Two coins cannot have one name: the coin that had it gets the name this one had, when it can. */
function swap(form, coins, input) {
  const now = chosen(form, coins);
  const other = input.value === NOBODY ? null : coins.find(({ id }) => id !== input.name && now[id] === input.value);
  const free = before[input.name] ?? coins.find(({ id }) => id === input.name)?.guess;
  if (other?.candidates.includes(free)) form.querySelector(`input[name="${CSS.escape(other.id)}"][value="${CSS.escape(free)}"]`).checked = true;
  before = chosen(form, coins);
}

async function send(form, coins, message) {
  const names = chosen(form, coins);
  const given = Object.values(names).filter((name) => name !== NOBODY);
  if (new Set(given).size < given.length) {
    message.textContent = "Two coins have the same name.";
    return;
  }
  try {
    const answer = await fetch("/answers/naming", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(names) });
    message.textContent = answer.ok ? "Thank you." : (await answer.json()).error;
  } catch {
    message.textContent = "The referee could not be reached. Please try again.";
  }
}
