"""From paths to incidents: one detector a file, each a plain function, every threshold named with
its unit and its reason.
"""
