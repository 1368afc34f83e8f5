"""The strip of winners on the page: who is shown to be faster than whom on each stretch from easy to hard."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bench.verdicts.difficulty.fields import GUESSES, fields
from bench.verdicts.difficulty.winners import stretches
from bench.verdicts.run_data import RunData


def winners(run: RunData, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return the stretches of each board size that has enough data, along guesses.

    All pairs are included, not the winners only, because the reader chooses the strategies to compare. The correction
    counts all pairs of all stretches of a board size, so it holds for any choice.

    Returns:
        board size, strategies (as places in ``names``) and stretches, each with its ends, its number of independent
        puzzles, and a text per strategy: a 1 for each other one, in the same order, that it is shown to be faster than.
    """
    places = {name: place for place, name in enumerate(names)}
    found = [(field, stretches(field, GUESSES)) for field in fields(run)]
    return [
        {
            "size": field.size or 0,
            "strategies": [places[name] for name in field.strategies],
            "stretches": [
                {
                    "lo": float(f"{stretch.lo:.5g}"),
                    "hi": float(f"{stretch.hi:.5g}"),
                    "puzzles": stretch.puzzles,
                    "faster": ["".join(map(str, line)) for line in stretch.faster.astype(int).tolist()],
                }
                for stretch in parts
            ],
        }
        for field, parts in found
        if parts
    ]
