// The forms for what players may declare now and no camera can see, in each game's words. In the
// games on a lawn or a board they also enter rolls and moves.

import { ballHasFocus, holdBall, listenForBalls } from "./ball-on-board.js";
import { byId } from "../dom.js";
import { gameCalled } from "../games/games.js";
import { focusNext } from "./next-step.js";
import { drawRoute } from "./route-pad.js";
import { entryButton, messageLine, pinnedList, refill, sideTitle } from "./sending.js";
import { flickRuns } from "../words.js";

/** @import { AnyStanding, Enter, Entry, Form, Point, Saying, Topics } from "../../../types/page" */

listenForBalls();

/**
 * Draw the declarations that are possible now. The section is hidden where there are none, while a
 * flick is under way, and where this page may not write.
 * @param {Topics} of
 */
export function drawSay({ standing, record, rulings, table, match, provisional, calls }) {
  const section = byId("say");
  const open =
    Array.isArray(rulings) && standing?.status === "in_progress" && !flickRuns(provisional);
  const now = open && record ? { standing, record, table, match, calls: calls ?? [] } : null;
  const view = JSON.stringify(
    now && [
      now.standing.game,
      now.standing.turn,
      now.standing.standings,
      record,
      table?.board ?? null,
      match?.players,
    ],
  );
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  const focused = ballHasFocus() || section.contains(document.activeElement);
  drawRoute(table, now ? announcedRoute(now) : []);
  holdBall(null);
  const message = messageLine();
  const { title, parts } = (now && sayings(now, message)) ?? { title: "", parts: [] };
  section.hidden = !parts.length;
  putInOrder(section, parts);
  refill(section, ...(parts.length ? [sideTitle(title), pinnedList(parts), message] : []));
  if (focused) focusNext();
}

/**
 * Put the declarations after what hands do if all of them are folded away, otherwise before it.
 * @param {HTMLElement} section
 * @param {HTMLElement[]} parts
 */
function putInOrder(section, parts) {
  const hand = byId("hand");
  const [first, second] = parts.every(isFolded) ? [hand, section] : [section, hand];
  if (first.nextElementSibling !== second) first.after(second);
}

/** @param {HTMLElement} part */
const isFolded = (part) => part instanceof HTMLDetailsElement && !part.open;

/**
 * The route of the shot that is announced, from where its ball stands.
 * @param {Saying} now
 * @returns {Point[]}
 */
function announcedRoute({ standing, record: { announced } }) {
  /** @type {AnyStanding} */
  const { turn, standings } = standing;
  const start = standings.find(({ pawn }) => pawn === turn.pawn)?.at;
  return start && announced?.kind === "shot" ? [start, ...announced.route] : [];
}

/**
 * @param {Saying} now
 * @param {HTMLElement} message
 * @returns {Form | null}
 */
function sayings(now, message) {
  const { record } = now;
  const { player } = now.standing.turn;
  /** @type {Enter} */
  const enter = (words, entry, kind) =>
    entryButton(words, () => withPlayer(entry(), player), record, message, kind);
  return gameCalled(now.standing.game)?.sayings(now, enter) ?? null;
}

/**
 * @param {Entry} entry
 * @param {string} player
 * @returns {Entry}
 */
const withPlayer = (entry, player) =>
  "said" in entry ? { said: { player, ...entry.said } } : entry;
