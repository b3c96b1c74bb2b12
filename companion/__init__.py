"""Gorrión: scores a mahjong hand from a picture, follows the table, teaches the beginner."""
