// Rows of calls that are not as they were: what was overturned stays, struck through, and the last
// row of a turn says that the turn is over.

import { coinPicture } from "./drawing/coin-faces.js";
import { html } from "./dom.js";
import { fateTag } from "./fates.js";
import { lookButton } from "./look-again.js";

/** @import { CallLine, Fate, Looked } from "../../types/page" */

/**
 * @param {CallLine} line
 * @param {Fate | undefined} fate
 * @param {string} extra
 * @param {Looked} [flick] the flick to which it belongs
 * @param {CallLine} [ends]
 */
export const struckThrough = (line, fate, extra, flick, ends) =>
  html(
    "li",
    { class: `call call-overturned ${extra}` },
    "coin" in line && line.coin ? coinPicture(line.coin) : html("span"),
    html(
      "div",
      { class: "call-words" },
      html("p", { class: "call-text" }, html("s", {}, line.text)),
      html(
        "p",
        { class: "call-why" },
        fateTag(fate),
        lookButton({ ...line, fate, flick }),
        turnOver(ends),
      ),
    ),
  );

/** @param {CallLine} [ends] the call that the turn is over */
export const turnOver = (ends) => ends && html("span", { class: "call-ends" }, ends.text);
