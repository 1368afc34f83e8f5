"""Registry of strategies: lookup by name and by pattern, plug-ins, and which packages and programs are missing."""

from __future__ import annotations

import fnmatch
import importlib
import importlib.util
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeVar

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.strategy import ANY_BOARD, Strategy

# The modules of the project's own strategies by family, in the order in which they are listed.
MODULES = {
    "seed": tuple(f"seeds.{name}" for name in ("pyeda", "pycosat", "python_constraint", "pysat", "norvig")),
    "sat": ("sat.strategies",),
    "csp": ("models.csp",),
    "backtracking": ("search.backtracking",),
    "propagation": ("search.propagation",),
    "exact-cover": ("search.cover", "search.dancing_links", "search.cover_packages"),
    "cp-sat": ("models.cp_sat",),
    "cp": ("models.cp",),
    "asp": ("models.asp",),
    "smt": ("models.smt",),
    "ilp": ("models.ilp",),
    "parity": ("models.parity",),
    "bitboard": ("search.bitboard",),
    "portfolio": ("search.portfolio",),
}
# Modules that no worker needs unless such a name is asked for: the pattern of the names, and the module.
ON_DEMAND = {"sat:*@/*": "external.strategies"}

# Debian's packages of the programs in the documents; `make setup-solvers` installs them all.
DEBIAN = {
    **{program: program for program in ("cadical", "clasp", "minisat", "minizinc", "picosat")},
    "fzn-gecode": "flatzinc",
}

# Brackets and stars belong to patterns, slashes to paths.
# Of a strategy; one of two versions that are compared has a prefix (``bench/plan/versions``).
NAME = re.compile(r"(?:(?:old|new)/)?[A-Za-z0-9][^\s,*?\[\]:/\\]*:[^\s,*?\[\]/\\]+")
LONGEST_NAME = 80  # characters
CLASS_FILE = re.compile(r"class_of_script\d*\.py")  # plug-in that `sudoku_bench.given` writes: no file of a user
PLUGIN_MODULE = "plugin_"  # prefix of the names of the modules of plug-ins
LISTED = "see `sudoku-bench list strategies`"
BRACES = re.compile(r"\{([^{}]*)\}")  # a product of words in a pattern
DISTRIBUTION = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)

S = TypeVar("S", bound=type[Strategy])


class Family(NamedTuple):
    """Strategies that are made on demand (see ``register_family``)."""

    make: Callable[[str], type[Strategy] | None]
    canonical: Callable[[str], str] | None


_registered: dict[str, type[Strategy]] = {}
_prefix = ""  # of the names that are being registered (see ``load_renamed``)
_families: dict[str, Family] = {}  # by pattern


def register(strategy: S) -> S:
    """Class decorator: register a strategy under its name.

    Raises:
        InputError: it is no strategy; the name is missing, not of the form ``family:model``, not printable, too long,
            or taken; a task is unknown; ``requires``, ``environ`` or ``takes`` is malformed.
    """
    if not isinstance(strategy, type):
        raise InputError(f"@register: takes a class, not {strategy!r}; write the name in the class, as `name = ...`")
    if not issubclass(strategy, Strategy):
        raise InputError(f"class {strategy.__name__}: is no strategy; derive it from sudoku_bench.Strategy")
    name = getattr(strategy, "name", "")
    if fault := name_fault(name):
        raise InputError(f"strategy {strategy.__name__}: {fault}")
    before = _registered.get(_prefix + name)
    redefined = before and (before.__module__, before.__qualname__) == (
        "__main__",
        strategy.__qualname__,
    )  # a notebook's
    if before and not redefined:
        raise InputError(f"strategy {_prefix + name}: the name is taken; choose another")
    if isinstance(strategy.tasks, str) or not strategy.tasks or set(strategy.tasks) - {"first", "unique", "count"}:
        raise InputError(f"strategy {name}: tasks are a tuple of first, unique and count, not {strategy.tasks!r}")
    if isinstance(strategy.requires, str) or not all(map(DISTRIBUTION.fullmatch, strategy.requires)):
        raise InputError(
            f"strategy {name}: requires is a tuple of distributions, without versions, not {strategy.requires!r}"
        )
    if not all(isinstance(text, str) for item in strategy.environ.items() for text in item):
        raise InputError(f"strategy {name}: environ maps names to texts, not {strategy.environ!r}")
    if isinstance(strategy.takes, str) or set(strategy.takes).difference(ANY_BOARD):
        raise InputError(f"strategy {name}: takes is a tuple of units and candidates, not {strategy.takes!r}")
    renamed = type(strategy.__name__, (strategy,), {"name": _prefix + name}) if _prefix else strategy
    _registered[_prefix + name] = renamed
    return strategy


