"""Finds the places of tiles that the first search missed or found at a wrong place. It uses their
faces, their outlines and their colours.
"""
