// Makes words as large as their room allows, so that people can read them from far away.

const SIZES = [1, 0.92, 0.84, 0.76, 0.68, 0.6, 0.52, 0.44, 0.36];
const ROUNDED_PX = 1; // a browser rounds what it measures to whole pixels
/**
 * What each element showed, and in which room, when it was last fitted.
 * @type {WeakMap<HTMLElement, string>}
 */
const fitted = new WeakMap();

/**
 * Set `--fit` of an element, by which its styles scale, to the largest size at which nothing in it
 * is cut off.
 * @param {HTMLElement} element
 */
export function fit(element) {
  const shown = `${element.clientWidth} ${element.clientHeight} ${element.textContent}`;
  if (fitted.get(element) === shown) return;
  fitted.set(element, shown);
  const inside = [element, ...element.querySelectorAll(".course-name, .turn-name")];
  for (const size of SIZES) {
    element.style.setProperty("--fit", String(size));
    if (!inside.some(isCut)) return;
  }
}

/** @param {Element} of */
const isCut = ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
  scrollHeight > clientHeight + ROUNDED_PX || scrollWidth > clientWidth + ROUNDED_PX;
