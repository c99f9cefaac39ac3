"""Free play: discs flicked on a plain table, without a game, tiles or a survey."""
