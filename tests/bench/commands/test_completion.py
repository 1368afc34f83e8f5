"""The scripts complete commands, options and names; each is tried in its shell, where that is installed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from bench import cli

ASK = """
source "$1"
COMP_LINE="$2"; COMP_POINT=${#COMP_LINE}
_sudoku_bench
printf '%s\\n' "${COMPREPLY[@]}"
"""


# What a user sees who types a line and presses Tab.
IN_ZSH = """
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1=; autoload -Uz compinit; compinit -u -D; source "'$1'"; print READ""Y'
zpty -r shell shown '*READY*'
zpty -n -w shell "$2"$'\\t'
zpty -r shell shown "*$3*"
zpty -d shell
"""


@pytest.fixture
def in_bash(command, tmp_path: Path):
    """Complete a line in bash; return the candidates."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not on the PATH")
    code, script, _ = command("completion", "bash")
    assert code == 0
    file = tmp_path / "completion.bash"
    file.write_text(script, encoding="utf-8")

    def complete(line: str) -> list[str]:
        done = subprocess.run(
            [bash, "--norc", "-c", ASK, "bash", file, line], capture_output=True, text=True, check=True, timeout=60
        )
        assert done.stderr == ""
        return done.stdout.split()

    return complete


@pytest.mark.parametrize(
    ("line", "candidates"),
    [
        ("sudoku-bench rec", ["recommend"]),
        ("sudoku-bench run --rep", ["--repetitions"]),
        ("sudoku-bench run ref", ["reference"]),
        ("sudoku-bench run -d size1", ["size12", "size16"]),
        ("sudoku-bench run -s seed:py", ["pycosat", "pyeda", "pysat", "python-constraint"]),  # after the colon
        ("sudoku-bench list str", ["strategies"]),
        ("sudoku-bench recommend results/reference --clock w", ["wall"]),
        ("sudoku-bench check my", []),  # then the shell completes files
    ],
)
def test_bash_completes(in_bash, line: str, candidates: list[str]) -> None:
    assert sorted(in_bash(line)) == candidates


def script(command, shell: str, tmp_path: Path) -> tuple[str, Path]:
    """Return the path of a shell and a file with the script for it."""
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not on the PATH")
    file = tmp_path / f"completion.{shell}"
    file.write_text(command("completion", shell)[1], encoding="utf-8")
    return program, file


@pytest.mark.parametrize(
    ("line", "candidates"),
    [
        ("sudoku-bench rec", ["recommend"]),
        ("sudoku-bench run --rep", ["--repetitions"]),
        ("sudoku-bench run -s seed:py", ["seed:pycosat", "seed:pyeda", "seed:pysat", "seed:python-constraint"]),
        ("sudoku-bench recommend results/reference --clock w", ["wall"]),
    ],
)
def test_fish_completes(command, tmp_path: Path, line: str, candidates: list[str]) -> None:
    fish, file = script(command, "fish", tmp_path)
    asked = [fish, "--no-config", "-c", f"source {file}; complete -C '{line}'"]
    done = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60)
    assert done.stderr == ""
    assert sorted(shown.partition("\t")[0] for shown in done.stdout.splitlines()) == candidates


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("sudoku-bench rec", "ommend"),
        ("sudoku-bench run --rep", "etitions"),
        ("sudoku-bench run -s seed:pye", "da"),
    ],
)
def test_zsh_completes(command, tmp_path: Path, line: str, completed: str) -> None:
    zsh, file = script(command, "zsh", tmp_path)
    subprocess.run([zsh, "-f", "-c", IN_ZSH, "zsh", file, line, completed], capture_output=True, check=True, timeout=60)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_command_and_option_is_in_the_script(command, shell: str) -> None:
    _, script, _ = command("completion", shell)
    for name, parser in cli.filled_parsers().items():
        assert name in script
        for action in parser._actions:
            for flag in action.option_strings:
                assert (in_fish(flag) if shell == "fish" else flag) in script


def in_fish(flag: str) -> str:
    return f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_shell_accepts_its_script(command, tmp_path: Path, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not on the PATH")
    file = tmp_path / f"completion.{shell}"
    file.write_text(command("completion", shell)[1], encoding="utf-8")
    done = subprocess.run([program, "-n", file], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
