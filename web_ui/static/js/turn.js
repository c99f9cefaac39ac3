// Shows whose turn it is, the flicks left, and what is expected next. People must be able to read
// this from across the room.

import { mayRule } from "./access.js";
import { coinPicture } from "./drawing/coin-faces.js";
import { byId, html, present } from "./dom.js";
import { expectedNext } from "./expected.js";
import { gameCalled } from "./games/games.js";
import { flickRuns, listed, plural } from "./words.js";

/**
 * @import {
 *   AnyStanding, DoingTopic, MatchTopic, Seen, ToSay, Topics
 * } from "../../types/page"
 */

/** @param {Topics} of */
export function drawTurn({
  standing,
  match,
  doing,
  castle,
  naming,
  missing,
  coins,
  provisional,
  rulings,
}) {
  const section = byId("turn");
  const view = whatToSay(
    standing,
    match,
    doing,
    { castle, naming, missing },
    {
      lying: coins?.coins ?? {},
      runs: flickRuns(provisional),
      mayWrite: Array.isArray(rulings) && mayRule(),
    },
  );
  const key = JSON.stringify(view);
  // drawn again only when the text changes, so that screen readers do not repeat it
  if (section.dataset.view === key) return;
  section.dataset.view = key;
  const told = view.flicks === undefined && view.coin && view.kind === "";
  const long = view.title.length > 16;
  section.className = `turn ${view.kind} ${long ? "turn-long" : ""} ${told ? "turn-told" : ""}`;
  section.replaceChildren(
    ...present([
      view.coin ? coinPicture(view.coin) : null,
      html(
        "p",
        { class: "turn-name" },
        view.title,
        view.piece ? html("span", { class: "turn-piece" }, view.piece) : null,
      ),
      view.flicks === undefined ? null : flicks(view.flicks, view.runs),
      view.text
        ? html(
            "p",
            { class: "turn-next" },
            html("span", { class: "turn-now" }, view.text),
            view.next ? html("span", { class: "turn-then" }, view.next) : null,
          )
        : null,
    ]),
  );
  const left = view.flicks && !view.runs ? `, ${plural(view.flicks, "flick")}` : "";
  document.title = `${view.title}${left} · Table referee`;
}

/**
 * @param {number} count
 * @param {boolean | undefined} runs
 */
function flicks(count, runs) {
  if (runs)
    return html("p", { class: "turn-flicks turn-runs" }, html("span", {}, "A flick is under way"));
  return html(
    "p",
    { class: "turn-flicks" },
    html("strong", { class: "turn-count" }, String(count)),
    html("span", {}, count === 1 ? "flick left" : "flicks left"),
  );
}

/**
 * The words to show. `seen` says where coins lie, whether a flick is under way, and whether this
 * page may write declarations.
 * @param {AnyStanding | null | undefined} standing
 * @param {MatchTopic | null | undefined} match
 * @param {DoingTopic | null | undefined} doing
 * @param {Pick<Topics, "castle" | "naming" | "missing">} asked
 * @param {Seen} seen
 * @returns {ToSay}
 */
function whatToSay(standing, match, doing, { castle, naming, missing }, seen) {
  if (standing?.status === "won") return won(standing);
  if (castle)
    return {
      kind: "turn-asks",
      title: "Which castle is Moons’?",
      text: "The aces do not show it clearly. Please say which one, then play can begin.",
    };
  if (naming?.coins?.length)
    return {
      kind: "turn-asks",
      title: "Which coin is which?",
      text: "Please name the numbered coins, then play can begin.",
    };
  if (missing)
    return {
      kind: "turn-asks",
      title: missing.coins.length > 1 ? "Where are these coins?" : "Where is this coin?",
      text: `${missing.text}. Please say where, then play can begin.`,
    };
  if (!standing?.turn) return waiting(match, doing);
  const { player, pawn, flicks_left: flicks } = standing.turn;
  const row = standing.standings.find((one) => one.player === player);
  const coin = pawn ?? (gameCalled(standing.game)?.flicked ? row?.coin : standing.turn.coin);
  const left = OUT.has(row?.state ?? "") ? undefined : flicks;
  const who = { coin, title: player, piece: pawn ? `${pawn} ball` : "", flicks: left };
  if (standing.status === "question")
    return { ...who, kind: "turn-asks", text: "Play waits for your decision." };
  const ended = ENDED[doing?.phase ?? ""];
  if (ended) return { ...who, flicks: undefined, kind: "", text: ended };
  if (seen.runs)
    return {
      ...who,
      kind: "",
      runs: true,
      text: "The flick counts as soon as everything is still.",
    };
  const { now, next } = expectedNext(standing, seen.lying, seen.mayWrite);
  return {
    ...who,
    kind: "",
    text: now || (next ? `Next: ${next}` : ""),
    next: now && next ? `Next: ${next}` : "",
  };
}

/** The states of a coin that cannot be flicked any more, even if its player has flicks left. */
const OUT = new Set(["finished", "killed"]);

/** @type {Record<string, string>} */
const ENDED = {
  finished: "The recording ends here; the match is not over.",
  failed: "The referee has stopped.",
};

/** @type {Record<string, string>} */
const WAITING = {
  watching: "Watching the table",
  following: "Waiting for the match to begin",
  finished: "The video has ended",
  failed: "Stopped",
};

/**
 * @param {MatchTopic | null | undefined} match
 * @param {DoingTopic | null | undefined} doing
 * @returns {ToSay}
 */
function waiting(match, doing) {
  const names = (match?.players ?? []).map((player) => player.name);
  const title = WAITING[doing?.phase ?? ""] ?? "One moment …";
  return {
    kind: "",
    title,
    text: names.length ? `${listed(names)} ${names.length === 1 ? "plays" : "play"}.` : "",
  };
}

/**
 * @param {AnyStanding} of
 * @returns {ToSay}
 */
function won({ winner, standings }) {
  const winners = [winner ?? []].flat();
  const row = standings.find(({ player }) => player === winners[0]);
  const title = winners.length
    ? `${listed(winners)} ${winners.length === 1 ? "wins" : "win"}`
    : "The match is drawn";
  return {
    kind: "turn-won",
    coin: winners.length === 1 ? (row?.coin ?? row?.pawn) : undefined,
    title,
    text: "The match is over.",
  };
}
