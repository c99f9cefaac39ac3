// What people do with a clip over which something can be drawn: they stop it, step picture by
// picture, slide through it, and zoom in on the spot where it was decided.

import { html } from "./dom.js";
import { decidingSpot, outlinesOver } from "./drawing/clip-outlines.js";
import { moment } from "./words.js";

/** @import { ClipOutlines, ClipShown } from "../../types/page" */

/** At this time after a picture's own time, the browser surely shows that picture, s. */
const INSIDE_S = 0.002;
const [PLAY, PAUSE] = ["▶", "❚❚"];

/**
 * Draw over the clip, and put the tools for its pictures into `frames`.
 * @param {ClipShown} of
 */
export function clipTools({ film, stage, frames, outlines, shown, on, decided, close }) {
  const over = outlinesOver(outlines, shown, on);
  const zoomed = /** @type {HTMLElement} */ (film.parentElement);
  zoomed.append(over.element);
  film.controls = false;
  const times = outlines.frames_s;
  const slider = html("input", {
    class: "look-slider",
    type: "range",
    min: 0,
    max: times.length - 1,
    step: 1,
    "aria-label": "Picture of the clip",
  });
  const run = tool(PLAY, "look-run", () => (film.paused ? film.play().catch(() => {}) : stop()));
  const stop = () => film.pause();
  /** @param {number} place */
  const show = (place) => {
    stop();
    const shownNow = Math.min(times.length - 1, Math.max(0, place));
    film.currentTime = times[shownNow] + INSIDE_S;
    slider.value = String(shownNow);
  };
  const now = () => placeAt(times, film.currentTime);
  const zoom = zoomTool({ stage, zoomed, outlines, on });
  const decidedAt = decided === null ? null : placeAt(times, seenNearest(outlines, on, decided));
  const decide =
    decidedAt === null
      ? null
      : tool(
          "Decided",
          "look-decided",
          () => {
            show(decidedAt);
            zoom?.set(true);
          },
          "Show the picture that decided the call",
        );
  const tell = () => {
    over.show(film.currentTime);
    slider.value = String(now());
    slider.setAttribute("aria-valuetext", moment(outlines.from_s + film.currentTime));
    run.textContent = film.paused ? PLAY : PAUSE;
    run.ariaLabel = film.paused ? "Play" : "Pause";
  };
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const kind of ["timeupdate", "seeked", "play", "pause"]) film.addEventListener(kind, tell);
  onEachPicture(film, tell);
  frames.append(
    run,
    tool("◂", "look-back", () => show(now() - 1), "One picture back"),
    slider,
    tool("▸", "look-on", () => show(now() + 1), "One picture on"),
    ...[zoom?.button, decide].filter((one) => one instanceof HTMLElement),
  );
  frames.hidden = false;
  tell();
  if (close && decidedAt !== null) {
    show(decidedAt);
    zoom?.set(true);
  }
}

/**
 * Call `tell` whenever another picture of the clip is shown, where the browser says so.
 * @param {HTMLVideoElement} film
 * @param {() => void} tell
 */
function onEachPicture(film, tell) {
  if (!("requestVideoFrameCallback" in film)) return;
  const again = () => {
    tell();
    film.requestVideoFrameCallback(again);
  };
  film.requestVideoFrameCallback(again);
}

/**
 * The place of the picture that is shown at a time.
 * @param {number[]} times
 * @param {number} at
 */
const placeAt = (times, at) =>
  Math.max(
    0,
    times.findLastIndex((time) => time <= at + INSIDE_S / 2),
  );

/**
 * The time nearest to a decision at which its coin was in a picture, s since the clip begins.
 * @param {ClipOutlines} outlines
 * @param {string} on
 * @param {number} decided
 */
function seenNearest({ paths, incidents }, on, decided) {
  const [coin] = Object.keys(incidents[on] ?? {});
  const seen = (paths[coin] ?? []).map(([at]) => at);
  return seen.reduce(
    (best, at) => (Math.abs(at - decided) < Math.abs(best - decided) ? at : best),
    seen[0] ?? decided,
  );
}

/**
 * @param {string} words
 * @param {string} kind
 * @param {() => void} act
 * @param {string} [label]
 */
function tool(words, kind, act, label) {
  const button = html(
    "button",
    { class: `look-speed ${kind}`, type: "button", "aria-label": label },
    words,
  );
  button.addEventListener("click", act);
  return button;
}

/**
 * The button that enlarges the spot where it was decided; null where that is not known.
 * @param {{ stage: HTMLElement; zoomed: HTMLElement; outlines: ClipOutlines; on: string }} of
 */
function zoomTool({ stage, zoomed, outlines, on }) {
  const spot = decidingSpot(outlines, on);
  if (!spot) return null;
  let near = false;
  const place = () => {
    const { clientWidth: width, clientHeight: height } = stage;
    const scale = Math.min(width / outlines.width_px, height / outlines.height_px);
    const [x, y] = [
      (width - scale * outlines.width_px) / 2 + scale * spot.at[0],
      (height - scale * outlines.height_px) / 2 + scale * spot.at[1],
    ];
    zoomed.style.setProperty("--zoom", String(near ? spot.zoom : 1));
    const [right, down] = [width / 2 - spot.zoom * x, height / 2 - spot.zoom * y];
    zoomed.style.transform = near ? `translate(${right}px, ${down}px) scale(${spot.zoom})` : "";
  };
  /** @param {boolean} to */
  const set = (to) => {
    near = to;
    button.setAttribute("aria-pressed", String(near));
    place();
  };
  const button = tool("Zoom", "look-zoom", () => set(!near));
  set(false);
  new ResizeObserver(place).observe(stage);
  return { button, set };
}
