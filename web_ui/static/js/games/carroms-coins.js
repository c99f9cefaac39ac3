// The coins of Carroms, and what its players call them.

/**
 * The striker, the black coin, then the red and the blue ones.
 * @type {string[]}
 */
export const CARROMS_COINS = [
  "striker",
  "moons",
  ...["suns", "arms"].flatMap((suit) => [1, 2, 3, 4, 5, 6].map((n) => `${suit}-${n}`)),
];
/** @type {Record<string, string>} */
const CALLED = { striker: "the striker", moons: "the black coin" };

/** @param {string} coin */
export const carromsCoinName = (coin) =>
  CALLED[coin] ?? coin.replace(/^suns-/, "red coin ").replace(/^arms-/, "blue coin ");
