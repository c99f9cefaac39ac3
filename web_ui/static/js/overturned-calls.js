// What was overturned stays among the calls, struck through.

import { coinPicture } from "./drawing/coin-faces.js";
import { html } from "./dom.js";
import { fateTag } from "./fates.js";
import { lookButton } from "./look-again.js";

/** @import { CallLine, Fate, Looked } from "../../types/page" */

/**
 * @param {CallLine} line
 * @param {Fate | undefined} fate
 * @param {string} extra
 * @param {Looked} [flick] the flick that it was made of
 */
export const struckThrough = (line, fate, extra, flick) =>
  html(
    "li",
    { class: `call call-overturned ${extra}` },
    "coin" in line && line.coin ? coinPicture(line.coin) : html("span"),
    html(
      "div",
      { class: "call-words" },
      html("p", { class: "call-text" }, html("s", {}, line.text)),
      html("p", { class: "call-why" }, fateTag(fate), lookButton({ ...line, fate, flick })),
    ),
  );
