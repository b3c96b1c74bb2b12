"""The numbered steps from an empty database to the present one: `NNNN_what.sql`, applied in order."""
