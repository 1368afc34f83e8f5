"""A suite: the settings of a run.

Suites are TOML files; shipped ones are loaded by name. The command line overrides single settings.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sudoku_bench.bench.machine import pinning
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.reading import sources
from sudoku_bench.solvers.external.command import COMMAND_KEYS, Command
from sudoku_bench.solvers.strategy import Task

SHIPPED = Path(__file__).parent / "suites"
DEFAULT = "main"
WARM, COLD, BATCH = "warm", "cold", "batch"
MAX_BATCH = 100_000
MARGIN = 0.05
SET_ASIDE = 20


@dataclass(frozen=True)
class Suite:
    """The settings of a run, with their defaults. Times in seconds, memory in MiB.

    Attributes:
        strategies: patterns; datasets: names of collections or paths.
        limit: number of puzzles from the start of each collection (None: all).
        sample: number of these to sample at random, stratified by difficulty as ``datasets/reading/sampling``
            describes (None: all).
        skip_bad: skip and count lines without a valid puzzle (otherwise the first is an error).
        repetitions, launches: repetitions of each pair of strategy and puzzle per launch, and the number of launches,
            which are independent repeats of all rounds.
        budget: time limit for probe and measurements, such as ``90s``, ``10m`` or ``1h``; repetitions are then chosen
            after the probe (None: repetitions as given).
        sandbox: workers run without network, other processes and most of the file system, of which they change nothing.
        set_aside: a strategy whose first puzzles of a collection all timed out, this many of them in a launch, is not
            tried on the others (0: it is).
        isomorphs: each repetition solves another form (otherwise the stored one).
        loops: different forms solved per measurement, for solves that are too short to time one by one.
        mode: ``warm`` (process alive, rules prepared), ``cold`` (a fresh interpreter per solve) or ``batch:B``
            (B forms in one call).
        pin: ``off``, or the core of all workers, one for each job (``on``: chosen automatically). Strategies that use
            several cores are not pinned.
        jobs: number of simultaneous measurements, each on a separate core.
        margin: relative differences up to this share of the shorter time count as no difference; declared before the
            run, so that it cannot be chosen after seeing the results.
        commands: external programs (``[[commands]]`` in a file); those that no pattern of ``strategies`` matches take
            part only if there are no patterns.
    """

    name: str = "command-line"
    title: str = ""
    strategies: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    task: str = "first"
    mode: str = "warm"
    limit: int | None = None
    sample: int | None = None
    skip_bad: bool = False
    repetitions: int = 5
    launches: int = 1
    timeout_s: float = 10.0
    memory_mib: int | None = None
    set_aside: int = SET_ASIDE
    sandbox: bool = False
    seed: int = 1
    isomorphs: bool = True
    loops: int = 1
    gc: str = "on"
    pin: str = "on"
    jobs: int = 1
    margin: float = MARGIN
    budget: str | None = None
    commands: tuple[Command, ...] = ()

    @property
    def budget_s(self) -> float | None:
        return None if self.budget is None else seconds_of(self.budget)

    @property
    def cold(self) -> bool:
        return self.mode == COLD

    @property
    def batch(self) -> int | None:
        """The number of forms per call; None in other modes."""
        kind, _, number = self.mode.partition(":")
        return int(number) if kind == BATCH else None

    def with_settings(self, settings: Mapping[str, Any]) -> Suite:
        """Return this suite with some settings replaced (None: unchanged), validated.

        Raises:
            InputError: a value is out of range.
        """
        given = {k: v for k, v in settings.items() if v is not None}
        if "repetitions" in given and "budget" in given:
            raise InputError(
                "repetitions and budget exclude each other: a budget chooses the repetitions; give only one"
            )
        if "repetitions" in given:
            given["budget"] = None
        changed = dataclasses.replace(self, **given)
        Task.parse(changed.task)
        if changed.budget is not None:
            seconds_of(changed.budget)
        if changed.gc not in ("on", "off"):
            raise InputError(f"gc must be on or off, not {changed.gc!r}")
        _check_mode(changed)
        pinning.parse_pin(changed.pin)
        positive = ("limit", "sample", "repetitions", "launches", "timeout_s", "memory_mib", "loops", "jobs", "margin")
        for key in positive:
            value = getattr(changed, key)
            if value is not None and not 0 < value < float("inf"):
                raise InputError(f"{key.partition('_')[0]} must be more than 0, not {value}")
        if changed.set_aside < 0:
            raise InputError(f"set_aside must be 0 or more, not {changed.set_aside}")
        if changed.margin >= 1:
            raise InputError(f"margin must be less than 1 (0.05 is 5%), not {changed.margin}")
        return changed


def seconds_of(time: str, what: str = "budget") -> float:
    """Parse a time such as ``90s``, ``10m`` or ``1.5h`` into seconds.

    Args:
        what: what the time is for, for the message.

    Raises:
        InputError: the text is no time, or zero.
    """
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)([smh])", time, re.ASCII)
    if not match or not float(match[1]):
        raise InputError(f"{what} must be a time such as 90s, 10m or 1h, not {time!r}")
    return float(match[1]) * {"s": 1, "m": 60, "h": 3600}[match[2]]


def _check_mode(suite: Suite) -> None:
    kind, colon, number = suite.mode.partition(":")
    if kind == BATCH and number.isascii() and number.isdigit() and 0 < int(number) <= MAX_BATCH:
        pass
    elif colon or kind not in (WARM, COLD):
        raise InputError(f"mode must be warm, cold or batch:B with B up to {MAX_BATCH}, not {suite.mode!r}")
    if suite.mode != WARM and suite.loops != 1:
        raise InputError(f"loops apply to mode warm only; mode {suite.mode} fixes their number")


def requested(name: str | None, settings: Mapping[str, Any], has_commands: bool = False) -> Suite:
    """Return the suite of this name with some settings replaced (None: unchanged).

    Without a name it is ``main``, or, with strategies, datasets or commands, a suite with default settings that takes
    from ``main`` only the strategies or puzzles that are not given.

    Raises:
        InputError: there is no such suite, or a value is out of range.
    """
    base = load(name or DEFAULT)
    if not name and (has_commands or settings.get("strategies") or settings.get("datasets")):
        base = Suite(strategies=() if has_commands else base.strategies, datasets=base.datasets)
    return base.with_settings(settings)


def shipped() -> dict[str, Suite]:
    """Return the suites shipped with the project, by name."""
    return {path.stem: read(path) for path in sorted(SHIPPED.glob("*.toml"))}


def load(name_or_path: str) -> Suite:
    """Load a shipped suite by name, or a TOML file.

    Raises:
        InputError: neither exists, or the file is not a valid suite.
    """
    suites = SHIPPED / f"{name_or_path}.toml"
    if "/" not in name_or_path and suites.is_file():
        return read(suites)
    if not name_or_path.endswith(".toml"):
        names = [path.stem for path in sorted(SHIPPED.glob("*.toml"))]
        near = difflib.get_close_matches(name_or_path, names, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"{name_or_path}: neither a suite ({', '.join(names)}) nor a .toml file{hint}")
    return read(Path(name_or_path))


def read(path: Path) -> Suite:
    """Read a suite from a TOML file.

    Raises:
        InputError: the file cannot be read or parsed, or a setting is unknown or of the wrong type.
    """
    try:
        settings = tomllib.loads(sources.document(path).decode())
    except (ValueError, RecursionError) as error:  # ValueError: no TOML, no UTF-8, or an integer that is too long
        raise InputError(f"{path}: is not TOML: {error}") from None
    try:
        return Suite(name=path.stem).with_settings(typed(settings))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def typed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with values of their types: lists become tuples, integers are accepted for floats.

    Raises:
        InputError: there is no such setting, or its value has another type.
    """
    kinds = {field.name: str(field.type) for field in dataclasses.fields(Suite)}
    if unknown := next((key for key in settings if key not in kinds), None):
        raise InputError(f"unknown setting {unknown}{hint(unknown, kinds)}")
    return {
        key: _commands(value) if key == "commands" else _checked(key, value, kinds[key])
        for key, value in settings.items()
    }


