// Names as people say them, and how numbers are written.

const GAMES = {
  "tabletop-croquet": "Tabletop Croquet",
  "castle-croquetnole": "Castle Croquetnole",
  "carroms": "Carroms",
  "piecepack-croquet": "Croquet for piecepack",
  "wickets-six": "Wickets, six-wicket croquet",
  "wickets-nine": "Wickets, nine-wicket croquet",
};

const STATES = {
  not_entered: "not in yet", playing: "", in_play: "", rover: "rover", poison: "poison", finished: "finished", killed: "killed", staked_out: "staked out",
  pegged_out: "pegged out", off_lawn: "off the lawn",
};

const COIN_STATES = { hidden: "out of sight", in_hand: "in the hand", off_table: "off the table", moved: "place not known", off_lawn: "off the lawn" };

/** "wicket-4" as "wicket 4", "left-endpost" as "left endpost". */
export const placeName = (place) => (place ?? "").replaceAll("-", " ");

/** A piece as the players of a game call it: a ball by its colour, a coin by whose it is. */
export function pieceName(piece, { game, standings = [] } = {}) {
  if (PAWNS.includes(piece)) return `the ${piece} ball`;
  if (game === "carroms") return CARROMS[piece] ?? piece.replace(/^suns-/, "red coin ").replace(/^arms-/, "blue coin ");
  const kind = ["knight", "guard", "coin"].find((one) => standings.some((row) => row[one] === piece));
  return kind ? `${standings.find((row) => row[kind] === piece).player}'s ${kind}` : `the coin ${placeName(piece)}`;
}

const CARROMS = { striker: "the striker", moons: "the black coin" };

export const PAWNS = ["black", "red", "blue", "green", "yellow", "orange"];

export const gameName = (game) => GAMES[game] ?? placeName(game);

export const stateName = (state) => STATES[state] ?? (state ?? "").replaceAll("_", " ");

/** What is to be said of a coin's state on the table; nothing for one that simply lies there or slides. */
export const coinStateName = (state) => COIN_STATES[state] ?? "";

export const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Seconds as minutes and seconds, "1:07". */
export function clock(seconds) {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A list as it is spoken: "suns, arms and crowns". */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** A probability in words, nothing when it is certain. Never rounded up to certainty. */
export function sureness(probability) {
  if (probability === undefined || probability === null || probability >= 1) return "";
  return probability > 0.99 ? "over 99 % sure" : `${Math.round(probability * 100)} % sure`;
}

/** How likely it is that what is asked about happened. */
export function likelihood(probability) {
  return typeof probability === "number" ? `${Math.round(probability * 100)} % likely` : "";
}

/** Seconds as they are said of a moment, "1:07.3". */
export function moment(seconds) {
  const tenths = Math.round(seconds * 10);
  return `${Math.floor(tenths / 600)}:${String(Math.floor(tenths / 10) % 60).padStart(2, "0")}.${tenths % 10}`;
}

/** Millimetres with the digits that mean something. */
export const mm = (value) => value.toFixed(Math.abs(value) < 10 ? 1 : 0);

/** What an incident is, in a few words. */
export function incidentName({ kind, coin, line, with: other, tile, die, face, pawn }) {
  if (kind === "line_crossed") return `${coin} crosses ${placeName(line)}`;
  if (kind === "contact") return `${coin} hits ${placeName(other)}`;
  if (kind === "left_table") return `${coin} leaves the table`;
  if (kind === "flicked") return `${coin} is flicked`;
  if (kind === "pocketed") return `${coin} goes into a pocket`;
  if (kind === "rolled") return `${placeName(die)} shows ${face}`;
  if (kind === "moved") return `${pawn} is moved`;
  return [coin ?? pawn ?? placeName(tile), placeName(kind).replaceAll("_", " ")].filter(Boolean).join(" ");
}

const MARGINS = {
  line_crossed: ["Inside the wicket, and past its line, by", "Short of it by"],
  contact: ["Carried on straight, the two would overlap by", "They pass each other at"],
  left_table: ["The centre is past the edge by", "The centre is short of the edge by"],
};

/** How far an incident is from going the other way, as a sentence. */
export function marginSentence({ kind, margin_mm: margin, sigma_mm: sigma }) {
  if (typeof margin !== "number") return "";
  const [held, missed] = MARGINS[kind] ?? ["By", "Missed by"];
  const doubt = typeof sigma === "number" ? `, give or take ${mm(sigma)} mm` : "";
  return `${margin < 0 ? missed : held} ${mm(Math.abs(margin))} mm${doubt}.`;
}

/** A field of the record as people read it: "dead_on" as "dead on". */
export const fieldName = (field) => ({ player: "whose turn", expects: "expected next", restore: "to be put back" })[field] ?? field.replaceAll("_", " ");

/** A plain value in words; a dash for none. */
export function inWords(value) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return "–";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.every((part) => typeof part === "number") ? value.join(", ") : listed(value.map(inWords));
  if (typeof value === "object") return Object.entries(value).map(([name, part]) => `${fieldName(name)} ${inWords(part)}`).join(", ");
  return typeof value === "string" ? placeName(value).replaceAll("_", " ") : String(value);
}
