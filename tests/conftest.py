"""Property tests try the same examples at every run, so that a change is judged by itself, and
however slow the machine.
"""

from hypothesis import settings
from hypothesis.internal.conjecture import providers

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")

# Hypothesis also tries the constants of whatever code happens to be loaded, which differs from one
# worker and one run to the next.
if hasattr(providers, "_get_local_constants"):
    no_constants = providers.Constants()
    providers._get_local_constants = lambda: no_constants
