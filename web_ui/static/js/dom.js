// Makes elements. Text is always inserted as text and never as markup, because names come from
// people.

/** @import { Attributes, Child, Point } from "../../types/page" */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/**
 * The items of a list that are not null or undefined.
 * @template T
 * @param {(T | null | undefined)[]} list
 * @returns {T[]}
 */
export const present = (list) => list.filter((one) => one !== null && one !== undefined);

/**
 * An HTML element with attributes and children (elements or text; null is left out).
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} attributes
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * Give an element of a pinned part the focus. Only its list scrolls to show it. The page does not,
 * so the table stays in sight.
 * @param {HTMLElement | null | undefined} element
 */
export function focusPinned(element) {
  element?.focus({ preventScroll: true });
  const list = element?.closest(".pinned-list");
  if (!element || !list) return;
  const [box, shown] = [element, list].map((one) => one.getBoundingClientRect());
  if (box.top < shown.top) list.scrollTop += box.top - shown.top;
  else if (box.bottom > shown.bottom) list.scrollTop += box.bottom - shown.bottom;
}

/**
 * The page's element with this id.
 * @param {string} id
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no element ${id}.`);
  return found;
}

/**
 * Points [[x, y], ...] of the table frame (y up) as an SVG path (y down).
 * @param {Point[]} points
 * @param {boolean} closed
 */
export function pathOf(points, closed = false) {
  const steps = points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${(-y).toFixed(1)}`);
  return steps.join("") + (closed ? "Z" : "");
}
