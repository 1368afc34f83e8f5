"""The rules of Sudoku as clauses: every published encoding, by name. Names, counts and sources: docs/encodings.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from datasets.errors import InputError
from datasets.shape import Shape
from solvers.sat.amo import SCHEMES

if TYPE_CHECKING:  # every process knows the names, few need the modules that make the clauses
    from solvers.sat.encodings.encoding import Encoding

WITH_SCHEME = ("minimal", "natural", "no-cell-amo", "complete")
ALONE = (
    "augmented",
    "complete-augmented",
    "order",
    "direct-order",
    "direct-log",
    "log",
    "log-difference",
    "support",
)
HANDLINGS = ("units", "substituted", "assumptions")  # of clues; the first where none is named
PLAIN = "pairwise"  # the scheme of an encoding that is called by its name alone
DEFAULTS = (
    *WITH_SCHEME,
    "augmented",
    "complete-augmented",
    *(f"complete+{scheme}" for scheme in SCHEMES if scheme != PLAIN),
    *("order", "direct-order", "direct-log", "log", "log-difference", "support"),
)  # what listings show; the schemes on other encodings are reached by exact name


def every_name() -> list[str]:
    """All encodings with all schemes, each once, scheme written out: ``minimal+pairwise``, ..., ``support``."""
    return [*(f"{name}+{scheme}" for name in WITH_SCHEME for scheme in SCHEMES), *ALONE]


def named(name: str) -> tuple[str, str]:
    """Encoding and scheme of a name such as ``complete+product``; the scheme is empty where there is none to choose.

    ``complete`` is ``complete+pairwise``.

    Raises:
        InputError: there is no such encoding or scheme.
    """
    encoding, plus, scheme = name.partition("+")
    if encoding in ALONE and not plus:
        return encoding, ""
    if encoding in ALONE:
        raise InputError(f"{name}: the encoding {encoding} has no at-most-one scheme to choose; say {encoding}")
    if encoding not in WITH_SCHEME:
        raise InputError(f"no encoding is called {encoding or name!r}; see `sudoku-bench list encodings`")
    if plus and scheme not in SCHEMES:
        raise InputError(f"{name}: no at-most-one scheme is called {scheme!r}; choose one of {', '.join(SCHEMES)}")
    return encoding, scheme or PLAIN


def build(name: str, shape: Shape) -> Encoding:
    """The rules of boards of a shape under an encoding.

    Raises:
        InputError: there is no such encoding or scheme.
    """
    from solvers.sat.encodings import catalogue

    encoding, scheme = named(name)
    if scheme:
        return catalogue.WITH_SCHEME[encoding](shape, SCHEMES[scheme])
    return catalogue.ALONE[encoding](shape)
