"""A suite: the settings of a run.

Each setting is declared once, in ``Suite``: it is an option of ``run``, a key of a TOML file, a keyword of
``sudoku_bench.run`` and a field of the manifest, with the same check and the same description. Suites are TOML files;
shipped ones are loaded by name.
"""

from __future__ import annotations

import dataclasses
import difflib
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta

from sudoku_bench.bench.machine import pinning
from sudoku_bench.bench.plan import declared
from sudoku_bench.datasets import files
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.external.command import COMMAND_KEYS, Command
from sudoku_bench.solvers.strategy import Task

SHIPPED = Path(__file__).parent / "suites"
DEFAULT = "main"
WARM, COLD, BATCH = "warm", "cold", "batch"
PLACEBO, FLOOR, PIPE = "instrument", "floor", "pipe"  # roles of controls
MAX_BATCH = 100_000
LARGEST, DEEPEST = 1 << 20, 100  # letters of a file, and its nested brackets
MARGIN = 0.05
SHARD = r"^[1-9][0-9]{0,5}/[1-9][0-9]{0,5}$"
SET_ASIDE = 20
WHAT, HOW_LONG, MACHINE = "what is measured", "how long", "how, and on what machine"  # groups of options
NO_OPTION = ("name", "title", "commands")  # settings of a file alone

OnOff = Literal["on", "off"]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(ge=1)]
Limit = Annotated[float, Meta(gt=0, lt=1e12)]
Share = Annotated[float, Meta(gt=0, lt=1)]
LAUNCHES = (
    "independent repeats of the whole run; every repetition already uses a fresh process, unless the strategy keeps"
    " state"
)
PATTERNS = "strategies to measure, such as 'sat:*'; @ENGINE: those of the suite under that engine; repeatable"
SKIPPED = "skip the rest of a collection for a strategy whose first N puzzles all timed out; 0: never"


def setting(default: Any, text: str, group: str, metavar: str = "") -> Any:
    """Declare a setting: its default and description, and the group and the metavariable of its option."""
    return dataclasses.field(default=default, metadata={"description": text, "group": group, "metavar": metavar})


