// Listens to the changes that the program sends, and checks whether the program is still there.

/** @import { Topics } from "../../types/page" */

const SILENT_MS = 15000; // the program sends something at least every 5 s
const AGAIN_MS = 2000;

/**
 * Listen for ever. `onTopics(topics, whole)` gets the changed topics. When `whole` is true it gets
 * all topics, which replace what was known. `onConnection(state)` gets "open", "lost" or "refused".
 * @param {(topics: Topics, whole: boolean) => void} onTopics
 * @param {(state: "open" | "lost" | "refused") => void} onConnection
 */
export function listen(onTopics, onConnection) {
  let source = new EventSource("/events");
  let silent = 0;

  const heard = () => {
    clearTimeout(silent);
    silent = setTimeout(again, SILENT_MS);
  };
  const again = () => {
    // closed by the browser itself, because the server refused
    onConnection(source.readyState === EventSource.CLOSED ? "refused" : "lost");
    source.close();
    clearTimeout(silent);
    setTimeout(() => {
      source = new EventSource("/events");
      connect();
    }, AGAIN_MS);
  };
  const connect = () => {
    heard();
    source.addEventListener("snapshot", (event) => {
      heard();
      onConnection("open");
      onTopics(JSON.parse(event.data), true);
    });
    source.addEventListener("change", (event) => {
      heard();
      onTopics(JSON.parse(event.data), false);
    });
    source.addEventListener("beat", heard);
    source.addEventListener("error", again);
  };
  connect();
}
