"""From frames to episodes: one table seen through time."""
