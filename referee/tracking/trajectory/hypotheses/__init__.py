"""What may have happened in a flick, and how well that fits what was seen."""
