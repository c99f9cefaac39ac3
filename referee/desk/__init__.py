"""Everything that players do at the table: follow a match, enter it by hand, answer questions and
make rulings. Also the feed of a running match.
"""
