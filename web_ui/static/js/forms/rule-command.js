// The command for corrections of the record that no button of the page makes, with an example of
// an entry.

import { html } from "../dom.js";
import { gameCalled } from "../games/games.js";
import { knownName } from "./who-decides.js";

/** @import { AnyStanding, MatchTopic, RecordTopic, Topics } from "../../../types/page" */

const PLAY = { entry: "incident" };
const SAID = { entry: "declaration" };

/**
 * The command that puts the entry in a file after `on` (`--add`) or in its place (`--replace`). It
 * works in any shell as it is written.
 * @param {RecordTopic | null | undefined} record
 * @param {string} on
 * @param {string} what
 * @param {string} file
 */
export function ruleCommand(record, on, what, file = "missed.json") {
  const words = [
    record?.program ?? "referee",
    "rule",
    record?.typed ?? "RECORD",
    quoted(on),
    what,
    file,
    "--by",
    quoted(knownName() || "NAME"),
    "--reason",
    '"WHY"',
  ];
  return html("code", { class: "command" }, words.join(" "));
}

/**
 * The word, quoted if a shell would change it. A shell would read `#7` as a comment.
 * @param {string} word
 */
const quoted = (word) =>
  /^[\w.:~+-]+$/.test(word) ? word : `"${word.replace(/[\\"$`]/g, "\\$&")}"`;

/**
 * How to add a missing entry after `on` and (with `instead`) how to replace it; null where the
 * record is not known.
 * @param {RecordTopic | null | undefined} record
 * @param {string | undefined} on
 * @param {Pick<Topics, "match" | "standing">} rest
 * @param {boolean} instead
 */
export function missedBox(record, on, { match, standing }, instead = false) {
  if (!record?.typed || !on) return null;
  return html(
    "div",
    { class: "missed" },
    html(
      "p",
      {},
      `You can add any entry after ${on}. Write it into a file, missed.json, for example:`,
    ),
    html(
      "ul",
      { class: "missed-list" },
      ...examples(match, standing).map((entry) =>
        html("li", {}, html("code", { class: "command" }, JSON.stringify(entry))),
      ),
    ),
    html("p", {}, "This page shows the result as soon as you have run this in a terminal:"),
    ruleCommand(record, on, "--add"),
    ...(instead
      ? []
      : [
          html(
            "p",
            {},
            "To correct names, order or options, copy the record's first line into setup.json, " +
              "change it there, and run:",
          ),
          ruleCommand(record, "setup", "--replace", "setup.json"),
        ]),
    ...(instead
      ? [
          html("p", {}, `To replace ${on} by what happened, run:`),
          ruleCommand(record, on, "--replace"),
        ]
      : []),
  );
}

/**
 * Examples of entries, with names from the match.
 * @param {MatchTopic | null | undefined} match
 * @param {AnyStanding | null | undefined} standing
 */
function examples(match, standing) {
  const player = standing?.turn?.player ?? match?.players?.[0]?.name;
  const end = { ...SAID, kind: "concede", player };
  const pieces = match?.players?.map(({ coin, pawn }) => coin ?? pawn) ?? [];
  if (match?.players?.[0]?.pawn || match?.players?.[0]?.pawns)
    return [
      { ...PLAY, kind: "moved", pawn: standing?.turn?.pawn ?? pieces[0], from: [2, 3], to: [4, 3] },
      end,
    ];
  const game = gameCalled(match?.game);
  const [coin, other] = game?.coins ?? [
    standing?.turn?.coin ?? pieces[0],
    pieces.find((one) => one !== standing?.turn?.coin),
  ];
  const action = game?.afterHit ? [{ ...SAID, ...game.afterHit(other ?? "") }] : [];
  return [
    { ...PLAY, kind: "placed", coin, at_mm: [120, 40] },
    { ...PLAY, kind: "contact", coin, with: other },
    ...action,
    end,
  ];
}
