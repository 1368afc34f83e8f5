"""What the figures of a run share: looks of strategies, column widths, and the line of facts."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import cycle, product

import matplotlib as mpl
from matplotlib.colors import is_color_like, to_hex

from sudoku_bench.bench.figures.style import COLOURS, LINES, MARKERS, Column, Look, Sheet
from sudoku_bench.bench.folder.method import CLOCKS, clock, has_limit, is_imported, repetitions, setting
from sudoku_bench.bench.say.phrases import counted
from sudoku_bench.bench.verdicts.answer import answers
from sudoku_bench.bench.verdicts.board_size import most_common
from sudoku_bench.bench.verdicts.groups import apart, medians
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.run_data import unverified_answers
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import size_of_text

NAMED = 9  # strategies with names and colours, if nobody asks for more
NUMBER = len(COLOURS) * len(MARKERS) * len(LINES)  # of different looks


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Return a look for each strategy, such that those drawn together differ most.

    Of the colours, the markers and the pairs of marker and line, none is used again before all are in use, so that up
    to ``len(MARKERS) * len(LINES)`` strategies differ without any colour. A strategy has the look that its name
    determines, unless an earlier one took part of it.
    """
    used: Counter[object] = Counter()
    result: dict[str, Look] = {}

    def parts_of(look: Look) -> tuple[object, ...]:
        return look, (look.marker, look.dashes), look.colour, look.marker, look.dashes

    every = [Look(*parts) for parts in product(COLOURS, MARKERS, LINES)]
    for name in names:
        wanted = zlib.crc32(name.encode()) % NUMBER

        def cost(place: int, wanted: int = wanted) -> tuple[int, ...]:
            return *(used[part] for part in parts_of(every[place])), (place - wanted) % NUMBER

        result[name] = every[min(range(NUMBER), key=cost)]
        used.update(parts_of(result[name]))
    return result


def palette(text: str, number: int) -> tuple[str, ...]:
    """Return so many colours, of a palette of matplotlib or of a list with commas; they begin again if there are fewer.

    Raises:
        InputError: a colour is none.
    """
    if text in mpl.colormaps:
        colours = mpl.colormaps[text]
        own = getattr(colours, "colors", ()) if colours.N < 32 else ()
        given = list(own) or [colours(0.88 * place / max(1, number - 1)) for place in range(number)]
    else:
        given = [coloured(colour.strip()) for colour in text.split(",")]
    return tuple(coloured(colour) for colour, _ in zip(cycle(given), range(number), strict=False))


def coloured(colour: object) -> str:
    """Return a colour as matplotlib reads it in hexadecimal digits.

    Raises:
        InputError: it is none.
    """
    if not is_color_like(colour):
        raise InputError(
            f"{colour}: is no colour or palette; write colours as matplotlib does, such as tab10 or red,#0072B2"
        )
    return to_hex(colour)  # type: ignore[arg-type]


@once
def named(run: Run) -> tuple[str, ...]:
    """Return the strategies that figures name and colour, in the order that was asked for, else from fast to slow.

    These are all, if they are ``NAMED`` or fewer. Of more, they are those that were asked for by name, those of the
    first crossover of each answer, and those that are the best of a collection, also without the leading group.
    """
    rows = run.measurements
    measured = [str(name) for name in rows.loc[rows["placebo"].isna(), "strategy"].unique()]
    times = [str(name) for name in medians(run).index] if len(run.per_puzzle) else []
    names = run.selection.ordered(dict.fromkeys([*times, *measured]))
    if len(names) <= NAMED:
        return tuple(names)
    scores = run.summary.dropna(subset="par2_s").sort_values("par2_s", kind="stable")
    others = scores[~scores["strategy"].isin(apart(run))]
    best = Counter(str(name) for table in (scores, others) for name in table.drop_duplicates("collection")["strategy"])
    changes = [row for part in answers(run) for row in part.changes[:1]]
    crossing = [str(row[end]) for row in changes for end in ("faster_below", "faster_above")]
    first = dict.fromkeys([*run.selection.asked, *crossing, *(name for name, _ in best.most_common())])
    shown = list(first)[: max(NAMED, len(run.selection.asked))]
    return tuple(name for name in names if name in shown)


PT_PER_IN = 72.27
# Widths of a column and of both, and the height of the text, in TeX points, of IEEEtran for conferences.
WIDTHS_PT = {"single": 252.0, "double": 516.0}
HEIGHT_PT = 672.0
FONT_PT = 8.0


