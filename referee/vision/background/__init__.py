"""The still scene, and what differs from it: hands and parts that may be coins."""
