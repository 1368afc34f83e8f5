"""What each encoding derives by propagation: ``make strength`` writes the table of ``docs/encodings.md``.

No clock takes part, so the numbers are the same on every machine. They are stored in ``results/encodings/``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from bench.run import strength
from bench.studies import document
from datasets.collections import catalogue
from datasets.errors import InputError
from datasets.shape import Shape
from solvers.sat.encodings import WITH_SCHEME, WITHOUT_SCHEME, every_name

PAGE = document.TOP / "docs" / "encodings.md"
STORE = document.TOP / "results" / "encodings"
TABLE, CLASSES = "strength.csv", "strength.json"
MARKS = "<!-- strength: made by bench.studies.strength_tables -->", "<!-- end of strength -->"
COLLECTIONS = ("easy", "medium", "hard", "expert", "minimal", "hardest")
PUZZLES = 200  # of each collection, for unit propagation
PROBED_COLLECTIONS = ("hard", "minimal", "hardest")
PROBED = 50  # of each of these, for failed literals
RANDOM, SEED = 500, 1
NINE = Shape(3, 3)
BASES = (*(f"{name}+pairwise" for name in WITH_SCHEME), *WITHOUT_SCHEME)  # one scheme of each encoding

Rows = list[dict[str, Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.studies.strength_tables", description=__doc__)
    parser.add_argument("--stored", action="store_true", help="write the page from the stored numbers")
    options = parser.parse_args(arguments)
    try:
        if not options.stored:
            store(*compute(lambda name: print(name, file=sys.stderr)))
        table = pd.read_csv(STORE / TABLE)
        classes = json.loads((STORE / CLASSES).read_text(encoding="utf-8"))
        document.fill(PAGE, MARKS, "\n".join(as_markdown(table, classes)))
    except InputError as error:
        print(f"strength_tables: {error}", file=sys.stderr)
        return 2
    return 0


def compute(tell: Callable[[str], object]) -> tuple[Rows, list[dict[str, Any]]]:
    """Return a row per encoding and collection, and the classes: names, mean candidates left, weaker classes."""
    boards = {name: states_of(name, PUZZLES) for name in COLLECTIONS}
    boards[strength.RANDOM] = strength.random_states(NINE, RANDOM, SEED)
    derived = list(strength.derive(every_name(), NINE, boards, failed=False, tell=tell))
    classes = strength.classes_of(derived)
    probed = {name: states_of(name, PROBED) for name in PROBED_COLLECTIONS}
    failed = strength.derive(representatives(classes), NINE, probed, failed=True, tell=tell)
    rows = [row.fields() for row in (*derived, *failed)]
    return rows, [{"encodings": one.names, "left": one.left, "weaker": one.weaker} for one in classes]


def states_of(collection: str, number: int) -> Sequence[Any]:
    """The first puzzles of a collection of 9×9 boards."""
    items = catalogue.load(collection, catalogue.Choice(limit=number)).items
    return strength.clue_states(item.puzzle for item in items)[NINE]


def representatives(classes: Iterable[Any]) -> list[str]:
    """One encoding of each class, by pairs if there is one."""
    return [next((name for name in BASES if name in one.names), one.names[0]) for one in classes]


def store(rows: Rows, classes: Sequence[Mapping[str, Any]]) -> None:
    pd.DataFrame(rows).to_csv(STORE / TABLE, index=False)
    (STORE / CLASSES).write_text(json.dumps(classes, indent=1) + "\n", encoding="utf-8")


def as_markdown(table: pd.DataFrame, classes: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the section: a line per class with what propagation solves, and a footer that says of what."""
    propagated, probed = (table[table["failed_solved"].isna() == missing] for missing in (True, False))
    columns = [name for name in propagated["collection"].unique() if name != strength.RANDOM]
    heads = [*columns, *(f"{name}: failed literals" for name in probed["collection"].unique())]
    yield f"| class | encodings | {' | '.join(heads)} | candidates left | derives more than |"
    yield f"| --- | --- |{' --- |' * (len(heads) + 2)}"
    for number, one in enumerate(classes, start=1):
        name = one["encodings"][0]
        cells = [share(propagated, name, column, "up") for column in columns]
        cells += [share(probed, one["encodings"], column, "failed") for column in probed["collection"].unique()]
        names = ", ".join(f"`{name}`" for name in strength.abbreviated(one["encodings"]))
        weaker = ", ".join(str(place + 1) for place in one["weaker"]) or "none"
        yield f"| {number} | {names} | {' | '.join(cells)} | {one['left']:.1f} | {weaker} |"
    yield ""
    yield (
        f"Puzzles solved by unit propagation alone, of the first {PUZZLES} of each collection, and by failed literals,"
        f" of the first {PROBED}. Encodings of one class leave the same candidates in each of these puzzles and of"
        f" {RANDOM} random partial assignments (seed {SEED}); candidates left: the mean over all of them, of"
        f" {NINE.size**3}. A class *derives more than* another if it leaves a subset of its candidates in every state."
    )


def share(table: pd.DataFrame, names: str | Sequence[str], collection: str, kind: str) -> str:
    """The number of solved puzzles, of the first of these names that has one."""
    wanted = [names] if isinstance(names, str) else names
    row = table[table["encoding"].isin(wanted) & (table["collection"] == collection)].iloc[0]
    return f"{row[f'{kind}_solved']:.0f} of {row['states']}"


if __name__ == "__main__":
    sys.exit(main())
