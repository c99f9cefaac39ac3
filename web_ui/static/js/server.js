// What the page asks its server. The types of requests and answers are generated from the server's
// own types.

/** @import { Asked, Answers, Requests, Sent } from "../../types/page" */

/**
 * Send a request and return the answer, which is empty where there is nothing to report. An error
 * is {error}, with `anyway` if people may write the entry although the rules do not allow it.
 * @template {keyof Requests} W
 * @param {W} where
 * @param {Requests[W]} body
 * @returns {Promise<Sent>}
 */
export async function sent(where, body) {
  try {
    const answer = await fetch(where, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return answer.status === 204 ? {} : await answer.json();
  } catch {
    return { error: "The referee could not be reached. Nothing was written." };
  }
}

/**
 * Ask for something and return the answer, null where there is none. Throws where the server is not
 * reached.
 * @template {Asked} W
 * @param {W} where
 * @param {string} [which] what follows the address
 * @returns {Promise<Answers[W] | null>}
 */
export async function asked(where, which = "") {
  const answer = await fetch(where + which);
  return answer.ok ? await answer.json() : null;
}
