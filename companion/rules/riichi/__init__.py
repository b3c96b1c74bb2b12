"""The Japanese game: hand values by the `mahjong` package, behind our own validation and names."""
