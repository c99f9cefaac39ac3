// What is said, rolled and moved in Wickets.

import { BOARD_WORDS, chips, ways } from "./choices.js";
import { html } from "./dom.js";
import { routePad } from "./route.js";
import { pieceName } from "./words.js";

const DICE = { "die-1": "The first die shows", "die-2": "The second die shows" };

/**
 * What may be entered in the present state: {title, parts}; `enter(words, entry)` makes a button
 * that writes an entry.
 */
export function spaceSayings({ turn, standings }, table, enter) {
  const options = turn.options ?? [];
  const parts = [
    ...(turn.expects === "roll" ? [dice(turn, enter)] : []),
    ...(turn.expects === "move" && table?.board ? move(turn, standings, table, enter) : []),
    ...(options.includes("croquet") ? croquet(turn, enter) : []),
  ];
  const plain = [
    ["continuation", "Take the continuation shot"],
    ["pass", "Pass"],
  ].filter(([kind]) => options.includes(kind));
  if (plain.length)
    parts.push(
      html(
        "div",
        { class: "answers" },
        ...plain.map(([kind, words]) => enter(words, () => ({ said: { kind } }))),
      ),
    );
  const title = {
    roll: titleOf(turn),
    move: `${turn.player}'s move, space by space`,
    croquet: `${turn.player}'s croquet`,
    choice: `${turn.player} chooses`,
  }[turn.expects];
  return { title, parts };
}

const titleOf = ({ roll }) => DICE[roll?.length > 1 || !roll ? "die-1" : roll[0]];

function dice(turn, enter) {
  const die = turn.roll?.[0] ?? "die-1";
  return html(
    "div",
    { class: "answers answers-even" },
    ...[1, 2, 3, 4, 5, 6].map((face) =>
      enter(String(face), () => ({ done: { kind: "rolled", die, face } })),
    ),
  );
}

function move(turn, standings, table, enter) {
  const { board } = table;
  const row = standings.find(({ pawn }) => pawn === turn.pawn) ?? {};
  const start =
    row.at && row.state !== "not_entered" ? row.at : spaceOf(board.starts_mm?.[0], board);
  if (!start) return [];
  const go = enter(
    "Move so",
    () => ({
      done: {
        kind: "moved",
        pawn: turn.pawn,
        from: row.state === "not_entered" ? null : start,
        to: downOn(pad.steps(), start),
        path: pad.steps(),
      },
    }),
    "",
  );
  const inside = (_, way, [x, y]) => x >= 1 && y >= 1 && x <= board.width && y <= board.height;
  const pad = routePad(start, table, BOARD_WORDS, inside, (route) => {
    go.disabled = !route.length;
  });
  const taken = [
    ...standings
      .filter(({ at, state, pawn }) => at && state !== "not_entered" && pawn !== turn.pawn)
      .map(({ at }) => at),
    ...board.posts.map(({ at_mm: at }) => spaceOf(at, board)),
  ];
  /** A ball that meets another or a stake is put down on the space before. */
  function downOn(path, from) {
    const meets = taken.some(([x, y]) => x === path.at(-1)?.[0] && y === path.at(-1)?.[1]);
    return meets ? (path.at(-2) ?? from) : path.at(-1);
  }
  return [pad.element, html("div", { class: "answers" }, go)];
}

/** The space with its middle there. */
const spaceOf = (at, { unit_mm: unit }) => at && at.map((mm) => Math.round(mm / unit + 0.5));

function croquet(turn, enter) {
  const ball = chips(
    "Croquet",
    (turn.roqueted ?? []).map((pawn) => [pawn, pieceName(pawn)]),
  );
  const way = chips("to the", ways(Object.keys(BOARD_WORDS), BOARD_WORDS));
  return [
    ball.element,
    way.element,
    html(
      "div",
      { class: "answers" },
      enter(
        "Croquet so",
        () => ({ said: { kind: "croquet", pawn: ball.value(), direction: way.value() } }),
        "",
      ),
    ),
  ];
}
