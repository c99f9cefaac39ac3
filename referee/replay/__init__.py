"""A record replayed through the rules of its game: flicks, rulings, alternatives, adjudication."""
