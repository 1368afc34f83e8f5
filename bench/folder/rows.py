"""The record of a measurement: one row of ``measurements.csv``.

Names include units; an empty field means "unknown", never 0.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from types import GenericAlias
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_type_hints

from msgspec import Meta

from sudoku_bench.bench.plan.declared import converted
from sudoku_bench.bench.plan.declared import shown as shown
from sudoku_bench.bench.plan.suite import PLACEBO as PLACEBO
from sudoku_bench.datasets.errors import harmless

LONGEST = 400  # characters of a text that comes from a strategy
OTHER_NUMBER = "it has another number of fields than there are columns"

T = TypeVar("T")

CLOCKS = ("cpu_s", "wall_s")
IDENTITY = ("strategy", "collection", "puzzle", "launch", "repetition")  # no two rows of a run agree in all of these


LARGEST = 1 << 62  # of a number: a column of larger integers is none of numbers to pandas
Positive = Annotated[int, Meta(ge=1, lt=LARGEST)]
Count = Annotated[int, Meta(ge=0, lt=LARGEST)]
Seconds = Annotated[float, Meta(ge=0, lt=LARGEST)]  # or MiB
Limit = Annotated[float, Meta(gt=0, lt=LARGEST)]
Number = Annotated[float, Meta(ge=-LARGEST, lt=LARGEST)]
Status = Literal["solved", "timeout", "memout", "gave_up", "error", "wrong", "unsupported", "unverified", "mistimed"]
Clock = Literal["cpu", "wall"]
DecoyKind = Literal["several", "none"]
Role = Literal["instrument", "presentation", "floor", "pipe"]  # the second one in earlier versions

STATUSES = get_args(Status)
FINISHED = ("solved", "unverified")  # the solve ended with an answer; one that is unverified was not checked
NOT_REPEATED, NOT_TRIED = "not repeated", "not tried"  # a timeout whose reason begins so was inferred, not measured
INFERRED = (NOT_REPEATED, NOT_TRIED)

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
    isomorph: Count
    task: str
    mode: str
    launch: Positive
    repetition: Positive
    loops: Positive
    status: str = ""
    reason: str | None = None
    limit_s: Limit
    limit_clock: str
    wall_s: Seconds | None = None
    cpu_s: Seconds | None = None
    prepare_cpu_s: Seconds | None = None
    encode_cpu_s: Number | None = None
    load_cpu_s: Number | None = None
    search_cpu_s: Number | None = None
    decode_cpu_s: Number | None = None
    release_cpu_s: Number | None = None
    peak_rss_mib: Seconds | None = None
    solutions: Count | None = None
    round: Positive
    position: Positive
    started_s: Seconds = math.nan
    host: str
    worker: int | None = None
    decoy: str | None = None
    placebo: str | None = None
    stream_position: Count | None = None
    lead_in: Count | None = None
    clock_cost_s: Seconds | None = None
    variables: Number | None = None
    clauses: Number | None = None
    literals: Number | None = None
    conflicts: Number | None = None
    decisions: Number | None = None
    propagations: Number | None = None
    restarts: Number | None = None
    guesses: Number | None = None
    backtracks: Number | None = None
    nodes: Number | None = None
    other_counters: str | None = None

    @property
    def place(self) -> Place:
        return self.strategy, self.collection, self.launch

    @property
    def attempt(self) -> Attempt:
        return Attempt(self.strategy, self.collection, self.puzzle, self.launch)

    def __reduce__(self) -> tuple[Callable[..., Row], tuple[Any, ...]]:
        return row_of, _values(self)  # pickled in a tenth of the time that dataclasses need


class Brief(NamedTuple):
    """What a run and its status need of a row."""

    strategy: str
    collection: str
    puzzle: str
    launch: int
    repetition: int
    status: str
    reason: str | None
    limit_s: float
    cpu_s: float | None
    started_s: float
    worker: int | None
    decoy: str | None
    placebo: str | None

    @property
    def place(self) -> Place:
        return self.strategy, self.collection, self.launch

    @property
    def attempt(self) -> Attempt:
        return Attempt(self.strategy, self.collection, self.puzzle, self.launch)


AnyRow = TypeVar("AnyRow", bound=Row | Brief)
COLUMNS = tuple(field.name for field in fields(Row))
COUNTERS = COLUMNS[COLUMNS.index("variables") : COLUMNS.index("other_counters")]
ADDED = ("lead_in", "clock_cost_s")  # columns that runs of earlier versions lack
_values = attrgetter(*COLUMNS)
_FREE_TEXT_PLACES = (COLUMNS.index("reason"), COLUMNS.index("other_counters"))  # their text comes from strategies


def types_of(kind: type, **changed: Any) -> dict[str, Any]:
    """Return the types of the fields of a record that are not empty.

    Args:
        changed: other types of fields.
    """
    hints = get_type_hints(kind, include_extras=True) | changed
    return {name: next((t for t in get_args(hint) if is_optional(hint)), hint) for name, hint in hints.items()}


def is_optional(hint: Any) -> bool:
    return type(None) in get_args(hint)


_TYPES = types_of(Row, status=Status, limit_clock=Clock, decoy=DecoyKind, placebo=Role)
_LISTS: dict[str, Any] = {name: GenericAlias(list, of_name) for name, of_name in _TYPES.items()}
_REQUIRED = tuple(name for name, hint in get_type_hints(Row, include_extras=True).items() if not is_optional(hint))


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


def from_csv(values: Mapping[str, str], kind: type[AnyRow]) -> AnyRow:
    """Return a row from the text of its fields; raises as ``rows_of``."""
    if None in values or None in values.values():
        raise ValueError(OTHER_NUMBER)
    return rows_of(list(values), [list(values.values())], kind)[0]


def rows_of(names: Sequence[str], lines: Sequence[Sequence[str]], kind: type[AnyRow]) -> list[AnyRow]:
    """Return rows from the text of their fields; columns of other versions are left out.

    Fields are checked column by column, each text once: in a tenth of the time of a check of each row.

    Raises:
        ValueError: a field is missing, not of its column's type, or out of its range, or a finished solve has no time
            by the clock of its limit.
    """
    if {*map(len, lines)} != {len(names)}:
        raise ValueError(OTHER_NUMBER)
    texts: dict[str, Sequence[str]] = dict.fromkeys(COLUMNS, [""] * len(lines))
    texts |= zip(names, zip(*lines, strict=True), strict=True)
    values: dict[str, dict[str, Any]] = {name: {} for name in COLUMNS}
    for name in COLUMNS:
        distinct = {*texts[name]}
        if "" in distinct:
            if name in _REQUIRED:
                raise ValueError(f"{name} is empty")
            distinct.remove("")
        if distinct:
            try:
                known = converted(list(distinct), _LISTS[name], strict=False)
            except ValueError as error:  # [PLACE] is ...
                raise ValueError(f"{name}{str(error).partition(']')[2]}") from None
            values[name] = dict(zip(distinct, known, strict=True))
    for status, clock, cpu, wall in zip(*(texts[of] for of in ("status", "limit_clock", *CLOCKS)), strict=True):
        column, time = (CLOCKS[0], cpu) if clock == "cpu" else (CLOCKS[1], wall)
        if status in FINISHED and not values[column].get(time):
            raise ValueError(f"it is {status}, and {column} is {shown(time)}")
    make: Any = Brief if kind is Brief else row_of
    kept = Brief._fields if kind is Brief else COLUMNS
    return list(map(make, *(map(values[name].get, texts[name]) for name in kept)))


def checked_fields(values: Mapping[str, Any], kind: type[T]) -> T:
    """Return the fields of a line of a table that are not empty.

    Raises:
        ValueError: there are more or fewer fields than columns, or one is not what its column holds.
    """
    if None in values or None in values.values():
        raise ValueError(OTHER_NUMBER)
    return converted({name: text for name, text in values.items() if text}, kind, strict=False)


def one_line(text: str) -> str:
    """Return any text from a strategy as one short line, printable and no formula."""
    return harmless(" ".join(text.split())[:LONGEST])[:LONGEST]
