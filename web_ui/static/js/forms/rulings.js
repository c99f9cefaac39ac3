// The rulings made so far. Nothing is ever removed from a record: another ruling takes a ruling
// back.

import { byId, html } from "../dom.js";
import { refill } from "./sending.js";
import { lookButton } from "../look-again.js";
import { missedBox } from "./rule-command.js";
import { beginningBox } from "./setup-correction.js";
import { earlier } from "../stream.js";
import { addition } from "./call-ruling.js";
import { uncalled } from "./other-events.js";
import { challenge, endings } from "./match-endings.js";

/** @import { Call, RulingMade, Topics } from "../../../types/page" */

/** @type {Record<string, string>} */
const VERDICTS = {
  upheld: "upholds",
  overturned: "overturns",
  replaced: "replaces",
  added: "adds an event after",
  before: "puts first",
};

/** @param {Topics} now */
export function drawRulings(now) {
  const { rulings, record, match, standing, evidence, calls } = now;
  const section = byId("rulings");
  section.hidden = !Array.isArray(rulings);
  const missed = section.hidden ? null : missedBox(record, record?.last, { match, standing });
  const view = JSON.stringify([
    rulings ?? [],
    missed?.textContent,
    record?.entries,
    standing?.status,
    Object.keys(evidence ?? {}).length,
  ]);
  if (section.dataset.view === view) return;
  section.dataset.view = view;
  if (!rulings || section.hidden) return section.replaceChildren();
  const open = section.querySelector("details")?.open;
  // a form that people fill in stays when the match goes on
  const adding = section.querySelector(".adding[open]") ?? addition(record?.last);
  const others = uncalled(now, section.querySelector(".uncalled[open]"));
  const list = html(
    "ol",
    { class: "ruling-list" },
    ...rulings.map((ruling) => line(ruling, calls ?? [])).reverse(),
  );
  const made = earlier("rulings") + rulings.length;
  const title = made
    ? `Rulings (${made}), challenges, conceding`
    : "Rulings, challenges, conceding";
  refill(
    section,
    html(
      "details",
      { open },
      html("summary", { class: "side-title" }, title),
      list,
      endings({ standing, record, match }),
      challenge({ standing, record, match }, null),
      others,
      adding,
      section.querySelector(".beginning[open]") ?? beginningBox(),
      missed && html("details", { class: "rule-more" }, html("summary", {}, "Advanced"), missed),
    ),
  );
}

/**
 * @param {RulingMade} of
 * @param {Call[]} calls
 */
function line({ id, on, after, verdict, by, reason, holds }, calls) {
  const about = on ?? after;
  const call = calls.find((one) => one.on === about)?.text;
  const what = `${about}${call ? ` (${call})` : ""}`;
  const text = `${by ?? "Somebody"} ${VERDICTS[verdict] ?? verdict} ${what}`;
  return html(
    "li",
    { class: `ruling ${holds ? "" : "ruling-void"}` },
    html(
      "p",
      {},
      html("span", { class: "ruling-text" }, text),
      reason ? `: ${reason}` : "",
      holds ? "" : html("span", { class: "tag" }, "taken back"),
    ),
    lookButton({ on: id, text }),
  );
}
