"""What the figures of a run share: looks of strategies, and the facts that no figure may be without."""

from __future__ import annotations

from bench.figures.style import Column, Sheet, looks
from bench.verdicts.run_tables import Run

# Widths of one column and of the whole text, in points of TeX, as the document classes have them: IEEEtran; acmart's
# sigconf; llncs, which has one column; article in two columns with margins of one inch on letter paper, as is usual
# on arXiv.
WIDTHS_PT = {
    "ieee": (252.0, 516.0),
    "acm": (241.1475, 506.295),
    "lncs": (347.12354, 347.12354),
    "arxiv": (229.8775, 469.755),
}
PT_PER_IN = 72.27
COLUMNS = ("single", "double")
FONT_PT = 8.0


def column(width: str, venue: str) -> Column:
    """The column of a venue: ``single``, or ``double`` for a figure over both."""
    return Column(WIDTHS_PT[venue][COLUMNS.index(width)] / PT_PER_IN, FONT_PT)


def of_run(run: Run, within: Column | None = None) -> Sheet:
    """The sheet of a run, with a look for each strategy that was measured."""
    rows = run.measurements
    names = sorted(set(rows.loc[rows["placebo"].isna(), "strategy"].astype(str)))
    return Sheet(looks(names), run.collections, float(run.manifest["suite"]["timeout_s"]), facts(run), within)


def facts(run: Run) -> str:
    """Number of puzzles, limit, clock and machine, and what is missing."""
    suite, machine, rows = run.manifest["suite"], run.manifest["machine"], run.measurements
    real = rows[rows["decoy"].isna() & rows["placebo"].isna()]
    planned = run.manifest["planned_rows"]
    whole = "" if len(rows) == planned else f" INCOMPLETE: {len(rows)} of {planned} measurements."
    wrong = sorted(set(rows.loc[rows["status"] == "wrong", "strategy"]))
    whole += f" Left out for a wrong answer: {', '.join(wrong)}." if wrong else ""
    late = int((real["status"] == "timeout").sum())
    puzzles = real.groupby(["collection", "puzzle"]).ngroups
    each = replicates(run)
    forms = "form" if each == "1" else "forms"
    if not suite["isomorphs"]:
        forms = "solves of the stored grid"
    return (
        f"{puzzles} puzzle{'s' * (puzzles != 1)} × {each} {forms}, every answer verified;"
        f" task {suite['task']}, mode {suite['mode']}, limit {suite['timeout_s']:g} s of CPU time"
        f" ({late} of {len(real)} solves timed out); times are CPU time."
        f" {machine['cpu']}, {machine['cores_logical']} cores, Python {machine['python']},"
        f" {run.manifest['started'][:10]}.{whole}"
    )


def replicates(run: Run) -> str:
    """How many measurements each strategy has of a puzzle: a number, or a range where a budget chose several."""
    suite, spending = run.manifest["suite"], run.manifest.get("settled", {}).get("spending")
    repetitions = spending["repetitions"].values() if spending else [suite["repetitions"]]
    numbers = sorted({number * suite["launches"] for number in repetitions})
    return f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
