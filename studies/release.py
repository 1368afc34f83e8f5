"""What must hold before a version is tested and built: ``make release VERSION=X.Y.Z``."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from studies.document import TOP
from sudoku_bench.datasets.errors import InputError

NUMBER = re.compile(r"\d+\.\d+\.\d+")


def check(version: str) -> None:
    """Check that a version can be released: its files name it, and all is committed."""
    if not NUMBER.fullmatch(version):
        raise InputError(f"{version!r} is no version; write make release VERSION=X.Y.Z")
    if faults := faults_of(TOP, version):
        raise InputError("; ".join(faults))


def faults_of(top: Path, version: str) -> list[str]:
    """Return what keeps a version from being released from a checkout."""
    sections = re.findall(r"^## (.*)$", text(top, "CHANGELOG.md"), re.MULTILINE)
    dates = [section.removeprefix(f"{version} - ") for section in sections if section.startswith(f"{version} - ")]
    faults = [] if dates else [f"CHANGELOG.md has no section `## {version} - DATE`"]
    if "Unreleased" in sections:
        faults.append(f"CHANGELOG.md has a section Unreleased, which {version} would leave out")
    wanted = [
        ("bench/commands/__init__.py", f'VERSION = "{version}"'),
        ("CITATION.cff", f"version: {version}"),
        *(("CITATION.cff", f'date-released: "{date}"') for date in dates[:1]),
    ]
    faults += [f"{name} does not say {line}" for name, line in wanted if line not in text(top, name).splitlines()]
    changed = subprocess.run(
        ["git", "status", "--porcelain"], cwd=top, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return faults + [f"not committed: {line[3:]}" for line in changed[:1]]


def text(top: Path, name: str) -> str:
    return (top / name).read_text(encoding="utf-8")
