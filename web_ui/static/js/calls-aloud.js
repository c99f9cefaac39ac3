// Speaks calls with a voice of this device, and marks them by short sounds. Both are off until
// somebody switches them on. Provisional calls are not spoken: a call is spoken once, when it is
// decided.

import { byId } from "./dom.js";
import { keep, kept } from "./kept-settings.js";
import { newsIn } from "./news.js";

/** @import { Topics } from "../../types/page" */

const STALE_MS = 8000; // a call that has waited for this long is not spoken any more
const LONGEST_MS = 15000; // some browsers never report that a sentence has ended
const SOUNDS = ["step", "hit", "question", "foul", "win"];
const on = { voice: false, sound: false };
/** @type {(keyof typeof on)[]} */
const CHOICES = ["voice", "sound"];
/** @type {{ text: string; sinceMs: number }[]} */
let waiting = [];
let speaking = 0;
/** @type {AudioContext | null} */
let audio = null;
/** @type {Map<string, AudioBuffer>} */
const loaded = new Map();

/** Begin with what this device remembers, or with what the address asks for. */
export function offerCallsAloud() {
  const address = new URLSearchParams(location.search);
  for (const choice of CHOICES) {
    on[choice] = (address.get(choice) ?? kept(`calls-${choice}`)) === "on";
    const box = /** @type {HTMLInputElement | null} */ (document.getElementById(choice));
    if (!box) continue;
    box.checked = on[choice];
    box.addEventListener("change", () => {
      on[choice] = box.checked;
      keep(`calls-${choice}`, box.checked ? "on" : "off");
      if (choice === "voice" && !box.checked) hush();
      prepare();
    });
  }
  for (const gesture of ["click", "keydown"])
    document.addEventListener(gesture, () => audio?.resume());
  window.speechSynthesis?.addEventListener?.("voiceschanged", sayVoice);
  prepare();
}

/** @param {Topics} state @param {boolean} whole */
export function hearCalls(state, whole) {
  const news = newsIn(state, whole);
  if (!news) return;
  if (on.sound && news.sound) play(news.sound);
  if (!on.voice || !voice() || audio?.state !== "running") return;
  const sinceMs = performance.now();
  waiting.push(...news.texts.map((text) => ({ text, sinceMs })));
  if (!speaking) speakNext();
}

/** Prepare the audio, whose state says whether the browser allows sounds before a first tap. */
function prepare() {
  if ((on.voice || on.sound) && !audio) {
    audio = new AudioContext();
    audio.addEventListener("statechange", sayTap);
    load(audio);
  }
  if (audio?.state === "suspended" && navigator.userActivation?.hasBeenActive) audio.resume();
  sayTap();
  sayVoice();
}

function sayTap() {
  byId("hear").hidden = !(on.voice || on.sound) || audio?.state === "running";
}

function sayVoice() {
  byId("no-voice").hidden = !on.voice || Boolean(voice());
}

/** @param {AudioContext} context */
async function load(context) {
  for (const name of SOUNDS) {
    const file = await fetch(new URL(`../sounds/${name}.wav`, import.meta.url));
    if (file.ok) loaded.set(name, await context.decodeAudioData(await file.arrayBuffer()));
  }
}

/** @param {string} name */
function play(name) {
  if (audio?.state !== "running") return;
  const source = audio.createBufferSource();
  source.buffer = loaded.get(name) ?? null;
  source.connect(audio.destination);
  source.start();
}

/** An English voice of this device itself, so that the spoken words are sent to no other one. */
function voice() {
  const voices = (window.speechSynthesis?.getVoices() ?? []).filter(
    ({ localService, lang }) => localService && /^en\b/i.test(lang),
  );
  return voices.find((one) => one.default) ?? voices[0];
}

function speakNext() {
  clearTimeout(speaking);
  speaking = 0;
  const oldest = performance.now() - STALE_MS;
  waiting = waiting.filter(({ sinceMs }) => sinceMs >= oldest);
  const next = waiting.shift();
  const chosen = voice();
  if (!next || !chosen) return;
  const said = new SpeechSynthesisUtterance(next.text);
  said.voice = chosen;
  said.lang = chosen.lang;
  const goOn = () => {
    if (current === speaking) speakNext();
  };
  said.onend = goOn;
  said.onerror = goOn;
  speaking = setTimeout(() => {
    window.speechSynthesis.cancel();
    goOn();
  }, LONGEST_MS);
  const current = speaking;
  window.speechSynthesis.speak(said);
}

function hush() {
  waiting = [];
  window.speechSynthesis?.cancel();
}
