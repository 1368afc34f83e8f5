"""Which strategies exist, by name and by pattern, and which can run here."""

from __future__ import annotations

import fnmatch
import functools
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from datasets.errors import InputError
from solvers.strategy import Strategy

# The modules of the project's own strategies, in the order in which they are listed.
MODULES = (
    *(f"seeds.{name}" for name in ("pyeda", "pycosat", "python_constraint", "pysat", "norvig")),
    "sat.strategies",
    "models.csp",
    *(f"search.{name}" for name in ("backtracking", "propagation", "cover", "dancing_links", "cover_packages")),
    *(f"models.{name}" for name in ("cp_sat", "choco", "pumpkin", "asp", "smt", "smt_bitwuzla", "ilp", "parity")),
    *("search.bitboard", "sat.cdcl", "models.bdd", "search.annealing", "search.portfolio"),
)

NAME = re.compile(r"[A-Za-z0-9][^\s,*?\[\]:]*:[^\s,*?\[\]]+")  # brackets and stars belong to patterns
DISTRIBUTION = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)

S = TypeVar("S", bound=type[Strategy])

_registered: dict[str, type[Strategy]] = {}
_prefix = ""  # of the names that are registered at present (see ``load_renamed``)
_families: dict[str, Callable[[str], type[Strategy] | None]] = {}
_canonical: dict[str, Callable[[str], str]] = {}


def register(strategy: S) -> S:
    """Class decorator: make a strategy known under its name.

    Raises:
        InputError: the name is missing, not of the form ``family:model``, or taken; a task is not known;
            ``requires`` or ``environ`` is malformed.
    """
    name = getattr(strategy, "name", "")
    if not NAME.fullmatch(name):
        raise InputError(
            f"strategy {strategy.__name__}: name {name!r} is not of the form family:model[+option][@engine]"
        )
    if _prefix + name in _registered:
        raise InputError(f"strategy {_prefix + name}: the name is taken; choose another")
    if isinstance(strategy.tasks, str) or not strategy.tasks or set(strategy.tasks) - {"first", "unique", "count"}:
        raise InputError(f"strategy {name}: tasks are a tuple of first, unique and count, not {strategy.tasks!r}")
    if isinstance(strategy.requires, str) or not all(map(DISTRIBUTION.fullmatch, strategy.requires)):
        raise InputError(
            f"strategy {name}: requires is a tuple of distributions, without versions, not {strategy.requires!r}"
        )
    if not all(isinstance(text, str) for pair in strategy.environ.items() for text in pair):
        raise InputError(f"strategy {name}: environ maps names to texts, not {strategy.environ!r}")
    renamed = type(strategy.__name__, (strategy,), {"name": _prefix + name}) if _prefix else strategy
    _registered[_prefix + name] = renamed
    return strategy


def register_family(
    family: str, make: Callable[[str], type[Strategy] | None], canonical: Callable[[str], str] | None = None
) -> None:
    """Let exact names of a family beyond the default set be made on demand.

    Args:
        make: returns None, or raises ``InputError``, for a wrong name.
        canonical: gives the one name of a strategy that goes by several.
    """
    _families[family] = make
    if canonical:
        _canonical[family] = canonical


def load_builtin() -> None:
    """Import the project's own strategies (none of which imports its packages yet)."""
    for module in MODULES:
        importlib.import_module(f"solvers.{module}")


def load_plugin(path: str | Path) -> list[str]:
    """Run a Python file that registers strategies; returns their names.

    The file's folder goes to the end of ``sys.path``, so that it can import its neighbours.

    Raises:
        InputError: there is no such file, or it registers nothing.
        Exception: whatever the file itself raises.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such plug-in file")
    before = set(_registered)
    module_name = f"plugin_{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: a plug-in is a Python file; its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    sys.path.append(str(path.resolve().parent))
    spec.loader.exec_module(module)
    names = [name for name in _registered if name not in before]
    if not names:
        raise InputError(
            f"{path}: registers no strategy; decorate a subclass of solvers.Strategy with solvers.register"
        )
    return names


def load_renamed(path: str | Path, prefix: str) -> list[str]:
    """As ``load_plugin``, with a prefix to every name that the file registers: these may be taken without it, by
    another version of the same strategy for example.
    """
    global _prefix
    _prefix = prefix
    try:
        return load_plugin(path)
    finally:
        _prefix = ""


def load_entry_point(value: str) -> list[str]:
    """Import what an entry point names, ``MODULE`` or ``MODULE:CLASS``; returns the strategies that it brings.

    Raises:
        InputError: it is no strategy, or registers none.
        Exception: whatever the import raises.
    """
    module, _, attributes = value.partition(":")
    before = set(_registered)
    found = importlib.import_module(module.strip())
    if not attributes:
        names = [name for name in _registered if name not in before]
        if not names:
            raise InputError("registers no strategy; decorate a subclass of solvers.Strategy with solvers.register")
        return names
    strategy = functools.reduce(getattr, attributes.split("[")[0].strip().split("."), found)
    if not (isinstance(strategy, type) and issubclass(strategy, Strategy)):
        raise InputError("is no subclass of solvers.Strategy; name the class, or the module alone")
    if strategy not in _registered.values():
        register(strategy)
    return [strategy.name]


def names() -> list[str]:
    """The default set: every registered name, in order of registration."""
    return list(_registered)


def get(name: str) -> type[Strategy]:
    """A strategy by its exact name.

    Raises:
        InputError: there is none.
    """
    if name in _registered:
        return _registered[name]
    make = _families.get(name.partition(":")[0])
    made = make(name) if make else None
    if made is None:
        raise InputError(f"no strategy is called {name}; see `sudoku-bench list strategies`")
    return made


def canonical(name: str) -> str:
    """The one name of a strategy that goes by several; others as they are.

    Raises:
        InputError: there is no such strategy.
    """
    rename = None if name in _registered else _canonical.get(name.partition(":")[0])
    return rename(name) if rename else name


def match(patterns: Iterable[str], among: Iterable[str]) -> Iterator[str]:
    """Names that match any of the shell-style patterns, each once, in the order of the patterns.

    A pattern without wildcards is an exact name and may lie outside the default set.

    Raises:
        InputError: a pattern matches nothing.
    """
    among = list(among)
    seen = set()
    for pattern in patterns:
        exact = pattern in among or not any(c in pattern for c in "*?[")
        found = [pattern] if exact else fnmatch.filter(among, pattern)
        if not found:
            raise InputError(f"no strategy matches {pattern}; see `sudoku-bench list strategies`")
        for name in found:
            if name not in seen:
                seen.add(name)
                yield name


def missing(requires: Iterable[str]) -> str:
    """Which of these distributions is not installed, in words; empty if all are."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and no worker needs it

    for distribution in requires:
        try:
            version(distribution)
        except PackageNotFoundError:
            return f"the package {distribution} is not installed (pip install {distribution})"
    return ""
