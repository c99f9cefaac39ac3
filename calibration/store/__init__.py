"""Reads and writes the YAML files for camera, table and pieces. People can edit them, and reading
is strict.
"""
