"""The rules of Sudoku as clauses, under every published encoding.

The table below is the only list of encodings. Each module is imported when one of its encodings is built: every process
knows the names, and few need the code behind them. Sizes and formulas: docs/encoding-list.md.
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.amo import SCHEMES
from sudoku_bench.solvers.strategy import Unsupported

if TYPE_CHECKING:
    from sudoku_bench.solvers.sat.encodings.encoding import Encoding

Where = str | Callable[..., "Encoding"]  # MODULE:FUNCTION in this folder, or the function of a plug-in's encoding

# The function takes a shape and an at-most-one scheme ...
WITH_SCHEME: dict[str, Where] = {
    "minimal": "direct:minimal",
    "natural": "direct:natural",
    "no-cell-amo": "direct:no_cell_amo",
    "complete": "direct:complete",
    "irredundant": "direct:irredundant",
}
# ... or a shape alone.
WITHOUT_SCHEME: dict[str, Where] = {
    "augmented": "triads:augmented",
    "complete-augmented": "triads:complete_augmented",
    "order": "unary:order_only",
    "order-hints": "unary:order_hints",
    "direct-order": "unary:direct_order",
    "direct-log": "binary:direct_log",
    "log": "binary:log_only",
    "log-difference": "binary:log_difference",
    "support": "direct:support",
    "hall-pairs": "hall:hall_pairs",
    "diagrams": "diagrams:diagrams",
}
LARGEST = {"diagrams": 12}  # boards that an encoding can be written for: the largest N, where there is one
NEED_BOXES = ("irredundant", "augmented", "complete-augmented")  # on other layouts, these have nothing to say
ORDINARY_ONLY: set[str] = set()  # encodings of plug-ins that know rows, columns and boxes alone
CLUE_HANDLINGS = ("units", "substituted", "reduced", "assumptions")  # the first is the default
CLUE_SUFFIXES = ("", *(f"+{handling}" for handling in CLUE_HANDLINGS[1:]))  # in names
DEFAULT_SCHEME = "pairwise"  # of an encoding that is called by its name alone
# What listings show; the schemes on encodings other than ``complete`` are reached by exact name.
DEFAULTS = (
    *WITH_SCHEME,
    *WITHOUT_SCHEME,
    *(f"complete+{scheme}" for scheme in SCHEMES if scheme != DEFAULT_SCHEME),
)


def every_name() -> list[str]:
    """All encodings with all their schemes, each once, with the scheme: ``minimal+pairwise``, ..., ``support``."""
    return [*(f"{name}+{scheme}" for name in WITH_SCHEME for scheme in SCHEMES), *WITHOUT_SCHEME]


def encoding_and_scheme(name: str) -> tuple[str, str]:
    """Split a name such as ``complete+product``; the scheme is empty for an encoding that takes none.

    ``complete`` alone means ``complete+pairwise``.

    Raises:
        InputError: there is no such encoding or scheme.
    """
    encoding, plus, scheme = name.partition("+")
    if encoding in WITHOUT_SCHEME and not plus:
        return encoding, ""
    if encoding in WITHOUT_SCHEME:
        raise InputError(f"{name}: the encoding {encoding} takes no at-most-one scheme; say {encoding}")
    if encoding not in WITH_SCHEME:
        raise InputError(f"no encoding is called {encoding or name!r}; see `sudoku-bench list encodings`")
    if plus and scheme not in SCHEMES:
        raise InputError(f"{name}: no at-most-one scheme is called {scheme!r}; choose one of {', '.join(SCHEMES)}")
    return encoding, scheme or DEFAULT_SCHEME


def build(name: str, shape: Shape) -> Encoding:
    """Encode the rules for boards of a shape.

    Raises:
        InputError: there is no such encoding or scheme, or it cannot be written for such boards.
        Unsupported: the encoding of a plug-in is for other boards.
    """
    encoding, scheme = encoding_and_scheme(name)
    if reason := refusal(name, shape):
        raise InputError(f"{name}: {reason}")
    make = maker(encoding)
    return make(shape, SCHEMES[scheme]) if scheme else make(shape)


def refusal(name: str, shape: Shape) -> str:
    """Why an encoding cannot be written for boards of a shape; empty if it can.

    Raises:
        InputError: there is no such encoding or scheme.
    """
    encoding = encoding_and_scheme(name)[0]
    largest = LARGEST.get(encoding, shape.size)
    if shape.size > largest:
        return f"boards up to {largest}x{largest} only, as its size grows with 2 to the N"
    if encoding in NEED_BOXES and not shape.has_boxes:
        return f"boards with boxes only, not {shape.name}"
    if encoding in ORDINARY_ONLY and shape.layout:
        return f"ordinary rows, columns and boxes only, not {shape.name}"
    return ""


def sizes(names: Iterable[str], shapes: Iterable[Shape]) -> Iterator[dict[str, Any]]:
    """Yield the size of each encoding for each shape that it supports: the rules only, duplicate clauses counted.

    Raises:
        InputError: there is no encoding of that name, or its code fails.
    """
    boards = list(shapes)
    for name in names:
        for shape in (board for board in boards if not refusal(name, board)):
            with contextlib.suppress(Unsupported):
                yield {"encoding": name, "shape": shape.name, **asdict(build(name, shape).size)}


def maker(encoding: str) -> Callable[..., Encoding]:
    """Import the function of an encoding, which takes a shape and, if the encoding takes one, a scheme."""
    where = (WITH_SCHEME | WITHOUT_SCHEME)[encoding]
    if not isinstance(where, str):
        return where
    module, _, function = where.partition(":")
    make: Callable[..., Encoding] = getattr(importlib.import_module(f"{__name__}.{module}"), function)
    return make
