"""External commands: any behaviour becomes a row, no process is left running, and the run continues."""

from __future__ import annotations

import json
import shlex
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from sudoku_bench.bench.process import watch
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.phrases import seconds
from tests.bench.conftest import FOURS
from tests.bench.run.test_runner_faults import PUZZLES, Faults, check

PYTHON = f"{shlex.quote(sys.executable)} -I -S"  # starts fast

# Solves 4×4 puzzles line by line; its argument is what it does at the puzzle with the fewest empty cells.
LINES = """
import os, signal, subprocess, sys, time

def solutions(cells):
    if "." not in cells:
        yield cells
        return
    at = cells.index(".")
    for digit in "1234":
        if all(cells[k] != digit for k in range(16) if k // 4 == at // 4 or k % 4 == at % 4
               or (k // 8, k % 4 // 2) == (at // 8, at % 4 // 2)):
            yield from solutions(cells[:at] + digit + cells[at + 1:])

def write(text):
    os.write(1, text.encode() if isinstance(text, str) else text)

def answers(cells, limit):
    units = [[r * 4 + c for c in range(4)] for r in range(4)] + [[r * 4 + c for r in range(4)] for c in range(4)]
    units += [[r * 4 + c, r * 4 + c + 1, r * 4 + c + 4, r * 4 + c + 5] for r in (0, 2) for c in (0, 2)]
    if any(cells[a] == cells[b] != "." for unit in units for a in unit for b in unit if a < b):
        return []
    return [solution for solution, _ in zip(solutions(cells), range(limit))]

limit, fault = int(sys.argv[1]), sys.argv[2]
for line in sys.stdin:
    puzzle = line.rstrip("\\n")
    right = " ".join(answers(puzzle, limit))
    if puzzle.count(".") == 9 and fault:
        exec(fault)
    else:
        write(right + "\\n")
"""

# Solves DIMACS files, in one of two dialects.
DIMACS = """
import os, signal, sys, time
from pysat.formula import CNF
from pysat.solvers import Solver

dialect, fault, file = sys.argv[1:4]
clauses = CNF(from_file=file).clauses
with Solver("minisat22", bootstrap_with=clauses) as solver:
    model = solver.get_model() if solver.solve() else None
words = model and " ".join(map(str, model))

def say(verdict, values=None, code=None, end=" 0"):
    if dialect == "minisat":
        with open(sys.argv[4], "w") as result:
            result.write({10: "SAT", 20: "UNSAT", 0: "INDET"}[verdict] + "\\n")
            if values:
                result.write(values + end + "\\n")
        print("c much ado")
    else:
        print("c much ado")
        print("s " + {10: "SATISFIABLE", 20: "UNSATISFIABLE", 0: "UNKNOWN"}[verdict])
        if values:
            half = len(values) // 2
            half += values[half:].index(" ")
            print("v " + values[:half])
            print("v " + values[half:] + end)
    sys.stdout.flush()
    os._exit(verdict if code is None else code)

if fault and sum(len(clause) == 1 for clause in clauses) == 7:
    exec(fault)
say(10 if model else 20, words)
"""


@pytest.fixture
def suite_of(tmp_path: Path) -> Callable[..., Path]:
    """Write a suite file that declares commands by name."""

    def write(commands: Mapping[str, str], *settings: str, more: str = "") -> Path:
        named = [f"name = {json.dumps(name)}\ncommand = {json.dumps(text)}\n{more}" for name, text in commands.items()]
        path = tmp_path / "outside.toml"
        path.write_text("\n[[commands]]\n".join(["\n".join([*settings, "repetitions = 1"]), *named]), encoding="utf-8")
        return path

    return write


@pytest.fixture
def lines(tmp_path: Path) -> Callable[..., str]:
    """Return the command of the line solver with a fault."""
    path = tmp_path / "lines.py"
    path.write_text(LINES, encoding="utf-8")
    return lambda fault="", limit=1: f"{PYTHON} {shlex.join([str(path), str(limit), fault])}"


@pytest.fixture
def dimacs(tmp_path: Path) -> Callable[..., str]:
    """Return the command of the SAT solver with a fault."""
    path = tmp_path / "dimacs.py"
    path.write_text(DIMACS, encoding="utf-8")

    def command(fault: str = "", dialect: str = "competition") -> str:
        out = " {out}" if dialect == "minisat" else ""
        return f"{shlex.join([sys.executable, str(path), dialect, fault])} {{cnf}}{out}"

    return command


