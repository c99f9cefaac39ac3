"""Numbers and colours that all modules which measure or draw share."""
