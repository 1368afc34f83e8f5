"""What stands in ``manifest.json``, so that an edited or damaged one is refused in one line."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from typing import Any

from bench.folder.expect import (
    anything,
    by_name,
    choice,
    each,
    flag,
    integer,
    items,
    matching,
    maybe,
    moment,
    number,
    table,
    text,
)
from bench.folder.method import CPU, WALL, Method

FORMAT = 3
shape = matching(re.compile(r"[1-9]\d?x[1-9]\d?", re.ASCII), "a board such as 9x9")
mode = matching(re.compile(r"warm|cold|batch:[1-9]\d{0,5}", re.ASCII), "warm, cold or batch:B")

SUITE = table(
    {"name": text, "task": text, "timeout_s": number(above=0)},
    {
        **{"title": text, "strategies": each(text), "datasets": each(text), "mode": mode, "seed": integer(-(1 << 62))},
        **{"limit": maybe(integer(1)), "sample": maybe(integer(1)), "skip_bad": flag, "isomorphs": flag},
        **{"repetitions": integer(1), "launches": integer(1), "jobs": integer(1), "loops": maybe(integer(1))},
        **{"memory_mib": maybe(integer(1)), "margin": number(above=0), "set_aside": integer(), "sandbox": flag},
        **{"gc": choice("on", "off"), "pin": text, "budget": maybe(text)},
        **{"commands": each(table({"name": text, "command": text}))},
    },
)
STRATEGY = table(
    {"name": text},
    {
        **{"tasks": each(text), "requires": each(text), "persistent": flag, "plugin": maybe(text), "reason": text},
        **{"environ": by_name(text), "plugin_sha256": maybe(text), "entry_point": maybe(text)},
        **{"command": maybe(table({"name": text, "command": text})), "files_sha256": by_name(text)},
    },
)
COLLECTION = table(
    {"name": text},
    {"origin": maybe(text), "licence": maybe(text), "puzzles": integer(), "sha256": maybe(text), "skipped": each(text)},
)
MACHINE = table(
    {},
    {
        **dict.fromkeys(("cpu", "system", "distribution", "kernel", "architecture", "python"), maybe(text)),
        **dict.fromkeys(("cores_physical", "cores_logical", "cores_usable", "memory_mib"), maybe(integer(1))),
        **{"virtualisation": maybe(table({}, {"virtual": maybe(flag)})), "cgroup": maybe(by_name(anything))},
        **{"frequency": maybe(by_name(anything)), "environment": maybe(by_name(text))},
    },
)
SPENDING = table({"repetitions": by_name(integer(1))})  # of earlier versions
SETTLED = table(
    {"loops": by_name(integer(1), names=shape), "placebos": each(text)},
    {
        **{"repetitions": maybe(integer(1)), "spending": maybe(SPENDING)},
        **{"run_in": by_name(each(text), names=shape), "parallel": each(text)},
    },
)
LOOK = table(  # at the machine, by one runner
    {
        "seconds": number(least=0),
        "disturbed_s": number(least=0),
        "kinds": by_name(table({"disturbed_s": maybe(number(least=0))})),
    },
    {"began_s": number(least=0), "spans_s": each(items(number(), number())), "warnings": each(text), "summary": text},
)
METHOD = table(
    {field.name: number(least=0) for field in fields(Method) if field.default is MISSING},
    {field.name: number(least=0) for field in fields(Method) if field.default is not MISSING},
)
IMPORTED = table(
    {"tool": text, "files": each(table({"name": text, "sha256": text}, closed=True)), "has_limit": flag}, closed=True
)
HOST = table({"machine": MACHINE, "versions": by_name(maybe(text))}, closed=True)
RATIO = items(number(above=0), maybe(number(above=0)), maybe(number(above=0)))  # with its interval
SIDE_BY_SIDE = table({"jobs": integer(2), "puzzles": integer(1), "cpu": RATIO, "wall": RATIO}, closed=True)
MANIFEST = table(
    {"suite": SUITE, "machine": MACHINE, "method": METHOD, "planned_rows": integer(), "started": moment},
    {
        **{"format": choice(FORMAT), "command": text, "task": text, "ended": maybe(moment), "complete": flag},
        **{"strategies": each(STRATEGY), "collections": each(COLLECTION), "settled": SETTLED},
        **{"references_by_sources": by_name(integer(), names=choice("0", "1", "2")), "packages": by_name(maybe(text))},
        **{"git": table({}, {"commit": maybe(text), "dirty": maybe(flag)}), "resumed": each(moment)},
        **{"reliable": table({}, {"time_limit": text, "memory_limit": text, "best_effort": each(text)})},
        **{"clock_cost_s": table({"cpu": number(above=0), "wall": number(above=0)}), "disturbance": each(LOOK)},
        **{"rows_by_status": by_name(integer()), "sha256": by_name(text), "edited": each(text)},
        **{
            "clock": choice(CPU, WALL),
            "conflict_engine": text,
            "imported": IMPORTED,
            "hosts": by_name(HOST),
            "side_by_side": each(SIDE_BY_SIDE),
        },
    },
)


def fault(manifest: Any) -> str | None:
    """Describe the first thing in a manifest that no version writes; None if there is none."""
    try:
        MANIFEST(manifest, "")
    except ValueError as error:
        return str(error)
    return None
