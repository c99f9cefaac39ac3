"""Property tests try the same examples at every run, so that a change is judged by itself, and however slow the machine."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
