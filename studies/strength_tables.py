"""What each encoding derives by propagation, for docs/encoding-list.md; stored in ``results/encodings/``.

No clock takes part, so the numbers are the same on every machine.
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd

from studies.document import DOCS, fill, table
from studies.grid import STORE
from sudoku_bench.bench.run import strength
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers.sat.encodings import WITH_SCHEME, WITHOUT_SCHEME, every_name

PAGE = DOCS / "encoding-list.md"
COLLECTIONS = ("easy", "medium", "hard", "expert", "minimal", "hardest")
PUZZLES = 200  # of each collection, for unit propagation
PROBED_COLLECTIONS = ("hard", "minimal", "hardest")
PROBED = 50  # of each of these, for failed literals
SHOWN = (("up", "minimal"), ("failed", "hardest"))  # by unit propagation, by probing
RANDOM, SEED = 500, 1
NINE = Shape(3, 3)
BASES = (*(f"{name}+pairwise" for name in WITH_SCHEME), *WITHOUT_SCHEME)  # one scheme of each encoding


def write() -> None:
    """Count what each encoding derives by propagation for docs/encoding-list.md.

    Stored are a row per encoding and collection, and the classes: names, mean candidates left, weaker classes.
    """
    tell = partial(print, file=sys.stderr)
    boards = {name: states_of(name, PUZZLES) for name in COLLECTIONS}
    boards[strength.RANDOM] = strength.random_states(NINE, RANDOM, SEED)
    derived = list(strength.derive(every_name(), NINE, boards, failed=False, tell=tell))
    classes = strength.classes_of(derived)
    representatives = [next((name for name in BASES if name in one.names), one.names[0]) for one in classes]
    probed = {name: states_of(name, PROBED) for name in PROBED_COLLECTIONS}
    failed = strength.derive(representatives, NINE, probed, failed=True, tell=tell)
    pd.DataFrame([row.fields() for row in (*derived, *failed)]).to_csv(STORE / "strength.csv", index=False)
    facts = [{"encodings": one.names, "left": one.left, "weaker": one.weaker} for one in classes]
    (STORE / "strength.json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    fill(PAGE, "strength", markdown())


def states_of(collection: str, number: int) -> Sequence[Any]:
    """Return the first puzzles of a collection of 9×9 boards."""
    items = catalogue.load(collection, catalogue.Choice(limit=number)).items
    return strength.clue_states(item.puzzle for item in items)[NINE]


def markdown() -> str:
    """Return the stored numbers: a line per class with what propagation solves, and a footer that says of what."""
    rows = pd.read_csv(STORE / "strength.csv")
    classes = json.loads((STORE / "strength.json").read_text(encoding="utf-8"))
    kinds = {"up": rows[rows["failed_solved"].isna()], "failed": rows[rows["failed_solved"].notna()]}
    lines = []
    for number, facts in enumerate(classes, start=1):
        names = ", ".join(f"`{name}`" for name in strength.abbreviated(facts["encodings"]))
        cells = [solved(kinds[kind], facts["encodings"], name, kind) for kind, name in SHOWN]
        weaker = spans([place + 1 for place in facts["weaker"]])
        lines.append([str(number), names, *cells, weaker])
    heads = [name if kind == "up" else f"{name}, failed literals" for kind, name in SHOWN]
    footer = (
        f"Solved of {PUZZLES} puzzles by unit propagation, of {PROBED} by failed literals. A class leaves the same"
        f" candidates in {PUZZLES * len(COLLECTIONS) + RANDOM:,} states: puzzles from `{COLLECTIONS[0]}` to"
        f" `{COLLECTIONS[-1]}`, and {RANDOM} random assignments. A *stronger* one leaves a subset in every state."
    )
    shown = table(["class", "encodings", *heads, "stronger than"], lines)
    return f"{shown}\n\n{footer}"


def solved(rows: pd.DataFrame, encodings: Sequence[str], collection: str, kind: str) -> str:
    """Return the number of solved puzzles, of the first of these encodings that has one."""
    row = rows[rows["encoding"].isin(encodings) & (rows["collection"] == collection)].iloc[0]
    return f"{row[f'{kind}_solved']:.0f}"


def spans(numbers: Sequence[int]) -> str:
    """Return increasing numbers as text, such as ``2, 4–7``."""
    runs = [[n for _, n in run] for _, run in itertools.groupby(enumerate(numbers), lambda item: item[1] - item[0])]
    return ", ".join(f"{run[0]}–{run[-1]}" if run[1:] else str(run[0]) for run in runs) or "none"
