// Shows how far everybody has come: one row for each player or ball, one column for each step of
// the course, and other facts of the game.

import { coinLook, coinPicture } from "./drawing/coin-faces.js";
import { byId, html, present } from "./dom.js";
import { gameCalled, tellingOf } from "./games/games.js";
import { drawStandings } from "./standings.js";
import { coinStateName, placeName, plural, stateName } from "./words.js";

/**
 * @import {
 *   AnyRow, AnyStanding, CoinsTopic, MatchTopic, Telling, Topics
 * } from "../../types/page"
 */

/** @param {Topics} of */
export function drawCourse({ match, standing, coins, table }) {
  const section = byId("course");
  const telling = tellingOf(match?.game ?? standing?.game, table);
  if (!telling) return drawStandings(section, standing, match);
  /** @type {AnyRow[]} */
  const rows = standing?.standings ?? beginning(match);
  section.hidden = rows.length === 0;
  if (section.hidden) return;
  const view = JSON.stringify([
    rows,
    standing?.turn,
    standing?.status,
    notes(rows, coins),
    match?.tints,
    telling.steps,
  ]);
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  section.classList.toggle("course-many", rows.length > 5);
  section.style.setProperty("--steps", String(telling.steps.length));
  section.replaceChildren(
    header(telling),
    html(
      "ol",
      { class: "course-rows" },
      ...rows.map((row) => player(row, telling, standing, coins?.coins?.[row.coin ?? ""]?.state)),
    ),
  );
  fitCourse();
}

/**
 * Make the rows beside a tall board as large as the room allows, so that people can read them from
 * far away.
 */
export function fitCourse() {
  const section = byId("course");
  const court = byId("court");
  const room = court.getBoundingClientRect().bottom - section.getBoundingClientRect().top - 16;
  for (const grow of [1.7, 1.5, 1.3, 1.15, 1, 0.92, 0.85]) {
    section.style.setProperty("--grow", String(grow));
    const cut = [...section.querySelectorAll(".course-name, .course-note")].some(
      (words) => words.scrollWidth > words.clientWidth,
    );
    if (section.scrollHeight <= room && section.scrollWidth <= section.clientWidth && !cut) return;
  }
}

/**
 * The rows of a match whose standing is not known yet.
 * @param {MatchTopic | null | undefined} match
 * @returns {AnyRow[]}
 */
const beginning = (match) =>
  gameCalled(match?.game)?.nobodyHasEntered?.(match?.players ?? []) ?? [];

/**
 * @param {AnyRow[]} rows
 * @param {CoinsTopic | null | undefined} coins
 */
const notes = (rows, coins) =>
  rows.map(({ coin }) => coinStateName(coins?.coins?.[coin ?? ""]?.state));

/** @param {Telling} of */
function header({ title, steps, posts, breaks }) {
  return html(
    "div",
    { class: "course-head", "aria-hidden": "true" },
    html("span", { class: "course-head-title" }, title),
    html(
      "div",
      { class: "course-steps" },
      ...steps.map((label, i) =>
        html("span", { class: `step-label ${lookOf(label, i, posts, breaks)}` }, short(label)),
      ),
    ),
    html("span", { class: "course-count" }),
  );
}

/**
 * @param {string} label
 * @param {number} i
 * @param {string} posts
 * @param {number[] | undefined} breaks
 */
const lookOf = (label, i, posts, breaks) =>
  `${posts.includes(label) ? "step-post" : ""} ${breaks?.includes(i) ? "step-break" : ""}`;

/**
 * A long label as its first letter: "turning stake" as "T".
 * @param {string} step
 */
const short = (step) => (step.length > 3 ? step[0].toUpperCase() : step);

/**
 * @param {AnyRow} row
 * @param {Telling} telling
 * @param {AnyStanding | null | undefined} standing
 * @param {string | undefined} coinState
 */
function player(row, telling, standing, coinState) {
  const piece = row.coin ?? row.pawn ?? "";
  const { turn, status } = standing ?? {};
  const active =
    status !== "won" &&
    turn?.player === row.player &&
    (!row.pawn || !turn.pawn || turn.pawn === row.pawn);
  const wins = status === "won" && [standing?.winner ?? []].flat().includes(row.player);
  const done = telling.done(row);
  const note = wins
    ? "winner"
    : row.conceded
      ? "conceded"
      : coinStateName(coinState) || stateName(row.state);
  const next = row.next && row.next !== "null" ? `, next ${placeName(row.next)}` : "";
  const who = `${row.player}${row.pawn ? `, ${row.pawn}` : ""}`;
  const said = `${who}: ${done} of ${telling.steps.length} steps${next}${note ? `, ${note}` : ""}`;
  const facts = present([...telling.facts(row), challenges(row)]).map((fact) =>
    typeof fact === "string" ? html("span", {}, fact) : fact,
  );
  return html(
    "li",
    {
      class: `course-row ${active ? "is-active" : ""} ${wins ? "is-winner" : ""}`,
      ...coinLook(piece),
      "aria-current": active ? "true" : null,
    },
    html(
      "p",
      { class: "course-player" },
      coinPicture(piece),
      html("span", { class: "course-name", title: row.player }, row.player),
      row.team ? html("span", { class: "tag" }, `team ${row.team}`) : null,
      note ? html("span", { class: "course-note" }, note) : null,
      ...(telling.inline ? facts : []),
    ),
    html(
      "div",
      { class: "course-steps", role: "img", "aria-label": said },
      ...telling.steps.map((label, i) => step(label, i, done, telling)),
    ),
    html(
      "span",
      { class: "course-count", "aria-hidden": "true" },
      html("strong", {}, String(done)),
      `/${telling.steps.length}`,
    ),
    facts.length && !telling.inline ? html("p", { class: "course-facts" }, ...facts) : null,
  );
}

/** @param {AnyRow} of */
function challenges({ challenges_left: left }) {
  return typeof left === "number" ? plural(left, "challenge left", "challenges left") : null;
}

/**
 * @param {string} label
 * @param {number} i
 * @param {number} done
 * @param {Telling} rest
 */
function step(label, i, done, { posts, breaks }) {
  const kind = i < done ? "step-done" : i === done ? "step-next" : "";
  return html(
    "span",
    { class: `step ${kind} ${lookOf(label, i, posts, breaks)}` },
    i >= done ? short(label) : "",
  );
}
