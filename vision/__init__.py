"""Pixels to tiles: find, rectify, name, settle. Knows tiles and geometry, no rules and no web."""
