"""The referee: from pixels to calls. Each subpackage is one stage of the road; `session` is the
only module that knows them all.
"""

import os

# Numpy's linear algebra shares out even the smallest work among all cores, which then wait for more
# of it at full power: the referee's matrices are a few numbers wide. It is told so here, before
# numpy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
