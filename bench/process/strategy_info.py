"""What the runner knows about a strategy without running its code."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from sudoku_bench.solvers.external.command import Command


@dataclass(frozen=True)
class StrategyInfo:
    """Name, supported tasks and requirements of a strategy; ``reason`` says why it is not ``available``.

    Attributes:
        plugin: the file that registers it; ``command``: the external program that it runs (both None: a strategy of
            the project).
        description: the first line of the docstring of a plug-in's class.
    """

    name: str
    tasks: tuple[str, ...]
    requires: tuple[str, ...] = ()
    persistent: bool = False
    environ: Mapping[str, str] = field(default_factory=dict)
    plugin: str | None = None
    reason: str = ""
    description: str = ""
    programs: tuple[str, ...] = ()
    command: Command | None = None

    @property
    def family(self) -> str:
        return self.name.partition(":")[0]

    @property
    def available(self) -> bool:
        return not self.reason

    @property
    def streams(self) -> bool:
        """Is it a command whose process stays alive and answers line by line?"""
        return self.command is not None and self.command.streams

    @property
    def files(self) -> list[str]:
        """The files that its own code consists of: its plug-in, its programs, and what its command names."""
        words = self.command.argv if self.command else ()
        programs = map(shutil.which, (*self.programs, *words[:1]))
        found = []
        for name in filter(None, (self.plugin, *programs, *words)):
            with contextlib.suppress(OSError):  # a word too long for a name
                found += [name] if Path(name).is_file() else []
        return found

    @property
    def source(self) -> dict[str, Any]:
        """Where its worker imports it from, ready for JSON."""
        command = self.command and asdict(self.command)
        return {"plugin": self.plugin, "command": command}
