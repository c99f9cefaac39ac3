// What people declare and roll in Croquet for piecepack: shots with their routes, croquets, special
// shots, and the decision about a disaster.

import {
  LAWN_WORDS,
  ROUND,
  WAYS,
  beside,
  chips,
  compass,
  pick,
  turned,
  ways,
  worded,
} from "../forms/choices.js";
import { holdBall, tapPlaces } from "../forms/ball-on-board.js";
import { coinPicture } from "../drawing/coin-faces.js";
import { html, present } from "../dom.js";
import { routeForm } from "../forms/route-pad.js";
import { along, straightWay, stepsTo } from "../forms/straight-way.js";
import { toolbar } from "../forms/toolbar.js";
import { ROLLED, incident, said } from "./kinds-of-entry.js";
import { pieceName } from "../words.js";

/**
 * @import {
 *   Call, DisasterChoice, Enter, Entry, Form, Lawn, OfAGame, Option, PiecepackCroquet,
 *   PiecepackCroquetRow, PiecepackCroquetStanding, Point, RecordTopic, Saying, Shot,
 *   TableTopic, Way
 * } from "../../../types/page"
 */

/**
 * The suit of each ball's coins, by the ball's colour.
 * @type {Record<string, string>}
 */
const SUIT_OF = { black: "moons", red: "suns", blue: "arms", green: "crowns" };
const RANKS = ["ace", "2", "3", "4", "5"];

/** @type {OfAGame} */
export const PIECEPACK_CROQUET = {
  name: "Croquet for piecepack",
  title: "Hoops",
  steps: ["1", "2", "3", "4", "5", "6", "peg"],
  posts: "peg",
  ways: [],
  dice: ["roll"],
  specialShots: (pawn) => RANKS.map((rank) => `${SUIT_OF[pawn]}-${rank}`),
  missed: [
    ROLLED,
    [
      "A player puts a ball on the board",
      incident("moved", { from: null }),
      { pawn: "pawn", to: "place" },
    ],
    ["A player moves a ball", incident("moved"), { pawn: "pawn", from: "place", to: "place" }],
    ["A player announces a shot", said("shot"), { route: "places" }],
    ["A player declares a special shot", said("special_shot"), { coin: "special" }],
    ["A player announces a croquet: play-off", said("croquet", { stroke: "play-off" }), {}],
    [
      "A player announces a croquet: stop-shot",
      said("croquet", { stroke: "stop-shot" }),
      { direction: "way", distance: "steps" },
    ],
    [
      "A player announces a croquet: follow-through",
      said("croquet", { stroke: "follow-through" }),
      { direction: "way", distance: "steps", follow_direction: "way" },
    ],
    ["A disaster: the ball stops", said("disaster"), { kind: "=stop", at: "place" }],
    [
      "A disaster: the ball goes straight",
      said("disaster"),
      { kind: "=straight", direction: "way" },
    ],
    [
      "A disaster: the ways of the croqueted ball",
      said("disaster"),
      { kind: "=ball", direction: "way", distance: "steps" },
    ],
    [
      "A disaster: the ways of both balls",
      said("disaster"),
      { kind: "=ball", direction: "way", distance: "steps", own_direction: "way" },
    ],
    [
      "A disaster: the way of the player's own ball",
      said("disaster"),
      { kind: "=follow", own_direction: "way" },
    ],
  ],
  done: /** @param {PiecepackCroquetRow} row */ ({ hoops, state }) =>
    hoops + (state === "pegged_out" ? 1 : 0),
  facts: lawnFacts,
  nextPlace: /** @param {PiecepackCroquetRow} row */ ({ hoops, state }) =>
    state === "pegged_out" ? "" : hoops < 6 ? `hoop ${hoops + 1}` : "the peg",
  sayings: /** @param {Saying & { standing: PiecepackCroquetStanding }} now */ (now, enter) =>
    lawnSayings(now.standing, now.calls, now.table, now.record, enter),
};

/** @param {PiecepackCroquetRow} row */
function lawnFacts({ at, state, special_shots: shots }) {
  const where =
    at && (state === "off_lawn" ? `comes back at ${at.join(", ")}` : `at ${at.join(", ")}`);
  const ranks = (shots ?? [])
    .map((name) => name.split("-").at(-1))
    .map((rank) => (rank === "ace" ? "A" : rank));
  if (state === "pegged_out") return [where];
  return [
    where,
    ranks.length
      ? html(
          "span",
          {},
          "special shots ",
          ...ranks.map((rank) => html("b", { class: "fact-shot" }, rank)),
        )
      : "no special shots left",
  ];
}

