// Keeps the screen on while a match is played. A browser allows that only on a secure page; where
// it does not, the page says how to keep the screen on.

import { kept, keep } from "./kept-settings.js";

/** @import { Topics } from "../../types/page" */

const PLAYED = ["naming", "watching", "following"];
const READ = "screen-hint";
const SHOWN_MS = 30000; // how long the hint is shown on pages without buttons
/** @type {WakeLock | undefined} */
const screenLock = navigator.wakeLock; // missing over plain http
let wanted = false;
let asking = false;
/** @type {WakeLockSentinel | null} */
let lock = null;

/** @param {Topics} of */
export function keepAwake({ doing, standing }) {
  const played =
    PLAYED.includes(doing?.phase ?? "") && Boolean(standing) && standing?.status !== "won";
  if (played === wanted) return;
  wanted = played;
  if (screenLock) follow();
  else sayHow();
}

/** Take the lock, or give it back. A browser takes it away whenever the page is hidden. */
async function follow() {
  if (!wanted) {
    const held = lock;
    lock = null;
    return held?.release();
  }
  if (!screenLock || lock || asking || document.visibilityState !== "visible") return;
  asking = true;
  try {
    lock = await screenLock.request("screen");
    lock.addEventListener("release", () => {
      lock = null;
    });
  } catch {
    // refused, for example to save the battery; the page asks again when it is shown again
  }
  asking = false;
  if (!wanted) follow();
}

function sayHow() {
  const hint = document.getElementById("awake"); // a stream's strip has none
  if (!hint) return;
  hint.hidden = !wanted || kept(READ) === "read";
  const button = hint.querySelector("button");
  if (!button) {
    setTimeout(() => (hint.hidden = true), SHOWN_MS);
    return;
  }
  button.onclick = () => {
    keep(READ, "read");
    hint.hidden = true;
  };
}

document.addEventListener("visibilitychange", follow);
