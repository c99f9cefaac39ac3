"""Reads frames from files, streams and cameras, with the source's own times."""
