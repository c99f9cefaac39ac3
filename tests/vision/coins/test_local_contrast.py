"""How clearly a coin's colour differs from the table around it, in a mix of channels."""

from __future__ import annotations

import numpy as np
import pytest

from referee.vision.coins.local_contrast import ColourStep
from referee.vision.image.picture import ChannelMix


@pytest.mark.parametrize(
    ("mix", "clearness"),
    [
        (ChannelMix(1.0, 0.0, 0.0), 5.0),
        (ChannelMix(-0.5, 0.0, 0.0), 5.0),
        (ChannelMix(0.0, 1.0, 0.5), 0.0),
    ],
)
def test_in_a_grey_picture_a_coin_is_not_clear_in_a_mix_of_colours(mix, clearness):
    """It is 20 grey levels lighter than the table, whose levels have a standard deviation of 4."""
    grey = ColourStep(np.array([20.0]), np.array([[16.0]]), np.array([90.0]))
    assert grey.clearness(mix) == pytest.approx(clearness)
