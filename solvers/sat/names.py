"""Names of SAT strategies: parsing and validation.

``sat:ENCODING[+SCHEME][+CLUES][+compiled]@ENGINE[+OPTION[=NUMBER]]...``
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.sat.encodings import CLUE_HANDLINGS, encoding_and_scheme

FAMILY = "sat"
COMPILED = "+compiled"
COMPILED_ENGINES = ("cadical153", "minisat22")
OPTION = re.compile(r"([a-z][a-z0-9-]*)(?:=(-?\d{1,15}(?:\.\d{1,15})?))?", re.ASCII)

Options = Mapping[str, float | None]  # of an engine: a number, or None for an option that is only switched on


class Parts(NamedTuple):
    """The parts of a strategy's name.

    Attributes:
        encoding: with its at-most-one scheme, such as ``complete+product``.
        scheme: the scheme alone; empty if the encoding takes none.
        clues: the clue handling; empty for unit clauses.
        engine: what follows the ``@``, with its options (``parse_engine``); not validated here.
        compiled: whether compiled code passes the clauses.
    """

    encoding: str
    scheme: str
    clues: str
    engine: str
    compiled: bool


def parse(full_name: str) -> Parts:
    """Parse the name of a strategy.

    Raises:
        InputError: a part does not exist, is missing, or does not go with ``+compiled``.
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
    compiled = model.endswith(COMPILED)
    if compiled and (clues or engine not in COMPILED_ENGINES):
        raise invalid(full_name, f"{COMPILED} is for unit clauses and {' or '.join(COMPILED_ENGINES)} without options")
    return Parts(encoding, scheme, clues, engine, compiled)


def parse_engine(full_name: str, text: str) -> tuple[str, Options]:
    """Split a text such as ``cadical195+phase=0+plain`` into the engine and its options.

    Raises:
        InputError: an option is not of the form NAME or NAME=NUMBER, or is given twice.
    """
    engine, *words = text.split("+")
    options: dict[str, float | None] = {}
    for word in words:
        match = OPTION.fullmatch(word)
        if match is None:
            raise invalid(full_name, f"the engine option {word!r} is not of the form NAME or NAME=NUMBER")
        if match[1] in options:
            raise invalid(full_name, f"the engine option {match[1]} is given twice")
        value = match[2]
        options[match[1]] = None if value is None else float(value) if "." in value else int(value)
    return engine, dict(sorted(options.items()))


def engine_text(engine: str, options: Options) -> str:
    """Write an engine and its options as in a name, options in the order of their names."""
    words = [name if value is None else f"{name}={value}" for name, value in sorted(options.items())]
    return "+".join([engine, *words])


def parse_model(text: str) -> tuple[str, str]:
    """Split a text such as ``complete+product+substituted`` into the encoding with its scheme and the clue handling.

    Whether compiled code passes the clauses makes no difference to either.

    Raises:
        InputError: the encoding or the scheme does not exist.
    """
    encoding, clues = split_model(text)
    encoding_and_scheme(encoding)
    return encoding, clues


def split_model(text: str) -> tuple[str, str]:
    """Split as ``parse_model`` does, whether or not the encoding exists in this process."""
    text = text.removesuffix(COMPILED)
    encoding, plus, clues = text.rpartition("+")
    return (encoding, clues) if plus and clues in CLUE_HANDLINGS else (text, "")


def invalid(full_name: str, reason: str) -> InputError:
    """Return the error for a name that makes no strategy."""
    return InputError(f"no strategy is called {full_name}: {reason}; see `sudoku-bench list strategies`")
