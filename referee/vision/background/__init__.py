"""The background model, and how each frame differs from it: hands, and regions that may be
coins.
"""
