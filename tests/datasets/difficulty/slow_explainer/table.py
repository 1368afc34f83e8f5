"""A table of agreement by half steps of the stored ER, and the differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.datasets.difficulty.slow_explainer.rater import LARGEST
from tests.datasets.difficulty.slow_explainer.rows import NAMES, Compared, Rating

HEAD = ("ER", "puzzles", "ER equal", "EP equal", "ED equal", "rightly beyond 7.4")


def lines(results: Sequence[Compared]) -> Iterator[str]:
    """The table, its totals, and a line for each difference.

    Only ratings up to 7.4 count as equal: `k of n`, where n is how many stored ones are known and that small.
    """
    yield f"| {' | '.join(HEAD)} |"
    yield f"|{' --- |' * len(HEAD)}"
    for step in sorted({half_step(result.row.stored[0]) for result in results}):
        chosen = [result for result in results if half_step(result.row.stored[0]) == step]
        yield _row(f"{step / 10} to {(step + 4) / 10}", chosen)
    yield _row("all", results)
    for result in results:
        if not all(result.agreement):
            yield _difference(result)


def half_step(rating: Rating) -> int:
    """The lowest rating of the half step, in tenths."""
    return rating.tenths // 5 * 5


def _row(name: str, results: Sequence[Compared]) -> str:
    equal = []
    for which in range(len(NAMES)):
        known = [result.agreement[which] for result in results if result.row.stored[which].is_known]
        equal.append(f"{sum(known)} of {len(known)}" if known else "")
    beyond = [result for result in results if result.row.stored[0].tenths > LARGEST]
    rightly = sum(result.agreement[0] for result in beyond)
    return f"| {' | '.join((name, str(len(results)), *equal, f'{rightly} of {len(beyond)}' if beyond else ''))} |"


def _difference(result: Compared) -> str:
    here = [">7.4" if tenths is None else str(tenths / 10) for tenths in result.rated]
    pairs = zip(NAMES, result.row.stored, here, result.agreement, strict=True)
    return f"{result.row.puzzle} " + ", ".join(f"{name} {a} here {b}" for name, a, b, same in pairs if not same)
