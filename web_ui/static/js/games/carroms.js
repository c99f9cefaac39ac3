// Carroms on the page.

import { ON_A_TABLE, incident, said } from "./kinds-of-entry.js";
import { html } from "../dom.js";
import { boxes } from "../forms/choices.js";
import { plural } from "../words.js";

/**
 * @import {
 *   CarromsRow, CarromsStanding, Enter, Entry, Form, MatchTopic, OfAGame, Saying
 * } from "../../../types/page"
 */

/** @type {[("N" | "E" | "S" | "W"), string][]} */
const WALLS = [
  ["N", "north"],
  ["E", "east"],
  ["S", "south"],
  ["W", "west"],
];

/** @type {OfAGame} */
export const CARROMS = {
  name: "Carroms",
  title: "Pocketed",
  steps: ["1", "2", "3", "4", "5", "6"],
  posts: "",
  ways: [],
  missed: [
    ["A coin goes into a pocket", incident("pocketed"), { coin: "coin", pocket: "pocket" }],
    ...ON_A_TABLE,
    ["Lines of tiles are held down", said("hold"), { player: "player", walls: "walls" }],
  ],
  goesTo: {
    break: " for the break, within a tile of a wall",
    penalty: " back near the centre, as the penalty",
    black: " back near the centre",
    off: " back near the centre",
    striker: " anywhere on the board (the opponent does)",
    void: " back near the centre",
  },
  done: /** @param {CarromsRow} row */ ({ pocketed }) => pocketed,
  facts: /** @param {CarromsRow} row */ ({ left, black_live: live }) => [
    plural(left, "coin left", "coins left"),
    live ? "the black coin is live" : "the black coin is not live yet",
  ],
  answers: {
    wrong_flick: [
      ["overturned", "Take it back"],
      ["upheld", "Let it stand, earning nothing"],
    ],
  },
  flick: () => "Flick the striker.",
  sayings: /** @param {Saying & { standing: CarromsStanding }} now */ (now, enter) =>
    hold(now.standing, enter, now.match),
};

/**
 * Lines of tiles held down for a bank shot, one by the player who flicks, two by the
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
    /** @type {() => Entry} */
    const said = () => ({ said: { kind: "hold", player: name, walls: walls.value() } });
    return html(
      "div",
      { class: "say-hold" },
      walls.element,
      html("div", { class: "answers" }, enter(`${name} holds these`, said)),
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
