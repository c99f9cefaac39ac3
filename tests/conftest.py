"""Property tests try the same examples at every run, so that a change is judged by itself."""

from hypothesis import settings

settings.register_profile("steady", derandomize=True)
settings.load_profile("steady")
