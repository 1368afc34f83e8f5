"""An at-most-one scheme of one's own."""

from itertools import combinations

from sudoku_bench import register_amo


@register_amo("fours")
def fours(n):
    """Four literals and a new one that stands for them, until five are left (after Heule 2009)."""
    clauses, literals, free = [], list(range(1, n + 1)), n + 1
    while len(literals) > 5:
        clauses += [(-a, -b) for a, b in combinations([*literals[:4], -free], 2)]
        literals, free = [free, *literals[4:]], free + 1
    return clauses + [(-a, -b) for a, b in combinations(literals, 2)]
