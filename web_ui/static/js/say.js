// What players may say now and no camera can see: one of the actions after a hit, a pass, that somebody concedes.

import { byId, html } from "./dom.js";
import { calledCoin } from "./rule.js";
import { placeName } from "./words.js";

const ACTIONS = [[2, "move beside it"], [3, "flick it"], [4, "move beside it and flick it"]];
const PLAIN = ["pass", "continuation"];

/** The buttons for what the player whose turn it is may declare; hidden where there is nothing, or this page may write nothing. */
export function drawSay({ standing, record, rulings }) {
  const section = byId("say");
  const turn = Array.isArray(rulings) && standing?.status === "in_progress" ? standing.turn : {};
  const view = JSON.stringify([turn, record?.entries]);
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  const message = html("p", { class: "answer-message", role: "alert" });
  const buttons = choices(turn ?? {}, standing?.game).map(([words, said]) => sayButton(words, { ...said, player: turn.player }, record, message));
  section.hidden = !buttons.length;
  section.replaceChildren(...(buttons.length ? [html("h2", { class: "side-title" }, `${turn.player} may say first`), html("div", { class: "answers" }, ...buttons), message] : []));
}

function choices({ options, may_pass: may }, game) {
  if (game === "tabletop-croquet" && options?.coins && !options.declared) {
    return options.coins.flatMap((coin) => ACTIONS.map(([option, words]) => [`${calledCoin(coin)}: ${words}`, { kind: "after_hit", option, coin }]));
  }
  const offered = Array.isArray(options) ? options : may ? ["pass"] : [];
  return PLAIN.filter((kind) => offered.includes(kind)).map((kind) => [placeName(kind), { kind }]);
}

/** A button that declares something at once. */
function sayButton(words, said, record, message) {
  const button = html("button", { class: "button button-plain", type: "button" }, words);
  button.addEventListener("click", () => say(button, said, record, message));
  return button;
}

async function say(button, said, record, message) {
  button.disabled = true;
  try {
    const body = JSON.stringify({ said, entries: record.entries });
    const taken = await fetch("/declarations", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    message.textContent = taken.ok ? "" : (await taken.json()).error;
  } catch {
    message.textContent = "The referee could not be reached. Nothing was written.";
  }
  button.disabled = false;
}

/** How a match ends by what players say: somebody concedes, or all agree. */
export function endings({ standing, record, match }) {
  if (!record || standing?.status === "won") return null;
  const players = (match?.players ?? []).map(({ name }) => name);
  const sides = match?.options?.teams || standing?.standings.some(({ team }) => team) ? [] : players.map((name) => [`${name} has won`, name]);
  const message = html("p", { class: "answer-message", role: "alert" });
  const one = html("select", { class: "answer-name", "aria-label": "How the match ends" },
    ...[...players.map((name) => [`${name} concedes`, { kind: "concede", player: name }]),
      ...sides.map(([words, winner]) => [`all agree: ${words}`, { kind: "agreed", winner }]), ["all agree: a draw", { kind: "agreed", winner: null }],
    ].map(([words, said]) => html("option", { value: JSON.stringify(said) }, words)));
  const button = html("button", { class: "button button-plain", type: "button" }, "End it so");
  button.addEventListener("click", () => say(button, JSON.parse(one.value), record, message));
  return html("div", { class: "answers" }, one, button, message);
}
