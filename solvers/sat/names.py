"""Names of SAT strategies, ``sat:ENCODING[+SCHEME][+CLUES][+direct]@ENGINE``: parsing and validation."""

from __future__ import annotations

from typing import NamedTuple

from datasets.errors import InputError
from solvers.sat.encodings import CLUE_HANDLINGS, encoding_and_scheme

FAMILY = "sat"
DIRECT = "+direct"


class Parts(NamedTuple):
    """The parts of a strategy's name.

    Attributes:
        encoding: with its at-most-one scheme, such as ``complete+product``.
        scheme: the scheme alone; empty if the encoding takes none.
        clues: the clue handling; empty for unit clauses.
        engine: what follows the ``@``; not validated here.
        direct: whether clauses bypass the methods of the engine's package.
    """

    encoding: str
    scheme: str
    clues: str
    engine: str
    direct: bool


def parse(full_name: str) -> Parts:
    """Parse the name of a strategy.

    Raises:
        InputError: the encoding, the scheme or the clue handling does not exist, or a part is missing.
    """
    model, _, engine = full_name.removeprefix(f"{FAMILY}:").partition("@")
    try:
        encoding, clues = parse_model(model)
    except InputError as error:
        raise invalid(full_name, str(error)) from None
    scheme = encoding_and_scheme(encoding)[1]
    if scheme and "+" not in encoding:
        raise invalid(full_name, f"say which at-most-one scheme, such as {encoding}+{scheme}")
    if clues == CLUE_HANDLINGS[0]:
        raise invalid(full_name, f"clues are unit clauses by default; leave out +{clues}")
    if not engine:
        raise invalid(full_name, "say which engine (`sudoku-bench list engines`), such as @cadical195")
    return Parts(encoding, scheme, clues, engine, model.endswith(DIRECT))


def parse_model(text: str) -> tuple[str, str]:
    """Split a text such as ``complete+product+substituted`` into the encoding with its scheme and the clue handling.

    Whether clauses are loaded directly makes no difference to either.

    Raises:
        InputError: the encoding or the scheme does not exist.
    """
    text = text.removesuffix(DIRECT)
    encoding, plus, clues = text.rpartition("+")
    if not plus or clues not in CLUE_HANDLINGS:
        encoding, clues = text, ""
    encoding_and_scheme(encoding)
    return encoding, clues


def invalid(full_name: str, reason: str) -> InputError:
    """Return the error for a name that makes no strategy."""
    return InputError(f"no strategy is called {full_name}: {reason}; see `sudoku-bench list strategies`")
