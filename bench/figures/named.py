"""Which strategies figures name and colour, where not all have room."""

from __future__ import annotations

from collections import Counter

from sudoku_bench.bench.verdicts.answer import answers
from sudoku_bench.bench.verdicts.groups import apart, medians
from sudoku_bench.bench.verdicts.once import once
from sudoku_bench.bench.verdicts.run_tables import Run

NAMED = 9  # strategies with names and colours, if nobody asks for more


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
