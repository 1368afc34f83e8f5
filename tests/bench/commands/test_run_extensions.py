"""Encodings, schemes and engines of one's own in commands that measure, list and encode."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.conftest import TOP

OWN = TOP / "tests" / "solvers" / "sat" / "own"
ENCODING, SCHEME, ENGINE = (str(OWN / f"{name}.py") for name in ("encoding", "scheme", "engine"))


def test_what_one_registers_is_measured_against_ours(measure) -> None:
    result = measure(
        *("-d", "size4", "--limit", 3, "--repetitions", 1, "--quiet"),
        *("-s", "sat:{peers,complete+pairwise,complete+fours}@glucose4", "-s", "sat:complete+pairwise@cms-direct"),
        *("--plugin", ENCODING, "--plugin", SCHEME, "--plugin", ENGINE),
    )
    assert result.code == 0, result.err
    rows = rows_of(result.folder / "measurements.csv")
    measured = {row["strategy"] for row in rows if not row["strategy"].startswith("(")}
    own = {f"sat:{name}" for name in ("peers@glucose4", "complete+fours@glucose4", "complete+pairwise@cms-direct")}
    assert measured == own | {"sat:complete+pairwise@glucose4"}
    assert {row["status"] for row in rows} == {"solved"}
    sizes = {(row["encoding"], row["shape"]): row["clauses"] for row in rows_of(result.folder / "encodings.csv")}
    # 56 pairs of peers and 4 values; 16 cells under product: 1 + 10 clauses for 4 literals
    assert sizes["peers", "4x4"] == str(56 * 4 + 16 * 11)
    assert ("complete+fours", "4x4") in sizes
    assert ("complete+pairwise", "9x9") in sizes  # of the project: on common boards, too


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))
