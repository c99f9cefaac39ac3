"""One match from camera to record: the only part of the referee that knows every stage."""
