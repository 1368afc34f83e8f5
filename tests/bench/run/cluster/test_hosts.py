"""Software that must be the same on all hosts of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.process.strategy_info import StrategyInfo
from bench.run.cluster.hosts import Software
from datasets.errors import InputError
from tests.bench.plan.test_plan import a_plan

HERE = Software({"Python": "3.11.4", "numpy": "2.4.0", "dd": None}, "code", {"/shared/own.py": "abc"})


def test_the_same_software_is_accepted() -> None:
    HERE.require_same(replace(HERE), "node1")


@pytest.mark.parametrize(
    ("there", "words"),
    [
        (replace(HERE, versions={**HERE.versions, "numpy": "2.5.0"}), "node1: numpy is 2.5.0 there and 2.4.0 here"),
        (replace(HERE, versions={"Python": "3.11.4"}), "node1: numpy is not installed there and 2.4.0 here"),
        (replace(HERE, versions={**HERE.versions, "dd": "0.6"}), "dd is 0.6 there and not installed here"),
        (replace(HERE, code_sha256="other"), "node1: has another version of sudoku-bench"),
        (replace(HERE, files={"/shared/own.py": "abd"}), "/shared/own.py differs from the one here"),
        (replace(HERE, files={"/shared/own.py": ""}), "/shared/own.py cannot be read there"),
    ],
)
def test_other_software_is_refused_in_one_line(there: Software, words: str) -> None:
    with pytest.raises(InputError, match=words) as refusal:
        HERE.require_same(there, "node1")
    assert "\n" not in str(refusal.value)
    assert "; " in str(refusal.value)  # and how to mend it


def test_it_covers_packages_plug_ins_and_our_own_code(tmp_path: Path) -> None:
    plugin = tmp_path / "own.py"
    plugin.write_text("a = 1\n", encoding="utf-8")
    infos = (StrategyInfo("test:own", ("first",), requires=("pandas", "no-such-package"), plugin=str(plugin)),)
    plan = replace(a_plan(), strategies=infos)
    before = Software.of(plan)
    assert before.versions["pandas"]
    assert before.versions["no-such-package"] is None
    assert before.code_sha256
    assert Software.of(plan) == before
    plugin.write_text("a = 2\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"own\.py differs"):
        before.require_same(Software.of(plan), "node1")
