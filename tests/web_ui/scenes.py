"""Moments of a match as a feed would publish them, to test the pages and to look at them."""

from __future__ import annotations

from typing import Any

from referee.domain.layout import Course, template_course
from referee.domain.pieces import COINS

STEPS = (
    [f"wicket-{n}" for n in range(1, 8)]
    + ["right-endpost"]
    + [f"wicket-{n}" for n in (7, 6, 8, 4, 9, 2, 1)]
    + ["left-endpost"]
)

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hanna", "Ida", "Jo")


def match(count: int = 3, names: tuple[str, ...] = NAMES) -> dict[str, Any]:
    players = [
        {"name": name, "coin": coin} for name, coin in zip(names[:count], COINS, strict=False)
    ]
    return {"game": "tabletop-croquet", "players": players, "options": {}}


def table() -> dict[str, Any]:
    course: Course = template_course("tabletop-croquet", 50.8)
    edge = [[-90.0, -420.0], [1330.0, -425.0], [1325.0, 430.0], [-85.0, 425.0]]
    sides = [
        {"begin_mm": a, "end_mm": b, "seen": [0.0, 1.0]}
        for a, b in zip(edge, edge[1:] + edge[:1], strict=True)
    ]
    sides[0]["seen"] = [0.12, 0.9]
    lines = {
        name: {"left_mm": list(line.left_mm), "right_mm": list(line.right_mm)}
        for name, line in course.lines.items()
    }
    return {
        "edge_mm": edge,
        "sides": sides,
        "tiles": course.as_layout()["tiles"],
        "lines": lines,
        "tile_mm": 50.8,
        "coin_mm": 19.05,
    }


def call(on: str, name: str, player: str, coin: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "on": on,
        "call": name,
        "player": player,
        "coin": coin,
        "rule": "Player turns",
        "flicks": 0,
        "text": text,
        **more,
    }


CALLS = [
    call("i1", "turn_began", "Ann", "moons", "Ann's turn."),
    call("i2", "flick_began", "Ann", "moons", "Ann flicks moons."),
    call(
        "i3",
        "wicket_scored",
        "Ann",
        "moons",
        "Ann passes wicket 1 and earns a flick.",
        flicks=1,
        place="wicket-1",
    ),
    call(
        "i4",
        "wicket_scored",
        "Ann",
        "moons",
        "Ann passes wicket 2 and earns a flick.",
        flicks=1,
        place="wicket-2",
    ),
    call("i6", "flick_began", "Ann", "moons", "Ann flicks moons."),
    call(
        "i7",
        "off_table",
        "Ann",
        "moons",
        "Ann's coin leaves the table: her remaining flicks are lost.",
        flicks=-2,
        rule="Fouls",
    ),
    call("i8", "turn_ended", "Ann", "moons", "Ann's turn is over."),
    call("i8", "turn_began", "Ben", "suns", "Ben's turn."),
    call("i9", "flick_began", "Ben", "suns", "Ben flicks suns."),
    call(
        "i10",
        "wicket_scored",
        "Ben",
        "suns",
        "Ben passes wicket 1 and earns a flick.",
        flicks=1,
        place="wicket-1",
        probability=0.97,
    ),
    call(
        "i11",
        "hit_scored",
        "Ben",
        "suns",
        "Ben hits moons and earns two flicks.",
        flicks=2,
        **{"with": "moons"},
    ),
    call("i12", "no_effect", "Ben", "suns", "Ben passes wicket 3, but wicket 2 is next."),
]


def row(player: dict[str, str], progress: int, **more: Any) -> dict[str, Any]:
    state = "finished" if progress == 16 else "playing"
    return {
        "player": player["name"],
        "coin": player["coin"],
        "progress": progress,
        "next": [*STEPS, None][progress],
        "state": state,
        "dead_on": [],
        **more,
    }


def standing(
    playing: dict[str, Any], progress: list[int], turn: int = 1, flicks: int = 3, **more: Any
) -> dict[str, Any]:
    rows = [row(player, done) for player, done in zip(playing["players"], progress, strict=True)]
    active = rows[turn]
    active["dead_on"] = ["moons"] if turn else ["suns"]
    return {
        "game": "tabletop-croquet",
        "status": "in_progress",
        "winner": None,
        "standings": rows,
        "questions": [],
        "turn": {"player": active["player"], "coin": active["coin"], "flicks_left": flicks},
        **more,
    }


def coins(count: int, t_s: float = 12.4, **states: str) -> dict[str, Any]:
    places = [
        (420, 35),
        (401, 30),
        (760, -180),
        (1040, 120),
        (560, 160),
        (650, -60),
        (905, 30),
        (1110, -40),
        (260, -120),
        (300, 210),
    ]
    lying = {
        coin: {"at_mm": list(place), "state": states.get(coin, "rest")}
        for coin, place in list(zip(COINS, places, strict=True))[:count]
    }
    return {"t_s": t_s, "coins": lying, "hand": False}


