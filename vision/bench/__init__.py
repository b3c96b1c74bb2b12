"""How fast the reader is, measured against a network everybody knows: `gorrion bench`."""
