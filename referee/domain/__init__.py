"""The frozen values that every package may use. This package does no input or output, and uses no
pixels and no arrays.
"""