def path() -> dict[str, Any]:
    def along(a: tuple[float, float], b: tuple[float, float], count: int) -> list[list[float]]:
        eased = [1 - (1 - i / count) ** 2 for i in range(count + 1)]
        return [[a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s] for s in eased]

    return {
        "flick": 3,
        "coins": {
            "suns": along((70, -10), (398, 30), 30) + along((398, 30), (401, 30), 3),
            "moons": along((412, 33), (420, 35), 8),
        },
    }


def doing(
    phase: str = "watching",
    text: str = "Watching",
    share: float | None = 0.42,
    t_s: float | None = 12.4,
) -> dict[str, Any]:
    return {"phase": phase, "text": text, "t_s": t_s, "share": share, "source": "kitchen-table.mp4"}


def naming(*shares: float) -> dict[str, Any]:
    """Return a question about three coins. `shares` are the probabilities of their most likely
    names; the second name has the rest.
    """
    places = [[401, 30], [760, -180], [1040, 120]]
    names = ["suns", "arms", "ace"]
    asked = []
    for i, (at, share) in enumerate(zip(places, shares or (0.71, 0.66, 0.55), strict=True)):
        mine = names[i:] + names[:i]
        odds = [share, 1 - share, 0.0]
        asked.append(
            {
                "id": str(i + 1),
                "at_mm": at,
                "in_picture": None,
                "guess": mine[0],
                "probability": share,
                "candidates": mine,
                "odds": odds,
                "face": None,
            }
        )
    return {"coins": asked, "others": [], "picture_px": None}


EXCHANGED = {
    "on": "i16",
    "what": "too_close",
    "rule": "Definitions",
    "answers": ["upheld", "overturned"],
    "text": "Did the camera confuse suns and arms? The probability is 0.93.",
}

MISSING: dict[str, Any] = {
    "text": "1 of 3 coins seen: suns and ace are not",
    "coins": ["suns", "ace"],
    "lying": {"arms": [401, 30]},
    "picture": False,
}

CASTLE: dict[str, Any] = {
    "castles": [
        {"side": side, "words": words, "in_picture": {"at_px": at_px, "radius_px": 30}}
        for side, words, at_px in (
            ("near", "near the camera", [640, 600]),
            ("left", "on the camera's left", [300, 330]),
            ("far", "away from the camera", [640, 130]),
            ("right", "on the camera's right", [980, 330]),
        )
    ],
    "picture_px": [1280, 720],
}

LONG_NAMES = (
    "Maximiliane von Hohenstein-Waldburg",
    "Bartholomäus Quintessenz der Jüngere",
    "Åse",
    "Konstantin Ōe",
    "X",
)

TOO_CLOSE = {
    "on": "i14",
    "what": "too_close",
    "coin": "suns",
    "rule": "Definitions",
    "answers": ["upheld", "overturned"],
    "text": "Too close to call: Ben passes wicket 2, probability 0.62. Did it happen?",
}

WHICH_FIRST = {
    "on": "i14",
    "other": "i15",
    "what": "order",
    "rule": "Definitions",
    "answers": ["before"],
    "text": (
        "Nobody can tell what came first: Ben passes wicket 2, or Ben touches the left endpost?"
    ),
}

UNSEEN = {
    "on": "u1",
    "what": "unseen",
    "coin": "arms",
    "rule": "Definitions",
    "answers": ["upheld", "overturned"],
    "text": (
        "Cleo's coin could not be seen for a while. Did anything happen to it? If so, add what"
        " happened."
    ),
}

#: What the calls rest on. Between i8 and i9 a hand hid a coin; i14 is asked about.
EVIDENCE: dict[str, dict[str, Any]] = {
    "i2": {
        "kind": "flicked",
        "coin": "moons",
        "t_s": 3.1,
        "flick": 1,
        "clip": "clips/flick-0001.mkv",
        "clip_from_s": 2.4,
    },
    "i3": {
        "kind": "line_crossed",
        "coin": "moons",
        "line": "wicket-1",
        "t_s": 3.4,
        "flick": 1,
        "margin_mm": 24.1,
        "sigma_mm": 0.4,
    },
    "i7": {
        "kind": "left_table",
        "coin": "moons",
        "t_s": 6.2,
        "flick": 2,
        "at_mm": [1330.0, 20.0],
        "margin_mm": 11.0,
        "sigma_mm": 1.2,
    },
    "u1": {"kind": "unseen", "pieces": ["arms"], "t_s": 8.0, "from_s": 8.0, "to_s": 9.4},
    "i9": {
        "kind": "flicked",
        "coin": "suns",
        "t_s": 10.0,
        "flick": 3,
        "clip": "clips/flick-0003.mkv",
        "clip_from_s": 9.3,
    },
    "i10": {
        "kind": "line_crossed",
        "coin": "suns",
        "line": "wicket-1",
        "t_s": 10.1,
        "flick": 3,
        "margin_mm": 1.5,
        "sigma_mm": 0.8,
        "probability": 0.97,
        "clip": "clips/flick-0003.mkv",
        "clip_from_s": 9.3,
    },
    "i11": {
        "kind": "contact",
        "coin": "suns",
        "with": "moons",
        "t_s": 10.4,
        "flick": 3,
        "margin_mm": 6.2,
        "sigma_mm": 0.5,
        "clip": "clips/flick-0003.mkv",
    },
    "i14": {
        "kind": "line_crossed",
        "coin": "suns",
        "line": "wicket-2",
        "t_s": 10.5,
        "flick": 3,
        "margin_mm": 0.4,
        "sigma_mm": 0.8,
        "probability": 0.62,
    },
    "i15": {
        "kind": "contact",
        "coin": "suns",
        "with": "left-endpost",
        "t_s": 10.5,
        "flick": 3,
        "margin_mm": 2.4,
        "sigma_mm": 0.8,
    },
}

