// The question which coin is which. For each numbered coin it shows the face as the camera sees it,
// and names to choose from.

import { calledNumber, coinPicture } from "../drawing/coin-faces.js";
import { byId, html } from "../dom.js";
import { whose } from "./whose-coin.js";
import { sent } from "../server.js";
import { plural } from "../words.js";

/** @import { CoinAsked, MatchTopic, Topics } from "../../../types/page" */

const NOBODY = "nobody";
const PROBABLE = 0.8; // a less probable name is not proposed: one press would accept a mere guess
const POSSIBLE = 0.05; // a less probable name is not mentioned
let asked = "";
/** @type {Record<string, string | null>} */
let before = {};

/** @param {Topics} of */
export function drawNaming({ naming, match }) {
  const section = byId("naming");
  const coins = naming?.coins ?? [];
  section.hidden = coins.length === 0;
  const question = JSON.stringify([naming ?? null, match?.players, match?.tints]);
  if (asked === question) return;
  asked = question;
  before = Object.fromEntries(coins.filter(proposed).map(({ id, guess }) => [id, guess]));
  if (!naming || section.hidden) return section.replaceChildren();
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
        `The camera is not sure which coins these are. Their numbers are in the ${
          naming.picture_px ? "picture" : "drawing"
        } of the table.`,
      ),
      ...coins.map((coin) => choice(coin, match)),
    ),
    html("div", { class: "naming-bar" }, message, go),
  );
  form.addEventListener("change", (event) => {
    swap(form, coins, /** @type {HTMLInputElement} */ (event.target));
    wait(form, coins, go);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form, coins, message);
  });
  wait(form, coins, go);
  section.replaceChildren(form);
}

/**
 * Whether a coin's most probable name is chosen at the start.
 * @param {CoinAsked} of
 */
const proposed = ({ guess, probability }) => Boolean(guess) && probability >= PROBABLE;

/**
 * @param {CoinAsked} coin
 * @param {MatchTopic | null | undefined} match
 */
function choice(coin, match) {
  const { id, guess, candidates, face } = coin;
  const seen = face
    ? html("img", {
        class: "naming-face",
        src: `/pictures/${face}?${Date.now()}`,
        alt: `Coin ${calledNumber(id)} as the camera sees it, enlarged`,
      })
    : null;
  return html(
    "fieldset",
    { class: "naming-coin" },
    html(
      "legend",
      {},
      html("span", { class: "naming-number" }, calledNumber(id)),
      html("span", { class: "naming-guess" }, guessed(coin)),
    ),
    html(
      "div",
      { class: "naming-row" },
      seen,
      html(
        "div",
        { class: "naming-choices" },
        ...candidates.map((name) =>
          html(
            "label",
            { class: "naming-choice" },
            html("input", {
              type: "radio",
              name: id,
              value: name,
              required: true,
              checked: proposed(coin) && name === guess,
            }),
            coinPicture(name),
            whose(name, match),
          ),
        ),
        html(
          "label",
          { class: "naming-choice" },
          html("input", { type: "radio", name: id, value: NOBODY, required: true }),
          html("span", {}, "not in play"),
        ),
      ),
    ),
  );
}

/**
 * The names that a coin may have according to the camera, in words.
 * @param {CoinAsked} coin
 */
function guessed(coin) {
  if (proposed(coin)) return `probably ${coin.guess}, ${Math.floor(coin.probability * 100)} %`;
  const odds = coin.odds?.length
    ? coin.odds
    : coin.candidates.map(() => 1 / coin.candidates.length);
  const nobodys = 1 - odds.reduce((sum, share) => sum + share, 0);
  const may = [
    ...coin.candidates.filter((_, i) => odds[i] >= POSSIBLE),
    ...(nobodys >= POSSIBLE ? ["not in play"] : []),
  ];
  return may.length < 2
    ? "cannot tell"
    : `${may.slice(0, -1).join(", ")} or ${may.at(-1)}: cannot tell`;
}

/**
 * The name chosen for each coin, empty where none is.
 * @param {HTMLFormElement} form
 * @param {CoinAsked[]} coins
 */
function chosen(form, coins) {
  const given = new FormData(form);
  return Object.fromEntries(coins.map(({ id }) => [id, String(given.get(id) ?? "")]));
}

/**
 * Disable the button until every coin is answered.
 * @param {HTMLFormElement} form
 * @param {CoinAsked[]} coins
 * @param {HTMLButtonElement} go
 */
function wait(form, coins, go) {
  const left = Object.values(chosen(form, coins)).filter((name) => !name).length;
  go.disabled = left > 0;
  go.textContent = left ? `${plural(left, "coin")} not named yet` : "These names are right, go on";
}

/**
 * Two coins cannot have the same name. The coin that had it gets this coin's former name if it can;
 * otherwise it must be named again.
 * @param {HTMLFormElement} form
 * @param {CoinAsked[]} coins
 * @param {HTMLInputElement} input
 */
function swap(form, coins, input) {
  const now = chosen(form, coins);
  const other =
    input.value === NOBODY
      ? null
      : coins.find(({ id }) => id !== input.name && now[id] === input.value);
  const free = before[input.name];
  if (other) {
    const can = free && other.candidates.includes(free);
    const name = `[name="${CSS.escape(other.id)}"]`;
    const value = `[value="${CSS.escape(can ? free : input.value)}"]`;
    /** @type {HTMLInputElement | null} */
    const radio = form.querySelector(`input${name}${value}`);
    if (radio) radio.checked = Boolean(can);
  }
  before = chosen(form, coins);
}

/**
 * @param {HTMLFormElement} form
 * @param {CoinAsked[]} coins
 * @param {HTMLElement} message
 */
async function send(form, coins, message) {
  const names = chosen(form, coins);
  const given = Object.values(names).filter((name) => name !== NOBODY);
  if (new Set(given).size < given.length) {
    message.textContent = "Two coins have the same name.";
    return;
  }
  const { error } = await sent("/answers/naming", names);
  message.textContent = error ?? "Thank you.";
}
