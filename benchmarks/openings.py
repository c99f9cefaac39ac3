"""Measures what a referee knows before play begins: the survey of the table, the picture of the
set, and the coins on the table with their names.

Usage: python -m benchmarks.openings FOLDER ... [--true-survey] [--keep FOLDER] [--write FILE]

FOLDER is a clip with its truth, or holds clips. For each clip the set is learnt and the table
surveyed as `benchmarks.clips` does it, then the coins are searched for in the first second. If the
survey is refused, or with `--true-survey`, the true table is used to search for the coins. A row
shows: the seconds of CPU time of the survey; after the rigid motion that fits the tiles best, the
errors of the tiles' centres (mean/worst) and of places all over the table as the view shows them,
mm; the tiles' normalised error squared (1 where the stated errors are true); the scale's error and
what is stated for it; the coins found / missing / invented, and the mean of their errors, mm, and
of their normalised errors squared; the names right / asked / wrong, after the questions were
answered by the truth. Below the row, words say what was refused, and which coins were missed
without a warning to the user. The last row is all clips together. `--keep` writes table.yaml,
pieces.yaml and a picture of what was found for each clip.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.arguments import Arguments
from benchmarks.clip_folder import ReadyClip, made_ready
from benchmarks.clips import COINS_IN_PICTURE
from benchmarks.places import course_fit
from benchmarks.survey import orientation_of
from benchmarks.survey_errors import Measured, measured
from benchmarks.true_survey import true_survey
from calibration.pieces.learning import draw, find_pieces, learn
from calibration.store.picture_file import read_picture
from calibration.store.piece_store import PieceSet, write_pieces
from calibration.store.store import read_camera, write_table
from calibration.table.survey import survey_table
from calibration.table.survey_checks import checked
from calibration.table.survey_picture import draw_survey
from calibration.table.surveyed_table import SurveyedTable
from referee.commands.calibration.still_pictures import read_stills
from referee.domain.episode import Rest
from referee.domain.errors import InputError
from referee.domain.pieces import NOBODY, PieceSizes
from referee.session.match_file import WATCHED, read_match
from referee.session.naming.coin_naming import name_coins
from referee.session.seeing.episode_builder import EpisodeBuilder
from referee.vision.sources.video import open_source

OPENING_S = 1.0  # a name that is unsure after so long stays so
SAME_COIN = 0.5  # of a coin's width: what is found farther from a coin is something else


@dataclass(frozen=True)
class Coins:
    """How many coins were found, missed and invented, and how many names were right, asked about
    and wrong. `words` say which. `off_mm` holds the errors of the places of the found coins, and
    `nes` the squares of these errors in units of the stated error.
    """

    found: int = 0
    missing: int = 0
    invented: int = 0
    right: int = 0
    asked: int = 0
    wrong: int = 0
    words: str = ""
    off_mm: tuple[float, ...] = ()
    nes: tuple[float, ...] = ()

    def row(self) -> str:
        """Return the numbers as columns."""
        off, nes = (float(np.mean(of)) if of else 0.0 for of in (self.off_mm, self.nes))
        return (
            f"{self.found:3} {self.missing:3} {self.invented:3} {off:5.2f} {nes:5.2f}"
            f"   {self.right:3} {self.asked:3} {self.wrong:3}"
        )


@dataclass(frozen=True)
class Row:
    """What was found in one clip. `survey` is empty if the survey was refused."""

    name: str
    cpu_s: float
    survey: str
    coins: Coins
    refused: tuple[str, ...]
    off: Measured | None = None

    def lines(self) -> list[str]:
        """Return the row, and what was refused, missed or named wrong."""
        survey = self.survey or "refused"
        row = f"{self.name[:36]:36} {self.cpu_s:5.1f}  {survey:50} {self.coins.row()}"
        details = [*self.refused, *([self.coins.words] if self.coins.words else [])]
        return [row, *(f"    {word}" for word in details)]


HEADING = (
    f"{'clip':36} {'cpu s':>5}  {'tiles mm     nes  places mm    scale %':50} {'coins + - ?':>11}"
    f" {'mm':>5} {'nes':>5}   {'names + ? -':>11}"
)


def learnt(clip: ReadyClip, work: Path) -> PieceSet:
    """Return the set as the picture of its pieces shows it. Raises InputError if that is
    refused.
    """
    names = COINS_IN_PICTURE.split(",")
    picture = read_picture(clip.pieces_picture)
    sizes = PieceSizes(**clip.sizes_mm)
    found = find_pieces(picture, len(names), sizes, "coin_mm" in clip.sizes_mm)
    cv2.imwrite(str(work / "pieces-found.png"), draw(picture, found, names))
    pieces = learn(picture, found, names, clip.pieces_picture.name)
    write_pieces(work / "pieces.yaml", pieces)
    return pieces


def surveyed(clip: ReadyClip, work: Path) -> SurveyedTable:
    """Return the table as surveyed. Raises InputError if the survey is refused."""
    stills = read_stills(clip.video)
    table = checked(
        survey_table(
            stills,
            read_camera(clip.camera),
            clip.game,
            PieceSizes(**clip.sizes_mm),
            orientation_of(clip.options),
        )
    )
    write_table(work / "table.yaml", table)
    cv2.imwrite(str(work / "table.png"), draw_survey(stills[-1], table))
    return table


def survey_words(off: Measured) -> str:
    """Return the errors of a survey as columns."""
    return (
        f"{off.tile_mm.mean():5.2f} {off.tile_mm.max():5.2f} {off.tile_nes.mean():5.2f}"
        f"  {off.place_mm.mean():5.2f} {off.place_mm.max():5.2f}"
        f"  {100 * off.scale:+.2f} ({100 * off.scale_sigma:.2f})"
    )


def coins_at_opening(
    clip: ReadyClip, table: SurveyedTable, pieces: PieceSet | None, work: Path
) -> Coins:
    """Find and name the coins in the clip's first second. Return how they compare with the
    truth.
    """
    builder = EpisodeBuilder(table, table.view.camera.exposure_s or 0.0)
    with open_source(str(clip.video)) as video:
        for frame in video:
            if frame.t_s > OPENING_S:
                break
            builder.take(frame)
    lying = builder.known()
    free = read_match(clip.match).coins
    places = {number: rest.at_mm for number, rest in lying.items()}
    to_truth, _ = course_fit(table, clip.truth)
    found = {number: to_truth(np.array([at]))[0] for number, at in places.items()}
    near_mm = SAME_COIN * table.sizes.coin_mm
    answers = dict[str, str]()
    while asked := name_coins(lying, builder.faces, pieces, free, answers).unsure:
        answers |= answered({number: found[number] for number in asked}, clip.truth, near_mm)
    told = name_coins(lying, builder.faces, pieces, free, answers).names
    names = {number: "?" if number in answers else told.get(number, "nobody") for number in lying}
    still = builder.gathered.still
    if still is not None:
        shown = still.bgr
        for number, at_mm in places.items():
            u, v = table.view.to_image(np.array([[*at_mm, table.sizes.coin_thickness_mm]]))[0]
            cv2.circle(shown, (round(u), round(v)), 14, (255, 0, 255), 1, cv2.LINE_AA)
            cv2.putText(shown, names[number], (round(u) + 14, round(v)), 0, 0.5, (255, 0, 255), 1)
        cv2.imwrite(str(work / "coins.png"), shown)
    off_mm, nes = errors_of(table, lying, found, clip.truth, near_mm)
    coins = replace(compared(found, names, clip.truth, near_mm), off_mm=off_mm, nes=nes)
    silent = coins.missing and len(lying) >= len(free)
    return replace(coins, words=f"{coins.words} (NOT TOLD)") if silent else coins


def answered(
    found_mm: Mapping[str, NDArray[np.float64]], truth: Mapping[str, Any], near_mm: float
) -> dict[str, str]:
    """Return the answer of a person who sees the table, for each found coin: its name, or NOBODY if
    there is no coin.
    """
    true, answers = _resting(truth), dict[str, str]()
    for number, at in found_mm.items():
        gaps = {coin: float(np.hypot(*(at - other))) for coin, other in true.items()}
        coin = min(gaps, key=gaps.__getitem__, default=None)
        answers[number] = coin if coin is not None and gaps[coin] < near_mm else NOBODY
    return answers


def errors_of(
    table: SurveyedTable,
    lying: Mapping[str, Rest],
    found_mm: Mapping[str, NDArray[np.float64]],
    truth: Mapping[str, Any],
    near_mm: float,
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the distance of each found coin from the nearest true coin, mm, and its square in
    units of the stated error. The stated error contains that of the place and that of the survey
    there, along each axis.
    """
    true = _resting(truth)
    off, nes = [], []
    for number, at in found_mm.items():
        gap = min((float(np.hypot(*(at - other))) for other in true.values()), default=np.inf)
        if gap < near_mm:
            rest = lying[number]
            off.append(gap)
            nes.append(gap**2 / 2 / (rest.sigma_mm**2 + table.sigma_mm(rest.at_mm) ** 2))
    return tuple(off), tuple(nes)


