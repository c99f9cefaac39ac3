// The words for names, and the forms in which numbers are written.

import { carromsCoinName } from "./games/carroms-coins.js";

/** @import { AnyStanding, Call, Evidence, Pieces } from "../../types/page" */

/** @type {Record<string, string>} */
const STATES = {
  not_entered: "not entered",
  playing: "",
  in_play: "",
  rover: "rover",
  poison: "poison",
  finished: "finished",
  killed: "killed",
  staked_out: "staked out",
  pegged_out: "pegged out",
  off_lawn: "off the lawn",
};

/** @type {Record<string, string>} */
const COIN_STATES = {
  hidden: "out of sight",
  in_hand: "in the hand",
  off_table: "off the table",
  moved: "place not known",
  off_lawn: "off the lawn",
};

/**
 * "wicket-4" as "wicket 4", "left-endpost" as "left endpost".
 * @param {string | null | undefined} place
 */
export const placeName = (place) => (place ?? "").replaceAll("-", " ");

/**
 * A piece in the words of the game's players: a ball by its colour, a coin by its owner.
 * @param {string | undefined} piece
 * @param {Pieces | null | undefined} [pieces]
 */
export function pieceName(piece = "", pieces) {
  const { game, standings = [] } = pieces ?? {};
  if (PAWNS.includes(piece)) return `the ${piece} ball`;
  if (game === "carroms") return carromsCoinName(piece);
  for (const { player, knight, guard, coin } of standings) {
    if (knight === piece) return `${player}'s knight`;
    if (guard === piece) return `${player}'s guard`;
    if (coin === piece) return `${player}'s coin`;
  }
  return `the coin ${placeName(piece)}`;
}

/**
 * A coin in its players' words, with the face that it shows.
 * @param {string} coin
 * @param {Pieces | null | undefined} standing
 */
export const calledCoin = (coin, standing) => `${pieceName(coin, standing)} (${coin})`;

export const PAWNS = ["black", "red", "blue", "green", "yellow", "orange"];

/** @param {string | undefined} state */
export const stateName = (state) => STATES[state ?? ""] ?? (state ?? "").replaceAll("_", " ");

/**
 * The words for a coin's state on the table; empty for a coin that simply lies there or slides.
 * @param {string | undefined} state
 */
export const coinStateName = (state) => COIN_STATES[state ?? ""] ?? "";

/**
 * @param {number} count
 * @param {string} one
 * @param {string} many
 */
export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/**
 * Seconds as minutes and seconds, "1:07".
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * A list in words: "suns, arms and crowns".
 * @param {string[]} words
 */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/**
 * A choice in words: "suns; arms or crowns".
 * @param {string[]} words
 */
