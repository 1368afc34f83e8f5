"""What the runner knows of each strategy: facts only. Code of plug-ins runs in workers, never in the runner."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from datasets.errors import InputError
from solvers import registry
from solvers.strategy import Strategy

DESCRIBE_LIMIT_S = 120


@dataclass(frozen=True)
class StrategyInfo:
    """Name, abilities and needs of a strategy; ``reason`` says why it is not ``available``."""

    name: str
    tasks: tuple[str, ...]
    requires: tuple[str, ...] = ()
    persistent: bool = False
    environ: Mapping[str, str] = field(default_factory=dict)
    plugin: str | None = None
    reason: str = ""

    @property
    def family(self) -> str:
        return self.name.partition(":")[0]

    @property
    def available(self) -> bool:
        return not self.reason


FLOOR = StrategyInfo(
    "null:answer", ("first", "unique", "count"), plugin=str(Path(__file__).with_name("null_strategy.py"))
)  # what a cold solve costs when there is nothing to solve


def known(plugins: Sequence[str] = ()) -> dict[str, StrategyInfo]:
    """The default set of strategies and those of the plug-ins, by name.

    Raises:
        InputError: a plug-in cannot be used.
    """
    registry.load_builtin()
    found = {name: _builtin(registry.get(name)) for name in registry.names()}
    for path in plugins:
        for facts in describe_plugin(path):
            if facts.name in found:
                raise InputError(f"{path}: the name {facts.name} is taken; choose another")
            found[facts.name] = facts
    return found


def select(patterns: Sequence[str], plugins: Sequence[str] = ()) -> list[StrategyInfo]:
    """The strategies that match the patterns; an exact name may lie outside the default set.

    Raises:
        InputError: a pattern or a plug-in cannot be used.
    """
    among = known(plugins)
    names = [name if name in among else registry.canonical(name) for name in registry.match(patterns, among)]
    return [among.get(name) or _builtin(registry.get(name)) for name in dict.fromkeys(names)]


def describe_plugin(path: str, prefix: str = "") -> list[StrategyInfo]:
    """Ask a process of its own what a plug-in file registers, names with a prefix if there is one.

    Raises:
        InputError: the file does not import, registers nothing, or its process dies or hangs.
    """
    command = [sys.executable, "-P", "-m", "bench.describe", path, *([prefix] if prefix else [])]
    try:
        done = subprocess.run(command, capture_output=True, timeout=DESCRIBE_LIMIT_S, check=False)
        answer: Any = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise InputError(f"{path}: importing the plug-in takes more than {DESCRIBE_LIMIT_S} s") from None
    except ValueError:
        raise InputError(f"{path}: importing the plug-in ends its process (exit code {done.returncode})") from None
    if "error" in answer:
        raise InputError(answer["error"])
    return [_with_reason(facts, plugin=str(Path(path).resolve())) for facts in answer]


def _builtin(strategy: type[Strategy]) -> StrategyInfo:
    facts = {key: getattr(strategy, key) for key in ("name", "tasks", "requires", "persistent", "environ")}
    return _with_reason(facts, plugin=None)


def _with_reason(facts: Mapping[str, Any], plugin: str | None) -> StrategyInfo:
    return StrategyInfo(
        name=facts["name"],
        tasks=tuple(facts["tasks"]),
        requires=tuple(facts["requires"]),
        persistent=facts["persistent"],
        environ=dict(facts["environ"]),
        plugin=plugin,
        reason=registry.missing(facts["requires"]),
    )
