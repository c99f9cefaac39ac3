// The live page: its parts, and the topics that each of them shows.

import { drawAttention } from "./notices.js";
import { hearCalls, offerCallsAloud } from "./calls-aloud.js";
import { offerCloseCall } from "./close-call.js";
import { drawCalls, offerEarlierCalls } from "./calls.js";
import { takeTints } from "./drawing/coin-faces.js";
import { drawCourse, fitCourse } from "./progress.js";
import { drawConnection, drawDoing, noteTime } from "./status.js";
import { drawAccess, looked, watchAccess } from "./access.js";
import { byId } from "./dom.js";
import { fitBall } from "./forms/ball-on-board.js";
import { drawHand } from "./forms/entry-by-hand.js";
import { drawNaming } from "./forms/coin-naming.js";
import { drawCastle } from "./forms/moons-castle.js";
import { drawMissing } from "./forms/missing-coins.js";
import { keepForLook } from "./look-again.js";
import { drawNamingPhoto } from "./drawing/naming-photo.js";
import { drawPieces } from "./drawing/coins-on-table.js";
import { takeRulings } from "./forms/call-ruling.js";
import { drawRulings } from "./forms/rulings.js";
import { drawSay } from "./forms/declarations.js";
import { drawParts, redraw } from "./parts.js";
import { drawTable } from "./drawing/live-table.js";
import { drawTurn } from "./turn.js";
import { keepAwake } from "./wake-lock.js";

/** @import { Part, Topics } from "../../types/page" */

/**
 * A part with which people rule, answer and enter. It is drawn only if this device may do that.
 * @param {(state: Topics) => void} part
 * @returns {(state: Topics) => void}
 */
const ruling = (part) => (state) => part(looked(state));

/** @type {Part[]} */
const PARTS = [
  [drawAccess, ["access"]],
  [takeTints, ["match"]],
  [keepAwake, ["doing", "standing"]],
  [takeRulings, ["rulings", "record", "match", "standing", "table", "evidence", "hand"]],
  // an open dialog makes rulings, and these depend on the rulings made so far
  [keepForLook, ["table", "evidence", "rulings", "standing"]],
  [drawDoing, ["doing", "match"]],
  [
    drawTurn,
    [
      "standing",
      "match",
      "doing",
      "castle",
      "naming",
      "missing",
      "coins",
      "provisional",
      "rulings",
    ],
  ],
  [drawTable, ["table", "standing", "coins", "doing"]],
  [drawPieces, ["table", "coins", "path", "standing", "naming", "missing", "match"]],
  [drawCourse, ["match", "standing", "coins", "table"]],
  [drawCalls, ["calls", "provisional", "evidence", "match", "rulings", "standing"]],
  [drawAttention, ["standing", "irregularities", "doing", "evidence"]],
  [offerCloseCall, ["standing", "evidence", "rulings"]],
  [ruling(drawNamingPhoto), ["naming", "castle"]],
  [ruling(drawCastle), ["castle"]],
  [ruling(drawNaming), ["naming", "match"]],
  [ruling(drawMissing), ["missing", "table", "match"]],
  [ruling(drawSay), ["standing", "record", "rulings", "table", "match", "provisional", "calls"]],
  [ruling(drawHand), ["hand", "standing", "record", "table", "match", "coins"]],
  [
    ruling(drawRulings),
    ["rulings", "record", "match", "standing", "evidence", "calls", "irregularities"],
  ],
];

offerCallsAloud();
offerEarlierCalls();
drawParts(
  PARTS,
  (state, whole) => {
    noteTime(state);
    hearCalls(state, whole);
  },
  drawConnection,
);

watchAccess(() => redraw(PARTS.flatMap(([part, own]) => (part === drawAccess ? [] : own))));
new ResizeObserver(() => {
  fitCourse();
  fitBall();
  redraw(["table", "coins", "naming", "castle"]);
}).observe(byId("board-picture"));
