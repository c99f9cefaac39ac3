"""Measures how much time the referee takes and how often it is right. Not a part of the product."""

# This comes before numpy, as in the referee's own commands, because it sets how many threads numpy
# and OpenCV use.
import referee as referee
