"""Turns pixels into sightings. No other part of the referee uses OpenCV on pictures.

It runs on one thread. The pictures examined here are small, and sharing the work among cores more
than doubles the total computing time (`benchmarks/cost.txt`). On a busy machine, matrix products
wait for threads: with several threads, the frame that ends a flick took 83 ms instead of 50.
"""

import cv2
from threadpoolctl import threadpool_limits

cv2.setNumThreads(1)
threadpool_limits(limits=1, user_api="blas")
