"""The command line: exit codes, one-line messages for bad input, and no tracebacks."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from sudoku_bench.bench.commands import VERSION, cli
from sudoku_bench.solvers import registry
from tests.bench.conftest import FOURS
from tests.conftest import TOP

ENGINE = TOP / "tests" / "solvers" / "sat" / "own" / "engine.py"
CLASSIC = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def assert_one_line(err: str, *parts: str) -> None:
    assert len(err.strip().splitlines()) == 1, err
    assert err.startswith("sudoku-bench: ")
    for part in parts:
        assert part in err


# --- check


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("88" + CLASSIC[2:], "8 occurs 2 times in row 1 (r1c1 and r1c2)"),
        ("." * 81, "has more than one solution"),
        (CLASSIC[:1] + "4" + CLASSIC[2:], "has no solution"),
    ],
)
def test_check_names_each_bad_puzzle_and_ends_with_1(command, puzzles, line: str, complaint: str) -> None:
    file = puzzles(CLASSIC, line)
    code, out, _ = command("check", file)
    assert code == 1
    assert f"{file}:2: " in out
    assert complaint in out
    assert "2 puzzles, 1 with exactly one solution, 1 bad" in out


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "holds no puzzle"),
        (b"# only a comment\n\n", "holds no puzzle"),
        (b"\x7fELF\x00\x01\x02" * 50, "is not a text file"),
        (None, "is a directory"),
        ("", "odd: no such file"),
    ],
)
def test_a_file_without_puzzles_is_one_line(command, tmp_path: Path, content: bytes | str | None, complaint) -> None:
    path = tmp_path / "odd"
    if content is None:
        path.mkdir()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    for arguments in (("check", path), ("solve", path), ("rate", path), ("run", "-s", "seed:norvig", "-d", path)):
        code, out, err = command(*arguments)
        assert (code, out) == (2, "")
        assert_one_line(err, str(path), complaint)


# --- solve


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("solve", "12345"), "neither a file nor a puzzle: line 1: 5 characters"),
        (("solve", ""), "neither a file nor a puzzle: expected one puzzle, found 0"),
        (("solve", CLASSIC, "-s", "sat:none"), "no strategy is called sat:none"),
        (("solve", CLASSIC, "-s", "mine:x"), "list strategies`; one of your own needs --plugin FILE.py"),
        (("solve", CLASSIC, "-s", "seed:*"), "seed:* matches 5 strategies; name one with -s"),
        (("solve", CLASSIC, "--timeout", "soon"), "--timeout must be a time such as 90s, 10m or 1h"),
        (("run", "-s", "seed:*", "-d", "esay"), "did you mean easy?"),
        (("run", "-s", "seed:*", "-d", "easy", "-d", "easy"), "two collections are called easy"),
        (("run", "mian"), "did you mean main?"),
        (("run", "--repetitions", "0"), "repetitions is 0, not an integer of at least 1"),
        (("run", "-s", "seed:norvig", "-d", "easy", "--plugin", "none.py"), "none.py: no such plug-in file"),
        (("report", "nowhere"), "nowhere: no such folder"),
        (("choose", "results/nowhere"), "results/nowhere: no such file or folder"),
        (("list", "solvers"), "invalid choice: 'solvers'"),
        (("list", "strategies", "--shape", "16x16"), "--shape: applies to encodings only"),
        *((("list", "encodings", f"--shape={shape}"), "--shape") for shape in ("16", "16x15", "37x37", "-4x-4", "")),
        (("encode", CLASSIC, "-e", "nothing"), "no encoding is called 'nothing'"),
        (("encode", CLASSIC, "-e", "log+assumptions"), "use log+substituted"),
        (("encode", CLASSIC, "-o", "/no/such/folder/x.cnf"), "/no/such/folder/x.cnf: No such file or directory"),
        (("check", "README.md", "--jobs", "0"), "--jobs must be at least 1"),
        (("bake",), "there is no command bake"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(command, arguments: tuple[str, ...], complaint: str) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert_one_line(err, complaint)


def test_a_run_never_overwrites(measure, command, puzzles) -> None:
    file = puzzles(FOURS[0])
    finished = measure("-s", "seed:norvig", "-d", file, "--repetitions", 1)
    before = (finished.folder / "measurements.csv").read_bytes()
    code, _, err = command("run", "-s", "seed:norvig", "-d", file, "--out", finished.folder)
    assert code == 2
    assert_one_line(err, f"{finished.folder}: is not empty; choose another --out")
    assert (finished.folder / "measurements.csv").read_bytes() == before


def test_engines_are_listed_with_the_package_that_they_lack(command, monkeypatch) -> None:
    monkeypatch.setattr(registry, "missing", lambda names: "not installed" if "pycryptosat" in names else "")
    rows = {row["engine"]: row for row in json.loads(command("list", "engines", "--plugin", ENGINE, "--json")[1])}
    assert rows["minisat22"]["aliases"] == ["m22", "msat22"]
    assert [rows[name]["package"] for name in ("cadical195", "pyeda-dimacs")] == ["python-sat", "pyeda"]
    assert rows["cms-direct"]["package"] == str(ENGINE)
    lacking = {name: row["reason"] for name, row in rows.items() if not row["available"]}
    assert lacking == dict.fromkeys(("cryptominisat5", "cms-direct"), "not installed")
    assert command("list", "engines")[1].splitlines()[-1] == "cryptominisat5: not installed"


def test_all_strategies_are_listed_by_family(command) -> None:
    lines = command("list", "strategies")[1].splitlines()
    families = [line.split()[0] for line in lines]
    assert len(lines) < 50
    assert families.count("sat") == families.count("seed") == 1
    assert any("sudoku-bench list strategies 'sat:*'" in line for line in lines[-3:])


def test_encode_writes_dimacs_whose_comments_explain_the_variables(command, tmp_path) -> None:
    path = tmp_path / "puzzle.cnf"
    assert command("encode", FOURS[0], "-e", "complete+product", "-o", path)[0] == 0
    lines = path.read_text(encoding="ascii").splitlines()
    clues = sum(symbol != "." for symbol in FOURS[0])
    assert "c encoding complete+product" in lines
    assert "c r1c2 = x5 + 2*x6 + 3*x7 + 4*x8" in lines
    assert f"p cnf 320 {64 * 11 + clues}" in lines
    assert command("encode", FOURS[0], "-e", "complete+product")[1].splitlines() == lines


def test_a_run_without_any_row_still_reports_and_a_broken_one_is_one_line(run, command, puzzles) -> None:
    finished = run("-s", "seed:norvig", "-d", puzzles(FOURS[0]), "--repetitions", 1)
    rows = finished.folder / "measurements.csv"
    rows.write_text(rows.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    assert command("report", finished.folder)[0] == 0
    rows.unlink()
    code, _, err = command("report", finished.folder)
    assert code == 2
    assert_one_line(err, "measurements.csv", "cannot be read")


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("choose", "easy", "--budget", ""), "--budget"),
        (("compare", "a", "--baseline="), "--baseline"),
        (("run", "-s", ""), "-s"),
    ],
)
def test_an_empty_value_is_refused(command, arguments: tuple[str, ...], name: str) -> None:
    code, out, err = command(*arguments)
    assert (code, out) == (2, "")
    assert_one_line(err, f"{name}: is empty")


def test_the_version_is_printed(command) -> None:
    assert command("--version") == (0, f"sudoku-bench {VERSION}\n", "")


IMPORTS = "import atexit, sys; from sudoku_bench.bench.commands import cli;"
IMPORTS += "atexit.register(lambda: print(*sys.modules, file=sys.stderr));"
LARGE = ("pandas", "scipy", "matplotlib", "numba")


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (("--help",), (*LARGE, "numpy", "rich", "solvers", "sudoku_bench.bench.worker")),
        (("list", "datasets"), (*LARGE, "numpy", "solvers", "sudoku_bench.bench.plan")),
        (("list", "strategies"), (*LARGE, "numpy")),
        (("status", "a run"), (*LARGE, "numpy", "solvers")),
        (("solve", FOURS[0]), (*LARGE, "numpy", "rich.console")),
    ],
)
def test_a_command_imports_only_what_it_needs(
    small_reference: Path, arguments: tuple[str, ...], unneeded: tuple[str, ...]
) -> None:
    """So that it starts quickly."""
    words = [str(small_reference) if word == "a run" else word for word in arguments]
    command = [sys.executable, "-c", f"{IMPORTS} cli.main(sys.argv[1:])", *words]
    finished = subprocess.run(command, capture_output=True, text=True, check=True, cwd=TOP)
    assert set(finished.stderr.split()).isdisjoint(unneeded)


def test_a_closed_pipe_is_not_an_error() -> None:
    command = f"{sys.executable} -m sudoku_bench solve {'.' * 16} --task count:288 | head -n 1"
    finished = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert len(finished.stdout.strip()) == 16
    assert finished.stderr == ""


def test_every_help_ends_with_an_example_that_can_be_parsed() -> None:
    for name, parser in cli.parsers(cli.filled_parser()).items():
        example = str(parser.epilog).removeprefix("example: ")
        words = shlex.split(re.sub(r'^eval "\$\((.*)\)"$', r"\1", example))
        assert words[:2] == ["sudoku-bench", name], name
        assert cli.parser().parse_args(words[1:]).main
        assert example in parser.format_help()  # on one line


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "what",
    [("strategies",), ("strategies", "seed:*"), ("encodings",), ("engines",), ("datasets",), ("suites",)],
    ids=" ".join,
)
def test_listings_fit_a_terminal(command, monkeypatch: pytest.MonkeyPatch, what: tuple[str, ...], width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("FORCE_COLOR", "1")  # as at a terminal
    rows = json.loads(command("list", *what, "--json")[1])
    code, out, _ = command("list", *what)
    lines = re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()
    assert code == 0
    assert max(map(cell_len, lines)) <= width
    if what != ("strategies",):  # which are listed by family
        assert all(any(str(next(iter(row.values()))).split("+")[0][:12] in line for line in lines) for row in rows)
    if what == ("suites",):
        assert any("sat:complete+pairwise@cadical195" in line for line in lines)  # whole, not cut into a narrow column


@pytest.mark.parametrize("closed", [(1,), (2,), (0, 1, 2)])
def test_closed_streams_do_not_end_a_run(tmp_path: Path, closed: tuple[int, ...]) -> None:
    def close() -> None:
        for number in closed:
            os.close(number)

    arguments = ("-s", "seed:norvig", "-d", "size4", "--limit", "1", "--repetitions", "1", "--pin", "off")
    command = [sys.executable, "-m", "sudoku_bench", "run", *arguments, "--figures", "off", "--out", tmp_path / "run"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=TOP, preexec_fn=close)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "run" / "report.html").exists()


def test_a_full_standard_output_is_one_line() -> None:
    command = [sys.executable, "-m", "sudoku_bench", "list", "suites"]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, cwd=TOP)
    assert (done.returncode, done.stderr) == (2, "sudoku-bench: the system: No space left on device\n")
