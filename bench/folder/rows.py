"""The record of a measurement: one row of ``measurements.csv``.

Names include units; an empty field means "unknown", never 0.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple

from sudoku_bench.datasets.errors import harmless

STATUSES = ("solved", "timeout", "memout", "gave_up", "error", "wrong", "unsupported", "unverified", "mistimed")
FINISHED = ("solved", "unverified")  # the solve ended with an answer; one that is unverified was not checked
LONGEST = 400  # characters of a text that comes from a strategy
LONGEST_SHOWN = 40  # characters of a field in a message

IDENTITY = ("strategy", "collection", "puzzle", "launch", "repetition")  # no two rows of a run agree in all of these


Place = tuple[str, str, int]  # strategy, collection, launch


class Attempt(NamedTuple):
    """A strategy on a puzzle in one launch. After a timeout it is not tried again in that launch."""

    strategy: str
    collection: str
    puzzle: str
    launch: int

    @property
    def place(self) -> Place:
        return self.strategy, self.collection, self.launch


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One measurement. The fields are the columns of ``measurements.csv``, in their order.

    Times are seconds per solve, means over the ``loops`` forms. The cost of reading the clocks has been subtracted from
    ``wall_s`` and ``cpu_s``.

    Attributes:
        isomorph: number of the first form; 0 is the stored puzzle.
        loops: forms solved in this measurement.
        status: one of ``STATUSES``; empty until the outcome is known.
        started_s: seconds since the run began.
        decoy: ``several`` or ``none`` for a decoy, whose times mean nothing.
        placebo: ``instrument``, ``floor`` or ``pipe`` for a control; None for a strategy.
        stream_position: forms that the worker had solved before this measurement.
        lead_in: solves of the lead-in right before the measurement; 0: there was none.
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
    stream_position: int | None = None
    lead_in: int | None = None
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

    @property
    def attempt(self) -> Attempt:
        return Attempt(self.strategy, self.collection, self.puzzle, self.launch)

    def __reduce__(self) -> tuple[Callable[..., Row], tuple[Any, ...]]:
        return row_of, _values(self)  # pickled in a tenth of the time that dataclasses need


COLUMNS = tuple(field.name for field in fields(Row))
COUNTERS = COLUMNS[COLUMNS.index("variables") : COLUMNS.index("other_counters")]
ADDED = ("lead_in", "clock_cost_s")  # columns that runs of earlier versions lack
_values = attrgetter(*COLUMNS)
_FREE_TEXT_PLACES = (COLUMNS.index("reason"), COLUMNS.index("other_counters"))  # their text comes from strategies

LARGEST = 1 << 62  # of a number: a column of larger integers is none of numbers to pandas
_SIGNS = "0123456789.+-eE"  # of a number
_LEAST = {
    **dict.fromkeys(("launch", "repetition", "loops", "round", "position"), 1),
    **dict.fromkeys(("isomorph", "solutions", "stream_position", "lead_in"), 0),
    **dict.fromkeys(("wall_s", "cpu_s", "prepare_cpu_s", "started_s", "clock_cost_s", "peak_rss_mib"), 0.0),
    "limit_s": math.ulp(0.0),
}
_WORDS = {
    "status": STATUSES,
    "limit_clock": ("cpu", "wall"),
    "decoy": ("several", "none"),
    "placebo": ("instrument", "presentation", "floor", "pipe"),  # the second one in earlier versions
}


def number(text: str, kind: type[float] = float, least: float = -LARGEST) -> float:
    """Return a number below ``LARGEST``, written as all readers of tables understand it: Python also takes ``1_0``.

    Raises:
        ValueError: it is none.
    """
    value = kind(text)
    if not least <= value < LARGEST or text.strip(_SIGNS):
        raise ValueError
    return value


def _word(text: str, words: Sequence[str]) -> str:
    if text not in words:
        raise ValueError
    return text


def _parser(name: str, kind: str) -> Callable[[str], Any]:
    """Return what makes a column's value of its text, and raises ValueError if there is none."""
    if name in _WORDS:
        return partial(_word, words=_WORDS[name])
    if kind == "str":
        return str
    return partial(number, kind=int if kind == "int" else float, least=_LEAST.get(name, -LARGEST))


_PARSERS = {field.name: _parser(field.name, str(field.type).removesuffix(" | None")) for field in fields(Row)}
_REQUIRED = tuple(field.name for field in fields(Row) if not str(field.type).endswith(" | None"))


def row_of(*values: Any) -> Row:
    """Return a row from its values in the order of ``COLUMNS``."""
    return Row(**dict(zip(COLUMNS, values, strict=True)))


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
        "" if value is None else f"{value:.9g}" if isinstance(value, float) else str(value) for value in _values(row)
    ]
    for place in _FREE_TEXT_PLACES:
        if texts[place]:
            texts[place] = one_line(texts[place])
    return texts


def csv_lines(rows: Iterable[Sequence[str]]) -> str:
    """Return rows of fields as lines of a CSV file."""
    lines = io.StringIO()
    csv.writer(lines, lineterminator="\n").writerows(rows)
    return lines.getvalue()


def from_csv(values: Mapping[str, str]) -> Row:
    """Return a row from the text of its fields.

    Raises:
        ValueError: a field is missing, not of its column's type, or out of its range.
    """
    parsed = parsed_fields(values)
    for name in _REQUIRED:
        if name not in parsed:
            raise ValueError(f"{name} is empty")
    return Row(**parsed)


def parsed_fields(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of those fields that are not empty; columns of other versions are left out.

    Raises:
        ValueError: a field is not of its column's type or out of its range, or a finished solve has no time. Only that
            of a tool without a CPU clock may lack CPU time. Or a field that every row has is empty.
    """
    if None in values or None in values.values():
        raise ValueError("it has another number of fields than there are columns")
    parsed: dict[str, Any] = {}
    for name, text in values.items():
        if text and name in _PARSERS:
            try:
                parsed[name] = _PARSERS[name](text)
            except ValueError:
                raise ValueError(f"{name} is {shown(text)}") from None
    for name in _REQUIRED:
        if name in values and name not in parsed:
            raise ValueError(f"{name} is empty")
    if parsed.get("status") in FINISHED:
        for name in ("wall_s", "cpu_s") if parsed.get("limit_clock") != "wall" else ("wall_s",):
            if name in values and not parsed.get(name):
                raise ValueError(f"it is {parsed['status']}, and {name} is {shown(values[name])}")
    return parsed


def shown(text: str) -> str:
    """Return a field as it is quoted in a message."""
    return ascii(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}...")


def one_line(text: str) -> str:
    """Return any text from a strategy as one short line, printable and no formula."""
    return harmless(" ".join(text.split())[:LONGEST])[:LONGEST]
