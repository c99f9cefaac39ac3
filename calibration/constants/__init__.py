"""Numbers and colours that everything which measures or draws shares."""