export const listedOr = (words) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join("; ")} or ${words.at(-1)}`;

/**
 * A probability in words, empty when it is certain. It is never rounded up to certain.
 * @param {number | null | undefined} probability
 */
export function sureness(probability) {
  if (probability === undefined || probability === null || probability >= 1) return "";
  return probability > 0.99 ? "over 99 % sure" : `${Math.round(probability * 100)} % sure`;
}

/**
 * How likely it is that the incident in a question happened.
 * @param {number | null | undefined} probability
 */
export function likelihood(probability) {
  return typeof probability === "number" ? `${Math.round(probability * 100)} % likely` : "";
}

/**
 * A time in minutes and seconds with one decimal, "1:07.3".
 * @param {number} seconds
 */
export function moment(seconds) {
  const tenths = Math.round(seconds * 10);
  return `${clock(Math.floor(tenths / 10))}.${tenths % 10}`;
}

/**
 * Millimetres with the digits that are significant.
 * @param {number} value
 */
export const mm = (value) => value.toFixed(Math.abs(value) < 10 ? 1 : 0);

/**
 * Words as they begin a sentence.
 * @param {string} words
 */
export const begun = (words) => words.replace(/^./u, (letter) => letter.toUpperCase());

/**
 * What an incident is, in a few words.
 * @param {Partial<Evidence>} of
 * @param {Pieces | null | undefined} standing
 */
export function incidentName({ kind, coin, line, with: other, tile, die, face, pawn }, standing) {
  const it = coin && pieceName(coin, standing);
  if (kind === "line_crossed") return `${it} crosses ${placeWords(line)}`;
  if (kind === "contact")
    return `${it} hits ${PLACE.test(other ?? "") ? placeWords(other) : pieceName(other, standing)}`;
  if (kind === "left_table") return `${it} leaves the table`;
  if (kind === "flicked") return `${it} is flicked`;
  if (kind === "pocketed") return `${it} goes into a pocket`;
  if (kind === "rolled")
    return `${DICE[die ?? ""] ?? placeName(die)} shows ${FACES[face ?? ""] ?? face}`;
  if (kind === "moved") return `${pieceName(pawn, standing)} is moved`;
  if (kind === "placed") return `${it} is put down or taken away`;
  if (kind === "renamed") return "the camera confused pieces";
  if (kind === "unseen") return "something could not be seen";
  if (kind === "surveyed") return "the camera or the course was moved and measured anew";
  if (kind === "at_rest") return "all is at rest";
  if (kind === "tile_restored") return `the tile ${placeName(tile)} is put back`;
  return [
    it ?? (pawn && pieceName(pawn, standing)) ?? placeName(tile),
    placeName(kind).replaceAll("_", " "),
  ]
    .filter(Boolean)
    .join(" ");
}

/**
 * The question whether an incident happened: "Did Ann pass wicket 1?"; null for kinds that are not
 * asked about so.
 * @param {Partial<Evidence>} of
 * @param {Pieces | null | undefined} standing
 */
export function whether({ kind, coin, line = "", with: other }, standing) {
  const it = pieceName(coin, standing);
  const owner = standing?.standings.find((row) => row.coin === coin)?.player;
  if (kind === "line_crossed")
    return owner && line.startsWith("wicket-")
      ? `Did ${owner} pass ${placeWords(line)}?`
      : `Did ${it} cross ${placeWords(line)}?`;
  const met = PLACE.test(other ?? "") ? placeWords(other) : pieceName(other, standing);
  if (kind === "contact") return `Did ${it} hit ${met}?`;
  if (kind === "left_table") return `Did ${it} leave the table?`;
  if (kind === "pocketed") return `Did ${it} go into a pocket?`;
  return null;
}

/** @type {Record<string, string>} */
const SAID = {
  after_hit: "the action after a hit",
  croquet: "the croquet",
  hold: "the lines held down",
  agreed: "how it ends",
  shot: "the route",
  pass: "a pass",
  concede: "conceding",
};

/**
 * Any entry in a few words: what happened, or who declared what.
 * @param {Partial<Evidence>} shown
 * @param {Pieces | null | undefined} standing
 */
export function entryName(shown, standing) {
  if (shown.entry === "declaration") {
    const said = SAID[shown.kind ?? ""] ?? placeName(shown.kind).replaceAll("_", " ");
    return `what ${shown.player ?? "was"} said: ${said}`;
  }
  if (shown.kind === "placed") {
    const how = shown.at_mm ? "is put down" : "is taken off the table";
    return `${pieceName(shown.coin, standing)} ${how}`;
  }
  return incidentName(shown, standing);
}

const PLACE = /^(wicket|gate|door|tower|gatepost|wall|pocket)-|-endpost$/;
/** @type {Record<string, string>} */
const DICE = { roll: "the die", "die-1": "the first die", "die-2": "the second die" };
/** @type {Record<string, string>} */
const FACES = { null: "a blank", ace: "the ace" };

/**
 * A place of the course in words: "wicket 4", "the left endpost", "the door of suns".
 * @param {string | undefined} place
 */
export function placeWords(place = "") {
  const [kind, ...of] = place.split("-");
  if (["gate", "door", "tower"].includes(kind) && of.length === 1) return `the ${kind} of ${of[0]}`;
  return kind === "wicket" ? placeName(place) : `the ${placeName(place)}`;
}

/**
 * A direction through a line in words: "homeward", "inwards".
 * @param {string} direction
 */
export const wayName = (direction) => (direction.length < 4 ? `${direction}wards` : direction);

/** @type {Record<string, [string, string]>} */
const MARGINS = {
  line_crossed: [
    "Inside the wicket, and past its line, by",
    "Outside the wicket, or short of its line, by",
  ],
  pocketed: ["Past the pocket's mouth by", "Short of the pocket by"],
  contact: [
    "If both had gone on straight, they would overlap by",
    "They pass each other with a gap of",
  ],
  left_table: ["The centre is past the edge by", "The centre is short of the edge by"],
};

/**
 * A sentence about how close the incident was.
 * @param {Partial<Evidence>} of
 */
export function marginSentence({ kind, line = "wicket", margin_mm: margin, sigma_mm: sigma }) {
  if (typeof margin !== "number") return "";
  const [held, missed] = MARGINS[kind ?? ""] ?? ["By", "Missed by"];
  const doubt = typeof sigma === "number" ? `, ± ${mm(sigma)} mm` : "";
  const words = (margin < 0 ? missed : held).replace("wicket", line.split("-")[0]);
  return `${words} ${mm(Math.abs(margin))} mm${doubt}.`;
}

/**
 * A field of the record as people read it: "dead_on" as "dead on".
 * @param {string} field
 */
export const fieldName = (field) => FIELDS[field] ?? field.replaceAll("_", " ");

/** @type {Record<string, string>} */
const FIELDS = { player: "whose turn", expects: "expected next", restore: "to be put back" };

/**
 * A plain value in words; a dash for none.
 * @param {unknown} value
 * @returns {string}
 */
export function inWords(value) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return "–";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value))
    return value.every((part) => typeof part === "number")
      ? value.join(", ")
      : listed(value.map(inWords));
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, part]) => `${fieldName(name)} ${inWords(part)}`)
      .join(", ");
  if (typeof value !== "string") return String(value);
  return (PLACE.test(value) ? placeWords(value) : placeName(value)).replaceAll("_", " ");
}

/**
 * Whether the camera sees a flick under way: then there are provisional calls. Until the flick is
 * recorded, the standing is still the one before it.
 * @param {Call[] | null | undefined} provisional
 */
export const flickRuns = (provisional) =>
  (provisional ?? []).some(({ call }) => call === "flick_began");

/**
 * How many challenges a player has left, in words; empty where there is no limit.
 * @param {string | undefined} player
 * @param {AnyStanding | null | undefined} standing
 */
export function challengesLeft(player, standing) {
  const left = standing?.standings.find((row) => row.player === player)?.challenges_left;
  return typeof left === "number" ? `${plural(left, "challenge")} left` : "";
}