def _resting(truth: Mapping[str, Any]) -> dict[str, NDArray[np.float64]]:
    """Return where the coins rest in the first frame of the truth."""
    return {
        coin: np.array(row["mm"])
        for coin, row in truth["frames"][0]["coins"].items()
        if row["state"] == "rest"
    }


def compared(
    found_mm: Mapping[str, Any], names: Mapping[str, str], truth: Mapping[str, Any], near_mm: float
) -> Coins:
    """Compare the places of coins and their names with those in the first frame of the truth."""
    true = _resting(truth)
    coin_at: dict[str, str] = {}
    for coin, at in true.items():
        near = min(found_mm, key=lambda n: float(np.hypot(*(found_mm[n] - at))), default=None)
        if near is not None and np.hypot(*(found_mm[near] - at)) < near_mm:
            coin_at[near] = coin
    wrong = {n: coin for n, coin in coin_at.items() if names[n] not in ("?", coin)}
    invented = [n for n in found_mm if n not in coin_at]
    taken = [n for n in invented if names[n] not in ("?", "nobody")]
    words = [
        *(f"{coin} not found" for coin in true if coin not in coin_at.values()),
        *(f"{coin} named {names[n]}" for n, coin in wrong.items()),
        *(f"{names[n]} where no coin is" for n in taken),
    ]
    asked = sum(name == "?" for name in names.values())
    return Coins(
        len(coin_at),
        len(true) - len(coin_at),
        len(invented),
        sum(names[n] == coin for n, coin in coin_at.items()),
        asked,
        len(wrong) + len(taken),
        "; ".join(words),
    )


