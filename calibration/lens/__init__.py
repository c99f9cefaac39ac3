"""A camera and its lens distortion, measured from pictures of a printed board."""
