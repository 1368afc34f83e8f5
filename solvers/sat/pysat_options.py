"""Options of python-sat's engines in names of strategies: which there are, and what they set.

``sat:order@cadical195+plain``, ``sat:log@cadical195+phase=0+seed=3``. python-sat ignores an option that does not exist
and limits a value that is out of range, both silently, so each option is listed here with its range.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sudoku_bench.solvers.sat.names import Options

Range = tuple[float, float]

SWITCH: Range = (0, 1)
SEED: Range = (0, 2_000_000_000)
# What CaDiCaL does before and during the search other than searching.
PREPROCESSING = (
    *("block", "condition", "cover", "decompose", "deduplicate", "elim"),
    *("instantiate", "probe", "subsume", "ternary", "transred", "vivify"),
)
PLAIN = "plain"  # all of these off
CADICAL: Mapping[str, Range] = {
    "seed": SEED,
    "chrono": (0, 2),
    "target": (0, 2),
    "restartint": (2, 2_000_000_000),
    **dict.fromkeys(PREPROCESSING, SWITCH),
    **dict.fromkeys(("phase", "forcephase", "lucky", "walk", "rephase", "restart", "reverse", "score"), SWITCH),
    **dict.fromkeys(("shuffle", "stabilize", "stabilizeonly"), SWITCH),
}
GLUCOSE = {
    "seed": SEED,
    "rnd-freq": SWITCH,
    **dict.fromkeys(("rnd-init-act", "rnd-pol", "rnd-first-descent"), SWITCH),
}
CONFIGURED: Mapping[str, Mapping[str, Range]] = {"cadical153": CADICAL, "cadical195": CADICAL, "glucose42": GLUCOSE}
ANY: Mapping[str, Range] = {"phase": SWITCH}  # of every engine: the value that a variable gets first


class Settings(NamedTuple):
    """What options set.

    Attributes:
        parameters: for python-sat's ``configure``.
        phase: the first value of every variable, where ``configure`` has no such parameter; None: the engine's own.
    """

    parameters: Mapping[str, float | bool]
    phase: int | None


def refusal(engine: str, options: Options) -> str:
    """The reason why an engine cannot take its options; empty if it can."""
    ranges = {**ANY, **CONFIGURED.get(engine, {})}
    for name, value in options.items():
        if name == PLAIN and CONFIGURED.get(engine) is CADICAL:
            if value is not None:
                return f"+{PLAIN} takes no number"
            continue
        if name not in ranges:
            switch = [PLAIN] if CONFIGURED.get(engine) is CADICAL else []
            return f"{engine} has no option {name}; it has {', '.join([*switch, *sorted(ranges)])}"
        low, high = ranges[name]
        if value is None or not low <= value <= high or (name != "rnd-freq" and isinstance(value, float)):
            return f"the engine option {name} needs a number from {low:.10g} to {high:.10g}, such as {name}={low:.10g}"
    return ""


def settings(engine: str, options: Options) -> Settings:
    """What the options of a name set; those given by themselves override ``plain``."""
    given = {name: value for name, value in options.items() if value is not None}
    ranges = CONFIGURED.get(engine, {})
    parameters: dict[str, float | bool] = dict.fromkeys(PREPROCESSING, 0) if PLAIN in options else {}
    parameters |= {name: value for name, value in given.items() if name in ranges}
    if ranges is GLUCOSE:
        parameters = {
            "rnd-seed" if name == "seed" else name: value if name in ("seed", "rnd-freq") else bool(value)
            for name, value in parameters.items()
        }
    phase = None if "phase" in ranges else given.get("phase")
    return Settings(parameters, None if phase is None else int(phase))
