// Plays a flick's clip slowly, from a moment before the incident, and offers the recorded clip for
// download.

import { html } from "./dom.js";

/** @import { Evidence } from "../../types/page" */

const LEAD_S = 0.5;
/** @type {[number, string][]} */
const SPEEDS = [
  [1, "1×"],
  [0.25, "¼×"],
  [0.1, "⅒×"],
];
const SLOW = 0.25;

/**
 * The player of an incident's clip, as elements; none where there is no clip.
 * @param {Partial<Evidence>} of
 */
export function clipPlayer({ clip, clip_from_s: from, t_s: when }) {
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
  const speeds = SPEEDS.map(([speed, name]) => speedButton(film, speed, name));
  film.addEventListener("loadeddata", () =>
    begin(
      film,
      message,
      typeof from === "number" && typeof when === "number" ? when - from - LEAD_S : 0,
    ),
  );
  film.addEventListener("ratechange", () =>
    speeds.forEach((button) =>
      button.setAttribute("aria-pressed", String(Number(button.value) === film.playbackRate)),
    ),
  );
  film.addEventListener("error", () => {
    film.hidden = true;
    message.hidden = false;
    whyNot(clip).then((why) => {
      message.textContent = why;
      if (why.includes("missing")) tools.hidden = true;
    });
  });
  const tools = html(
    "p",
    { class: "look-tools" },
    ...speeds,
    html(
      "a",
      { class: "look-download", href: `/${clip}/original`, download: true },
      "Download as recorded",
    ),
  );
  return [message, film, tools];
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
 * @param {HTMLElement} message
 * @param {number} at
 */
function begin(film, message, at) {
  message.hidden = true;
  film.currentTime = Math.max(0, at);
  film.playbackRate = SLOW;
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) film.play().catch(() => {});
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
