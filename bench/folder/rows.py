"""The record of a measurement: one flat row of ``measurements.csv``.

Units stand in names; an empty field is "not known", never 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STATUSES = ("solved", "timeout", "memout", "gave_up", "error", "wrong", "unsupported", "unverified")

COUNTERS = (
    "variables",
    "clauses",
    "literals",
    "conflicts",
    "decisions",
    "propagations",
    "restarts",
    "guesses",
    "backtracks",
    "nodes",
)

COLUMNS = (
    "strategy",
    "collection",
    "puzzle",
    "isomorph",  # number of the (first) form; 0 is the stored one
    "task",
    "mode",
    "launch",
    "repetition",
    "loops",  # forms solved; times are means over them
    "status",
    "reason",
    "limit_s",
    "limit_clock",
    "wall_s",
    "cpu_s",
    "prepare_cpu_s",
    "encode_cpu_s",
    "load_cpu_s",
    "search_cpu_s",
    "decode_cpu_s",
    "release_cpu_s",
    "peak_rss_mib",
    "solutions",
    "round",
    "position",
    "started_s",  # since the run began
    "host",
    "worker",
    "decoy",  # "several" or "none" for a decoy; its times mean nothing
    "placebo",  # "instrument", "presentation", "floor" or "pipe" for what is no strategy of the run
    "phases",  # "apart" if phases were clocked on other forms, being too short to be clocked within the sample
    "stream_position",  # forms that the worker had solved before, but for those that only clocked phases
    *COUNTERS,
    "other_counters",  # "name=value; ..." for counters without a column
)

WORDS = ("reason", "other_counters")  # in which strategies have their say
LONGEST = 400

KNOWN = frozenset(COLUMNS)


def counter_fields(counters: Mapping[str, float]) -> dict[str, Any]:
    """A strategy's counters as fields of a row."""
    fields: dict[str, Any] = {name: counters[name] for name in COUNTERS if name in counters}
    others = [f"{name}={value:g}" for name, value in counters.items() if name not in COUNTERS]
    if others:
        fields["other_counters"] = "; ".join(others)
    return fields


def csv_values(fields: Mapping[str, Any]) -> list[str]:
    """The row in the order of ``COLUMNS``.

    Raises:
        KeyError: a field has no column, or the status is none of ``STATUSES``.
    """
    if fields.get("status", "solved") not in STATUSES:
        raise KeyError(f"no such status: {fields['status']}")
    unknown = fields.keys() - KNOWN
    if unknown:
        raise KeyError(f"no such column: {', '.join(sorted(unknown))}")
    said = {**fields, **{column: one_line(fields[column]) for column in WORDS if fields.get(column)}}
    return [_text(said.get(column)) for column in COLUMNS]


def one_line(words: str) -> str:
    """What a strategy said, whatever that was, as one short line that any file and any terminal can hold."""
    line = " ".join(words.split())[:LONGEST]
    return "".join(letter if letter.isprintable() else "?" for letter in line)


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.9g}"
    return str(value)
