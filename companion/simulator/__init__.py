"""Seeded players that play legal games under any profile: the demo, the test bench, the table without a camera."""