@dataclass(frozen=True)
class Suite:
    """The settings of a run, with their defaults. Times in seconds, memory in MiB.

    Attributes:
        commands: external programs (``[[commands]]`` in a file); those that no pattern of ``strategies`` matches take
            part only if there are no patterns.
    """

    name: str = "command-line"
    title: str = ""
    strategies: tuple[str, ...] = setting((), PATTERNS, WHAT, "PATTERN")
    datasets: tuple[str, ...] = setting((), "collection or file of puzzles; repeatable", WHAT, "NAME|PATH")
    task: str = setting("first", "first, unique or count:K", WHAT)
    limit: Positive | None = setting(None, "use the first N puzzles of each collection", WHAT, "N")
    sample: Positive | None = setting(
        None, "use N random puzzles of each collection, spread over difficulty", WHAT, "N"
    )
    skip_bad: bool = setting(False, "skip and count lines that are not puzzles", WHAT)
    shard: str | None = setting(None, "measure part I of N of the puzzles, see docs/scale.md", WHAT, "I/N")
    repetitions: Positive = setting(5, "measurements per strategy, puzzle and launch", HOW_LONG, "R")
    budget: str | None = setting(
        None,
        "time for everything that is solved, such as 10m; determines repetitions and, if 3 do not fit, puzzles",
        HOW_LONG,
        "TIME",
    )
    until: str | None = setting(
        None, "half-width of the intervals, such as 5%, until which repetitions go on, at most --budget", HOW_LONG, "X%"
    )
    launches: Positive = setting(1, LAUNCHES, HOW_LONG, "L")
    timeout_s: Limit = setting(10.0, "CPU seconds per solve, or 1m", HOW_LONG, "S")
    memory_mib: Positive | None = setting(None, "limit per worker process in MiB", HOW_LONG, "MIB")
    set_aside: Count = setting(SET_ASIDE, SKIPPED, HOW_LONG, "N")
    mode: str = setting("warm", "warm, cold (a fresh interpreter per solve) or batch:B with B forms per call", MACHINE)
    isomorphs: bool = setting(True, "solve a different isomorph in each repetition", MACHINE)
    loops: Positive = setting(1, "forms per measurement, for solves too short to time", MACHINE, "N")
    seed: int = setting(1, "random seed of orders and forms", MACHINE, "N")
    margin: Share = setting(
        MARGIN, "relative difference that counts as equivalent, declared before the run", MACHINE, "M"
    )
    gc: OnOff = setting("on", "Python's garbage collector in worker processes", MACHINE)
    pin: str = setting("on", "run all workers of a job on one core", MACHINE, "on|off|CORES")
    jobs: Positive = setting(1, "simultaneous measurements, one per physical core", MACHINE, "J")
    host_names: bool = setting(False, "record the names of hosts, not only hashes of them", MACHINE)
    sandbox: bool = setting(
        False, "run strategies in namespaces of their own, without network and your files (Linux)", MACHINE
    )
    commands: tuple[Command, ...] = ()

    @property
    def budget_s(self) -> float | None:
        return None if self.budget is None else seconds_of(self.budget)

    @property
    def target(self) -> float | None:
        """The half-width until which repetitions go on, as a share."""
        return None if self.until is None else float(self.until.rstrip("%")) / 100

    @property
    def part(self) -> tuple[int, int]:
        """The number of this shard, from 1, and that of all; (1, 1) for a whole run."""
        number, _, shards = (self.shard or "1/1").partition("/")
        return int(number), int(shards)

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
            InputError: there is no such setting, or its value is of another type or out of range.
        """
        given = {name: value for name, value in settings.items() if value is not None}
        if "repetitions" in given and "budget" in given:
            raise InputError(
                "repetitions and budget exclude each other: a budget chooses the repetitions; give only one"
            )
        if "repetitions" in given:
            given["budget"] = None
        changed = of_record(dataclasses.asdict(self) | given)
        changed.require_sound()
        return changed

    def require_sound(self) -> None:
        """Require what the types of settings do not say.

        Raises:
            InputError: it does not hold.
        """
        Task.parse(self.task)
        if self.shard is not None and (not re.fullmatch(SHARD, self.shard) or self.part[0] > self.part[1]):
            raise InputError(f"shard must be I/N with I from 1 to N, such as 3/16, not {self.shard!r}")
        if self.budget is not None:
            seconds_of(self.budget)
            if self.shard:
                raise InputError("shard and budget exclude each other: shards need the same number of repetitions")
        if self.until is not None:
            if not re.fullmatch(r"\d{1,2}(\.\d{1,3})?%", self.until, re.ASCII) or not self.target:
                raise InputError(f"until must be a half-width such as 5%, not {self.until!r}")
            if self.shard or self.launches > 1 or self.repetitions < 3:
                raise InputError("until needs three repetitions to begin with, one launch and no shard")
        pinning.parse_pin(self.pin)
        kind, colon, number = self.mode.partition(":")
        is_batch = kind == BATCH and re.fullmatch("[0-9]{1,6}", number) and 0 < int(number) <= MAX_BATCH
        if not is_batch and (colon or kind not in (WARM, COLD)):
            raise InputError(f"mode must be warm, cold or batch:B with B up to {MAX_BATCH}, not {self.mode[:40]!r}")
        if self.mode != WARM and self.loops != 1:
            raise InputError(f"loops apply to mode warm only; mode {self.mode} fixes their number")


@dataclass(frozen=True)
class Setting:
    """A setting as it is declared: what its option and its documentation say.

    Attributes:
        kind: the type of its value: int, float, str, bool, tuple, or the values to choose from.
    """

    name: str
    kind: Any
    description: str
    group: str
    metavar: str
    default: Any


def settings() -> list[Setting]:
    """Return the settings that have an option, in the order of their declaration."""
    hints = get_type_hints(Suite)
    fields = [field for field in dataclasses.fields(Suite) if field.name not in NO_OPTION]
    return [
        Setting(field.name, kind_of(hints[field.name]), default=field.default, **field.metadata) for field in fields
    ]


def kind_of(hint: Any) -> Any:
    """Return what a setting holds from its type, which may allow None."""
    if NoneType in get_args(hint):
        [hint] = (part for part in get_args(hint) if part is not NoneType)
    return get_args(hint) if get_origin(hint) is Literal else get_origin(hint) or hint


def of_record(record: Mapping[str, Any]) -> Suite:
    """Return the suite with these settings, such as those of a manifest; missing ones have their defaults.

    Raises:
        InputError: there is no such setting, or its value is of another type or out of range.
    """
    names = [field.name for field in dataclasses.fields(Suite)]
    if unknown := next((name for name in record if name not in names), None):
        raise InputError(f"unknown setting {unknown}{hint(unknown, names)}")
    try:
        return declared.converted(record, Suite)
    except ValueError as error:
        raise InputError(str(error).replace("one of the allowed values", " or ".join(get_args(OnOff)))) from None


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


def requested(name: str | None, settings: Mapping[str, Any], has_own: bool = False) -> Suite:
    """Return the suite of this name with some settings replaced (None: unchanged).

    A pattern that begins with ``@`` or ``+`` stands for the strategies of the named suite with this ending, such as
    ``@glucose4`` or ``+compiled@minisat22``. Without a name it is ``main``, or, with strategies, datasets, plug-ins or
    commands, a suite with default settings that takes from ``main`` only the strategies or puzzles that are not given.

    Args:
        has_own: plug-ins or commands are given, whose strategies are measured.

    Raises:
        InputError: there is no such suite, or a value is out of range.
    """
    base = load(name or DEFAULT)
    if not name and (has_own or settings.get("strategies") or settings.get("datasets")):
        base = Suite(strategies=() if has_own else base.strategies, datasets=base.datasets)
    patterns = settings.get("strategies") if name else None
    ended = {"strategies": tuple(_ended(base, patterns))} if patterns else {}
    return base.with_settings({**settings, **ended})


def _ended(base: Suite, patterns: Iterable[str]) -> Iterator[str]:
    """Yield patterns, endings as the strategies of a suite with them."""
    for pattern in patterns:
        own = [name.rpartition("@")[0] + pattern for name in base.strategies if "@" in name]
        if pattern[:1] in ("@", "+") and not own:
            raise InputError(f"{pattern}: the suite names no strategy with an engine; write whole names")
        yield from own if pattern[:1] in ("@", "+") else [pattern]


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
        text = files.document(path).decode()
        if len(text) > LARGEST or max(accumulate((c in "[{") - (c in "]}") for c in text), default=0) > DEEPEST:
            raise ValueError(f"it has more than {LARGEST >> 20} MiB, or brackets {DEEPEST} deep")  # which take long
        settings = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: no TOML, no UTF-8, or an integer that is too long
        raise InputError(f"{path}: is not TOML: {error}") from None
    try:
        commands = {"commands": _commands(settings["commands"])} if "commands" in settings else {}
        return Suite(name=path.stem).with_settings(settings | commands)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


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
