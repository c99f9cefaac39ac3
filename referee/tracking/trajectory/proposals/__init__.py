"""Proposes changed hypotheses about a flick, one kind of event at a time."""
