// The keyboard focus after an entry: it goes to what is entered next.

import { focusBall } from "./ball-on-board.js";
import { focusPinned } from "../dom.js";

/** Where something can be entered or answered next, the most urgent first. */
const NEXT = ["#attention button", "#say .side-title", "#hand .side-title", "#calls"];

/**
 * Give the focus to what is entered next, once everything is drawn: to the ball on the board, else
 * to an answer, or to the title of a form. Where a control has kept the focus, it stays there.
 */
export function focusNext() {
  requestAnimationFrame(() => {
    const at = document.activeElement;
    if (at && at !== document.body && !at.matches(".side-title")) return;
    if (focusBall()) return;
    if (at?.matches(".side-title") && at.checkVisibility()) return;
    /** @type {(HTMLElement | null)[]} */
    const places = NEXT.map((where) => document.querySelector(where));
    focusPinned(places.find((one) => one?.checkVisibility()));
  });
}