def name_fault(name: object) -> str:
    """Describe why a strategy that is registered cannot have this name; empty if it can."""
    if type(name) is not str:
        return f"its name is of the type {type(name).__name__}; use a text of the form family:model"
    if not NAME.fullmatch(name):
        return f"name {name[:LONGEST_NAME]!a} is not of the form family:model[+option][@engine], without / and \\"
    if not name.isprintable() or len(name) > LONGEST_NAME:
        return f"name {name[:LONGEST_NAME]!a} is not of {LONGEST_NAME} printable characters or fewer"
    return ""


def register_family(
    pattern: str, make: Callable[[str], type[Strategy] | None], canonical: Callable[[str], str] | None = None
) -> None:
    """Make strategies on demand for exact names that are not registered one by one.

    Args:
        pattern: the names, as a shell-style pattern; if several patterns match a name, the longest applies.
        make: the strategy of a name; returns None, or raises ``InputError``, if there is none.
        canonical: the canonical name of a strategy that has aliases.
    """
    _families[pattern] = Family(make, canonical)


def load_builtin() -> None:
    """Import the project's own strategies; none of them imports its packages yet."""
    for family in MODULES:
        _load(family)


def _load(family: str) -> None:
    for module in MODULES.get(family, ()):
        importlib.import_module(f"sudoku_bench.solvers.{module}")


def load_plugin(path: str | Path) -> list[str]:
    """Run a Python file that registers strategies, and return their names.

    The file's folder is appended to ``sys.path``, so that the file can import its neighbours.

    Raises:
        InputError: the file does not exist, is not a Python file, or registers nothing.
        Exception: whatever the file itself raises.
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path}: no such plug-in file")
    before = set(_registered)
    module_name = f"{PLUGIN_MODULE}{path.stem}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path}: a plug-in is a Python file; its name ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    sys.path.append(str(path.resolve().parent))
    spec.loader.exec_module(module)
    registered = [name for name in _registered if name not in before]
    if not registered:
        raise InputError(
            f"{path}: registers no strategy; decorate a subclass of sudoku_bench.Strategy with sudoku_bench.register"
        )
    return registered


def load_renamed(path: str | Path, prefix: str) -> list[str]:
    """Like ``load_plugin``, but put a prefix before every name that the file registers.

    The names themselves may be taken, for example by another version of the same strategy. Strategies of the project,
    which the file may build on, keep their names.
    """
    global _prefix
    load_builtin()
    _prefix = prefix
    try:
        return load_plugin(path)
    finally:
        _prefix = ""


def names() -> list[str]:
    """The default set: the project's own strategies in the order of ``MODULES``, then others as registered."""
    modules = itertools.chain.from_iterable(MODULES.values())
    places = {f"sudoku_bench.solvers.{module}": place for place, module in enumerate(modules)}
    return sorted(_registered, key=lambda name: places.get(_registered[name].__module__, len(places)))


def is_strange(name: str) -> bool:
    """Has somebody else registered the strategy in this process, such as a notebook? Other processes lack it."""
    return name in _registered and not _registered[name].__module__.startswith("sudoku_bench.")


