"""Turns paths into incidents. Each detector is one function in a file of its own, and each
threshold has a name, a unit and a reason.
"""