IRREGULAR = {
    "on": "i12",
    "what": "not_restored",
    "rule": "Fouls",
    "text": "A tile of wicket 4 was pushed 6 mm and not put back before the flick.",
}


MOMENTS = (
    "setting_up",
    "castle",
    "naming",
    "missing",
    "watching",
    "moving",
    "question",
    "order",
    "unseen",
    "renamed",
    "many",
    "long",
    "finished",
    "failed",
)


def watched() -> dict[str, Any]:
    """Return the topics of an ordinary moment."""
    few = match()
    return {
        "evidence": EVIDENCE,
        "match": few,
        "doing": doing(),
        "table": table(),
        "coins": coins(3),
        "path": path(),
        "standing": standing(few, [2, 1, 0]),
        "calls": CALLS,
        "irregularities": [],
    }


NOTHING = dict.fromkeys(("table", "coins", "path", "standing", "evidence", "calls"))


def before_play(asked: str) -> dict[str, Any]:
    """Return the topics while something is asked before play begins."""
    return {**NOTHING, "table": table(), "doing": doing("naming", asked, None, None)}


def scene(name: str) -> dict[str, Any]:
    """Return the topics of one of the `MOMENTS`."""
    few = match()
    many = match(10)
    long = match(5, LONG_NAMES)
    moving = coins(3, suns="sliding")
    moving["hand"] = True
    passing = call(
        "p1",
        "wicket_scored",
        "Ben",
        "suns",
        "Ben passes wicket 2 and earns a flick.",
        flicks=1,
        probability=0.998,
    )
    broken = (
        "kitchen-table.mp4: the video ends in the middle of a frame after 12.4 s; what was recorded"
        " until then is kept."
    )
    changes: dict[str, dict[str, Any]] = {
        "watching": {},
        "setting_up": {
            **NOTHING,
            "doing": doing("setting_up", "Looking for the tiles of the course", 0.35, None),
        },
        "moving": {"coins": moving, "provisional": [passing]},
        "naming": {**before_play("Which coin is which?"), "coins": coins(1), "naming": naming()},
        "castle": {**before_play("Which castle is Moons'?"), "table": None, "castle": CASTLE},
        "missing": {**before_play(MISSING["text"]), "missing": MISSING},
        "question": {
            "standing": standing(few, [2, 1, 0], status="question", questions=[TOO_CLOSE]),
            "irregularities": [IRREGULAR],
        },
        "order": {"standing": standing(few, [2, 1, 0], status="question", questions=[WHICH_FIRST])},
        "unseen": {
            "standing": standing(few, [2, 1, 0], status="question", questions=[UNSEEN]),
            "coins": coins(3, arms="hidden"),
        },
        "renamed": {
            "standing": standing(few, [2, 1, 0], status="question", questions=[EXCHANGED]),
            "evidence": {**EVIDENCE, "i16": {"kind": "renamed", "probability": 0.93}},
        },
        "finished": {
            "doing": doing("finished", "Done", 1.0),
            "standing": standing(few, [12, 16, 7], status="won", winner="Ben", flicks=0),
        },
        "many": {
            "match": many,
            "coins": coins(10, crowns="hidden", ace="in_hand"),
            "standing": standing(many, [2, 5, 0, 9, 16, 7, 3, 15, 1, 12]),
        },
        "long": {
            "match": long,
            "coins": coins(5),
            "standing": standing(long, [2, 5, 0, 9, 7], turn=0),
        },
        "failed": {**NOTHING, "doing": doing("failed", broken, None)},
    }
    chosen = {**watched(), **changes[name]}
    return {topic: value for topic, value in chosen.items() if value is not None}


def publish(feed: Any, name: str) -> None:
    """Publish a scene into a feed."""
    for topic, value in scene(name).items():
        feed.publish(topic, value)
