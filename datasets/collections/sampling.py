"""Draw a sample of puzzles from a file of any length: random, seeded, and spread evenly over difficulty.

Sampling has two stages and needs one pass. While the file is read, a reservoir (J. S. Vitter's Algorithm R, 1985) keeps
candidates, each puzzle with the same probability. The candidates are then ordered from easy to hard, and every k-th one
is selected from a random start (systematic sampling). The sample therefore covers each stratum of difficulty in
proportion, and every puzzle of the file has the same probability of selection, so means over the sample estimate means
over the file. Rare hard puzzles stay rare; to get equal numbers of each difficulty, sample from collections of one
difficulty each.

The order is by the source's rating if every candidate has the same kind of rating. Otherwise it is by a rough count of
guesses from very few random orders, which is enough to spread a sample but not to rate a puzzle.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from sudoku_bench.datasets.puzzle import Puzzle
from sudoku_bench.datasets.reading.items import Entry

Numbered = tuple[int, Entry]

CANDIDATES = 20  # per puzzle of the sample
LEAST = 1_000  # minimum number of candidates
MOST = 20_000  # maximum number of candidates beyond the size of the sample
ORDERS = 3
MAX_GUESSES = 1_000  # for boards up to 9×9; puzzles that need more are among the hardest
MAX_GUESSES_LARGE = 32  # a guess on a 25×25 board takes a hundred times longer


def sample(entries: Iterable[Numbered], size: int, seed: int) -> list[Numbered]:
    """Sample ``size`` of the numbered puzzles, in their original order; return all if there are no more than ``size``.

    Raises:
        InputError: if ``entries`` raises it.
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
    """Select at most ``size`` entries, each with the same probability, in the memory of ``size`` entries."""
    selected: list[Numbered] = []
    for n_seen, entry in enumerate(entries, start=1):
        if len(selected) < size:
            selected.append(entry)
        elif (place := rng.randrange(n_seen)) < size:
            selected[place] = entry
    return selected


def difficulties(entries: Sequence[Entry], seed: int) -> list[tuple[int, float]]:
    """Return the sort key of each puzzle: its number of cells and its difficulty."""
    ratings = [entry.rating for entry in entries]
    names = {rating and rating[0] for rating in ratings}
    if len(names) == 1 and None not in names:
        return [
            (entry.puzzle.shape.n_cells, rating[1]) for entry, rating in zip(entries, ratings, strict=True) if rating
        ]
    return [(entry.puzzle.shape.n_cells, _rough_guesses(entry.puzzle, seed)) for entry in entries]


def _rough_guesses(puzzle: Puzzle, seed: int) -> float:
    from sudoku_bench.datasets.search import count_guesses

    bound = MAX_GUESSES if puzzle.shape.size <= 9 else MAX_GUESSES_LARGE
    counts = count_guesses(puzzle, ORDERS, seed, bound)
    return float(sum(count if count >= 0 else bound for count in counts.tolist())) / ORDERS
