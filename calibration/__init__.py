"""The surveyor: what is measured once, before play. It knows nothing of games."""
