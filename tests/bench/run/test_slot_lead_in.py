"""The lead-in of each measurement, with default options: what goes wrong in it, and that it is the same for all."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path

import pytest

from sudoku_bench.bench.plan.plan import Calibration
from sudoku_bench.bench.process import worker_process
from sudoku_bench.bench.run import probe

# With fewer empty cells than any puzzle of a lead-in has.
NEARLY = ("..42423.24133.24", "1.4343.2342.2134", ".142241.13244.31")

COMMON = """
    import collections

    class Noted(Backtracker):
        '''Leads in on the puzzles with more empty cells than those of the run have.'''

        def search(self, puzzle, task):
            self.leads_in = puzzle.cells.count(0) > 9
            self.odd = zlib.crc32(bytes(puzzle.cells)) % 25 == 0
            return self.answer(super().search(puzzle, task))

        def note(self):
            with open(os.environ["DIARY"], "a", encoding="ascii") as diary:
                diary.write(self.name + "\\n")

        def answer(self, answer):
            return answer
"""
FAULTS = {
    "good": "return answer",
    "wrong": "if self.odd:\n    self.note()\n    return [[value % 4 + 1 for value in answer[0]]]\nreturn answer",
    "malformed": "if self.odd:\n    self.note()\n    return ['no grid of numbers'[:16]]\nreturn answer",
    "raises": "if self.odd:\n    self.note()\n    raise IndexError('list index out of range')\nreturn answer",
    "quits": "if self.leads_in:\n    self.note()\n    raise GaveUp('hard')\nreturn answer",
    "hangs": "while self.leads_in:\n    self.note()\n    burn(1e9)\nreturn answer",
    "crashes": "if self.leads_in:\n    os.abort()\nreturn answer",
    "hogs": "if self.leads_in:\n    raise MemoryError\nreturn answer",
}


def source(faults: dict[str, str]) -> str:
    classes = [
        f'@register\nclass Fault{number}(Noted):\n    name = "test:{name}"\n    def answer(self, answer):\n'
        + "".join(f"        {line}\n" for line in body.splitlines())
        for number, (name, body) in enumerate(faults.items())
    ]
    return COMMON + "".join("    " + line + "\n" for text in classes for line in text.splitlines())


@pytest.fixture
def without_probe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its solves would be in the diary."""
    monkeypatch.setattr(probe, "calibration", lambda _: Calibration())


@pytest.fixture
def diary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Counter[str]]:
    """Return how often each strategy has noted something."""
    path = tmp_path / "diary"
    path.touch()
    monkeypatch.setenv("DIARY", str(path))
    return lambda: Counter(path.read_text(encoding="ascii").split())


@pytest.mark.usefixtures("without_probe")
def test_a_fault_of_a_lead_in_is_that_of_its_row(measure, plugin, puzzles, diary) -> None:
    """Every answer is checked; a strategy that gives up is measured, as is one that hangs, without its lead-in."""
    file = plugin(source(FAULTS))
    rows = measure("-s", "test:*", "--plugin", file, "-d", puzzles(*NEARLY), "--timeout", 1).rows
    noted = diary()
    by_name = {str(name).removeprefix("test:"): group for name, group in rows.groupby("strategy")}
    number = 5 * len(NEARLY)
    assert {name: len(group) for name, group in by_name.items()} == dict.fromkeys(FAULTS, number)
    for name, status in (("wrong", "wrong"), ("malformed", "wrong"), ("raises", "error")):
        group = by_name[name]
        assert set(group["status"]) <= {"solved", status}, set(group["reason"])
        assert 0 < (group["status"] == status).sum() == noted[f"test:{name}"]
        assert group.loc[group["status"] == status, "reason"].str.startswith("lead-in: ").any()
        assert group.loc[group["status"] == status, "cpu_s"].isna().any()
    for name in ("good", "quits", "hangs"):
        assert set(by_name[name]["status"]) == {"solved"}, set(by_name[name]["reason"])
    assert (by_name["good"]["lead_in"] > 0).all()
    assert (by_name["quits"]["lead_in"] > 0).all()
    assert noted["test:quits"] == by_name["quits"]["lead_in"].sum()
    assert noted["test:hangs"] == 1  # it costs one limit, and no more
    assert set(by_name["hangs"]["lead_in"]) == {0}
    assert by_name["hangs"]["reason"].str.contains("no lead-in (solve: more than 1 s", regex=False).all()
    for name, status in (("crashes", "error"), ("hogs", "memout")):
        assert set(by_name[name]["status"]) == {status}
        assert by_name[name]["reason"].str.startswith("lead-in: ").all()


@pytest.mark.usefixtures("without_probe")
def test_before_a_batch_the_limit_is_that_of_one_puzzle(measure, plugin, puzzles, diary) -> None:
    file = plugin(source({"hangs": FAULTS["hangs"]}))
    settings = ("--timeout", 1, "--mode", "batch:30", "--repetitions", 1)
    rows = measure("-s", "test:*", "--plugin", file, "-d", puzzles(NEARLY[0]), *settings).rows
    assert list(rows["status"]) == ["solved"]
    assert "no lead-in (solve: more than 1 s" in rows["reason"][0]


Requests = dict[str, list[str]]


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Requests:
    """What workers of a run are asked, by strategy, in order."""
    asked = defaultdict(list)
    send = worker_process.Worker._send

    def noting(worker: worker_process.Worker, text: str, doing: str) -> None:
        if worker.number > 0:  # others are those of the probe
            asked[worker.info.name].append(text)
        send(worker, text, doing)

    monkeypatch.setattr(worker_process.Worker, "_send", noting)
    return asked


COMPANY = """
    for name, work_s in (("a", 0.0), ("b", 1e-3), ("slow", 0.05)):
        def search(self, puzzle, task, work_s=work_s):
            burn(work_s)
            return Backtracker.search(self, puzzle, task)

        register(type("Own", (Backtracker,), {"name": f"test:{name}", "search": search}))
"""


def test_a_strategy_is_treated_the_same_whoever_takes_part(measure, plugin, puzzles, requests: Requests) -> None:
    settings = ("--plugin", plugin(COMPANY), "-d", puzzles(*NEARLY), "--repetitions", 2)
    alone = {}
    for names in (("a",), ("a", "b", "slow")):
        requests.clear()
        asked = [word for name in names for word in ("-s", f"test:{name}")]
        result = measure(*asked, *settings)
        assert set(result.statuses()) == {"solved"}
        assert (result.rows["lead_in"] > 0).all()
        alone = alone or dict(requests)
    assert requests["test:a"] == alone["test:a"]
    without_names = {name: [text for text in texts if "strategy" not in text] for name, texts in requests.items()}
    by_round = {name: sorted(texts) for name, texts in without_names.items()}
    assert by_round["test:a"] == by_round["test:b"] == by_round["test:slow"]
    solves = [json.loads(text) for text in requests["test:a"] if '"solve"' in text]
    assert {request["lead_in"] for request in solves} == {True}
