"""The order of encodings by how clauses reach the solver, for docs/encodings.md.

It is the answer to three readers: who calls python-sat as its users do, who loads clauses past its loop, and who writes
DIMACS files for a program.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from studies.document import fill, table
from studies.grid import BLOCKS, FASTEST, SLOWER, STORE, STORED_ROWS, TIED, behind, near, unpacked
from studies.grid_numbers import PAGE, Grid, multiple
from sudoku_bench.bench.verdicts.comparable import CPU
from sudoku_bench.bench.verdicts.pairs.decision import B_FASTER
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.bench.verdicts.selection import select

HEADINGS = {  # by block
    "ways-9x9": "9×9, hardest",
    "ways-16x16": "16×16, 89 to 101 clues",
    "ways-25x25": "25×25, 320 clues",
}
WAYS = {  # the reader, by the end of the names of strategies
    "@minisat22": "python-sat",
    "@cadical195": "python-sat",
    "+direct@minisat22": "directly",
    "+direct@cadical195": "directly",
    "@/minisat": "DIMACS",
    "@/cadical": "DIMACS",
}


def write() -> None:
    """Write the order of the encodings by way of loading into docs/encodings.md, from the rows of their blocks."""
    stored = [name for name in HEADINGS if (STORED_ROWS / name).exists()]
    found = [order | {"block": name} for name in stored for order in orders(unpacked(STORED_ROWS / name), name)]
    pd.DataFrame(found).to_csv(STORE / "ways.csv", index=False, lineterminator="\n", float_format="%.4g")
    fill(PAGE, "ways", markdown(Grid().ways))


def orders(run: Run, block: str) -> Iterator[dict[str, Any]]:
    """Yield how far each encoding of a block is behind the best one under each way.

    Columns: ``reader``, ``suffix``, ``encoding``, those of ``behind``, ``standing``. The best of a way comes first.
    """
    for suffix, reader in WAYS.items():
        names = {f"sat:{encoding}{suffix}": encoding for encoding in BLOCKS[block].factors["encoding"]}
        pairs = select(run, list(names)).pairs
        rows = pairs[pairs["clock"] == CPU]
        facts = {"reader": reader, "suffix": suffix}
        yield facts | {"encoding": names[rows["b"].iloc[0]], "behind": 1.0, "standing": FASTEST}
        for row in rows.to_dict("records"):
            standing = SLOWER if row["verdict"] == B_FASTER else TIED
            yield facts | {"encoding": names[row["a"]], **behind(row), "standing": standing}


def markdown(found: pd.DataFrame) -> str:
    """Return a row for each way, a column for each block: its best encoding, those tied with it, and the last one."""
    blocks = found["block"].unique()
    lines = []
    for suffix, reader in WAYS.items():
        rows = found[found["suffix"] == suffix]
        title = f"{reader}, `{suffix.rpartition('@')[2]}`"
        lines.append([title, *(cell(rows[rows["block"] == block]) for block in blocks)])
    return table(["clauses arrive", *(HEADINGS[block] for block in blocks)], lines)


def cell(order: pd.DataFrame) -> str:
    best, *others = pd.concat([order[:1], order[1:].sort_values("behind")]).to_dict("records")
    named = [(f"`{row['encoding']}` ({multiple(row)})", row) for row in others]
    tied = [text for text, row in named if near(row)]
    last = [f"last {named[-1][0]}"] if others[-1]["standing"] == SLOWER else []
    return "; ".join([", ".join([f"**`{best['encoding']}`**", *tied]), *last])
