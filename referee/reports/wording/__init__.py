"""What a match holds, in its players' words: fields and values, pieces, what is expected next. The
same in a terminal and on a page.
"""
