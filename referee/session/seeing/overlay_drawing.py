"""Makes the marks that `--overlay` draws over the frames to show what was seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.domain.frame_observation import FrameObservation, Presence
from referee.domain.geometry import Point
from referee.domain.incident import (
    Contact,
    Flicked,
    Incident,
    LeftTable,
    LineCrossed,
    Placed,
    Pocketed,
    TileDisplaced,
    TileRestored,
    Unseen,
)
from referee.reports.wording.fields import place_in_words
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.tracking.identity.tracked_coin import State, TrackedCoin
from referee.vision.overlay.overlay_marks import coin_marks, course_strokes, path_strokes
from referee.vision.overlay.video_overlay import Marks

# Chosen: nothing was measured for these, except where a comment says so.

SHOWN_S: Final = 2.0  # the line about an incident stays for so long


class OverlayDrawing:
    """Makes the marks for the frames of one run. Call `marks` for every frame, in order."""

    def __init__(self) -> None:
        self._recorded: list[tuple[float, str]] = []

    def marks(self, builder: EpisodeBuilder, recorded: Sequence[Incident] = ()) -> Marks:
        """Return the course, every coin (dashed where this frame does not show it), the paths of
        those that moved, and lines of text.

        `recorded` are the incidents recorded with this frame. They are shown for `SHOWN_S`, and so
        are provisional ones.
        """
        view, sizes = builder.view_now, builder.table.sizes
        followed = builder.tracker.coins.values()
        coins = {
            coin.coin: place
            for coin in followed
            if (place := _place(coin, builder.observation)) is not None
        }
        strokes, labels = coin_marks(view, sizes, coins)
        ways = path_strokes(view, [way for coin in followed if len(way := _way(coin)) > 1])
        return Marks(
            (*course_strokes(view, builder.course, sizes, builder.table.edge_mm), *strokes, *ways),
            labels,
            self._words(builder, recorded),
        )

    def _words(self, builder: EpisodeBuilder, recorded: Sequence[Incident]) -> tuple[str, ...]:
        """Return the frame's number and time, and below them what has just happened: recorded
        incidents, or provisional ones while coins still move.
        """
        observation = builder.observation
        if observation is None:
            return ()
        now_s = observation.t_s
        self._recorded += [
            (now_s, "recorded: " + words) for i in recorded if (words := words_of(i))
        ]
        self._recorded = [
            (since_s, words) for since_s, words in self._recorded if now_s - since_s < SHOWN_S
        ]
        moves = any(coin.sightings for coin in builder.tracker.coins.values())
        lately = (
            [i for i in builder.provisional() if now_s - (i.t_s or 0.0) < SHOWN_S] if moves else []
        )
        first = f"frame {observation.frame}  {now_s:.3f} s" + ("  hand" if observation.hand else "")
        return (
            first,
            *(words for _, words in self._recorded),
            *("so far: " + words for i in lately if (words := words_of(i))),
        )


def _place(
    coin: TrackedCoin, observation: FrameObservation | None
) -> tuple[Point, float | None] | None:
    """Return where a coin is believed to be, with its sigma, which is None if this frame does not
    show the coin. Return None for a coin off the table.
    """
    last = coin.sightings[-1] if coin.sightings and coin.state is not State.REST else coin.rest
    if coin.state is State.OFF_TABLE or last is None:
        return None
    return last.at_mm, last.sigma_mm if observation is None or _is_seen(coin, observation) else None


def _is_seen(coin: TrackedCoin, observation: FrameObservation) -> bool:
    """Return whether a frame shows the coin. If nothing has changed at its place, the coin is as
    visible as before.
    """
    if coin.state is State.SLIDING and coin.sightings:
        return coin.sightings[-1].frame == observation.frame or coin.coin in observation.quiet
    return (
        coin.state is State.REST
        and observation.presence.get(coin.coin, Presence.THERE) is Presence.THERE
    )


def _way(coin: TrackedCoin) -> list[Point]:
    """Return the path of a coin that moved, beginning where it lay."""
    if not coin.sightings:
        return []
    return [
        *([coin.before.at_mm] if coin.before is not None else []),
        *(sighting.at_mm for sighting in coin.sightings),
    ]


def words_of(incident: Incident) -> str:
    """Describe an incident and its measurement in one line. The line is empty for a coin that does
    not belong to the match, and for an `at_rest`.

    >>> words_of(LineCrossed(
    ...     coin="arms", line="wicket-7", direction="outward",
    ...     margin_mm=42.92, sigma_mm=0.413, probability=0.99))
    'arms crosses wicket 7 outward, margin 42.92 +/-0.41 mm, probability 0.99'
    >>> words_of(Flicked(coin="?3")), words_of(Contact(coin="moons", with_="right-endpost"))
    ('', 'moons touches right endpost')
    """
    happened = _happened(incident)
    if not happened or any(
        getattr(incident, piece, "").startswith("?") for piece in ("coin", "with_")
    ):
        return ""
    sigma = "" if incident.sigma_mm is None else f" +/-{incident.sigma_mm:.2f}"
    margin = "" if incident.margin_mm is None else f", margin {incident.margin_mm:.2f}{sigma} mm"
    return (
        happened
        + margin
        + ("" if incident.probability is None else f", probability {incident.probability:.3g}")
    )


def _happened(incident: Incident) -> str:
    match incident:
        case Flicked():
            return f"{incident.coin} is flicked" + (
                f", touching {', '.join(incident.touching)}" if incident.touching else ""
            )
        case LineCrossed():
            return f"{incident.coin} crosses {_called(incident.line)} {incident.direction}"
        case Contact():
            return f"{incident.coin} touches {_called(incident.with_)}"
        case Pocketed():
            return f"{incident.coin} goes into {_called(incident.pocket)}"
        case LeftTable():
            return f"{incident.coin} leaves the table"
        case Placed():
            return (
                f"{incident.coin} is lifted off"
                if incident.at_mm is None
                else f"{incident.coin} is put down by a hand"
            )
        case TileDisplaced():
            return (
                f"{_called(incident.tile)} is displaced by a {incident.by}, {incident.moved_mm:.1f}"
                f" mm and {incident.turned_deg:.1f} degrees"
            )
        case TileRestored():
            return f"{_called(incident.tile)} is put back"
        case Unseen():
            return (
                f"{', '.join(incident.pieces)} not seen from {incident.from_s:.2f} to"
                f" {incident.to_s:.2f} s"
            )
        case _:
            return ""


def _called(name: str) -> str:
    """Return the players' name of a place, a tile or a coin."""
    return place_in_words(name).replace("-", " ")
