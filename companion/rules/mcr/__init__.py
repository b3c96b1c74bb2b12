"""The Mahjong Competition Rules: fan by PyMahjongGB, behind our own validation, names and minimum."""
