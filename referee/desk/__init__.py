"""What players do at the table: follow, enter by hand, answer, rule; the feed of a running
match.
"""
