"""One frame's pixels, and how discs on the table project into them."""
