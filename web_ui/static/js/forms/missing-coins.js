// The question where the coins are that the camera did not see. Each one is not on the table yet,
// or lies at a place that somebody taps.

import { coinPicture } from "../drawing/coin-faces.js";
import { byId, html } from "../dom.js";
import { sent } from "../server.js";
import { plural } from "../words.js";
import { drawSpot, spotPicker } from "./place-picker.js";
import { whose } from "./whose-coin.js";

/**
 * @import {
 *   MatchTopic, MissingTopic, PlacePick, Point, TableTopic, Topics
 * } from "../../../types/page"
 */

const OFF = "off";
const HERE = "here";
let asked = "";

/** @param {Topics} of */
export function drawMissing({ missing, table, match }) {
  const section = byId("missing");
  section.hidden = !missing || !table;
  const question = JSON.stringify([missing ?? null, match?.players, match?.tints]);
  if (!section.hidden && asked === question) return;
  asked = section.hidden ? "" : question;
  if (!missing || !table) return section.replaceChildren();
  section.replaceChildren(formOf(missing, table, match));
  drawSpot();
}

/**
 * @param {MissingTopic} missing
 * @param {TableTopic} table
 * @param {MatchTopic | null | undefined} match
 */
function formOf(missing, table, match) {
  const message = html("p", { class: "naming-message", role: "alert" });
  const go = html("button", { class: "button", type: "submit" });
  /** @type {Map<string, PlacePick>} */
  const pickers = new Map();
  const form = html("form", { class: "naming-form" });
  const changed = () => wait(form, missing.coins, pickers, go);
  const pictureAt = `/pictures/missing?${Date.now()}`;
  const list = html(
    "div",
    { class: "naming-list pinned-list" },
    html(
      "p",
      { class: "naming-why" },
      "If a coin lies on the table, choose “it lies here” and tap that place in the drawing.",
    ),
    ...(missing.coins.length > 1 ? [noneButton(form)] : []),
    ...(missing.picture
      ? [
          html(
            "a",
            { href: "/pictures/missing" },
            html("img", {
              class: "naming-picture",
              src: pictureAt,
              alt: "The table as the camera sees it",
            }),
          ),
        ]
      : []),
    ...missing.coins.map((coin) => {
      const picker = spotPicker(table, {
        coin: () => coin,
        changed,
        others: () => placed(form, pickers, coin),
      });
      pickers.set(coin, picker);
      return choice(coin, picker, match);
    }),
  );
  form.append(list, html("div", { class: "naming-bar" }, message, go));
  form.addEventListener("change", () => {
    changed();
    drawSpot();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, missing.coins, pickers, message);
  });
  changed();
  return form;
}

/**
 * The button that says of all coins at once that they are not on the table yet.
 * @param {HTMLFormElement} form
 */
function noneButton(form) {
  const none = html(
    "button",
    { class: "button missing-none", type: "button" },
    "None of them is on the table yet",
  );
  none.addEventListener("click", () => {
    form
      .querySelectorAll(`input[value="${OFF}"]`)
      .forEach((input) => /** @type {HTMLInputElement} */ (input).click());
    form.requestSubmit();
  });
  return none;
}

/**
 * @param {string} coin
 * @param {PlacePick} picker
 * @param {MatchTopic | null | undefined} match
 */
function choice(coin, picker, match) {
  return html(
    "fieldset",
    { class: "naming-coin missing-coin" },
    html("legend", {}, coinPicture(coin), whose(coin, match)),
    html(
      "div",
      { class: "naming-choices" },
      radio(coin, OFF, "not on the table yet"),
      radio(coin, HERE, "it lies here:"),
    ),
    html("div", { class: "missing-place" }, picker.element),
  );
}

/**
 * @param {string} coin
 * @param {string} value
 * @param {string} words
 */
const radio = (coin, value, words) =>
  html(
    "label",
    { class: "naming-choice missing-choice" },
    html("input", { type: "radio", name: coin, value, required: true }),
    html("span", {}, words),
  );

/**
 * The places given for the other missing coins.
 * @param {HTMLFormElement} form
 * @param {Map<string, PlacePick>} pickers
 * @param {string} own
 * @returns {[string, Point][]}
 */
const placed = (form, pickers, own) =>
  [...pickers].flatMap(([coin, picker]) => {
    const at = coin === own || said(form, coin) !== HERE ? null : picker.value();
    return at ? [/** @type {[string, Point]} */ ([coin, at])] : [];
  });

/**
 * @param {HTMLFormElement} form
 * @param {string} coin
 */
const said = (form, coin) => String(new FormData(form).get(coin) ?? "");

/**
 * The answer for a coin: its place, null for a coin that is not on the table, undefined while it is
 * open.
 * @param {HTMLFormElement} form
 * @param {string} coin
 * @param {Map<string, PlacePick>} pickers
 */
function answerFor(form, coin, pickers) {
  const chosen = said(form, coin);
  if (chosen === OFF) return null;
  return (chosen === HERE && pickers.get(coin)?.value()) || undefined;
}

/**
 * Disable the button until every coin is answered.
 * @param {HTMLFormElement} form
 * @param {string[]} coins
 * @param {Map<string, PlacePick>} pickers
 * @param {HTMLButtonElement} go
 */
function wait(form, coins, pickers, go) {
  const left = coins.filter((coin) => answerFor(form, coin, pickers) === undefined).length;
  go.disabled = left > 0;
  go.textContent = left
    ? `${plural(left, "coin")} not answered yet`
    : "These answers are right, go on";
}

/**
 * @param {HTMLFormElement} form
 * @param {string[]} coins
 * @param {Map<string, PlacePick>} pickers
 * @param {HTMLElement} message
 */
async function send(form, coins, pickers, message) {
  const places = Object.fromEntries(
    coins.map((coin) => [coin, answerFor(form, coin, pickers) ?? null]),
  );
  const { error } = await sent("/answers/missing", places);
  message.textContent = error ?? "Thank you.";
}
