// What players may say now and no camera can see, in each game's words; in the games on a lawn or a
// board also what they roll and move.

import { boxes, chips } from "./choices.js";
import { byId, html } from "./dom.js";
import { lawnSayings } from "./lawn.js";
import { drawRoute } from "./route.js";
import { calledCoin } from "./rule.js";
import { entryButton, messageLine, refill, sideTitle } from "./sending.js";
import { flickRuns } from "./running.js";
import { spaceSayings } from "./spaces.js";
import { plural } from "./words.js";

/**
 * @import {
 *   AnyStanding, CarromsStanding, CastleCroquetnoleStanding, Enter, Entry, Form, MatchTopic,
 *   Point, Saying, TabletopCroquetStanding, Topics, Words
 * } from "../../types/page"
 */

/** @type {[number, string][]} */
const ACTIONS = [
  [1, "Flick on from where it lies"],
  [2, "Move beside it"],
  [3, "Flick it"],
  [4, "Move beside it and flick it"],
];
/** @type {[number, string][]} */
const CROQUETS = [
  [1, "two flicks from where it lies"],
  [2, "two flicks from beside the guard"],
  [3, "loose croquet, touching the guard"],
  [4, "tight croquet, holding the knight"],
  [5, "a slight flick, then drive it away"],
];
/** @type {[string, string][]} */
const WALLS = [
  ["N", "north"],
  ["E", "east"],
  ["S", "south"],
  ["W", "west"],
];

/**
 * What may be declared as the match stands; hidden where there is nothing, while a flick runs, or
 * where this page may write nothing.
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
  drawRoute(table, now ? announcedRoute(now) : []);
  const message = messageLine();
  const { title, parts } = (now && sayings(now, message)) ?? { title: "", parts: [] };
  section.hidden = !parts.length;
  refill(section, ...(parts.length ? [sideTitle(title), ...parts, message] : []));
}

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
function sayings({ standing, record, table, match, calls }, message) {
  const { player } = standing.turn;
  /** @type {Enter} */
  const enter = (words, entry, kind) =>
    entryButton(words, () => withPlayer(entry(), player), record, message, kind);
  switch (standing.game) {
    case "tabletop-croquet":
      return afterHit(standing, enter);
    case "castle-croquetnole":
      return castleCroquet(standing, enter);
    case "carroms":
      return hold(standing, enter, match);
    case "piecepack-croquet":
      return lawnSayings(standing, calls, table, record, enter);
    case "wickets-six":
    case "wickets-nine":
      return spaceSayings(standing, table, enter);
    default:
      return null;
  }
}

/**
 * @param {Entry} entry
 * @param {string} player
 * @returns {Entry}
 */
const withPlayer = (entry, player) => (entry.said ? { said: { player, ...entry.said } } : entry);

/** @param {HTMLElement[]} made */
const buttons = (made) => html("div", { class: "answers" }, ...made);

/**
 * Tabletop Croquet: one of the four actions after a hit.
 * @param {TabletopCroquetStanding} of
 * @param {Enter} enter
 * @returns {Form | null}
 */
function afterHit({ turn: { player, options } }, enter) {
  if (!options?.coins?.length) return null;
  const { coins, declared, on } = options;
  const open = ACTIONS.filter(([option]) =>
    declared ? option !== declared || coins.length > 1 : option !== 1,
  );
  const which =
    coins.length > 1
      ? chips(
          "Which of the coins hit?",
          coins.map((coin) => [coin, calledCoin(coin)]),
          { taken: on ?? coins[0] },
        )
      : null;
  /** @param {number} option */
  const said = (option) => () => ({
    said: { kind: "after_hit", option, coin: which ? which.value() : coins[0] },
  });
  const of = which?.element ?? html("p", { class: "say-of" }, `of ${calledCoin(coins[0])}`);
  const title = declared ? `${player} may still say` : `${player} may say first`;
  return {
    title,
    parts: [
      of,
      html(
        "div",
        { class: "answers answers-row" },
        ...open.map(([option, words]) => enter(words, said(option))),
      ),
    ],
  };
}

/**
 * Castle Croquetnole: one of the five croquets, and that the rest of a coin's flicks is given up.
 * @param {CastleCroquetnoleStanding} of
 * @param {Enter} enter
 * @returns {Form | null}
 */
function castleCroquet(
  { turn: { player, coin, options, may_pass: may, flicks_left: left }, standings },
  enter,
) {
  const open = options?.croquet ? CROQUETS.filter(([option]) => option !== options.declared) : [];
  const guard = standings.some((row) => row.guard === coin);
  const instead = guard ? "Do not flick the guard" : "Go over to the guard";
  const pass = `${instead}: give up ${plural(left, "flick")}`;
  const parts = [
    ...open.map(([option, words]) =>
      enter(`${option}: ${words}`, () => ({ said: { kind: "croquet", option } })),
    ),
    ...(may ? [enter(pass, () => ({ said: { kind: "pass" } }))] : []),
  ];
  return parts.length
    ? {
        title: open.length ? `${player} may declare a croquet` : `${player} may also pass`,
        parts: [buttons(parts)],
      }
    : null;
}

/**
 * Carroms: lines of tiles held down for a bank shot, one by the player who flicks, two by the
 * opponent.
 * @param {CarromsStanding} of
 * @param {Enter} enter
 * @param {MatchTopic | null | undefined} match
 * @returns {Form | null}
 */
function hold({ turn: { player, expects, held } }, enter, match) {
  if (expects === "rest") return null;
  const lines = (match?.players ?? []).map(({ name }) => {
    const most = name === player ? "one line" : "up to two lines";
    const walls = boxes(`${name} holds ${most} of tiles down`, WALLS, held?.[name] ?? []);
    const said = () => ({ said: { kind: "hold", player: name, walls: walls.value() } });
    return html(
      "div",
      { class: "say-hold" },
      walls.element,
      buttons([enter(`${name} holds so`, said)]),
    );
  });
  return {
    title: "For a bank shot",
    parts: [
      html(
        "details",
        { class: "say-more", open: Boolean(held) },
        html("summary", {}, "Hold lines of tiles down"),
        ...lines,
      ),
    ],
  };
}
