"""Camera and table geometry, seats and zones, and the table's own tile set."""