def run(folder: Path, work: Path, *, own: bool) -> Row | None:
    """Measure one clip; None if its game cannot be watched. If `own` is True, the table is
    surveyed; otherwise it is taken from the truth.
    """
    work.mkdir(parents=True, exist_ok=True)
    clip = made_ready(folder, work)
    if clip.game not in WATCHED:
        return None
    refused: list[str] = []
    pieces: PieceSet | None = None
    try:
        pieces = learnt(clip, work)
    except InputError as error:
        refused.append(f"set: {error}")
    table = true_survey(clip.truth, read_camera(clip.camera), clip.sizes_mm)
    survey, off, begin = "", None, time.process_time()
    if own:
        try:
            table = surveyed(clip, work)
            off = measured(table, clip.truth)
            survey = survey_words(off)
        except InputError as error:
            refused.append(f"table: {error}")
    cpu_s = time.process_time() - begin
    coins = coins_at_opening(clip, table, pieces, work)
    return Row(folder.name, cpu_s, survey, coins, tuple(refused), off)


def pooled(rows: Sequence[Row]) -> str:
    """Return one line for all clips."""
    coins = [row.coins for row in rows]
    total = Coins(
        *(
            sum(getattr(c, part) for c in coins)
            for part in ("found", "missing", "invented", "right", "asked", "wrong")
        )
    )
    off_mm = tuple(mm for c in coins for mm in c.off_mm)
    total = replace(total, off_mm=off_mm, nes=tuple(nes for c in coins for nes in c.nes))
    known = [row.off for row in rows if row.off is not None]
    survey = f"{len(known)} of {len(rows)} surveyed"
    if known:
        tiles, nes = (
            np.concatenate([getattr(off, part) for off in known])
            for part in ("tile_mm", "tile_nes")
        )
        survey = f"{tiles.mean():5.2f} {tiles.max():5.2f} {nes.mean():5.2f}  {survey}"
    return Row("all", sum(row.cpu_s for row in rows) / len(rows), survey, total, ()).lines()[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the clips that the arguments name. Return the exit status."""
    parser = Arguments("openings", __doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--true-survey", action="store_true", help="take the table from the truth")
    parser.add_argument("--keep", type=Path, help="where to keep what was found")
    parser.add_argument("--write", type=Path, help="also write the table into this file")
    options = parser.parse_args(arguments)
    folders = parser.clips(options.folders)
    rows = list[Row]()
    print(HEADING)
    with tempfile.TemporaryDirectory() as nowhere:
        for folder in folders:
            work = (options.keep or Path(nowhere)) / folder.name
            row = run(folder, work, own=not options.true_survey)
            if row is not None:
                rows.append(row)
                print("\n".join(row.lines()), flush=True)
    print(pooled(rows))
    if options.write is not None:
        lines = [HEADING, *(line for row in rows for line in row.lines()), pooled(rows)]
        options.write.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
