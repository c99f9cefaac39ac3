"""How a page reaches the referee: addresses, the server, its connections."""
