"""The background model, and what differs from it in each frame: hands, and regions that may be
coins.
"""
