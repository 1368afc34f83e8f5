"""Encodings, at-most-one schemes and engines of a user's own, registered by plug-ins and programs.

Each becomes part of the names of strategies. Listings show an encoding ``mine`` as ``sat:mine@cadical195`` (or as
``sat:mine+pairwise@cadical195``, if its function takes an at-most-one scheme), a scheme ``threes`` as
``sat:complete+threes@cadical195``, and an engine ``fast`` as ``sat:complete+pairwise@fast``. All other combinations are
reached by exact name.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.sat import amo, encodings, engines, names
from sudoku_bench.solvers.sat.cnf import CnfStrategy
from sudoku_bench.solvers.sat.encodings.encoding import Encoding
from sudoku_bench.solvers.sat.library import of_clauses
from sudoku_bench.solvers.sat.strategies import matching, strategy_of
from sudoku_bench.solvers.strategy import Unsupported

NAME = re.compile(r"[a-z0-9][a-z0-9-]*")
ENGINE = "cadical195"  # of the strategies that show an encoding or a scheme in listings

F = TypeVar("F", bound=Callable[..., Any])
E = TypeVar("E", bound=type[CnfStrategy])

_own: dict[str, list[str]] = {"encodings": [], "schemes": [], "engines": []}


def register_encoding(name: str, units: bool = False, shapes: Collection[Shape] = ()) -> Callable[[F], F]:
    """Register an encoding of the rules: a decorator for a function of the shape of a board.

    An encoding for some boards only names their ``shapes``, or its function raises ``sudoku_bench.Unsupported``.

    The function returns the clauses, lists of non-zero integers, or an ``Encoding``. In a list of clauses, variable
    ``(r-1)·N² + (c-1)·N + v`` states that the cell in row r, column c holds v; variables above N³ are auxiliary. A
    second parameter receives an at-most-one scheme (``solvers/sat/amo.Scheme``).

    Args:
        units: whether the clauses state all of ``shape.units``, whatever the layout; otherwise only ordinary boards are
            encoded.

    Raises:
        InputError: the name is taken or malformed, or the function has other parameters.
    """
    _require_free(name, {*encodings.WITH_SCHEME, *encodings.WITHOUT_SCHEME, *encodings.CLUE_HANDLINGS}, "encoding")

    def register(make: F) -> F:
        parameters = len(inspect.signature(make).parameters)
        if parameters not in (1, 2):
            raise InputError(f"encoding {name}: its function takes a shape, or a shape and a scheme")

        @functools.wraps(make)
        def checked(shape: Shape, *scheme: amo.Scheme) -> Encoding:
            full_name = "+".join([name, *(each.name for each in scheme)])
            if shapes and shape not in shapes:
                raise Unsupported(f"the encoding {full_name} is for {', '.join(each.name for each in shapes)} only")
            with _blamed(f"encoding {full_name} on {shape.name} boards"):
                made = make(shape, *scheme)
                return made if isinstance(made, Encoding) else of_clauses(full_name, shape, made)

        (encodings.WITH_SCHEME if parameters == 2 else encodings.WITHOUT_SCHEME)[name] = checked
        if not units:
            encodings.ORDINARY_ONLY.add(name)
        scheme = f"+{encodings.DEFAULT_SCHEME}" if parameters == 2 else ""
        _show("encodings", name, f"{name}{scheme}@{ENGINE}")
        return make

    return register


def register_amo(name: str, exactly_one: Callable[[int], Sequence[Sequence[int]]] | None = None) -> Callable[[F], F]:
    """Register an at-most-one scheme: a decorator for a function of n.

    The function returns clauses over the literals 1 .. n, with auxiliary variables from n+1 on without gaps; n is at
    least 2. At least one is added by the encoding, unless ``exactly_one`` is a function of its own for that.

    Raises:
        InputError: the name is taken or malformed.
    """
    _require_free(name, {*amo.SCHEMES, *encodings.CLUE_HANDLINGS}, "at-most-one scheme")

    def register(pattern: F) -> F:
        own = _as_lists(name, exactly_one) if exactly_one else None
        amo.SCHEMES[name] = amo.Scheme(name, _as_lists(name, pattern), own)
        _show("schemes", name, f"complete+{name}@{ENGINE}")
        return pattern

    return register


def register_engine(name: str) -> Callable[[E], E]:
    """Register a SAT engine: a decorator for a subclass of ``solvers/sat/cnf.CnfStrategy``.

    Raises:
        InputError: the name is taken or malformed, or the class is no subclass.
    """
    _require_free(name, set(engines.OTHER_ENGINES), "engine")

    def register(strategy: E) -> E:
        if not (isinstance(strategy, type) and issubclass(strategy, CnfStrategy)):
            raise InputError(f"engine {name}: is no subclass of sudoku_bench.solvers.sat.cnf.CnfStrategy")
        engines.OTHER_ENGINES[name] = strategy
        _show("engines", name, f"complete+{encodings.DEFAULT_SCHEME}@{name}")
        return strategy

    return register


def own() -> dict[str, list[str]]:
    """The names of the ``encodings``, ``schemes`` and ``engines`` that were registered in this process."""
    return {kind: list(registered) for kind, registered in _own.items()}


def composed(patterns: Iterable[str]) -> list[str]:
    """The SAT strategies that patterns stand for and that use something registered in this process."""
    found: list[str] = []
    for pattern in patterns:
        for part in registry.expanded(pattern):
            if part.startswith(f"{names.FAMILY}:") and "@" in part:
                found += matching(part) if registry.is_pattern(part) else [part]
    return [name for name in dict.fromkeys(found) if _uses_own(name)]


def _uses_own(name: str) -> bool:
    try:
        parts = names.parse(registry.canonical(name))
        registry.get(registry.canonical(name))
    except InputError:
        return False
    encoding = parts.encoding.partition("+")[0]
    engine = parts.engine.partition("+")[0]
    return encoding in _own["encodings"] or parts.scheme in _own["schemes"] or engine in _own["engines"]


def _require_free(name: str, taken: set[str], kind: str) -> None:
    if not NAME.fullmatch(name):
        raise InputError(f"{kind} {name!r}: a name has small letters, digits and hyphens only")
    if name in taken:
        raise InputError(f"{kind} {name}: the name is taken; choose another")


def _show(kind: str, name: str, model: str) -> None:
    _own[kind].append(name)
    registry.register(strategy_of(f"{names.FAMILY}:{model}"))


def _as_lists(name: str, pattern: Callable[[int], Sequence[Sequence[int]]]) -> Callable[[int], amo.Pattern]:
    @functools.wraps(pattern)
    def as_lists(n: int) -> amo.Pattern:
        with _blamed(f"at-most-one scheme {name} for n = {n}"):
            return [[int(literal) for literal in clause] for clause in pattern(n)]

    return as_lists


@contextlib.contextmanager
def _blamed(what: str) -> Iterator[None]:
    """Turn an error of a plug-in's function into one line that says whose it is."""
    try:
        yield
    except (InputError, Unsupported):
        raise
    except Exception as error:
        raise InputError(f"{what}: {type(error).__name__}: {' '.join(str(error).split())}") from error
