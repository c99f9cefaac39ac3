"""The referee, from pixels to calls. Each package is one stage. Only `session` knows all stages."""

import os

# The matrices and pictures here are small. Sharing their work among cores takes more time in all,
# and on a busy machine the threads wait for each other: the frame that ends a flick took 83 ms
# instead of 50. So each library gets one thread. It reads this when it is first imported.
for _threads in ("OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS", "OPENCV_FOR_THREADS_NUM"):
    os.environ.setdefault(_threads, "1")
