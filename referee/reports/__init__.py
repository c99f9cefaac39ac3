"""What a replayed match says to people and programs: explanations, differences, notation,
tables.
"""
