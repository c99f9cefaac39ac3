// The screens of those who only look, /tv and /overlay. They show the parts of the live page that
// can be read from afar, and nothing that can be pressed.

import { hearCalls, offerCallsAloud } from "./calls-aloud.js";
import { takeTints } from "./drawing/coin-faces.js";
import { drawPieces } from "./drawing/coins-on-table.js";
import { drawTable } from "./drawing/live-table.js";
import { byId } from "./dom.js";
import { fit } from "./fit.js";
import { drawLast } from "./last-call.js";
import { drawParts, redraw } from "./parts.js";
import { drawCourse } from "./progress.js";
import { drawConnection, drawDoing, noteTime } from "./status.js";
import { drawTurn } from "./turn.js";
import { keepAwake } from "./wake-lock.js";

/** @import { Part, Topics } from "../../types/page" */

/** The elements that are made as large as their room allows. */
const FITTED = "#turn, #last, .course-row";

/**
 * The turn in words that do not mention buttons.
 * @param {Topics} state
 */
const drawLookedTurn = (state) => drawTurn({ ...state, rulings: undefined });

/** @param {Topics} state */
function drawScore(state) {
  drawCourse(state);
  const count = state.standing?.standings?.length ?? state.match?.players?.length ?? 0;
  byId("course").style.setProperty("--rows", String(count));
  byId("court").classList.toggle("has-score", !byId("course").hidden);
}

function fitAll() {
  /** @type {NodeListOf<HTMLElement>} */
  const fitted = document.querySelectorAll(FITTED);
  fitted.forEach(fit);
}

/** @type {Part[]} */
const PARTS = [
  [takeTints, ["match"]],
  [keepAwake, ["doing", "standing"]],
  [drawDoing, ["doing", "match"]],
  [
    drawLookedTurn,
    ["standing", "match", "doing", "castle", "naming", "missing", "coins", "provisional"],
  ],
  [drawTable, ["table", "standing", "coins", "doing"]],
  [drawPieces, ["table", "coins", "path", "standing", "naming", "missing", "match"]],
  [drawScore, ["match", "standing", "coins", "table"]],
  [
    drawLast,
    [
      "calls",
      "provisional",
      "evidence",
      "irregularities",
      "rulings",
      "standing",
      "doing",
      "castle",
      "naming",
      "missing",
    ],
  ],
  [
    fitAll,
    [
      "calls",
      "provisional",
      "irregularities",
      "rulings",
      "standing",
      "match",
      "doing",
      "coins",
      "castle",
      "naming",
      "missing",
    ],
  ],
];

offerCallsAloud();
drawParts(
  PARTS,
  (state, whole) => {
    noteTime(state);
    hearCalls(state, whole);
  },
  drawConnection,
);

const resized = new ResizeObserver(() => {
  fitAll();
  redraw(["table", "coins"]);
});
for (const id of ["board-picture", "turn", "course", "last"]) resized.observe(byId(id));
