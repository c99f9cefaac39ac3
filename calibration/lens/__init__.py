"""A camera and its distortion, measured from pictures of a printed board."""
