"""Which coin is which through time: the tracker, predictions, tentative tracks."""
