"""Simulated games on film: where every tile lies, how it gets there, and a camera that looks on.

`deck` knows which tile lay where in the wall, `cast` where each of them is at any moment, `stage` puts
that on a table in millimetres, `acts` moves it in time, `painter` draws it and `shooting` writes it down.
"""
