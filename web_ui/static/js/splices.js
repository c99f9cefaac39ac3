// The topics with a part for each entry, as far as this page knows them: their last parts. The
// program sends what changes as splices.

/** @import { Known, Splices } from "../../types/page" */

/**
 * What is known of a topic after some splices of it.
 * @template T
 * @param {Known<T> | undefined} known
 * @param {Splices<T>} news
 * @returns {Known<T>}
 */
export function spliced(known, news) {
  let { from, parts } = known && !news.whole ? known : { from: 0, parts: /** @type {T[]} */ ([]) };
  for (const [at, drop, fresh] of news.splices) {
    if (news.whole) [from, parts] = [at, fresh];
    else if (at >= from)
      parts = [...parts.slice(0, at - from), ...fresh, ...parts.slice(at - from + drop)];
    else if (at + drop <= from)
      from += fresh.length - drop; // all of it is earlier than what this page knows
    else [from, parts] = [at, [...fresh, ...parts.slice(at + drop - from)]];
  }
  return { from, parts, edition: news.edition };
}

/**
 * What is known of a topic with earlier parts before it. Where the topic has changed since they
 * were asked for, they are left out.
 * @template T
 * @param {Known<T>} known
 * @param {Splices<T>} earlier
 * @returns {Known<T>}
 */
export function preceded(known, { edition, splices: [[at, , parts]] }) {
  if (edition !== known.edition || at + parts.length !== known.from) return known;
  return { ...known, from: at, parts: [...parts, ...known.parts] };
}
