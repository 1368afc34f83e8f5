"""The card of the data set: what it holds, how it was made, and what it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from datasets.making.dataset.rows import Row, er_stratum

TEXT = """# Sudoku puzzles with measures of difficulty

{number} puzzles, no two of which are isomorphs (on 16x16: of different fingerprints). Each has exactly one solution.
The project sudoku-bench made them all; no puzzle comes from another collection. Licence: MIT.

Files: `{name}.csv` and `.parquet` hold the same rows; `{sample}.csv` and `.parquet` hold {n_sample} of them, as
equally many for each half step of ER and for each other size as there are. `SHA256SUMS` has the checksums.

## Columns

| column | meaning |
| --- | --- |
| `id` | 24 hexadecimal digits of the canonical form (16x16: of the fingerprint); the same for all isomorphs |
| `board` | the board, such as `9x9` |
| `puzzle`, `solution` | one character per cell, `.` for an empty one |
| `recipe` | how the puzzle was made, see below |
| `lineage` | puzzles of one lineage come from the same full grid; treat a lineage as one draw |
| `split` | `train`, `validation` or `test` (80, 10, 10% of the lineages); a lineage is never split |
| `clues` ... `ed` | measures of difficulty; ER, EP and ED are those of the puzzle as stored |

`_se` is the standard error of a mean. An empty field is not known or not defined; `>` stands before a bound.

sudoku-bench's page on difficulty defines each measure and says what it predicts.

## How it was made

`make dataset` makes it again, with the same checksums for the same versions of the packages.

| recipe | puzzles |
| --- | --- |
{recipes}

- `9x9-minimal`: a nearly uniform full grid (an independence chain of random dives), clues removed in random order.
- `9x9-more-clues`: the same, with 1 to 12 more clues.
- `9x9-climbed`: ten puzzles on a walk that changes a few clues at a time towards puzzles that look-ahead solves late.
- `9x9-near-hardest`: walks among puzzles of ER 9.0 and more that look-ahead does not solve, from one puzzle that the
  tutorial of pycosat prints (which is not in the data set); all of one lineage.
- other sizes: half of them nearly minimal, half with any number of clues up to half of the cells.

| split | puzzles |
| --- | --- |
{splits}

| ER (9x9), from | puzzles |
| --- | --- |
{ratings}

## What it is not

- No sample of all puzzles: minimal puzzles made by removing clues have fewer clues than the mean minimal puzzle.
- Not equally spread over ER, because puzzles of some ratings are rare; the sample is as equal as the rows allow.
- Difficulty for people is that of one program's techniques. Measures of search depend on the programs that they count.

Larger collections: the puzzle bank of the Sudoku Exchange (about 900,000 puzzles with ratings of Sudoku Explainer) and
sudoku-extreme (about 4.2 million). They have more puzzles, and other origins; here each puzzle has every measure
with its error, its lineage, and a split that respects it.
"""


def card(rows: list[Row], name: str, sample: str, n_sample: int) -> str:
    """Return the card as Markdown, given the names of the two tables and the rows of the second."""
    ratings = [er_stratum(row) for row in rows if row["er"]]
    return TEXT.format(
        number=len(rows),
        n_sample=n_sample,
        name=name,
        sample=sample,
        recipes=_table(row["recipe"] for row in rows),
        splits=_table(row["split"] for row in rows),
        ratings=_table(ratings, key=float),
    )


def _table(values: Iterable[str], key: type | None = None) -> str:
    """Return the lines of a table with the number of each value."""
    numbers = Counter(values)
    return "\n".join(f"| {value} | {numbers[value]} |" for value in sorted(numbers, key=key))
