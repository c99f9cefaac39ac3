"""Computes the short sounds that mark calls, a few notes each, and writes them into `static/sounds`
(`python -m web_ui.sounds`).
"""

from __future__ import annotations

import math
import struct
import wave
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parent / "static" / "sounds"
#: Samples a second: enough for notes up to 2 kHz with their overtones.
RATE_HZ: Final = 22050
#: How soon a note has lost two thirds of its loudness, as a struck bar does. Chosen by ear.
DECAY_S: Final = 0.11
#: How long a note swells, so that it does not click.
ATTACK_S: Final = 0.004
#: Loudness of an overtone of twice the frequency beside its note.
OVERTONE: Final = 0.35
#: Loudness of a note; several at once stay below 1.
LOUDNESS: Final = 0.4


class Note(NamedTuple):
    """A note that begins at `from_s`."""

    from_s: float
    pitch_hz: float


#: What is heard when: up for a step, one knock for a hit, two times the same for a question, down
#: for a foul, and a chord for the end.
SOUNDS: Final = {
    "step": (Note(0, 659.3), Note(0.09, 987.8)),
    "hit": (Note(0, 392.0),),
    "question": (Note(0, 784.0), Note(0.22, 784.0)),
    "foul": (Note(0, 329.6), Note(0.14, 220.0)),
    "win": (Note(0, 523.3), Note(0.12, 659.3), Note(0.24, 784.0), Note(0.36, 1046.5)),
}


def sound(notes: tuple[Note, ...]) -> bytes:
    """Return notes as signed samples of 16 bits."""
    length = round((notes[-1].from_s + 5 * DECAY_S) * RATE_HZ)
    samples = (sum(_heard(note, i / RATE_HZ) for note in notes) for i in range(length))
    return b"".join(struct.pack("<h", round(32767 * max(-1, min(1, one)))) for one in samples)


def _heard(note: Note, at_s: float) -> float:
    since_s = at_s - note.from_s
    if since_s < 0:
        return 0
    turn = 2 * math.pi * note.pitch_hz * since_s
    swell = min(1, since_s / ATTACK_S) * math.exp(-since_s / DECAY_S)
    return LOUDNESS * swell * (math.sin(turn) + OVERTONE * math.sin(2 * turn)) / (1 + OVERTONE)


def main() -> None:
    """Write all sounds into their folder."""
    for name, notes in SOUNDS.items():
        with wave.open(str(FOLDER / f"{name}.wav"), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE_HZ)
            file.writeframes(sound(notes))


if __name__ == "__main__":
    main()