/** @type {[string, string][]} */
const FACES = [
  ["null", "blank"],
  ["ace", "ace"],
  ["2", "2"],
  ["3", "3"],
  ["4", "4"],
  ["5", "5"],
];
/** @type {Option<PiecepackCroquet["stroke"]>[]} */
const STROKES = [
  ["stop-shot", "stop-shot"],
  ["follow-through", "follow-through"],
  ["play-off", "play off it"],
];
const FAR = 12;

/**
 * What people may enter now: {title, parts}. `enter(words, entry)` makes a button that writes an
 * entry.
 * @param {PiecepackCroquetStanding} of
 * @param {Call[]} calls
 * @param {TableTopic | null | undefined} table
 * @param {RecordTopic} record
 * @param {Enter} enter
 */
function lawnSayings({ turn, standings }, calls, table, record, enter) {
  const row = standings.find(({ pawn }) => pawn === turn.pawn) ?? {};
  /** @type {Record<string, (lawn: Lawn) => Form | null>} */
  const makers = { place, shot, continuation: shot, roll, croquet, disaster };
  return (
    makers[turn.expects]?.({
      turn,
      row,
      table,
      enter,
      calls,
      announced: record.announced,
      entries: record.entries,
      struck: standings.find(({ pawn }) => pawn === turn.croquet)?.at,
    }) ?? null
  );
}

/** @param {Lawn} lawn */
function place({ turn, table, enter }) {
  const spots = turn.places ?? [];
  const buttons = spots.map((at) =>
    enter(`on ${at.join(", ")}`, () => ({
      done: { kind: "moved", pawn: turn.pawn, from: null, to: at },
    })),
  );
  if (table) tapPlaces(table, spots, buttons);
  return {
    title: `${turn.player} places the ${turn.pawn} ball`,
    parts: [html("div", { class: "answers" }, ...buttons)],
  };
}

/** @param {Lawn} lawn */
function shot({ turn, row, table, entries, enter }) {
  if (!row.at || !table?.board) return null;
  const { pawn } = turn;
  return {
    title: `${turn.player}'s shot: its route, step by step`,
    parts: [
      routeForm(
        { pawn, start: row.at, table, words: LAWN_WORDS, entries },
        enter,
        "Announce it",
        ({ route }) => ({ said: { kind: "shot", route } }),
      ),
    ],
  };
}

/** @param {Lawn} lawn */
function roll({ turn, row, enter }) {
  const faces = FACES.map(([face, words]) =>
    enter(words, () => ({ done: { kind: "rolled", die: "roll", face } })),
  );
  const shots = (row.special_shots ?? []).map((coin) => {
    const rank = coin.split("-").at(-1) ?? coin;
    const button = enter([coinPicture(rank)], () => ({ said: { kind: "special_shot", coin } }));
    button.setAttribute("aria-label", `special shot ${rank}`);
    return button;
  });
  return {
    title: "The die shows",
    parts: [
      toolbar("The die shows", "answers answers-even", [faces]),
      ...(shots.length
        ? [
            html("p", { class: "say-or" }, "or a special shot is played instead:"),
            toolbar("Special shots", "answers answers-even", [shots]),
          ]
        : []),
    ],
  };
}

/** @param {Lawn} lawn */
function croquet({ turn, enter, table, struck }) {
  const stroke = chips("Stroke", STROKES);
  const way = compass("The croqueted ball goes");
  const far = pick(
    "steps",
    worded(
      Array.from({ length: FAR }, (_, i) => i + 1),
      String,
    ),
  );
  const follow = pick("own ball", [
    [0, "same way"],
    [-1, "45° left"],
    [1, "45° right"],
  ]);
  const go = enter("Announce it", () => ({ said: said() }), "");
  const steps = () => far.element.querySelector("select");
  const sent =
    table && struck
      ? straightWay({
          pawn: turn.croquet ?? "",
          at: struck,
          table,
          words: LAWN_WORDS,
          most: FAR,
          go,
          chosen: () => ({ way: way.value(), steps: far.value() }),
          choose: (direction, distance) => {
            way.take(direction);
            const list = steps();
            if (list) list.selectedIndex = distance - 1;
          },
          inWords: (direction, distance, end) => stepsTo(LAWN_WORDS[direction], distance, end),
        })
      : null;
  const sending = present([way.element, far.element, sent?.element]);
  const show = () => {
    const playsOff = stroke.value() === "play-off";
    for (const part of sending) part.hidden = playsOff;
    follow.element.hidden = stroke.value() !== "follow-through";
    if (playsOff) holdBall(null);
    else if (sent?.element.isConnected) sent.draw();
  };
  const fields = html(
    "div",
    { class: "say-fields" },
    way.element,
    html("div", { class: "say-beside" }, far.element, follow.element, sent?.element, go),
  );
  for (const one of [stroke.element, fields]) one.addEventListener("change", show);
  show();
  /** @returns {PiecepackCroquet} */
  const said = () => {
    /** @type {PiecepackCroquet} */
    const chosen = { kind: "croquet", stroke: stroke.value() };
    if (chosen.stroke === "play-off") return chosen;
    const sent = { ...chosen, direction: way.value(), distance: far.value() };
    return chosen.stroke === "follow-through"
      ? { ...sent, follow_direction: turned(way.value(), follow.value()) }
      : sent;
  };
  return {
    title: `${turn.player}'s croquet of ${pieceName(turn.croquet)}`,
    parts: [stroke.element, fields],
  };
}

