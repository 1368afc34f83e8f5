"""Files of other tools about solves of 4×4 puzzles."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from sudoku_bench.bench.figures import catalogue

# A puzzle and its solution.
BOARDS = {"1.....3..4....2.": "1342423124133124", ".24....234......": "1243431234212134"}


@pytest.fixture
def benchmark_file(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of pytest-benchmark: two strategies on two puzzles or more, one twice as slow."""

    def write(solutions: bool = True, boards: Mapping[str, str] = BOARDS, **changes: Any) -> Path:
        benchmarks = []
        for factor, strategy in ((1, "mine:fast"), (2, "mine:slow")):
            for grid, solution in boards.items():
                samples = [factor * 1e-3 * (1 + 0.01 * number) for number in range(30)]
                facts = {"strategy": strategy, "collection": "fours", "puzzle": grid}
                facts |= {"solution": solution} if solutions else {}
                stats = {"data": samples, "iterations": 2}
                benchmarks.append({"fullname": strategy, "extra_info": facts | changes, "stats": stats})
        document = {
            "machine_info": {"cpu": {"brand_raw": "A CPU", "count": 4}, "python_version": "3.12.1"},
            "commit_info": {"id": "0123456789abcdef", "dirty": False},
            "benchmarks": benchmarks,
            "datetime": "2026-05-04T03:02:01+00:00",
            "version": "5.1.0",
        }
        path = tmp_path / "times.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


@pytest.fixture
def few_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports draw the cactus plot alone, which takes seconds less."""
    monkeypatch.setattr(catalogue, "FIGURES", tuple(f for f in catalogue.FIGURES if catalogue.name(f) == "cactus"))