def hint(key: str, kinds: Iterable[str]) -> str:
    """Return the end of a message about an unknown setting."""
    near = difflib.get_close_matches(key, kinds, n=1)
    return f"; did you mean {near[0]}?" if near else f"; the settings are {', '.join(kinds)}"


def _commands(tables: Any) -> tuple[Command, ...]:
    """Parse the tables ``[[commands]]`` of a suite."""
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise InputError("commands must be tables; write [[commands]] above the name and command of each")
    commands = []
    for number, table in enumerate(tables, start=1):
        try:
            commands.append(Command.of(table))
        except InputError as error:
            stray = [key for key in table if key not in COMMAND_KEYS and key in Suite.__dataclass_fields__]
            where = f" (settings of the suite, such as {stray[0]}, go above the first [[commands]])" if stray else ""
            raise InputError(f"[[commands]] number {number}: {error}{where}") from None
    return tuple(commands)


def _checked(key: str, value: Any, kind: str) -> Any:
    if kind.startswith("tuple"):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise InputError(f"{key} must be a list of strings")
    accepted: dict[str, tuple[type, ...]] = {"str": (str,), "bool": (bool,), "float": (int, float)}
    if type(value) not in accepted.get(kind.partition(" ")[0], (int,)):
        raise InputError(f"{key} must be of type {kind.partition(' ')[0]}, not {value!r}")
    return value
