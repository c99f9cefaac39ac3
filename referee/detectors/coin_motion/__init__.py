"""Finds what coins did as they slid: which lines they crossed, what they met and displaced, and
where they fell.
"""
