// What was overturned stays among the calls, struck through.

import { coinPicture } from "./drawing/coin-faces.js";
import { html } from "./dom.js";
import { fateTag, told } from "./fates.js";
import { lookButton } from "./look-again.js";

/** @import { CallLine, Fate } from "../../types/page" */

/**
 * @param {CallLine} line
 * @param {Fate | undefined} fate
 * @param {string} extra
 */
export const struckThrough = (line, fate, extra) =>
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
        lookButton(fate ? { on: fate.id, text: told(fate) } : line),
      ),
    ),
  );
