"""Probes of engines: crashes and hangs are results, results are stored, and all answers are checked."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from bench.engines import probes, trials
from bench.plan import kept

PROBES = list(trials.PROBES)


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch, tmp_path):
    monkeypatch.setattr(kept, "folder", lambda: tmp_path)


def engine_of(monkeypatch, code: str, limit_s: float = 20) -> None:
    """Replace the process that tests an engine by a piece of Python; ``names`` are its probes."""
    head = (
        "import json, os, sys, time\n"
        "names = sys.argv[2:]\n"
        "def report(**facts):\n"
        "    print(json.dumps(facts), flush=True)\n"
    )

    def start(*arguments, environ):
        command = [sys.executable, "-c", head + code, *arguments]
        return subprocess.run(command, stdout=subprocess.PIPE, env=environ, timeout=limit_s, check=False)

    monkeypatch.setattr(probes, "_start", start)


@pytest.mark.parametrize(
    ("action", "result", "reason"),
    [
        ("os.kill(os.getpid(), 11)", "crash", "crash with SIGSEGV"),
        ("sys.exit(3)", "exits", "exits with code 3"),
        ("time.sleep(600)", "hangs", "hangs"),
    ],
)
def test_a_failure_is_the_result_of_that_probe_and_the_others_continue(monkeypatch, action, result, reason):
    each = f"for p in names:\n    {action} if p in ('again', 'empty') else None\n"
    engine_of(
        monkeypatch, f"{each}    report(probe=p, answer='yes', reason='')\n", limit_s=1 if result == "hangs" else 20
    )
    row = probes.probe("mine", ["mine", "own"])
    assert {name: row[name] for name in PROBES} == dict.fromkeys(PROBES, "yes") | {"again": result, "empty": result}
    assert row["reason"] == f"again: {reason}; empty: {reason}"
    assert (row["engine"], row["aliases"], row["package"]) == ("mine", ["own"], "python-sat")


@pytest.mark.parametrize("code", ["os.abort()", "report(probe='solves', answer='no', reason='it has no wheels')"])
def test_an_engine_that_does_not_solve_gets_no_other_probes(monkeypatch, code):
    engine_of(monkeypatch, code)
    row = probes.probe("mine", ["mine"])
    assert row["solves"] in ("crash", "no")
    assert [row[name] for name in PROBES[1:]] == [""] * (len(PROBES) - 1)
    assert row["reason"] in ("solves: crash with SIGABRT", "it has no wheels")


def test_the_table_is_stored_until_its_conditions_change(monkeypatch):
    tried = []
    monkeypatch.setattr(probes, "names", lambda: {"one": ["one"], "two": ["two"]})
    monkeypatch.setattr(probes, "probe", lambda name, _: tried.append(name) or {"engine": name, "solves": "yes"})
    first = probes.table()
    assert probes.table() == first == [{"engine": name, "solves": "yes"} for name in ("one", "two")]
    assert sorted(tried) == ["one", "two"]
    probes.table(again=True)
    assert len(tried) == 4
    monkeypatch.setattr(probes, "conditions", lambda: "others")
    assert [row["engine"] for row in probes.table()] == ["one", "two"]
    assert len(tried) == 6


def test_names_come_from_the_packages_themselves():
    spellings = probes.names()
    assert "m22" in spellings["minisat22"]
    assert {"pycosat", "pyeda", "pyeda-dimacs"} <= set(spellings)


@pytest.mark.parametrize(("code", "limit_s"), [("os.abort()", 20), ("time.sleep(600)", 0.5)])
def test_a_python_sat_that_cannot_be_imported_is_one_line(monkeypatch, command, code: str, limit_s: float):
    engine_of(monkeypatch, code, limit_s)
    code, _, err = command("list", "engines")
    assert code == 2
    assert err == (
        "sudoku-bench: python-sat cannot be imported; reinstall it (pip install --force-reinstall python-sat)\n"
    )


# --- the probes


def test_a_pigeonhole_formula_is_minimally_unsatisfiable():
    from pysat.solvers import Solver

    clauses = trials.pigeonhole(3)
    assert len(clauses) == 4 + 3 * 6
    for omitted in range(-1, len(clauses)):
        subset = [clause for number, clause in enumerate(clauses) if number != omitted]
        with Solver(name="minisat22", bootstrap_with=subset) as solver:
            assert solver.solve() is (omitted >= 0)


@pytest.mark.parametrize("fault", [trials.WrongAnswer("two ones"), NotImplementedError("no"), KeyError("x"), None])
def test_an_exception_determines_the_result_of_a_probe(monkeypatch, fault):
    def fail(engine):
        if fault is not None:
            raise fault

    monkeypatch.setitem(trials.PROBES, "native", fail)
    answer, reason = trials.result_of("cadical195", "native")
    assert answer == {"WrongAnswer": "wrong", "NoneType": "yes"}.get(type(fault).__name__, "no")
    assert reason == {"WrongAnswer": "native: two ones", "KeyError": "native: KeyError: 'x'"}.get(
        type(fault).__name__, ""
    )


@pytest.mark.parametrize(
    ("lie", "probe"),
    [("get_model", "solves"), ("solve", "assumptions"), ("get_model", "again"), ("accum_stats", "statistics")],
)
def test_an_engine_that_lies_is_detected(monkeypatch, lie, probe):
    from pysat.solvers import Solver

    solve = Solver.solve
    lies = {
        "solve": lambda self, assumptions=(): solve(self),
        "get_model": lambda self: list(range(1, 65)),
        "accum_stats": lambda self: {"conflicts": 0, "decisions": 5, "propagations": 7},
    }
    assert trials.result_of("glucose4", probe) == ("yes", "")
    monkeypatch.setattr(Solver, lie, lies[lie])
    answer, reason = trials.result_of("glucose4", probe)
    assert answer == "wrong"
    assert reason.startswith(f"{probe}: ")


# --- the command


def test_the_listing_shows_results_and_reasons_below(command, monkeypatch):
    rows = [
        {"engine": name, "package": "p", "aliases": ["x"], **dict.fromkeys(PROBES, "yes"), "reason": reason}
        for name, reason in (("one", ""), ("other", "empty: crash with SIGSEGV"))
    ]
    monkeypatch.setattr(probes, "table", lambda again, advance: [dict(row) for row in rows])
    code, out, _ = command("list", "engines")
    assert code == 0
    assert "aliases" not in out
    assert out.splitlines()[-1] == "other: empty: crash with SIGSEGV"
    assert max(map(len, out.splitlines())) <= 80
    code, out, _ = command("list", "engines", "o*e", "--json")
    assert json.loads(out) == rows[:1]
    assert command("list", "strategies", "--again")[0] == 2
