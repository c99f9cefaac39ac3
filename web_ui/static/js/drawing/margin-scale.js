// Draws how sure a call is: the margin with its error bar, and the line at which the call would be
// the opposite.

import { html, svg } from "../dom.js";
import { mm, sureness } from "../words.js";

/** @import { Measured, Scale } from "../../../types/page" */

const SMALL = { wide: 84, high: 18, point: 3.2 };
const LARGE = { wide: 480, high: 34, point: 5 };
const SMALL_REACH_MM = 8; // one scale for all small pictures, so that they can be compared

/**
 * A small picture for a line of text; null where nothing was measured.
 * @param {Measured | undefined} measured
 */
export function marginPicture(measured) {
  const { margin_mm: margin, sigma_mm: sigma } = measured ?? {};
  if (typeof margin !== "number") return null;
  const much = `${mm(margin)}${typeof sigma === "number" ? ` ± ${mm(sigma)}` : ""} mm`;
  return html(
    "span",
    {
      class: "margin",
      title: `margin ${much}; to the left of the line means that it did not happen`,
    },
    scale(margin, sigma ?? 0, SMALL_REACH_MM, SMALL),
    html(
      "span",
      { class: "margin-words" },
      html("span", { class: "margin-word" }, "margin "),
      much,
    ),
  );
}

/**
 * A large picture with an axis in mm, wide enough for the margin and its error bar.
 * @param {Measured} of
 */
export function marginScale({ margin_mm: margin, sigma_mm: sigma }) {
  if (typeof margin !== "number") return null;
  const reach = Math.max(3, 1.25 * (Math.abs(margin) + 2 * (sigma ?? 0)));
  return html(
    "figure",
    { class: "margin-large" },
    scale(margin, sigma ?? 0, reach, LARGE),
    html(
      "div",
      { class: "margin-ends" },
      html("span", {}, `−${mm(reach)} mm: it did not happen`),
      html("span", {}, `it happened: +${mm(reach)} mm`),
    ),
  );
}

/**
 * @param {number} margin
 * @param {number} sigma
 * @param {number} reach
 * @param {Scale} size
 */
function scale(margin, sigma, reach, size) {
  const { wide, high } = size;
  /** @param {number} value */
  const at = (value) => (wide / 2) * (1 + Math.max(-1, Math.min(1, value / reach)));
  const beyond = Math.abs(margin) > reach;
  return svg(
    "svg",
    { class: "margin-scale", viewBox: `0 0 ${wide} ${high}`, "aria-hidden": "true" },
    svg("rect", { width: wide / 2, height: high, class: "margin-no" }),
    svg("rect", { x: wide / 2, width: wide / 2, height: high, class: "margin-yes" }),
    svg("path", { d: `M${wide / 2} 0V${high}`, class: "margin-limit" }),
    ...(beyond
      ? [arrow(margin > 0, size)]
      : [
          sigma > 0
            ? svg("path", {
                d: whiskers(at(margin - 2 * sigma), at(margin + 2 * sigma), size),
                class: "margin-bar",
              })
            : null,
          svg("circle", { cx: at(margin), cy: high / 2, r: size.point, class: "margin-point" }),
        ]),
  );
}

/**
 * The bar from two standard uncertainties below to two above. In 95 of 100 cases the true margin
 * lies within it.
 * @param {number} from
 * @param {number} to
 * @param {Scale} rest
 */
const whiskers = (from, to, { high, point }) => {
  const end = `v${2.8 * point}`;
  const top = high / 2 - 1.4 * point;
  return `M${from} ${high / 2}H${to}M${from} ${top}${end}M${to} ${top}${end}`;
};

/**
 * @param {boolean} right
 * @param {Scale} more
 */
function arrow(right, { wide, high }) {
  const [tip, step] = right ? [wide - 3, -1] : [3, 1];
  return svg("path", { d: `M${tip} ${high / 2}l${7 * step} -5v10Z`, class: "margin-point" });
}

/**
 * A tag that says how sure it is, unless it is certain.
 * @param {Measured | undefined} measured
 */
export function sureTag(measured) {
  const unsure = sureness(measured?.probability);
  return unsure ? html("span", { class: "tag tag-unsure" }, unsure) : null;
}
