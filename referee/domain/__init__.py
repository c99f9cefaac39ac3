"""The frozen values that every package may use. They do no input or output, and use no pixels and
no arrays.
"""