# Faults of lines are those of tests/solvers/external; here, what becomes of them.
LINE_FAULTS: Faults = {
    "nothing": ("write('\\n')", "wrong", "0 solutions returned"),
    "words": ("write('no idea\\n')", "error", "got: 'no idea"),
    "swapped": ("write(right[1] + right[0] + right[2:] + '\\n')", "wrong", "a solution"),
    "chatters": ("os.write(2, b'x' * 10**6); write(right + '\\n')", "solved", ""),
    "leaves": ("subprocess.Popen(['sleep', '9'], start_new_session=True); write(right + '\\n')", "solved", "killed: 1"),
}
# Which limit they meet first, CPU time or the clock, depends on what else the machine does.
IGNORES = "for n in (1, 2, 13, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: pass"
ENDLESS: Faults = {
    "half-and-hangs": ("write(right[:7]); time.sleep(600)", "timeout", "solve: more than"),
    "ignores-signals": (IGNORES, "timeout", "solve: more than"),
}


@pytest.mark.thorough
@pytest.mark.parametrize(("faults", "timeout"), [(LINE_FAULTS, 10), (ENDLESS, 0.2)], ids=["lines", "endless"])
def test_any_behaviour_of_a_command_becomes_a_row(
    measure, suite_of, lines, puzzles, trace, monkeypatch: pytest.MonkeyPatch, faults: Faults, timeout: float
) -> None:
    monkeypatch.setattr(watch, "WALL_SLACK_S", 1.0)
    suite = suite_of({f"test:{name}": lines(fault) for name, (fault, _, _) in faults.items()})
    result = measure(suite, "-d", puzzles(*PUZZLES), "--timeout", timeout)
    check(result, faults)
    assert "xxx" not in result.out + result.err
    assert trace.gone()


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["warm", "batch:7", "cold"])
def test_a_command_answers_in_every_mode_and_its_pipe_is_timed(measure, suite_of, lines, puzzles, trace, mode) -> None:
    result = measure(suite_of({"mine": lines()}), "-d", puzzles(*FOURS[:3]), "--mode", mode)
    assert result.code == 0, result.err
    assert set(result.rows["strategy"]) == {"command:mine"}
    assert set(result.all_rows["status"]) == {"solved"}, set(result.all_rows["reason"])
    echo = result.all_rows[result.all_rows["placebo"] == "pipe"]
    assert len(echo) == 3
    assert (echo["cpu_s"] > 0).all()
    [line] = terminal.echo_lines(result.all_rows)
    assert f"a program that only echoes its input takes {seconds(echo['cpu_s'].median())} of CPU time" in line
    assert trace.gone()


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["warm", "cold"])
def test_the_time_of_a_command_counts_in_every_mode(measure, suite_of, lines, dimacs, puzzles, mode: str) -> None:
    works = "until = time.process_time() + 0.15\nwhile time.process_time() < until: pass\n"
    suite = suite_of({"lines": lines(works + "write(right + '\\n')"), "sat": dimacs(works)})
    rows = measure(suite, "-d", puzzles(FOURS[0]), "--mode", mode, "--isomorphs", "off").rows
    assert len(rows) == 2
    assert set(rows["status"]) == {"solved"}
    assert (rows["cpu_s"] > 0.15).all()


def test_a_command_proves_uniqueness_if_it_declares_so(measure, suite_of, lines, puzzles) -> None:
    commands = {"two": lines(limit=2), "half": lines(limit=1)}
    file = puzzles(*FOURS)
    rows = measure(suite_of(commands, 'task = "unique"', more='task = "unique"'), "-d", file).rows
    assert set(rows["decoy"].dropna()) == {"several", "none"}
    assert set(rows.loc[rows["strategy"] == "command:two", "status"]) == {"solved"}, set(rows["reason"])
    half = rows[rows["strategy"] == "command:half"]
    assert set(half.loc[half["decoy"] == "several", "status"]) == {"wrong"}
    rows = measure(suite_of({"first": lines(limit=1)}, 'task = "unique"'), "-d", file).rows
    assert set(rows["status"]) == {"unsupported"}
    assert set(rows["reason"]) == {"does not offer the task unique"}


SAT_FAULTS = {
    "lies-unsatisfiable": ("say(20)", "wrong", "0 solutions returned"),
    "lies-satisfiable": ("say(10, ' '.join(str(-x) for x in model))", "wrong", ""),
    "does-not-know": ("say(0)", "gave_up", "the solver reports UNKNOWN"),
    "spins": ("while True: pass", "timeout", "more than 1 s of CPU time"),
}


@pytest.mark.thorough
def test_any_behaviour_of_a_sat_solver_becomes_a_row(measure, suite_of, dimacs, puzzles, trace) -> None:
    dialects = ("competition", "minisat")
    commands = {name: dimacs(fault, dialects[n % 2]) for n, (name, (fault, _, _)) in enumerate(SAT_FAULTS.items())}
    result = measure(suite_of(commands), "-d", puzzles(*FOURS[:2]), "--timeout", 1)
    check(result, SAT_FAULTS, prefix="sat:complete+pairwise@")
    assert (result.rows.loc[result.rows["status"] == "solved", "clauses"] > 400).all()
    assert trace.gone()


