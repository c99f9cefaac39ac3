"""Turns paths into incidents. Each detector is one function in a file of its own, and each
threshold has a name, a unit and a reason.

`coin_motion` finds what coins did as they slid, `hands` what hands did, and `unseen` what could not
be seen. The modules here look at the whole episode: all its incidents, provisional ones, where the
coins came to rest, whether one is missing, and whether two were taken for each other.
"""
