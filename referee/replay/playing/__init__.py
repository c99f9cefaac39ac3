"""Applies the rules of the game to the entries that count. A flick in doubt is played in every way
it may have gone.
"""