def test_a_missing_program_is_unsupported_with_a_reason(measure, suite_of, puzzles) -> None:
    suite = suite_of({"gone": "no-such-solver-anywhere", "away": "./nowhere {cnf}"})
    result = measure(suite, "-s", "gone", "-s", "sat:log@away", "-d", puzzles(FOURS[0]))
    assert result.code == 0
    reasons = dict(zip(result.rows["strategy"], result.rows["reason"], strict=True))
    assert set(result.rows["status"]) == {"unsupported"}
    assert reasons == {
        "command:gone": "the program no-such-solver-anywhere is not on the PATH",
        "sat:log@away": "there is no program ./nowhere",
    }
    assert "no-such-solver-anywhere is not on the PATH" in " ".join(result.err.split())


def test_a_command_that_cannot_be_started_has_rows_with_the_reason(measure, suite_of, puzzles, tmp_path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"\x7fELF nothing that a kernel runs")
    broken.chmod(0o755)
    rows = measure(suite_of({"lines": str(broken), "sat": f"{broken} {{cnf}}"}), "-d", puzzles(FOURS[0])).rows
    assert set(rows["status"]) == {"error"}
    assert rows["reason"].str.contains("Exec format error").all(), set(rows["reason"])


def test_the_manifest_records_the_program_and_another_one_cannot_resume(
    measure, command, suite_of, lines, puzzles, tmp_path
) -> None:
    suite, file = suite_of({"mine": lines()}), puzzles(FOURS[0])
    result = measure(suite, "-d", file)
    manifest = json.loads((result.folder / "manifest.json").read_text(encoding="utf-8"))
    [facts] = manifest["strategies"]
    assert facts["command"]["command"] == lines()
    assert set(facts["files_sha256"]) == {sys.executable, str(tmp_path / "lines.py")}
    again = ("run", suite, "-d", file, "--pin", "off", "--out", result.folder, "--resume")
    assert command(*again)[0] == 0
    (tmp_path / "lines.py").write_text(LINES + "# changed", encoding="utf-8")
    code, _, err = command(*again)
    assert code == 2
    assert "holds a run of another plan" in err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("commands = ['x']", "commands must be tables; write [[commands]]"),
        ("[[commands]]\nname = 'x'\ncommand = 'x'\n[[commands]]\nname = 'y'", "number 2: a command has no command"),
        ("[[commands]]\nname = 'x'\ncomand = 'x'", "unknown setting comand of a command; did you mean command?"),
        ("[[commands]]\nname = 'x'\ncommand = 'x'\nloops = 3", "settings of the suite, such as loops, go above"),
        ("[[commands]]\nname = 'x'\ncommand = 'x'\nshapes = ['9']", "command x: '9' is not a shape of boards"),
        ("[[commands]]\nname = 'x'\ncommand = '{cnf}'", "names no program"),
        ("[[commands]]\nname = 'x'\ncommand = \"x 'y\"", "cannot be split into words: no closing quotation"),
        ("[[commands]]\nname = 'sat:x'\ncommand = 'x'", "names of the family sat are composed of encodings"),
        ("[[commands]]\nname = 'x'\ncommand = 'x {cfn}'", "{cfn} is not a placeholder; did you mean {cnf}?"),
        ("[[commands]]\nname = 'x'\ncommand = 'x {out}'", "add the file that it reads, such as {cnf}"),
        ("[[commands]]\nname = 'x'\ncommand = 'x {cnf} {puzzle}'", "cannot be combined"),
        ("[[commands]]\nname = 'x'\ncommand = 'x'\n" * 2, "two commands are called x"),
        ("[[commands]]\nname = 'cadical195'\ncommand = 'x {cnf}'", "command cadical195: the name is taken"),
        ("strategies = ['mine']\n[[commands]]\nname = 'x'\ncommand = 'x'", "no strategy is called mine"),
        ("strategies = ['sat:no@x']\n[[commands]]\nname = 'x'\ncommand = 'x {cnf}'", "no encoding is called 'no'"),
        ("strategies = ['sat:complete+native@x']\n[[commands]]\nname = 'x'\ncommand = 'x {cnf}'", "holds no native"),
    ],
)
def test_a_bad_declaration_is_one_line(command, puzzles, tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    code, out, err = command("run", path, "-d", puzzles(FOURS[0]), "--dry-run")
    assert (code, out) == (2, "")
    message = err.strip().splitlines()[-1]
    assert message.startswith("sudoku-bench: ")
    assert complaint in message


@pytest.mark.parametrize("text", ["mine", "=x", "mine= "])
def test_a_bad_command_of_the_command_line_is_one_line(command, puzzles, text: str) -> None:
    code, _, err = command("run", "--command", text, "-d", puzzles(FOURS[0]), "--dry-run")
    assert code == 2
    assert "declares no command; write NAME='PROGRAM ARGUMENTS'" in err
