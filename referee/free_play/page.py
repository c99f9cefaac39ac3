"""Makes the page of free play, which shows each flick's picture, incidents and figures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Final

from referee.domain.incident import Contact, Flicked, Incident, LineCrossed, Placed, Unseen
from referee.free_play.flick_report import UNKNOWN, FlickReport
from referee.free_play.play import FreePlay
from referee.vision.sources.address import without_password

NEARLY_SURE: Final = 0.995  # By definition: what rounds to 100 %
STYLE: Final = """
:root { color-scheme: light dark; font: 17px/1.5 system-ui, sans-serif }
body { max-width: 70rem; margin: 0 auto; padding: 1rem }
section { margin: 2rem 0; display: grid; gap: 1rem; grid-template-columns: 3fr 2fr }
section h2 { grid-column: 1 / -1; margin: 0 }
img { width: auto; max-width: 100%; max-height: 90vh; border-radius: .5rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: right; padding: .2rem .5rem; border-bottom: 1px solid #8886 }
th:first-child, td:first-child { text-align: left }
ul { padding-left: 1.2rem }
@media (max-width: 50rem) {
  section { grid-template-columns: minmax(0, 1fr) }
  h1 { font-size: 1.5rem; overflow-wrap: anywhere }
  th, td { font-size: .78rem; padding: .2rem }
}
"""


def page(play: FreePlay, reports: Sequence[FlickReport], others: Sequence[Incident] = ()) -> str:
    """Return the page as HTML. `others` are the incidents that belong to no flick."""
    title = escape(f"Flicks in {name_of(play.source)}")
    notes = "".join(f"<p>{escape(note)}</p>" for note in play.notes())
    notes += f"<p>{escape(_discs(play))}</p>"
    flicks = "".join(_flick(play, report) for report in reports) or "<p>Nothing was flicked.</p>"
    beside = _items(line for i in others if (line := _line(i)) is not None)
    beside = beside and f"<section><h2>Between flicks</h2><ul>{beside}</ul></section>"
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style>"
        f"<h1>{title}</h1>{notes}{flicks}{beside}</html>\n"
    )


def _discs(play: FreePlay) -> str:
    """Return a sentence with the widths of the discs; empty if none are known."""
    unit, px = ("mm", 1.0) if play.disc_mm else ("px", play.px_per_mm((0.0, 0.0)))
    widths = (f"{coin} {width * px:.1f} {unit}" for coin, width in play.widths_mm.items())
    return f"Widths of the discs: {', '.join(widths)}." if play.widths_mm else ""


def _flick(play: FreePlay, report: FlickReport) -> str:
    unit = "mm" if play.disc_mm else "px"
    scale = _scale(play, report)
    rows = "".join(
        f"<tr><td>{escape(one.coin)}</td><td>{_number(one.length_mm, scale)}</td>"
        f"<td>{_number(one.top_speed_mm_s, scale)}</td><td>{_number(one.slowing_mm_s2, scale)}</td>"
        f"<td>{'' if one.deflection_deg is None else f'{one.deflection_deg:.0f}°'}</td></tr>"
        for one in report.figures
    )
    happened = [line for i in report.incidents if (line := _line(i)) is not None]
    happened += [
        f"{near.coin} missed {near.other} by {near.gap_mm * scale:.1f} ± "
        f"{near.sigma_mm * scale:.1f} {unit}"
        for near in report.near_misses
    ]
    name = f"flick-{report.number:03d}.png"
    return (
        f"<section><h2>Flick {report.number}: {escape(report.coin)}{_sure_of_flick(report)}</h2>"
        f'<a href="{name}"><img src="{name}" alt="The paths of flick {report.number}"></a>'
        f"<div><table><tr><th>Disc</th><th>Way, {unit}</th><th>Top speed, {unit}/s</th>"
        f"<th>Deceleration, {unit}/s²</th><th>Deflection</th></tr>{rows}</table>"
        f"<ul>{_items(happened)}</ul></div></section>"
    )


def _items(lines: Iterable[str]) -> str:
    return "".join(f"<li>{escape(line)}</li>" for line in lines)


def _scale(play: FreePlay, report: FlickReport) -> float:
    """Return by what to multiply a length on the table to get the unit that the page shows."""
    if play.disc_mm or not report.points:
        return 1.0
    return play.px_per_mm(next(iter(report.points.values()))[0].at_mm)


def _number(value: float | None, scale: float) -> str:
    return "" if value is None else f"{value * scale:.0f}"


def _line(incident: Incident) -> str | None:
    """Return what happened in words, with its probability if it is not certain; None for an
    incident that the page does not list.
    """
    sure = _sure(incident)
    if isinstance(incident, LineCrossed):
        return f"{incident.coin} crossed {incident.line}{sure}"
    if isinstance(incident, Contact):
        return f"{incident.coin} hit {incident.with_}{sure}"
    if isinstance(incident, Placed):
        return f"A hand put {incident.coin} elsewhere{sure}"
    if isinstance(incident, Unseen):
        span = f"from {incident.from_s:.1f} to {incident.to_s:.1f} s"
        if UNKNOWN in incident.pieces:
            return f"Something that is none of the discs moved {span}; nobody saw what it hit"
        return f"Nobody saw what {' and '.join(incident.pieces)} did {span}"
    return None


def _sure(incident: Incident) -> str:
    """Return the probability of an incident in words; empty if it is certain."""
    chance = incident.probability
    return "" if chance is None or chance > NEARLY_SURE else f" ({chance:.0%} sure)"


def _sure_of_flick(report: FlickReport) -> str:
    flicks = (i for i in report.incidents if isinstance(i, Flicked) and i.coin == report.coin)
    return next((_sure(flick) for flick in flicks), "")


def name_of(source: str) -> str:
    """Return the name of a source for the page: a file without its folder, the number of a camera,
    or the address of a stream without its password.
    """
    if source.isdecimal():
        return f"camera {source}"
    return without_password(source) if "://" in source else Path(source).name