def column(width: str) -> Column:
    """Return the ``single`` column of a paper, or the ``double`` one of a figure that spans both columns.

    Raises:
        InputError: it is called neither.
    """
    if width not in WIDTHS_PT:
        raise InputError(f"column {width}: is none; write single or double")
    return Column(WIDTHS_PT[width] / PT_PER_IN, HEIGHT_PT / PT_PER_IN, FONT_PT)


@once
def of_run(run: Run, within: Column | None = None) -> Sheet:
    """Return the sheet of a run, with a look for each measured strategy; those that figures name differ most.

    Looks depend on the names that were measured, not on aliases.

    Raises:
        InputError: a colour that was asked for is none.
    """
    rows, chosen, shown = run.measurements, run.selection, named(run)
    measured = chosen.ordered(sorted(rows.loc[rows["placebo"].isna(), "strategy"].astype(str).unique()))
    names = {name: chosen.names.get(name, name) for name in measured}
    by_name = looks(dict.fromkeys([*(names[name] for name in shown), *names.values()]))
    by_shown = {text: by_name[name] for text, name in names.items()}
    colours = chosen.colours
    if isinstance(colours, str):
        colours = dict(zip(shown, palette(colours, len(shown)), strict=True)) if colours else {}
    by_shown |= {name: replace(by_shown[name], colour=coloured(colour)) for name, colour in colours.items()}
    limit_s, clock_name = float(run.manifest["suite"]["timeout_s"]), CLOCKS[clock(run.manifest)]
    of_size = facts(run, most_common(run.puzzles)[0])
    sheet = Sheet(by_shown, run.collections, limit_s, facts(run), within, clock_name, shown)
    return replace(sheet, facts_of_size=of_size)


@once
def facts(run: Run, size: int = 0) -> str:
    """Return the line of facts: number of puzzles (of a board size), limit, clock, machine, and what is missing."""
    suite, machine, rows = run.manifest["suite"], run.manifest["machine"], run.measurements
    mode, isomorphs = (setting(run.manifest, name) for name in ("mode", "isomorphs"))
    real = rows[rows["decoy"].isna() & rows["placebo"].isna()]
    if size:
        known = run.puzzles[run.puzzles["grid"].map(size_of_text, na_action="ignore") == size]
        real = real.merge(known[["collection", "puzzle"]])
    planned = run.manifest["planned_rows"]
    warnings = "" if len(rows) == planned else f" INCOMPLETE: {len(rows)} of {planned} measurements."
    warnings += f" EDITED: {', '.join(run.edited)}." if run.edited else ""
    for status, fault in (("wrong", "a wrong answer"), ("mistimed", "a false time")):
        names = sorted(set(rows.loc[rows["status"] == status, "strategy"]))
        warnings += f" Excluded because of {fault}: {', '.join(names)}." if names else ""
    puzzles = real.groupby(["collection", "puzzle"]).ngroups
    if is_imported(run.manifest):
        return f"{imported_facts(run, puzzles)}{warnings}"
    number = repetitions(run.manifest) * setting(run.manifest, "launches")
    forms = ("form" if number == 1 else "forms") if isomorphs else "solves of the stored grid"
    return (
        f"{counted(puzzles, 'puzzle')} × {number} {forms}, every answer verified;"
        f" task {suite['task']}, mode {mode}, limit {suite['timeout_s']:g} s of CPU time; times are CPU time."
        f" {machine.get('cpu')}, {machine.get('cores_logical')} cores, Python {machine.get('python')},"
        f" {run.manifest['started'][:10]}.{warnings}"
    )


def imported_facts(run: Run, puzzles: int) -> str:
    """Return the facts about a run that another tool measured; nothing that is not known of it."""
    machine, imported = run.manifest["machine"], run.manifest["imported"]
    unverified, rows = unverified_answers(run.measurements), len(run.measurements)
    answers = f"{unverified} of {rows} answers NOT verified" if unverified else "every answer verified"
    limit = f"limit {run.manifest['suite']['timeout_s']:g} s" if has_limit(run.manifest) else "no time limit"
    python = f"Python {machine['python']}" if machine.get("python") else ""
    measured = ", ".join(filter(None, (machine.get("cpu"), python, run.manifest["started"][:10])))
    return (
        f"Imported from {imported['tool']}: {counted(puzzles, 'puzzle')}, the stored grids; {answers}; {limit};"
        f" times are {CLOCKS[clock(run.manifest)]}. {measured}."
    )


def other_sizes_note(number: int) -> str:
    """Return the sentence on puzzles that a figure omits because of their board size, with a leading space."""
    if number == 1:
        return " 1 puzzle of another board size is not shown."
    return f" {number} puzzles of other board sizes are not shown." if number else ""
