"""The record of a measurement: one row of ``measurements.csv``.

Names include units; an empty field means "unknown", never 0.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import lru_cache, partial
from itertools import repeat
from operator import attrgetter, call, itemgetter
from typing import Any

from datasets.errors import harmless

STATUSES = ("solved", "timeout", "memout", "gave_up", "error", "wrong", "unsupported", "unverified", "mistimed")
FINISHED = ("solved", "unverified")  # the solve ended with an answer; one that is unverified was not checked
LONGEST = 400  # characters of a text that comes from a strategy
LONGEST_SHOWN = 40  # characters of a field in a message

Attempt = tuple[str, str, str, int]  # strategy, collection, puzzle, launch
Key = tuple[str, str, str, int, int, int]  # strategy, collection, puzzle, isomorph, launch, repetition
# No two rows of a run agree in all of these.
IDENTITY = ("strategy", "collection", "puzzle", "launch", "repetition")


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One measurement. The fields are the columns of ``measurements.csv``, in their order.

    Times are seconds per solve, means over the ``loops`` forms of a sample. After a run-in, the cost of reading the
    clocks has been subtracted from ``wall_s`` and ``cpu_s``.

    Attributes:
        isomorph: number of the first form; 0 is the stored puzzle.
        loops: forms solved in this sample.
        status: one of ``STATUSES``; empty until the outcome is known.
        started_s: seconds since the run began.
        decoy: ``several`` or ``none`` for a decoy, whose times mean nothing.
        placebo: ``instrument``, ``presentation``, ``floor`` or ``pipe`` for a control; None for a strategy.
        phases: ``apart`` if the phases were timed on other forms because the sample was too short to time them.
        stream_position: forms that the worker had solved before this sample, without those that only timed phases.
        run_in: forms solved untimed right before the sample; None for a strategy that needs no run-in.
        clock_cost_s: CPU seconds per solve for reading the clocks, which have been subtracted.
        other_counters: ``name=value; ...`` for counters without a column.
    """

    strategy: str
    collection: str
    puzzle: str
    isomorph: int
    task: str
    mode: str
    launch: int
    repetition: int
    loops: int
    status: str = ""
    reason: str | None = None
    limit_s: float
    limit_clock: str
    wall_s: float | None = None
    cpu_s: float | None = None
    prepare_cpu_s: float | None = None
    encode_cpu_s: float | None = None
    load_cpu_s: float | None = None
    search_cpu_s: float | None = None
    decode_cpu_s: float | None = None
    release_cpu_s: float | None = None
    peak_rss_mib: float | None = None
    solutions: int | None = None
    round: int
    position: int
    started_s: float = math.nan
    host: str
    worker: int | None = None
    decoy: str | None = None
    placebo: str | None = None
    phases: str | None = None
    stream_position: int | None = None
    run_in: int | None = None
    clock_cost_s: float | None = None
    variables: float | None = None
    clauses: float | None = None
    literals: float | None = None
    conflicts: float | None = None
    decisions: float | None = None
    propagations: float | None = None
    restarts: float | None = None
    guesses: float | None = None
    backtracks: float | None = None
    nodes: float | None = None
    other_counters: str | None = None

    def __reduce__(self) -> tuple[Callable[..., Row], tuple[Any, ...]]:
        """Pickle the values alone: a cluster sends every row, and the usual way takes six times as long."""
        return _of_values, _values(self)

    @property
    def key(self) -> Key:
        """What identifies a measurement within a run."""
        return self.strategy, self.collection, self.puzzle, self.isomorph, self.launch, self.repetition

    @property
    def attempt(self) -> Attempt:
        """A strategy on a puzzle in one launch. After a timeout it is not tried again in that launch."""
        return self.strategy, self.collection, self.puzzle, self.launch


COLUMNS = tuple(field.name for field in fields(Row))
COUNTERS = COLUMNS[COLUMNS.index("variables") : COLUMNS.index("other_counters")]
ADDED = ("run_in", "clock_cost_s")  # columns that runs of earlier versions lack
FREE_TEXT = ("reason", "other_counters")  # columns whose text comes from strategies

_values = attrgetter(*COLUMNS)
_in_order = itemgetter(*COLUMNS)
_places = {name: place for place, name in enumerate(COLUMNS)}
_DEFAULTS = {field.name: field.default for field in fields(Row) if field.default is not MISSING}
_setters = tuple(getattr(Row, name).__set__ for name in COLUMNS)  # they also set what is frozen
_COUNTS = {  # the least value of each
    **dict.fromkeys(("launch", "repetition", "loops", "round", "position"), 1),
    **dict.fromkeys(("isomorph", "solutions", "stream_position", "run_in"), 0),
}
_SECONDS = ("wall_s", "cpu_s", "prepare_cpu_s", "started_s", "clock_cost_s", "peak_rss_mib")
_WORDS = {
    "status": STATUSES,
    "limit_clock": ("cpu", "wall"),
    "decoy": ("several", "none"),
    "placebo": ("instrument", "presentation", "floor", "pipe"),
    "phases": ("apart",),
}
LARGEST = 1 << 62  # of a number: a column of larger integers is none of numbers to pandas
_SIGNS = "0123456789.+-eE"  # of a number
_INTEGERS_KEPT = 4096  # of a column: most are small, and stand in many rows
_quoted = re.compile(r'["\r\n]').search
_free_text = tuple(_places[name] for name in FREE_TEXT)
_REQUIRED = frozenset(field.name for field in fields(Row) if not str(field.type).endswith(" | None"))


