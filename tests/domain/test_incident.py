"""Which probabilities are reported, and how an incident stores them."""

from referee.domain.incident import as_written, worth_saying


def test_nothing_in_the_too_close_band_is_left_unsaid_or_certain():
    """The band of the record's format is from 0.05 to 0.95 unless a match sets it differently."""
    for chance in (0.05, 0.5, 0.95):
        assert worth_saying(chance) and as_written(chance) == chance
    assert as_written(1.0) is None and not worth_saying(0.001)
