"""tenhou.net/6 logs, in and out: a hand of riichi as each player's draws and discards.

The form tells, for every seat, what was drawn (or claimed, as a text such as ``"47p4747"``) and what was
discarded (60: the tile just drawn; ``"r.."``: with riichi; a text with ``a`` or ``k``: a kong; 0: the turn
of a claimed kong). In what order the seats took turns has to be found: where two players could have
claimed the same discard, the reading that uses up every list is the right one.
"""
