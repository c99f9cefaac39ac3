// What this device remembers. A browser may forbid that; then it lasts as long as the page.

/** @type {Map<string, string>} */
const here = new Map();

/**
 * What is remembered under a name.
 * @param {string} name
 */
export function kept(name) {
  try {
    return localStorage.getItem(name) ?? here.get(name) ?? null;
  } catch {
    return here.get(name) ?? null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function keep(name, value) {
  here.set(name, value);
  try {
    localStorage.setItem(name, value);
  } catch {
    // forgotten with the page
  }
}