def _parser(name: str, kind: str) -> Callable[[str], Any]:
    """Return what makes a column's value of its text, and raises ValueError or KeyError if there is none."""
    if name in _WORDS:
        return {word: word for word in _WORDS[name]}.__getitem__
    if kind == "int":
        return lru_cache(_INTEGERS_KEPT)(partial(_integer, _COUNTS.get(name, -LARGEST)))
    if name in _SECONDS:
        return _seconds
    parsers: dict[str, Callable[[str], Any]] = {"str": str, "float": _limit if name == "limit_s" else number}
    return parsers[kind]


def _integer(least: int, text: str) -> int:
    value = int(text)
    if not least <= value < LARGEST or text.strip(_SIGNS):
        raise ValueError
    return value


def number(text: str) -> float:
    """Return a number below ``LARGEST``, written as all readers of tables understand it: Python also takes ``1_0``.

    Raises:
        ValueError: it is none.
    """
    value = float(text)
    if not -LARGEST < value < LARGEST or text.strip(_SIGNS):
        raise ValueError
    return value


def _seconds(text: str) -> float:
    value = number(text)
    if value < 0:
        raise ValueError
    return value


def _limit(text: str) -> float:
    value = _seconds(text)
    if not value:
        raise ValueError
    return value


_PARSERS = {field.name: _parser(field.name, str(field.type).removesuffix(" | None")) for field in fields(Row)}


def made(values: dict[str, Any]) -> Row:
    """Return the row with these values, as ``Row(**values)`` does in twice the time.

    Raises:
        TypeError: there is no such column, or one is missing that every row has.
    """
    columns = _DEFAULTS | values
    try:
        in_order = _in_order(columns)
    except KeyError:
        in_order = ()
    if len(in_order) != len(columns):
        raise TypeError(f"these are not the columns of a row: {sorted(columns.keys() ^ _places.keys())}")
    return _of_values(*in_order)


def _of_values(*values: Any) -> Row:
    if len(values) != len(COLUMNS):
        raise TypeError(f"a row has {len(COLUMNS)} values, not {len(values)}")
    row = object.__new__(Row)
    any(map(call, _setters, repeat(row), values))  # each sets a value and returns None
    return row


def counter_columns(counters: Mapping[str, float]) -> dict[str, Any]:
    """Return a strategy's counters as the values of columns; what is no number of a row is text among the others."""
    numbers = {name for name, value in counters.items() if abs(value) < LARGEST}
    columns: dict[str, Any] = {name: counters[name] for name in COUNTERS if name in numbers}
    others = [f"{name}={value:g}" for name, value in counters.items() if name not in columns]
    return columns | {"other_counters": "; ".join(others) or None}


def csv_values(row: Row) -> list[str]:
    """Return the row as text, in the order of ``COLUMNS``.

    Raises:
        ValueError: the status is not one of ``STATUSES``.
    """
    if row.status not in STATUSES:
        raise ValueError(f"unknown status: {row.status!r}")
    texts = [
        "" if value is None else value if type(value) is str else f"{value:.9g}" if type(value) is float else str(value)
        for value in _values(row)
    ]
    for place in _free_text:
        if texts[place]:
            texts[place] = one_line(texts[place])
    return texts


def csv_line(values: Sequence[str]) -> str:
    """Return the fields of a row, or the names of its columns, as a line of a CSV file.

    ``csv.writer`` takes four times as long, but only it knows how to quote.
    """
    line = ",".join(values)
    if line.count(",") == len(values) - 1 and not _quoted(line):
        return line + "\n"
    quoted = io.StringIO()
    csv.writer(quoted, lineterminator="\n").writerow(values)
    return quoted.getvalue()


def from_csv(values: Mapping[str, str]) -> Row:
    """Return a row from the text of its fields.

    Raises:
        ValueError: a field is missing, not of its column's type, or out of its range.
    """
    parsed = parsed_fields(values)
    for name in _REQUIRED - parsed.keys():
        raise ValueError(f"{name} is empty")
    return _of_values(*map(parsed.get, COLUMNS))


def parsed_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of those fields that are not empty; columns of other versions are left out.

    Raises:
        ValueError: a field is not of its column's type or out of its range, or a finished solve has no time. Only that
            of a tool without a CPU clock may lack CPU time. Or a field that every row has is empty.
    """
    if None in values or None in values.values():
        raise ValueError("it has another number of fields than there are columns")
    try:
        parsed = {name: _PARSERS[name](text) for name, text in values.items() if text}
    except (KeyError, ValueError):
        parsed = _parsed_one_by_one(values)
    for name in _REQUIRED - parsed.keys():
        if name in values:
            raise ValueError(f"{name} is empty")
    if parsed.get("status") in FINISHED:
        for name in ("wall_s", "cpu_s") if parsed.get("limit_clock") != "wall" else ("wall_s",):
            if name in values and not parsed.get(name):
                raise ValueError(f"it is {parsed['status']}, and {name} is {shown(values[name])}")
    return parsed


def _parsed_one_by_one(values: Mapping[str, str]) -> dict[str, Any]:
    parsed: dict[str, Any] = {}
    for name, text in values.items():
        if text and name in _PARSERS:
            try:
                parsed[name] = _PARSERS[name](text)
            except (KeyError, ValueError):
                raise ValueError(f"{name} is {shown(text)}") from None
    return parsed


def shown(text: str) -> str:
    """Return a field as it is quoted in a message."""
    return ascii(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}...")


def one_line(text: str) -> str:
    """Return any text from a strategy as one short line, printable and no formula."""
    return harmless(" ".join(text.split())[:LONGEST])[:LONGEST]
