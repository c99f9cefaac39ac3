// Shows where everybody stands in a game that has no drawing of its own: a row for each player or
// piece, a column for each field of the game.

import { coinPicture } from "./drawing/coin-faces.js";
import { html } from "./dom.js";
import { fieldName, inWords } from "./words.js";

/** @import { AnyRow, AnyStanding, Fields, MatchTopic } from "../../types/page" */

const WHO = ["player", "coin", "pawn", "knight"];

/**
 * Draw the standings into `section`, in the words of the game's own fields.
 * @param {HTMLElement} section
 * @param {AnyStanding | null | undefined} standing
 * @param {MatchTopic | null | undefined} match
 */
export function drawStandings(section, standing, match) {
  const rows =
    standing?.standings ??
    match?.players?.map(({ name, ...more }) => ({ player: name, ...more })) ??
    [];
  section.hidden = rows.length === 0;
  if (section.hidden) return;
  const view = JSON.stringify([rows, standing?.turn, standing?.status, match?.tints]);
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  section.classList.remove("course-many");
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (field) => !WHO.includes(field),
  );
  section.replaceChildren(
    html(
      "table",
      { class: "standings" },
      html("caption", { class: "course-head-title" }, "Standings"),
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          html("th", { scope: "col" }, "Player"),
          ...fields.map((field) => html("th", { scope: "col" }, fieldName(field))),
        ),
      ),
      html("tbody", {}, ...rows.map((row) => line(row, fields, standing))),
    ),
  );
}

/**
 * @param {AnyRow} row
 * @param {string[]} fields
 * @param {AnyStanding | null | undefined} standing
 */
function line(row, fields, standing) {
  /** @type {Fields} */
  const told = { ...row };
  const piece = row.coin ?? row.pawn ?? row.knight;
  const { turn, status } = standing ?? {};
  const active =
    status !== "won" &&
    turn?.player === row.player &&
    (!row.pawn || !turn.pawn || row.pawn === turn.pawn);
  const who = html(
    "th",
    { scope: "row", class: "standings-who" },
    piece ? coinPicture(piece) : null,
    html("span", {}, row.player),
    piece ? html("span", { class: "unseen" }, ` ${piece}`) : null,
  );
  return html(
    "tr",
    { class: active ? "is-active" : null, "aria-current": active },
    who,
    ...fields.map((field) => html("td", {}, inWords(told[field]))),
  );
}
