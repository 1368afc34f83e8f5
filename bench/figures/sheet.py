"""What the figures of a run share: looks of strategies and collections, column widths, and the line of facts."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D

from sudoku_bench.bench.figures.style import COLOURS, LINES, MARKERS, Column, Look, Sheet
from sudoku_bench.bench.folder.method import CLOCKS, clock, has_limit, is_imported, repetitions, setting
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.run_data import unverified_answers
from sudoku_bench.bench.verdicts.run_tables import Run

KNOWN = (
    *("sat:complete+pairwise@cadical195", "sat:minimal+pairwise@cadical195", "sat:augmented@cadical195"),
    *("sat:order@cadical195", "seed:pyeda", "seed:pysat", "seed:pycosat", "seed:norvig", "seed:python-constraint"),
    *("propagation:bitmask", "exact-cover:dancing-links", "bitboard:bands", "cp-sat:booleans", "asp:choice"),
    *("csp:alldifferent@backtracking", "csp:alldifferent@recursive", "csp:alldifferent@min-conflicts"),
    *("csp:alldifferent@parallel", "cp-sat:alldifferent", "cp:choco", "cp:choco+bounds", "cp:pumpkin", "ilp:highs"),
    *("smt:bitvectors", "smt:bitvectors@bitwuzla", "smt:integers", "smt:pseudo-boolean", "backtracking:plain"),
    *("backtracking:fewest", "bitboard:cells", "exact-cover:algorithm-x", "exact-cover:c", "exact-cover:xcover"),
    *("bdd:digits+substituted@cudd", "bdd:digits+substituted@autoref", "parity:complete", "portfolio:probe"),
    *("cdcl:complete+substituted@simplesat", "local-search:annealing"),
)
ENGINES = ("cadical195", "glucose4", "minisat22", "pycosat", "maplechrono", "lingeling", "cadical153")
NUMBER = len(COLOURS) * len(MARKERS) * len(LINES)  # of different looks


def looks(names: Sequence[str]) -> dict[str, Look]:
    """Return the look of each strategy. Up to ``NUMBER`` strategies differ in colour, marker or line style.

    No two share colour and marker as long as there are pairs of these. Strategies of ``KNOWN``, to which new ones are
    only appended, have the look of their place in every run. Of composed SAT strategies, the colour stands for the
    engine, marker and line for the encoding; where one engine takes part, the colour stands for the encoding. Any other
    has a look that its name determines, unless another one of the run has it already.
    """
    places = {name: KNOWN.index(name) for name in names if name in KNOWN}
    composed = {name: name.split("@", 1) for name in sorted(set(names)) if name.startswith("sat:") and "@" in name}
    is_one_engine = len({engine for _, engine in composed.values()}) == 1
    marks: dict[str, int] = {}
    for model, _ in composed.values():
        if model not in marks:
            marks[model] = _least_used(zlib.crc32(model.encode()), len(MARKERS), list(marks.values()))
    for name in sorted(set(names) - set(places)):
        place, any_colour = zlib.crc32(name.encode()) % NUMBER, False
        if name in composed:
            (model, engine), any_colour = composed[name], is_one_engine
            colour = ENGINES.index(engine) if engine in ENGINES else zlib.crc32(engine.encode())
            place = _place(colour % len(COLOURS), marks[model], zlib.crc32(model.encode()) % len(LINES))
        places[name] = _free(place, list(places.values()), any_colour)
    return {name: look(places[name]) for name in names}


def _least_used(wanted: int, number: int, used: Sequence[int]) -> int:
    """Return the next of 0 .. number - 1, from the wanted one on, of those that are used least."""
    return min(((wanted + step) % number for step in range(number)), key=used.count)


def _free(wanted: int, taken: Sequence[int], any_colour: bool) -> int:
    """Return the place, near the wanted one, whose pair of colour and marker, and whose colour, are used least."""
    colours = Counter(_parts(place)[0] for place in taken)
    pairs = Counter(_parts(place)[:2] for place in taken)

    def cost(place: int) -> tuple[int, ...]:
        colour, mark, _ = _parts(place)
        other_colour = colours[colour] if any_colour else colour != _parts(wanted)[0]
        return place in taken, pairs[colour, mark], other_colour, (place - wanted) % NUMBER

    return min(range(NUMBER), key=cost)


def _place(colour: int, mark: int, dashes: int) -> int:
    """Return the number of a look."""
    return next(place for place in range(NUMBER) if _parts(place) == (colour, mark, dashes))


def _parts(place: int) -> tuple[int, int, int]:
    """Return the numbers of colour, marker and line of the look with a number."""
    return place % len(COLOURS), place % len(MARKERS), place // len(COLOURS) % len(LINES)


def look(place: int) -> Look:
    """Return the look with a number: neighbours differ in colour and marker."""
    colour, mark, dashes = _parts(place)
    return Look(COLOURS[colour], MARKERS[mark], LINES[dashes])


PT_PER_IN = 72.27
# Widths of a column and of both, and the height of the text, in TeX points, of IEEEtran for conferences.
WIDTHS_PT = {"single": 252.0, "double": 516.0}
HEIGHT_PT = 672.0
FONT_PT = 8.0
COLLECTION_COLOURS = "viridis"  # its lightness increases evenly, also for colour-blind readers and in greyscale
LIGHTEST = 0.88  # the part of the colour map that is used; the rest is too light on white


def column(width: str) -> Column:
    """Return the ``single`` column of a paper, or the ``double`` one of a figure that spans both columns."""
    return Column(WIDTHS_PT[width] / PT_PER_IN, HEIGHT_PT / PT_PER_IN, FONT_PT)


@once
def of_run(run: Run, within: Column | None = None) -> Sheet:
    """Return the sheet of a run, with a look for each measured strategy."""
    rows = run.measurements
    names = sorted(str(name) for name in rows.loc[rows["placebo"].isna(), "strategy"].unique())
    limit_s, clock_name = float(run.manifest["suite"]["timeout_s"]), CLOCKS[clock(run.manifest)]
    return Sheet(looks(names), run.collections, limit_s, facts(run), within, clock_name)


@once
def facts(run: Run) -> str:
    """Return the line of facts: number of puzzles, limit, clock, machine, and what is missing."""
    suite, machine, rows = run.manifest["suite"], run.manifest["machine"], run.measurements
    mode, isomorphs = (setting(run.manifest, name) for name in ("mode", "isomorphs"))
    real = rows[rows["decoy"].isna() & rows["placebo"].isna()]
    planned = run.manifest["planned_rows"]
    warnings = "" if len(rows) == planned else f" INCOMPLETE: {len(rows)} of {planned} measurements."
    warnings += f" EDITED: {', '.join(run.edited)}." if run.edited else ""
    for status, fault in (("wrong", "a wrong answer"), ("mistimed", "a false time")):
        names = sorted(set(rows.loc[rows["status"] == status, "strategy"]))
        warnings += f" Excluded because of {fault}: {', '.join(names)}." if names else ""
    timeouts = int((real["status"] == "timeout").sum())
    puzzles = real.groupby(["collection", "puzzle"]).ngroups
    if is_imported(run.manifest):
        return f"{imported_facts(run, puzzles, timeouts)}{warnings}"
    number = measurements_each(run)
    forms = "form" if number == "1" else "forms"
    if not isomorphs:
        forms = "solves of the stored grid"
    return (
        f"{counted(puzzles, 'puzzle')} × {number} {forms}, every answer verified;"
        f" task {suite['task']}, mode {mode}, limit {suite['timeout_s']:g} s of CPU time"
        f" ({timeouts} of {len(real)} solves timed out); times are CPU time."
        f" {machine.get('cpu')}, {machine.get('cores_logical')} cores, Python {machine.get('python')},"
        f" {run.manifest['started'][:10]}.{warnings}"
    )


def imported_facts(run: Run, puzzles: int, timeouts: int) -> str:
    """Return the facts about a run that another tool measured; nothing that is not known of it."""
    machine, imported = run.manifest["machine"], run.manifest["imported"]
    answers = _unverified(run) or "every answer verified"
    limit = f"limit {run.manifest['suite']['timeout_s']:g} s" if has_limit(run.manifest) else "no time limit"
    hardware = ", ".join(
        str(part)
        for part in (machine.get("cpu"), f"Python {machine['python']}" if machine.get("python") else None)
        if part
    )
    return (
        f"Imported from {imported['tool']}: {counted(puzzles, 'puzzle')}, the stored grids; {answers}; {limit}"
        f" ({timeouts} timed out); times are {CLOCKS[clock(run.manifest)]}."
        f" {hardware + ', ' if hardware else ''}{run.manifest['started'][:10]}."
    )


def _unverified(run: Run) -> str:
    """Say how many answers were not verified; nothing if all were."""
    unverified = unverified_answers(run.measurements)
    return f"{unverified} of {len(run.measurements)} answers NOT verified" if unverified else ""


def measurements_each(run: Run) -> str:
    """Return the number of measurements per strategy and puzzle; a range if it differs between collections."""
    return str(repetitions(run.manifest) * setting(run.manifest, "launches"))


def other_sizes_note(number: int) -> str:
    """Return the sentence on puzzles that a figure omits because of their board size, with a leading space."""
    if number == 1:
        return " 1 puzzle of another board size is not shown."
    return f" {number} puzzles of other board sizes are not shown." if number else ""


def collection_looks(collections: Sequence[str]) -> dict[str, Look]:
    """Return a colour and a marker per collection, for figures whose points are puzzles.

    Earlier collections of the run, the easier ones, are darker. Up to eleven collections have different markers.
    """
    steps = max(1, len(collections) - 1)
    colours = mpl.colormaps[COLLECTION_COLOURS]
    return {
        name: Look(to_hex(colours(LIGHTEST * number / steps)), MARKERS[number % len(MARKERS)], "-")
        for number, name in enumerate(collections)
    }


def collection_handles(collections: Sequence[str], sheet: Sheet) -> dict[str, Line2D]:
    """Return the legend handle of each of these collections: its marker without a line."""
    by_name = collection_looks(sheet.collections)
    return {
        name: Line2D([], [], color=by_name[name].colour, marker=by_name[name].marker, linestyle="", ms=5)
        for name in collections
    }
