"""The table's memory of a game: events, the state they fold to, and the referee. Pure: no clock, no chance."""
