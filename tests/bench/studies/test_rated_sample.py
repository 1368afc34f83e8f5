"""Samples of rated puzzles, stratified by half steps of ER."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import pytest

from bench.studies import rated_sample
from bench.studies.difficulty_table import read_ratings


def grids(number: int) -> list[str]:
    """Return 4x4 boards, the digits of a number in their first row."""
    return ["".join(str(i // 4**k % 4 + 1) for k in range(4)) + "." * 12 for i in range(number)]


def test_half_steps_have_as_equal_numbers_as_there_are() -> None:
    ers = [1.2] * 100 + [1.4] * 50 + [7.0] * 3 + [9.5] * 40
    ratings = dict(zip(grids(len(ers)), ers, strict=True))
    chosen = rated_sample.sample(ratings, 43)
    assert Counter(int(er * 2) / 2 for er in chosen.values()) == {1.0: 20, 7.0: 3, 9.5: 20}
    assert all(ratings[grid] == er for grid, er in chosen.items())
    shuffled = dict(reversed(ratings.items()))
    assert rated_sample.sample(shuffled, 43) == chosen
    assert rated_sample.sample(ratings, 1000) == ratings


def test_the_command_writes_a_file_of_ratings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    ratings, out = tmp_path / "ratings.csv", tmp_path / "sample.csv"
    rows = [f"{grid},{1 + i / 10:.1f},own" for i, grid in enumerate(grids(40))]
    ratings.write_text("\n".join(["puzzle,ER,source", *rows]) + "\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["rated_sample", str(ratings), str(out), "--number", "24"])
    assert rated_sample.main() == 0
    chosen = read_ratings(out)
    assert len(chosen) == 24
    assert chosen.items() <= read_ratings(ratings).items()
    assert "24 puzzles" in capfd.readouterr().out
    ratings.write_text("grid\n", encoding="utf-8")
    assert rated_sample.main() == 2
    assert "ratings.csv:1: no column ER and puzzle" in capfd.readouterr().err
    ratings.write_text("puzzle,ER\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["rated_sample", str(ratings), str(tmp_path / "none" / "out.csv")])
    assert rated_sample.main() == 2
    assert "cannot be written" in capfd.readouterr().err
