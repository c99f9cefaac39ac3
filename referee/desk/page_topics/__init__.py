"""The topics that are sent to the pages of a match, and the parts in which they are sent."""
