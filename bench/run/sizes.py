"""Exact sizes of encodings: the rows of ``encodings.csv`` and of ``list encodings``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from datasets.errors import InputError
from datasets.shape import Shape

COLUMNS = ("encoding", "shape", "variables", "clauses", "literals", "at_mosts")
SHAPES = tuple(map(Shape.of_size, (4, 6, 9, 12, 16, 25, 36)))
LARGEST = 36  # boards beyond have encodings of many millions of clauses


def shape_of(text: str) -> Shape:
    """The customary shape of a board such as ``16x16``.

    Raises:
        InputError: it is no size, or larger than encodings are made for.
    """
    rows, _, columns = text.partition("x")
    if rows != columns or not rows.isascii() or not rows.isdigit() or not 2 <= int(rows[:9]) <= LARGEST:
        raise InputError(f"--shape {text!r}: write a board of 2x2 to {LARGEST}x{LARGEST} as 16x16")
    return Shape.of_size(int(rows))


def sizes(names: Iterable[str], shapes: Iterable[Shape]) -> Iterator[dict[str, Any]]:
    """Encoding by encoding and shape by shape: the ``COLUMNS``. Rules only, duplicates counted.

    Raises:
        InputError: there is no such encoding.
    """
    from solvers.sat.encodings import build

    boards = list(shapes)
    for name in names:
        for shape in boards:
            yield {"encoding": name, "shape": shape.name, **asdict(build(name, shape).size)}


def encodings_of(strategies: Iterable[str]) -> list[str]:
    """The encodings that strategies use, each once; strategies of other families use none."""
    from solvers.sat.names import parse_model

    models = [name.removeprefix("sat:").partition("@")[0] for name in strategies if name.startswith("sat:")]
    return list(dict.fromkeys(parse_model(model)[0] for model in models))
