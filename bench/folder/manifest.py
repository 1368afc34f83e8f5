"""What stands in ``manifest.json``, so that an edited or damaged one is refused in one line."""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from typing import Any

from sudoku_bench.bench.folder.expect import (
    Maybe,
    anything,
    check,
    choice,
    flag,
    integer,
    matching,
    moment,
    number,
    text,
)
from sudoku_bench.bench.folder.method import CPU, WALL, Method
from sudoku_bench.bench.folder.tables import BOARD

FORMAT = 3
shape = matching(BOARD, "a board such as 9x9")
mode = matching(re.compile(r"warm|cold|batch:[1-9]\d{0,5}", re.ASCII), "warm, cold or batch:B")

COMMAND = {"name": text, "command": text}
SUITE = {
    "name": text,
    "task": text,
    "timeout_s": number(above=0),
    "title?": text,
    "strategies?": [text],
    "datasets?": [text],
    "mode": mode,
    "seed?": integer(-(1 << 62)),
    "gc": choice("on", "off"),
    "pin": text,
    **dict.fromkeys(("limit", "sample", "loops?", "memory_mib"), Maybe(integer(1))),
    **dict.fromkeys(("repetitions", "launches", "jobs"), integer(1)),
    "isomorphs": flag,
    **dict.fromkeys(("skip_bad?", "sandbox?"), flag),
    "margin": number(above=0),
    "set_aside?": integer(),
    "budget?": Maybe(text),
    "commands?": [COMMAND],
}
STRATEGY = {
    "name": text,
    "tasks?": [text],
    "requires?": [text],
    "persistent?": flag,
    "reason?": text,
    **dict.fromkeys(("plugin?", "plugin_sha256?", "entry_point?"), Maybe(text)),
    "environ?": {text: text},
    "command?": Maybe(COMMAND),
    "files_sha256?": {text: text},
}
COLLECTION = {
    "name": text,
    "puzzles": integer(),
    "skipped?": [text],
    **dict.fromkeys(("origin?", "licence?", "sha256?"), Maybe(text)),
}
MACHINE = {
    **dict.fromkeys(("cpu?", "system?", "distribution?", "kernel?", "architecture?", "python?"), Maybe(text)),
    **dict.fromkeys(("cores_physical?", "cores_logical?", "cores_usable?", "memory_mib?"), Maybe(integer(1))),
    "virtualisation?": Maybe({"virtual?": Maybe(flag)}),
    "environment?": Maybe({text: text}),
    **dict.fromkeys(("cgroup?", "frequency?"), Maybe({text: anything})),
}
CALIBRATION = {"placebos": [text], "parallel": [text], "repetitions": Maybe(integer(1))}
LOOK = {  # at the machine, by one runner
    "seconds": number(least=0),
    "disturbed_s": number(least=0),
    "kinds": {text: {"disturbed_s": Maybe(number(least=0))}},
    "began_s?": number(least=0),
    "spans_s?": [(number(), number())],
    "warnings?": [text],
    "summary?": text,
}
METHOD = {field.name + "?" * (field.default is not MISSING): number(least=0) for field in fields(Method)}
MANIFEST = {
    "suite": SUITE,
    "machine": MACHINE,
    "method": METHOD,
    "planned_rows": integer(),
    "started": moment,
    "format?": choice(FORMAT),
    "command?": text,
    "task?": text,
    "ended?": Maybe(moment),
    "complete?": flag,
    "strategies?": [STRATEGY],
    "collections?": [COLLECTION],
    "calibration?": CALIBRATION,
    "settled?": {text: anything},  # in its place, of earlier versions
    "packages?": {text: Maybe(text)},
    "references_by_sources?": {choice("0", "1", "2"): integer()},
    "resumed?": [moment],
    "git?": {"commit?": Maybe(text), "dirty?": Maybe(flag)},
    "code?": [text],
    "conflict_engine?": text,
    "clock?": choice(CPU, WALL),
    "reliable?": {"time_limit?": text, "memory_limit?": text, "best_effort?": [text]},
    "clock_cost_s?": {"cpu": number(above=0), "wall": number(above=0)},
    "disturbance?": [LOOK],
    "rows_by_status?": {text: integer()},
    "sha256?": {text: text},
    "edited?": [text],
    "imported?": {"tool": text, "files": [{"name": text, "sha256": text}], "has_limit": flag},
    "hosts?": {text: {"machine": MACHINE, "versions": {text: Maybe(text)}}},
}


def fault(manifest: Any) -> str | None:
    """Describe the first thing in a manifest that no version writes; None if there is none."""
    try:
        check(manifest, MANIFEST)
    except ValueError as error:
        return str(error)
    return None
