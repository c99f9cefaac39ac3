// Whose turn it is, the flicks left, and what is expected next: what must be readable from across the room.

import { coinPicture } from "./coins.js";
import { byId, html } from "./dom.js";
import { listed, placeName, plural } from "./words.js";

export function drawTurn({ standing, match, doing, naming, coins }) {
  const section = byId("turn");
  const view = whatToSay(standing, match, doing, naming, coins?.coins ?? {});
  const key = JSON.stringify(view);
  if (section.dataset.view === key) return; // drawn anew only when it says something else, so that it is not read out again
  section.dataset.view = key;
  section.className = `turn ${view.kind} ${view.title.length > 16 ? "turn-long" : ""}`;
  section.replaceChildren(...[
    view.coin ? coinPicture(view.coin) : null,
    html("p", { class: "turn-name" }, view.title),
    view.flicks === undefined ? null : flicks(view.flicks),
    view.text ? html("p", { class: "turn-next" }, view.text) : null,
  ].filter(Boolean));
  document.title = `${view.title}${view.flicks ? `, ${plural(view.flicks, "flick")}` : ""} · Table referee`;
}

function flicks(count) {
  return html("p", { class: "turn-flicks" },
    html("strong", { class: "turn-count" }, String(count)),
    html("span", {}, count === 1 ? "flick left" : "flicks left"));
}

function whatToSay(standing, match, doing, naming, lying) {
  if (standing?.status === "won") return won(standing);
  if (naming?.coins?.length) return { kind: "turn-asks", title: "Which coin is which?", text: "Please name the numbered coins, then play can begin." };
  if (!standing?.turn) return waiting(match, doing);
  const { player, flicks_left: left } = standing.turn;
  const coin = standing.turn.coin ?? standing.turn.pawn;
  if (standing.status === "question") {
    return { kind: "turn-asks", coin, title: player, text: "Play waits for your decision.", flicks: left };
  }
  return { kind: "", coin, title: player, text: ENDED[doing?.phase] ?? expected(standing, lying), flicks: left };
}

const ENDED = { finished: "The recording ends here; the match is not over.", failed: "The referee has stopped." };

const WAITING = { watching: "Watching the table", following: "Waiting for the match to begin", finished: "Finished", failed: "Stopped" };

function waiting(match, doing) {
  const names = (match?.players ?? []).map((player) => player.name);
  const title = WAITING[doing?.phase] ?? "One moment …";
  return { kind: "", title, text: names.length ? `${listed(names)} ${names.length === 1 ? "plays" : "play"}.` : "" };
}

function won({ winner, standings }) {
  const winners = [winner ?? []].flat();
  const row = standings.find(({ player }) => player === winners[0]);
  const title = winners.length ? `${listed(winners)} ${winners.length === 1 ? "wins" : "win"}` : "The match is drawn";
  return { kind: "turn-won", coin: winners.length === 1 ? row?.coin ?? row?.pawn : undefined, title, text: "The match is over." };
}

const TASKS = { place: "place", lift: "take away", restore: "put back" };

const EXPECTED = {
  roll: "Roll", move: "Move", choice: "Continue or croquet", croquet: "Declare the croquet", continuation: "Announce the continuation shot",
  shot: "Announce a shot", disaster: "The opponent decides what becomes of it", place: "Place the ball",
};

function expected(standing, lying) {
  const { turn, standings } = standing;
  const row = standings.find(({ player, pawn }) => player === turn.player && (!turn.pawn || pawn === turn.pawn));
  const entering = standing.game === "tabletop-croquet" && row?.state === "not_entered" && !lying[row.coin]?.at_mm;
  const todo = (turn.before_flick ?? []).filter((task) => task.do in TASKS && !(task.do === "place" && task.coin === row?.coin && row.state === "not_entered"));
  if (todo.length) return `First ${listed(todo.map((task) => `${TASKS[task.do]} ${task.coin ?? `the tile ${placeName(task.tile)}`}`))}.`;
  if (entering) return "Place the coin between the left endpost and wicket 1, then flick.";
  const what = [EXPECTED[turn.expects], turn.roll ? `for the ${turn.roll}` : ""].filter(Boolean).join(" ");
  return [row?.next ? `Next: ${placeName(row.next)}` : "", standing.game === "tabletop-croquet" ? "" : what].filter(Boolean).join(". ");
}
