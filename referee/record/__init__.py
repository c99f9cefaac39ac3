"""The append-only match record on disk: read strictly, checked, written and locked."""
