"""Pixels to sightings: the only part of the referee that looks at pictures.

On one thread: what is looked at here is small, and sharing it out among cores costs more than twice
what it is (`benchmarks/cost.txt`).
"""

import cv2

cv2.setNumThreads(1)
