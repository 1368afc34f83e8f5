"""Software that must be the same on all hosts of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.run.cluster.kept_lane import require_same, software_of
from sudoku_bench.datasets.errors import InputError
from tests.bench.plan.test_plan import a_plan

HERE = {"Python": "3.11.4", "numpy": "2.4.0", "/shared/own.py": "abc"}


@pytest.mark.parametrize(
    ("theirs", "words"),
    [
        (HERE | {"numpy": "2.5.0"}, "node1: numpy is 2.5.0 there and 2.4.0 here; install"),
        ({"Python": "3.11.4"}, "node1: numpy is missing there and 2.4.0 here"),
        (HERE | {"/shared/own.py": "abd"}, "node1: /shared/own.py is abd there and abc here"),
    ],
)
def test_other_software_is_refused_in_one_line(theirs: dict[str, str], words: str) -> None:
    require_same(HERE, dict(HERE), "node1")
    with pytest.raises(InputError, match=words) as refusal:
        require_same(HERE, theirs, "node1")
    assert "\n" not in str(refusal.value)


def test_it_covers_packages_plug_ins_and_our_own_code(tmp_path: Path) -> None:
    plugin = tmp_path / "own.py"
    plugin.write_text("a = 1\n", encoding="utf-8")
    infos = (StrategyInfo("test:own", ("first",), requires=("pandas", "no-such-package"), plugin=str(plugin)),)
    plan = replace(a_plan(), strategies=infos)
    before = software_of(plan)
    assert before["pandas"] != before["no-such-package"] == "not installed"
    assert {"Python", "distributed", "sudoku-bench", str(plugin)} <= before.keys()
    plugin.write_text("a = 2\n", encoding="utf-8")
    assert {name for name, version in software_of(plan).items() if version != before[name]} == {str(plugin)}
