// How far everybody has come: one row a player, one column a step of the course.

import { coinLook, coinPicture } from "./coins.js";
import { byId, html } from "./dom.js";
import { drawStandings } from "./standings.js";
import { coinStateName, placeName, stateName } from "./words.js";

const COURSES = { "tabletop-croquet": ["1", "2", "3", "4", "5", "6", "7", "R", "7", "6", "8", "4", "9", "2", "1", "L"] };

export function drawCourse({ match, standing, coins }) {
  const section = byId("course");
  const steps = COURSES[match?.game ?? standing?.game];
  if (!steps) return drawStandings(section, standing, match);
  const players = standing?.standings ?? (match?.players ?? []).map(({ name, coin }) => ({ player: name, coin, progress: 0, state: "not_entered" }));
  section.hidden = players.length === 0;
  if (section.hidden) return;
  const view = JSON.stringify([players, standing?.turn, standing?.status, notes(players, coins), match?.tints]);
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  section.classList.toggle("course-many", players.length > 5);
  section.replaceChildren(
    header(steps),
    html("ol", { class: "course-rows" }, ...players.map((row) => player(row, steps, standing, coins?.coins?.[row.coin]?.state))),
  );
}

const notes = (players, coins) => players.map(({ coin }) => coinStateName(coins?.coins?.[coin]?.state));

function header(steps) {
  return html("div", { class: "course-head", "aria-hidden": "true" },
    html("span", { class: "course-head-title" }, "Course"),
    html("div", { class: "course-steps" }, ...steps.map((step) => html("span", { class: isPost(step) ? "step-label step-post" : "step-label" }, step))),
    html("span", { class: "course-count" }));
}

const isPost = (step) => step === "R" || step === "L";

function player(row, steps, standing, coinState) {
  const active = standing?.status !== "won" && standing?.turn?.player === row.player;
  const wins = [standing?.winner ?? []].flat().includes(row.player);
  const note = wins ? "winner" : coinStateName(coinState) || stateName(row.state);
  const said = `${row.player}: ${row.progress} of ${steps.length} steps${row.next ? `, next ${placeName(row.next)}` : ""}${note ? `, ${note}` : ""}`;
  return html("li", { class: `course-row ${active ? "is-active" : ""} ${wins ? "is-winner" : ""}`, ...coinLook(row.coin), "aria-current": active },
    html("p", { class: "course-player" },
      coinPicture(row.coin),
      html("span", { class: "course-name", title: row.player }, row.player),
      note ? html("span", { class: "course-note" }, note) : null,
      deadOn(row.dead_on)),
    html("div", { class: "course-steps", role: "img", "aria-label": said }, ...steps.map((label, i) => step(label, i, row.progress))),
    html("span", { class: "course-count", "aria-hidden": "true" }, html("strong", {}, String(row.progress)), `/${steps.length}`));
}

function step(label, i, progress) {
  const kind = i < progress ? "step-done" : i === progress ? "step-next" : "";
  return html("span", { class: `step ${kind} ${isPost(label) ? "step-post" : ""}` }, i >= progress ? label : "");
}

function deadOn(coins) {
  if (!coins?.length) return null;
  return html("span", { class: "course-dead", title: "Hitting these again earns no flicks before the next step of the course." },
    "has hit", html("span", { class: "unseen" }, coins.join(", ")), ...coins.map((coin) => coinPicture(coin)));
}
