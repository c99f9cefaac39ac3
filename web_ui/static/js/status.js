// Shows what the program is doing: the line at the top, the card while it sets up, and whether the
// page is still connected.

import { byId, html } from "./dom.js";
import { gameName } from "./games/games.js";
import { clock } from "./words.js";

/** @import { Connection, DoingTopic, Topics } from "../../types/page" */

/** @type {Record<string, string>} */
const PHASES = {
  setting_up: "Setting up",
  naming: "Waiting for you",
  watching: "Watching",
  following: "Following",
  finished: "Video ended",
  failed: "Stopped",
};
/** @type {Record<Exclude<Connection, "open">, (since: Date) => string>} */
const WORDS = {
  refused: () =>
    "Too many pages show this match already. Close one of them; this one tries again …",
  lost: (since) =>
    `Connection lost since ${since.toTimeString().slice(0, 8)}. ` +
    "This page shows the last known state. Trying again …",
  ended: () => "The program has ended. This page keeps what it last showed.",
};
const STILL_MS = 4000; // after this time without a picture, the page says so
/** @type {string[]} */
const steps = [];
let lost = false;
/** @type {string | null} */
let clockAt = null;
let advancedMs = performance.now();
let phase = "";

/** @param {Topics} of */
export function drawDoing({ doing, match }) {
  byId("game").textContent = match ? gameName(match.game) : "";
  if (!doing) return;
  const time = doing.phase === "watching" && typeof doing.t_s === "number" ? clock(doing.t_s) : "";
  const parts = [doing.source, time].filter((part) => part !== "");
  byId("doing").replaceChildren(
    html("strong", { class: `phase phase-${doing.phase}` }, PHASES[doing.phase] ?? doing.phase),
    ...parts.map((part) => html("span", {}, part)),
  );
  const share = /** @type {HTMLProgressElement} */ (byId("share"));
  share.hidden = typeof doing.share !== "number";
  if (typeof doing.share === "number") share.value = doing.share;
  document.body.dataset.phase = doing.phase;
  drawSetup(doing);
}

/** @param {DoingTopic} doing */
function drawSetup(doing) {
  const card = byId("setup");
  if (doing.phase === "setting_up" && steps.at(-1) !== doing.text) steps.push(doing.text);
  if (doing.phase !== "setting_up") steps.length = 0;
  card.hidden = doing.phase !== "setting_up";
  if (card.hidden) return;
  const percent = typeof doing.share === "number" ? `${Math.round(doing.share * 100)}\u00a0%` : "";
  card.replaceChildren(
    html("h2", { class: "setup-title" }, "Getting ready"),
    html(
      "ol",
      { class: "setup-steps" },
      ...steps.slice(-5).map((text, i, shown) => step(text, i === shown.length - 1, percent)),
    ),
  );
}

/**
 * @param {string} text
 * @param {boolean} now
 * @param {string} percent
 */
function step(text, now, percent) {
  return html(
    "li",
    { class: now ? "setup-now" : "setup-done" },
    text,
    now && percent ? html("span", { class: "setup-share" }, percent) : null,
  );
}

/**
 * Note how far the source has come. Where nobody watches, it must not look as if nothing happens.
 * @param {Topics} of
 */
export function noteTime({ doing, coins }) {
  const at = `${doing?.t_s} ${coins?.t_s}`;
  phase = doing?.phase ?? "";
  if (at === clockAt && phase === "watching") return;
  clockAt = at;
  advancedMs = performance.now();
}

function sayStill() {
  const notice = byId("still");
  const still = phase === "watching" && !lost ? performance.now() - advancedMs : 0;
  notice.hidden = still < STILL_MS;
  if (!notice.hidden)
    notice.textContent =
      `No new picture from the camera for ${Math.floor(still / 1000)} s. ` +
      "The referee cannot see the table now.";
}

setInterval(sayStill, 1000);

/**
 * Say that the connection is lost, and when it is back.
 * @param {Connection} connection
 * @param {Date} since when the page last heard something
 */
export function drawConnection(connection, since) {
  const notice = byId("connection");
  if (connection !== "open") {
    lost = true;
    sayStill();
    notice.hidden = false;
    notice.className = `connection connection-${connection === "ended" ? "ended" : "lost"}`;
    notice.textContent = WORDS[connection](since);
    document.body.classList.toggle("is-stale", connection === "lost");
  } else if (lost) {
    lost = false;
    advancedMs = performance.now();
    notice.className = "connection connection-back";
    notice.textContent = "Connected again.";
    document.body.classList.remove("is-stale");
    setTimeout(() => {
      if (!lost) notice.hidden = true;
    }, 3000);
  }
}
