"""Turns pixels into sightings. No other part of the referee uses OpenCV on pictures.

It runs on one thread. The pictures examined here are small, and sharing the work among cores more
than doubles it (`benchmarks/cost.txt`).
"""

import cv2

cv2.setNumThreads(1)
