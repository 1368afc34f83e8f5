"""Shells complete commands, options and names; bash also names with colons and at signs, where it splits words."""

from __future__ import annotations

import subprocess
from pathlib import Path

ASK = """
source "$1"
COMP_LINE="$2"; COMP_POINT=${#COMP_LINE}
_sudoku_bench
printf '%s\\n' "${COMPREPLY[@]}"
"""

CANDIDATES = {
    "sudoku-bench comple": ["completion"],
    "sudoku-bench run --rep": ["--repetitions"],
    "sudoku-bench run ref": ["reference"],
    "sudoku-bench run -d size1": ["size12", "size16"],
    "sudoku-bench run -s seed:py": ["pycosat", "pyeda", "pysat", "python-constraint"],  # after the colon
    "sudoku-bench list str": ["strategies"],
    "sudoku-bench check my": [],  # then the shell completes files
}


def test_bash_completes(command, tmp_path: Path) -> None:
    code, script, _ = command("completion", "bash")
    assert code == 0
    file = tmp_path / "completion.bash"
    file.write_text(script, encoding="utf-8")
    for line, candidates in CANDIDATES.items():
        asked = ["bash", "--norc", "-c", ASK, "bash", file, line]
        done = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=60)
        assert (sorted(done.stdout.split()), done.stderr) == (candidates, ""), line