/** @type {DisasterChoice} */
const FOLLOW = { kind: "follow" };

/** @param {Lawn} lawn */
function disaster({ turn, row, enter, table, calls, announced }) {
  if (!announced) return null;
  const failed =
    calls.findLast(({ call }) => call === "follow_failed" || call === "disaster")?.call ===
    "follow_failed";
  const ball = failed
    ? null
    : announced.kind === "shot"
      ? shotEnds(announced, row, table)
      : sentWays(announced);
  const follows = announced.kind === "croquet" && announced.follow_direction;
  const own = follows
    ? chips(`${turn.player}'s own ball goes`, ways(beside(follows)), { taken: follows })
    : null;
  /** @returns {DisasterChoice} */
  const choice = () => ({
    ...(ball ? ball.value() : FOLLOW),
    ...(own ? { own_direction: own.value() } : {}),
  });
  /** @type {() => Entry} */
  const said = () => ({ said: { kind: "disaster", choice: choice(), player: turn.decides } });
  return {
    title: `${turn.decides}'s choice`,
    parts: present([
      ball?.element,
      own?.element,
      html("div", { class: "answers" }, enter("Confirm", said, "")),
    ]),
  };
}

/**
 * The choices for a shot's ball: it stops on its route, or goes the full distance straight on or to
 * either side. Its places can be tapped on the board.
 * @param {Shot} shot
 * @param {Partial<PiecepackCroquetRow>} row
 * @param {TableTopic | null | undefined} table
 */
function shotEnds({ route }, { at }, table) {
  const [x, y] = at ?? route[0];
  const first = ROUND.find(
    (way) => WAYS[way][0] === route[0][0] - x && WAYS[way][1] === route[0][1] - y,
  );
  /** @type {Option<DisasterChoice>[]} */
  const straight = ways(beside(first ?? "n")).map(([direction, words]) => [
    { kind: "straight", direction },
    [...words, ` ${route.length}`],
  ]);
  /** @type {Option<DisasterChoice>[]} */
  const stops = route.map((to) => [{ kind: "stop", at: to }, `on ${to.join(", ")}`]);
  const ball = chips(
    "The ball goes the full distance straight, or stops",
    [...straight, ...stops],
    {
      taken: straight[1][0],
    },
  );
  const far = beside(first ?? "n").map((way) => along([x, y], way, route.length));
  if (table) tapPlaces(table, [...far, ...route], [...ball.element.querySelectorAll("input")]);
  return ball;
}

/**
 * The choices for a croqueted ball: one step in the announced direction or to either side, or the
 * whole distance to either side.
 * @param {PiecepackCroquet} croquet
 */
function sentWays({ direction, distance }) {
  const middle = direction ?? "n";
  const whole = distance ?? 1;
  const [left, , right] = beside(middle);
  /** @type {[Way, number][]} */
  const far = [
    [left, whole],
    [right, whole],
  ];
  /** @type {[Way, number][]} */
  const near = beside(middle).map((way) => [way, 1]);
  /** @type {Option<DisasterChoice>[]} */
  const all = [...near, ...(whole > 1 ? far : [])].map(([way, steps]) => [
    { kind: "ball", direction: way, distance: steps },
    [...ways([way])[0][1], ` ${steps}`],
  ]);
  return chips("The croqueted ball goes", all, {
    taken: { kind: "ball", direction: middle, distance: 1 },
  });
}
