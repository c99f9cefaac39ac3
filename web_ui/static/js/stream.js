// Listens to the changes that the program sends, and checks whether the program is still there.

import { preceded, spliced } from "./splices.js";
import { asked } from "./server.js";

/** @import { Connection, KnownParts, PartTopic, Topics, TopicsSent } from "../../types/page" */

const SILENT_MS = 15000; // the program sends something at least every 5 s
const AGAIN_MS = 2000;
/** @type {PartTopic[]} */
const PART_TOPICS = ["calls", "evidence", "irregularities", "rulings"];

/** @type {KnownParts} */
let known = {};
/** @type {(topics: Topics, whole: boolean, old: boolean) => void} */
let tell = () => {};

/**
 * Follow the feed as long as the page is open. `onTopics(topics, whole, old)` gets the changed
 * topics. When `whole` is true it gets all topics, which replace what was known. When `old` is
 * true, the page missed them or asked for earlier ones, so they are not spoken. Of topics with a
 * part for each entry it gets the last parts. `onConnection(state, since)` gets "open", "lost",
 * "refused" or "ended" (the program has ended), and when the page last received something.
 * @param {(topics: Topics, whole: boolean, old: boolean) => void} onTopics
 * @param {(state: Connection, since: Date) => void} onConnection
 */
export function listen(onTopics, onConnection) {
  tell = onTopics;
  let source = new EventSource("/events");
  let silent = 0;
  let last = "";
  let first = true; // of this connection
  let ended = false; // the program has said so
  let since = new Date();

  const heard = () => {
    since = new Date();
    clearTimeout(silent);
    silent = setTimeout(again, SILENT_MS);
  };
  const again = () => {
    // closed by the browser itself, because the server refused
    const refused = source.readyState === EventSource.CLOSED;
    onConnection(refused ? "refused" : ended ? "ended" : "lost", since);
    source.close();
    clearTimeout(silent);
    setTimeout(() => {
      source = new EventSource(`/events${last && `?after=${encodeURIComponent(last)}`}`);
      connect();
    }, AGAIN_MS);
  };
  /** @param {MessageEvent<string>} event @param {boolean} whole */
  const take = (event, whole) => {
    heard();
    ended = false;
    onConnection("open", since);
    last = event.lastEventId;
    onTopics(merged(JSON.parse(event.data), whole), whole, first);
    first = false;
  };
  const connect = () => {
    first = true;
    clearTimeout(silent);
    silent = setTimeout(again, SILENT_MS);
    source.addEventListener("snapshot", (event) => take(event, true));
    source.addEventListener("change", (event) => take(event, false));
    source.addEventListener("beat", heard);
    source.addEventListener("end", () => {
      ended = true;
    });
    source.addEventListener("error", again);
  };
  connect();
}

/**
 * The topics as the page shows them.
 * @param {TopicsSent} told
 * @param {boolean} whole
 * @returns {Topics}
 */
function merged({ calls, evidence, irregularities, rulings, ...others }, whole) {
  if (whole) known = {};
  if (calls !== undefined) known.calls = calls ? spliced(known.calls, calls) : undefined;
  if (evidence !== undefined)
    known.evidence = evidence ? spliced(known.evidence, evidence) : undefined;
  if (irregularities !== undefined)
    known.irregularities = irregularities
      ? spliced(known.irregularities, irregularities)
      : undefined;
  if (rulings !== undefined) known.rulings = rulings ? spliced(known.rulings, rulings) : undefined;
  const told = { calls, evidence, irregularities, rulings };
  return { ...others, ...shown(PART_TOPICS.filter((topic) => told[topic] !== undefined)) };
}

/**
 * @param {PartTopic[]} topics
 * @returns {Topics}
 */
function shown(topics) {
  /** @type {Topics} */
  const all = {
    calls: known.calls?.parts ?? null,
    evidence: known.evidence ? Object.fromEntries(known.evidence.parts) : null,
    irregularities: known.irregularities?.parts ?? null,
    rulings: known.rulings?.parts ?? null,
  };
  return Object.fromEntries(topics.map((topic) => [topic, all[topic]]));
}

/**
 * How many parts of a topic are earlier than those that this page knows.
 * @param {PartTopic} topic
 */
export const earlier = (topic) => known[topic]?.from ?? 0;

/** Ask for earlier calls and what belongs to them, and show them. */
export async function askEarlier() {
  const from = new URLSearchParams(PART_TOPICS.map((topic) => [topic, String(earlier(topic))]));
  const answer = await asked("/earlier", `?${from}`);
  if (!answer) return;
  const { calls, evidence, irregularities, rulings } = answer;
  if (calls && known.calls) known.calls = preceded(known.calls, calls);
  if (evidence && known.evidence) known.evidence = preceded(known.evidence, evidence);
  if (irregularities && known.irregularities)
    known.irregularities = preceded(known.irregularities, irregularities);
  if (rulings && known.rulings) known.rulings = preceded(known.rulings, rulings);
  const topics = PART_TOPICS.filter((topic) => known[topic]);
  tell(shown(topics), false, true);
}
