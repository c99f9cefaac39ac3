"""The words that players read about a match, the same in a terminal and on a page: fields and
values, pieces, and what is expected next.
"""
