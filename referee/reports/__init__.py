"""Reports on a replayed match for people and programs: explanations, differences, notation and
tables.
"""
