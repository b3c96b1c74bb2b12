"""The rules: profiles as data, and what a hand is worth under them, explained.

>>> from companion.hand import parse_hand
>>> hand = parse_hand("123p123s23477m [567m] 2f2g", win="4m")
>>> sheet = score(hand, Circumstances(by="discard", seat="S"), load_profile("hk-old-style"))
>>> sheet.value, sheet.can_win, [line.pattern for line in sheet.lines]
(3, True, ['all_chows', 'own_flower', 'own_flower'])
"""

from companion.rules.circumstances import Circumstances, Wind
from companion.rules.loader import list_profiles, load_profile, parse_profile
from companion.rules.profile import DEFAULT_RULES, Profile
from companion.rules.scoring import HandError, UnsupportedError, score
from companion.rules.settlement import Settlement
from companion.rules.sheet import ScoreSheet
from companion.rules.story import ProfileError

__all__ = [
    "DEFAULT_RULES",
    "Circumstances",
    "HandError",
    "Profile",
    "ProfileError",
    "ScoreSheet",
    "Settlement",
    "UnsupportedError",
    "Wind",
    "list_profiles",
    "load_profile",
    "parse_profile",
    "score",
]
