"""How fast a record is folded: a whole match, and one more entry with the new standing, with few rulings and with many.

    python -m benchmarks.fold

The matches are Tabletop Croquet of four, made up without chance: flicks that pass wickets, hit another coin, push it off and miss, measured
as a camera measures them. Times are CPU time, so that other work on the machine counts little; whole matches the best of five.
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator
from statistics import median

from msgspec.structs import replace

from referee.adjudication import summary
from referee.declaration import AfterHit
from referee.entry import Entry, Player, Ruling, Setup
from referee.fold import Fold, extend, fold
from referee.games.tabletop_croquet.state import STEPS
from referee.incident import AtRest, Contact, Flicked, Incident, LeftTable, LineCrossed, Placed
from referee.record import lines_of, parse_record

COINS = ("moons", "suns", "arms", "crowns")
BARS_S = {"fold": 0.25, "append": 0.002}
APPENDED = 300


def setup() -> Setup:
    """Four players with coins on the table; they hardly ever score."""
    players = tuple(Player(name=name, coin=coin, progress=0) for name, coin in zip(("Ann", "Ben", "Cyd", "Dee"), COINS, strict=True))
    return Setup(format="piecepack-match/1", game="tabletop-croquet", players=players, options={})


def play() -> Iterator[Incident | AfterHit]:
    """Entries without end: each player in turn hits another coin, goes on from there, pushes a coin off, misses; now and then a wicket is passed."""
    turn = 0
    made = dict.fromkeys(COINS, 0)
    while True:
        own, other = COINS[turn % 4], COINS[(turn + 1) % 4]
        yield Flicked(coin=own)
        yield Contact(coin=own, with_=other, probability=0.999, margin_mm=3.0, sigma_mm=0.3)
        yield rest(turn)
        yield AfterHit(option=1, coin=other)
        yield Flicked(coin=own)
        yield LeftTable(coin=other, at_mm=(600.0, 400.0), probability=0.999, margin_mm=9.0, sigma_mm=0.5)
        yield rest(turn, without=other)
        yield Placed(coin=other, at_mm=(600.0, 376.0))
        yield Flicked(coin=own)
        if turn % 40 == made[own] % 4 and made[own] < 7:
            yield LineCrossed(coin=own, line=STEPS[made[own]].place, direction="outward")
            made[own] += 1
            yield rest(turn)
            yield Flicked(coin=own)
        else:
            yield LineCrossed(coin=own, line="wicket-9", direction="outward", probability=0.9999, margin_mm=5.0, sigma_mm=0.4)
        yield rest(turn)
        turn += 1


def rest(turn: int, without: str | None = None) -> AtRest:
    """Where the coins lie, a little elsewhere each time."""
    return AtRest(coins={coin: (100.0 * i + turn % 7, 50.0 + turn % 11) for i, coin in enumerate(COINS) if coin != without})


def match(size: int, *, rulings: bool) -> tuple[Entry, ...]:
    """A record of `size` entries with times and frames; with `rulings` every fifth entry is one on what was just seen."""
    entries: list[Entry] = [setup()]
    playing, contact = play(), ""
    while len(entries) < size:
        number = len(entries)
        entry = next(playing)
        if isinstance(entry, Contact | LineCrossed):
            contact = f"i{number}"
        entries.append(timed(entry, number))
        if rulings and isinstance(entry, AtRest) and contact:
            entries += ruled(contact, number)
            contact = ""
    return parse_record(b"".join(lines_of(entries)), "benchmark")


def ruled(on: str, number: int) -> list[Ruling]:
    """What people rule about an incident of the flick that has just ended; a wrong ruling is overturned at once."""
    last = Ruling(id=f"r{number}", on=on, verdict="upheld", by="Ann", then="keep" if number % 5 == 0 else None)
    match number % 4:
        case 0:
            return [last]
        case 1:
            wrong = Ruling(id=f"w{number}", on=on, verdict="overturned", by="Ann", then="rewind")
            return [wrong, Ruling(id=f"v{number}", on=f"w{number}", verdict="overturned", by="Ben")]
        case 2:
            missed = Contact(id=f"m{number}", coin="moons", with_="wicket-1-left")
            return [Ruling(id=f"r{number}", after=on, verdict="added", replacement=missed, by="Ann")]
        case _:
            missed = Contact(id=f"m{number}", coin="moons", with_="wicket-1-left")
            added = Ruling(id=f"r{number}", after=on, verdict="added", replacement=missed)
            return [added, Ruling(id=f"b{number}", on=on, other=f"m{number}", verdict="before")]


def timed(entry: Incident | AfterHit, number: int) -> Incident | AfterHit:
    """The entry with an id, a time and, where it is a sight, its frames."""
    frames = {} if isinstance(entry, AfterHit) else {"frames": (number * 10, number * 10 + 1)}
    return replace(entry, id=f"i{number}", t_s=number / 6, **frames)


def fold_s(entries: tuple[Entry, ...]) -> float:
    """The seconds it takes to fold a record, standing included."""
    best = float("inf")
    for _ in range(5):
        begin = time.process_time()
        summary(fold(entries)).as_json()
        best = min(best, time.process_time() - begin)
    return best


def append_s(entries: tuple[Entry, ...], *, keep_shorter: bool) -> list[float]:
    """The seconds of each of the last entries of a record: taken, and the new standing known. `keep_shorter`: the fold before stays usable."""
    folded: Fold = fold(entries[:-APPENDED])
    summary(folded)
    took = []
    for entry in entries[-APPENDED:]:
        begin = time.process_time()
        if keep_shorter:
            folded = extend(folded, entry)
        else:
            folded.push(entry)
        summary(folded)
        took.append(time.process_time() - begin)
    return took


def main() -> int:
    """Print the table; status 1 when a bar is missed."""
    print(f"{time.strftime('%Y-%m-%d')} on {platform.system()} {platform.machine()}, Python {platform.python_version()}, load average {os.getloadavg()[0]:.1f}")
    print(f"{'what':<54}{'median ms':>10}{'worst ms':>10}{'bar ms':>8}")
    missed = False
    for rulings in (False, True):
        with_ = "many rulings" if rulings else "no rulings"
        whole = fold_s(match(10_000, rulings=rulings))
        missed |= line(f"fold 10,000 entries, {with_}", [whole], BARS_S["fold"])
        for keep in (False, True):
            how = "the shorter fold kept" if keep else "in place"
            missed |= line(f"append to 5,000, {with_}, {how}", append_s(match(5_000 + APPENDED, rulings=rulings), keep_shorter=keep), BARS_S["append"])
    return int(missed)


def line(what: str, took: list[float], bar_s: float) -> bool:
    """One line of the table; whether the median misses the bar."""
    print(f"{what:<54}{median(took) * 1e3:>10.2f}{max(took) * 1e3:>10.2f}{bar_s * 1e3:>8.0f}")
    return median(took) > bar_s


if __name__ == "__main__":
    sys.exit(main())
