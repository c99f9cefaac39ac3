// Making elements. Text always goes in as text, never as markup: names come from people.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** An HTML element with attributes and children (elements or text; null is left out). */
export function html(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The page's element with this id. */
export function byId(id) {
  return document.getElementById(id);
}

/** Points [[x, y], ...] of the table frame (y up) as an SVG path (y down). */
export function pathOf(points, closed = false) {
  const steps = points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${(-y).toFixed(1)}`);
  return steps.join("") + (closed ? "Z" : "");
}
