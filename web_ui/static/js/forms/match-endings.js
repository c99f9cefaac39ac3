// The forms for what anybody may declare at any time: that they concede, how all agree to end the
// match, and that something was missed or called wrongly.

import { html } from "../dom.js";
import { sent } from "../server.js";
import { challengesLeft } from "../words.js";
import { messageLine, entryButton } from "./sending.js";

/** @import { AnyStanding, Fields, MatchTopic, Topics } from "../../../types/page" */

/**
 * @param {string} label
 * @param {[string, unknown][]} options
 */
const choice = (label, options) =>
  html(
    "select",
    { class: "answer-name", "aria-label": label },
    ...options.map(([words, value]) => html("option", { value: JSON.stringify(value) }, words)),
  );

/** @param {HTMLSelectElement} one */
const chosen = (one) => JSON.parse(one.value);

/**
 * The form with which players end a match: somebody concedes, or all agree.
 * @param {Topics} of
 */
export function endings({ standing, record, match }) {
  if (!record || standing?.status === "won") return null;
  const message = messageLine();
  /** @type {[string, Fields][]} */
  const conceded = playersOf(match).map((player) => [
    `${player} concedes`,
    { kind: "concede", player },
  ]);
  /** @type {[string, Fields][]} */
  const agreed = sidesOf(match, standing).map(([words, winner]) => [
    `all agree: ${words}`,
    { kind: "agreed", winner },
  ]);
  const one = choice("How the match ends", [
    ["choose how …", null],
    ...conceded,
    ...agreed,
    ["all agree: a draw", { kind: "agreed", winner: null }],
  ]);
  const sure = html("span", { class: "answers", hidden: true });
  const end = html(
    "button",
    { class: "button button-plain", type: "button", disabled: true },
    "End the match",
  );
  one.addEventListener("change", () => {
    end.disabled = chosen(one) === null;
    sure.hidden = true;
  });
  end.addEventListener("click", () => {
    const yes = entryButton("Yes, end the match", () => ({ said: chosen(one) }), record, message);
    sure.replaceChildren(`Is the match over: ${one.selectedOptions[0].textContent}?`, yes);
    sure.hidden = false;
    yes.focus();
  });
  return html("div", { class: "answers" }, one, end, sure, message);
}

/** @param {MatchTopic | null | undefined} match */
const playersOf = (match) => [...new Set((match?.players ?? []).map(({ name }) => name))];

/**
 * The possible winners by agreement: each player, or each team with its players.
 * @param {MatchTopic | null | undefined} match
 * @param {AnyStanding | null | undefined} standing
 * @returns {[string, string | string[]][]}
 */
function sidesOf(match, standing) {
  const teams = new Map();
  for (const { player, team } of standing?.standings ?? []) {
    if (team) teams.set(team, new Set([...(teams.get(team) ?? []), player]));
  }
  if (!teams.size) return playersOf(match).map((name) => [`${name} has won`, name]);
  return [...teams].map(([team, names]) => [
    `team ${team} has won (${[...names].join(", ")})`,
    playersOf(match).filter((name) => names.has(name)),
  ]);
}

/**
 * The button with which a player challenges an entry, or (`on` null) says that something was
 * missed.
 * @param {Pick<Topics, "standing" | "record" | "match">} of
 * @param {string | null} on
 */
export function challenge({ standing, record, match }, on) {
  if (!record || standing?.status === "won") return null;
  const message = messageLine();
  const who = choice("Who challenges", [
    ["choose who …", null],
    ...playersOf(match).map((name) => {
      const left = challengesLeft(name, standing);
      return /** @type {[string, unknown]} */ ([left ? `${name} (${left})` : name, name]);
    }),
  ]);
  const button = html(
    "button",
    { class: "button button-plain", type: "button", disabled: true },
    on ? "Challenge it" : "The referee missed something",
  );
  who.addEventListener("change", () => {
    button.disabled = chosen(who) === null;
  });
  button.addEventListener("click", async () => {
    button.disabled = true;
    const { error } = await sent("/declarations", {
      said: { kind: "challenge", on, player: chosen(who) },
      entries: record.entries,
    });
    message.textContent = error ?? "Noted. A ruling on this call settles the challenge.";
    button.disabled = !error;
  });
  return html(
    "div",
    { class: "answers" },
    html("label", { class: "answer-label" }, "Challenge by", who),
    button,
    message,
  );
}