def get(name: str, others: Iterable[str] = ()) -> type[Strategy]:
    """Return the strategy with an exact name; of the project's own modules, only those of its family are imported.

    Args:
        others: names of plug-ins, which a misspelt name may mean.

    Raises:
        InputError: there is none.
    """
    if name not in _registered:
        _load(name.partition(":")[0])
    if name in _registered:
        return _registered[name]
    family = _family_of(name)
    strategy = family.make(name) if family else None
    if strategy is None:
        raise InputError(f"no strategy is called {name}; {near(name, [*_registered, *others])}")
    return strategy


def canonical(name: str) -> str:
    """Return the canonical name of a strategy that has aliases, and any other name unchanged.

    Raises:
        InputError: there is no such strategy.
    """
    family = None if name in _registered else _family_of(name)
    return family.canonical(name) if family and family.canonical else name


def _family_of(name: str) -> Family | None:
    for pattern, module in ON_DEMAND.items():
        if fnmatch.fnmatchcase(name, pattern):
            importlib.import_module(f"sudoku_bench.solvers.{module}")
    matches = [pattern for pattern in _families if fnmatch.fnmatchcase(name, pattern)]
    return _families[max(matches, key=len)] if matches else None


def match(patterns: Iterable[str], among: Iterable[str]) -> Iterator[str]:
    """Yield the names that match any of the shell-style patterns, each once, in the order of the patterns.

    A pattern without wildcards is an exact name, which need not be in the default set.

    Raises:
        InputError: a pattern matches nothing.
    """
    among = list(among)
    seen = set()
    for pattern in patterns:
        exact = pattern in among or not is_pattern(pattern)
        matches = [pattern] if exact else fnmatch.filter(among, pattern)
        if not matches:
            raise InputError(f"no strategy matches {pattern}; {near(pattern, among)}")
        for name in matches:
            if name not in seen:
                seen.add(name)
                yield name


def is_pattern(text: str) -> bool:
    """Does it have a wildcard of the shell?"""
    return any(character in text for character in "*?[")


def expanded(pattern: str) -> list[str]:
    """Return the product of the words in braces: ``a{b,c}@{d,e}`` is ``ab@d``, ``ab@e``, ``ac@d`` and ``ac@e``."""
    braces = BRACES.search(pattern)
    if braces is None:
        return [pattern]
    head, tail = pattern[: braces.start()], pattern[braces.end() :]
    return [name for word in braces[1].split(",") for name in expanded(f"{head}{word.strip()}{tail}")]


def near(name: str, among: Iterable[str]) -> str:
    """Return what to do about a name that is not there: the most similar one, or where all are listed."""
    import difflib  # no worker needs it

    similar = difflib.get_close_matches(name, list(among), n=1)
    return f"did you mean {similar[0]}? {LISTED}" if similar else f"{LISTED}; one of your own needs --plugin FILE.py"


_installed: set[str] = set()  # distributions that were found; others may be installed later


def missing(requires: Iterable[str]) -> str:
    """The reason why these distributions cannot be used: the first that is not installed; empty if all are."""
    from importlib import metadata  # slow to import, and no worker needs it

    for name in requires:
        try:
            if name not in _installed:
                metadata.distribution(name)  # found by its folder; its version would be read from a file
        except metadata.PackageNotFoundError:
            return f"the package {name} is not installed (pip install {name})"
        _installed.add(name)
    return ""


def missing_program(programs: Iterable[str]) -> str:
    """The reason why these programs cannot be run: the first that does not exist; empty if all do."""
    import shutil  # no worker needs it

    for program in programs:
        if shutil.which(program) is None:
            if "/" in program:
                return f"there is no program {program}"
            hint = f" (Debian: apt install {DEBIAN[program]})" if program in DEBIAN else ""
            return f"the program {program} is not on the PATH{hint}"
    return ""
