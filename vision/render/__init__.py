"""Rendered photographs of mahjong tiles with exact truth: training pools, samples, simulated games."""
