"""The pixels of one frame, and how discs on the table project into them."""
