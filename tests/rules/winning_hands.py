"""Random winning hands in the numbers 0..135 that riichi programs use."""

from __future__ import annotations

import random
from typing import Any, TypeAlias

Given: TypeAlias = tuple[
    list[int], int, list[tuple[str, list[int]]], dict[str, Any], list[int], list[int]
]
"""Concealed tiles, winning tile, melds, conditions, dora and ura indicators."""
KAN = ("daiminkan", "kakan", "ankan")
ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))


class NoRoom(Exception):
    """The random sets ask for a fifth copy of a tile."""


class Dealer:
    """Random winning hands, rich in what is rare: flushes, honours, terminals, equal sets, kan."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def hand(
        self,
    ) -> tuple[list[int], int, list[tuple[str, list[int]]], dict[str, Any], list[int], list[int]]:
        while True:
            try:
                return self._hand()
            except NoRoom:
                continue

    def _hand(
        self,
    ) -> tuple[list[int], int, list[tuple[str, list[int]]], dict[str, Any], list[int], list[int]]:
        rng = self.random
        free = {index: rng.sample(range(4), 4) for index in range(34)}

        def take(*indices: int) -> list[int]:
            if any(not free[index] for index in indices):
                raise NoRoom
            numbers = []
            for index in indices:
                if not free[index]:
                    raise NoRoom
                numbers.append(index * 4 + free[index].pop())
            return numbers

        form = rng.random()
        sets: list[list[int]] = []
        melds: list[tuple[str, list[int]]] = []
        if form < 0.06:
            pool = self._pool()
            kinds = rng.sample(pool if len(pool) >= 7 else range(34), 7)
            groups = [take(kind, kind) for kind in kinds]
        elif form < 0.09:
            groups = [take(*ORPHANS), take(rng.choice(ORPHANS))]
        elif form < 0.12:
            low = rng.choice((0, 9, 18))
            gates = [low] * 3 + list(range(low + 1, low + 8)) + [low + 8] * 3
            groups = [take(*gates), take(low + rng.randrange(9))]
        else:
            pool = self._pool()
            chows = rng.choice((0.0, 0.3, 0.6, 0.9))
            sets = self._sets(pool, chows)
            pair = rng.choice(pool)
            groups = [take(pair, pair)]
            openness = rng.choice((0.0, 0.0, 0.3, 0.7))
            for each in sets:
                is_triplet = each[0] == each[1]
                if is_triplet and rng.random() < 0.25:
                    kind = rng.choice(KAN)
                    if openness == 0.0:
                        kind = "ankan"
                    melds.append((kind, take(*each, each[0])))
                elif rng.random() < openness:
                    melds.append(("pon" if is_triplet else "chi", take(*each)))
                else:
                    groups.append(take(*each))
        concealed = [number for group in groups for number in group]
        winning = concealed.pop(rng.randrange(len(concealed)))
        conditions = self._conditions(concealed, winning, melds)
        indicators = [index * 4 + copy for index, copies in free.items() for copy in copies]
        if conditions["chankan"]:
            indicators = [number for number in indicators if number // 4 != winning // 4]
        shown = rng.sample(indicators, 2 * rng.randint(1, 3))
        half = len(shown) // 2
        return sorted(concealed), winning, melds, conditions, shown[:half], shown[half:]

    def _pool(self) -> list[int]:
        theme = self.random.random()
        honours = list(range(27, 34))
        if theme < 0.45:
            return list(range(34))
        if theme < 0.65:
            low = self.random.choice((0, 9, 18))
            return [*range(low, low + 9), *(honours if theme < 0.55 else [])]
        if theme < 0.72:
            return list(ORPHANS)
        if theme < 0.80:
            return honours
        if theme < 0.84:
            return [0, 8, 9, 17, 18, 26]
        if theme < 0.88:
            return [19, 20, 21, 23, 25, 32]
        return [index for index in range(27) if 0 < index % 9 < 8]

    def _sets(self, pool: list[int], chows: float) -> list[list[int]]:
        rng = self.random
        sets: list[list[int]] = []
        while len(sets) < 4:
            if sets and rng.random() < 0.2:
                sets.append(self._echo(rng.choice(sets)))
                continue
            low = rng.choice(pool)
            run = [low, low + 1, low + 2]
            if rng.random() < chows:
                if low < 27 and low % 9 < 7 and set(run) <= set(pool):
                    sets.append(run)
            else:
                sets.append([low] * 3)
        return sets

    def _echo(self, group: list[int]) -> list[int]:
        """The same set again, in another suit, or three on: what double and mixed yaku are made of."""
        low = group[0]
        if low >= 27 or group[0] == group[1]:
            return [index + 9 if low < 18 else index - 9 if low < 27 else index for index in group]
        suit = 9 * self.random.randrange(3)
        choices = [group, [index % 9 + suit for index in group]]
        if low % 9 < 4:
            choices.append([index + 3 for index in group])
        return self.random.choice(choices)

    def _conditions(
        self, concealed: list[int], winning: int, melds: list[tuple[str, list[int]]]
    ) -> dict[str, Any]:
        rng = self.random
        closed = all(kind == "ankan" for kind, _ in melds)
        tsumo = rng.random() < 0.5
        seat = rng.randrange(4)
        kan = any(kind in KAN for kind, _ in melds)
        riichi = closed and rng.random() < 0.5
        ippatsu = riichi and rng.random() < 0.4
        double_riichi = riichi and rng.random() < 0.2
        rinshan = tsumo and kan and not ippatsu and rng.random() < 0.2
        laid = [number for _, tiles in melds for number in tiles]
        alone = all(number // 4 != winning // 4 for number in (*concealed, *laid))
        chankan = not tsumo and alone and rng.random() < 0.1
        first = tsumo and not melds and not riichi and rng.random() < 0.05
        last = not rinshan and not chankan and not first and rng.random() < 0.1
        last = last and not (double_riichi and ippatsu)
        return {
            "tsumo": tsumo,
            "riichi": riichi,
            "double_riichi": double_riichi,
            "ippatsu": ippatsu,
            "haitei": last and tsumo,
            "houtei": last and not tsumo,
            "rinshan": rinshan,
            "chankan": chankan,
            "tsumo_first_turn": first,
            "player_wind": seat,
            "round_wind": rng.randrange(4),
            "honba": rng.randrange(3),
        }
