// Plays a flick's clip slowly, from a moment before the incident, with what was measured drawn over
// it, and offers the recorded clip for download.

import { html } from "./dom.js";
import { clipTools } from "./clip-tools.js";
import { asked } from "./server.js";

/** @import { ClipOutlines, Evidence } from "../../types/page" */

const LEAD_S = 0.5;
const SLOW = 0.25;

/**
 * What plays an incident's clip, as page elements; none if there is no clip. `close` shows the
 * deciding picture at once, enlarged.
 * @param {Partial<Evidence>} shown
 * @param {string} on
 * @param {boolean} close
 */
export function clipPlayer(shown, on, close) {
  const { clip } = shown;
  if (!clip) return [];
  const film = html("video", {
    class: "look-clip",
    src: `/${clip}`,
    controls: true,
    muted: true,
    playsinline: true,
    loop: true,
    preload: "auto",
  });
  film.muted = true;
  const message = html("p", { class: "look-wait", role: "status" }, "Making the clip ready …");
  const stage = html("div", { class: "look-stage" }, html("div", { class: "look-zoomed" }, film));
  const frames = html("div", { class: "look-frames", hidden: true });
  const { element: tools, speeds } = speedTools(film, clip);
  const outlines = outlinesOf(clip);
  film.addEventListener("loadeddata", async () => {
    message.hidden = true;
    const drawn = await outlines;
    const from = drawn?.from_s ?? shown.clip_from_s;
    const decided = typeof from === "number" && shown.t_s ? shown.t_s - from : null;
    if (drawn) clipTools({ film, stage, frames, outlines: drawn, shown, on, decided, close });
    if (!drawn || !close) play(film, (decided ?? LEAD_S) - LEAD_S);
  });
  film.addEventListener("ratechange", () =>
    speeds.forEach((button) =>
      button.setAttribute("aria-pressed", String(Number(button.value) === film.playbackRate)),
    ),
  );
  film.addEventListener("error", () => {
    stage.hidden = film.hidden = true;
    message.hidden = false;
    whyNot(clip).then((why) => {
      message.textContent = why;
      if (why.includes("missing")) tools.hidden = true;
    });
  });
  return [message, stage, frames, tools];
}

/**
 * What can be drawn over a clip; null where nothing was kept.
 * @param {string} clip
 * @returns {Promise<ClipOutlines | null>}
 */
async function outlinesOf(clip) {
  try {
    return await asked("/outlines", `/${clip.split("/").at(-1)}`);
  } catch {
    return null;
  }
}

/**
 * Why a clip is not shown: it is missing, or this browser cannot play it.
 * @param {string} clip
 */
async function whyNot(clip) {
  try {
    const there = await fetch(`/${clip}/original`, { method: "HEAD" });
    if (there.status === 404) return `The clip is missing: there is no ${clip} beside the record.`;
    return "This browser cannot play the clip. Download it: any video player shows it.";
  } catch {
    return "The clip is missing: the program has ended.";
  }
}

/**
 * @param {HTMLVideoElement} film
 * @param {number} at
 */
function play(film, at) {
  film.currentTime = Math.max(0, at);
  film.playbackRate = SLOW;
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) film.play().catch(() => {});
}

/** @type {[number, string][]} */
const SPEEDS = [
  [1, "1×"],
  [0.25, "¼×"],
  [0.1, "⅒×"],
];

/**
 * @param {HTMLVideoElement} film
 * @param {string} clip
 */
function speedTools(film, clip) {
  const speeds = SPEEDS.map(([speed, name]) => speedButton(film, speed, name));
  const download = html(
    "a",
    { class: "look-download", href: `/${clip}/original`, download: true },
    "Download as recorded",
  );
  return { speeds, element: html("p", { class: "look-tools" }, ...speeds, download) };
}

/**
 * @param {HTMLVideoElement} film
 * @param {number} speed
 * @param {string} name
 */
function speedButton(film, speed, name) {
  const button = html(
    "button",
    {
      class: "look-speed",
      type: "button",
      value: speed,
      "aria-label": `at ${name} speed`,
      "aria-pressed": "false",
    },
    name,
  );
  button.addEventListener("click", () => {
    film.playbackRate = speed;
    film.play().catch(() => {});
  });
  return button;
}
