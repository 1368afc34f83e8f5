"""The comparison of the explainer scale with published ratings."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench.studies import explainer_table
from tests.datasets.rules import PRINTED

EASY, OTHER = PRINTED["000a"][0], PRINTED["004"][0]


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["explainer_table", *map(str, arguments)])
    return explainer_table.main()


def test_equal_and_different_ratings_are_counted_by_half_steps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings = tmp_path / "ratings.csv"
    ratings.write_text(f"puzzle,ER,EP,ED\n{EASY},1.2,1.2,1.2\n{OTHER},2.6,1.2,9.9\n", encoding="utf-8")
    assert run(monkeypatch, ratings) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{OTHER} 2.6 1.2 9.9 here 2.6 ")
    rows = [line.strip("| ").split(" | ") for line in out.splitlines() if line.startswith("| ")]
    assert [row[:6] for row in rows[2:]] == [
        ["1.0", "1", "1", "1", "1", "0"],
        ["2.5", "1", "1", "1", "0", "0"],
        ["all", "2", "2", "2", "1", "0"],
    ]
    assert run(monkeypatch, ratings, "--up-to", 2) == 0
    assert OTHER not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("puzzle,ER,EP\n", "ratings.csv:1: no column ED"),
        ("puzzle,ER,EP,ED\nhello,1,1,1\n", "ratings.csv:2: "),
        (f"puzzle,ER,EP,ED\n{EASY},1,hard,1\n", "ratings.csv:2: a rating is no number"),
        (f"puzzle,ER,EP,ED\n{EASY},0,0,0\n", "no puzzle in this range"),
    ],
)
def test_bad_ratings_are_one_line(
    text: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ratings = tmp_path / "ratings.csv"
    ratings.write_text(text, encoding="utf-8")
    assert run(monkeypatch, ratings, "--from", 0.5) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
