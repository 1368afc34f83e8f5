"""Norvig's program of 2006, from the file that the first argument names: constraint propagation and search."""

import importlib.util
import sys

from lines import serve

spec = importlib.util.spec_from_file_location("norvig", sys.argv[1])
assert spec
assert spec.loader
norvig = importlib.util.module_from_spec(spec)
spec.loader.exec_module(norvig)


def solve(puzzle: str) -> list[str] | None:
    values = norvig.solve(puzzle)
    return [values[square] for square in norvig.squares] if values else None


serve(solve)
