"""Random play of every game, as strategies for records (their lines, the setup first)."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.games import test_carroms_promises as carroms
from tests.games import test_castle_croquetnole_promises as castle
from tests.games import test_piecepack_croquet_promises as piecepack
from tests.games import test_promises as tabletop
from tests.games import wickets_play as wickets
from tests.games.promises import Line, Lines

#: Records with rulings.
RECORDS: dict[str, st.SearchStrategy[Lines]] = {
    "tabletop-croquet": tabletop.records(),
    "castle-croquetnole": castle.records(),
    "carroms": carroms.records(),
    "piecepack-croquet": piecepack.records(),
    "wickets": wickets.records(),
}
#: Records without rulings.
UNRULED: dict[str, st.SearchStrategy[Lines]] = {
    "tabletop-croquet": tabletop.records(ruled=False),
    "castle-croquetnole": castle.records(ruled=False),
    "carroms": carroms.records(ruled=False),
    "piecepack-croquet": piecepack.records(ruled=False),
    "wickets": wickets.records(ruled=False),
}
#: Play of the games without flicks that mostly or only contains expected entries, and the calls by
#: which pawns go out.
LEGAL = {
    "piecepack-croquet": piecepack.records(ruled=False, wild=0.0),
    "wickets": UNRULED["wickets"],
}
OUT = ("pegged", "pegged_out", "staked_out", "game_won")
#: What a ruling may add to a flick. It has then happened.
ADDED: dict[str, st.SearchStrategy[Line]] = {
    "tabletop-croquet": (
        st.sampled_from(["moons", "suns"]).map(
            lambda coin: {
                "entry": "incident",
                "kind": "line_crossed",
                "coin": coin,
                "line": "wicket-1",
                "direction": "outward",
            }
        )
    ),
    "castle-croquetnole": (
        castle.moving().map(
            lambda line: {key: value for key, value in line.items() if key != "probability"}
        )
    ),
    "carroms": carroms.COIN.map(
        lambda coin: {"entry": "incident", "kind": "pocketed", "coin": coin, "pocket": "pocket-se"}
    ),
}
