// Whether a flick is seen to be under way: until it is recorded, the standing is still the one
// before it.

/** @import { Call } from "../../types/page" */

/**
 * Whether what is provisional is of a flick that has begun.
 * @param {Call[] | null | undefined} provisional
 */
export const flickRuns = (provisional) =>
  (provisional ?? []).some(({ call }) => call === "flick_began");
