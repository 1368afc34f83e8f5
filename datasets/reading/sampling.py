"""A few puzzles that stand for a whole file, however long: random, seeded, and spread evenly over difficulty.

Two stages, one pass. While the file is read, a reservoir (J. S. Vitter's Algorithm R, 1985) keeps candidates, each
puzzle with the same chance. Then the candidates are ordered from easy to hard and every k-th is taken, from a random
start (systematic sampling). So the sample has its share of each stratum of difficulty, and every puzzle of the file
still has the same chance to be in it: means over the sample estimate means over the file. It does not make rare hard
puzzles less rare; for as many of each difficulty, sample from collections of one difficulty each.

The order is that of the source's own rating, where every candidate has the same one. Otherwise it is a rough count of
guesses from very few random orders: enough to spread a sample, far too little to rate a puzzle.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from datasets.puzzle import Puzzle
from datasets.reading.items import Entry

Numbered = tuple[int, Entry]

CANDIDATES = 20  # for each puzzle wanted
LEAST, MOST = 1_000, 20_000  # candidates at least, and at most beyond those wanted
ORDERS = 3
MAX_GUESSES = 1_000  # for 9×9 and less; what needs more is among the hardest
MAX_GUESSES_LARGE = 32  # a guess on a 25×25 board takes a hundred times longer


def sample(entries: Iterable[Numbered], size: int, seed: int) -> list[Numbered]:
    """``size`` puzzles of the numbered ones (all, if they are not more), in their order.

    Raises:
        InputError: what ``entries`` raises.
    """
    rng = random.Random(f"{seed}/sample")
    candidates = reservoir(entries, max(LEAST, min(CANDIDATES * size, size + MOST)), rng)
    if len(candidates) > size:
        ranks = difficulties([entry for _, entry in candidates], seed)
        ranked = sorted(range(len(candidates)), key=lambda place: (*ranks[place], rng.random()))
        start = rng.random()
        candidates = [candidates[ranked[int((k + start) * len(ranked) / size)]] for k in range(size)]
    return sorted(candidates, key=lambda numbered: numbered[0])


def reservoir(entries: Iterable[Numbered], size: int, rng: random.Random) -> list[Numbered]:
    """At most ``size`` of the entries, each with the same chance; the memory is that of ``size`` entries."""
    kept: list[Numbered] = []
    for seen, entry in enumerate(entries, start=1):
        if len(kept) < size:
            kept.append(entry)
        elif (place := rng.randrange(seen)) < size:
            kept[place] = entry
    return kept


def difficulties(entries: Sequence[Entry], seed: int) -> list[tuple[int, float]]:
    """For each puzzle a pair to order it by: its number of cells, and how hard it is."""
    ratings = [entry.rating for entry in entries]
    names = {rating and rating[0] for rating in ratings}
    if len(names) == 1 and None not in names:
        return [
            (entry.puzzle.shape.n_cells, rating[1]) for entry, rating in zip(entries, ratings, strict=True) if rating
        ]
    return [(entry.puzzle.shape.n_cells, _rough_guesses(entry.puzzle, seed)) for entry in entries]


def _rough_guesses(puzzle: Puzzle, seed: int) -> float:
    from datasets.search import count_guesses

    bound = MAX_GUESSES if puzzle.shape.size <= 9 else MAX_GUESSES_LARGE
    counts = count_guesses(puzzle, ORDERS, seed, bound)
    return float(sum(count if count >= 0 else bound for count in counts.tolist())) / ORDERS
