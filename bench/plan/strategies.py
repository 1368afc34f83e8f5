"""What the runner knows of each strategy: facts only. Code of plug-ins runs in workers, never in the runner."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.plan.entry_points import EntryPoint, entry_points
from bench.process.strategy_info import StrategyInfo
from bench.worker import packages
from datasets.errors import InputError
from solvers import registry
from solvers.external.command import FAMILY, PLAIN_MODEL, SAT, TASKS, Command
from solvers.external.strategies import ON_PATH, names_on_path, strategy_of
from solvers.strategy import Strategy

DESCRIBE_LIMIT_S = 120


FLOOR = StrategyInfo(
    "null:answer", ("first", "unique", "count"), plugin=str(Path(__file__).parents[1] / "worker" / "null_strategy.py")
)  # what a cold solve costs when there is nothing to solve


def known(plugins: Sequence[str] = (), commands: Sequence[Command] = ()) -> dict[str, StrategyInfo]:
    """The default set of strategies, those of installed distributions, of the plug-ins and of commands, by name.

    Raises:
        InputError: a plug-in or a command cannot be used.
    """
    registry.load_builtin()
    found = {name: _builtin(registry.get(name)) for name in registry.names()}
    for point in entry_points():
        found |= {facts.name: facts for facts in described(point, found)}
    for path in plugins:
        for facts in describe_plugin(path):
            if facts.name in found:
                raise InputError(f"{path}: the name {facts.name} is taken; choose another")
            found[facts.name] = facts
    for command in _distinct(commands):
        if command.strategy in found or (command.reads_cnf and _is_engine(command.name)):
            raise InputError(f"command {command.name}: the name is taken; choose another")
        found[command.strategy] = _command(command.strategy, command)
    return found


def select(
    patterns: Sequence[str], plugins: Sequence[str] = (), commands: Sequence[Command] = ()
) -> list[StrategyInfo]:
    """The strategies that match the patterns; an exact name may lie outside the default set.

    A command is matched by its strategy's name, and by the name that it was declared with.

    Raises:
        InputError: a pattern, a plug-in or a command cannot be used.
    """
    among = known(plugins, commands) | programs(*patterns)
    declared = {command.name: command.strategy for command in commands}
    matched = registry.match([declared.get(pattern, pattern) for pattern in patterns], among)
    found = [among.get(name) or _exact(name, commands) for name in matched]
    return list({info.name: info for info in found}.values())


def programs(*patterns: str) -> dict[str, StrategyInfo]:
    """The well-known SAT solvers on the PATH, for patterns that ask for programs (``@/``).

    They are not in the default set, which is the same on every machine.
    """
    if not any(ON_PATH in pattern for pattern in patterns):
        return {}
    found = [_builtin(registry.get(name)) for name in names_on_path()]
    return {info.name: info for info in found if info.available}


def _exact(name: str, commands: Iterable[Command]) -> StrategyInfo:
    command = next((command for command in commands if command.goes_by(name)), None)
    return _command(name, command) if command else _builtin(registry.get(registry.canonical(name)))


def describe_plugin(path: str, prefix: str = "") -> list[StrategyInfo]:
    """Ask a process of its own what a plug-in file registers, names with a prefix if there is one.

    Raises:
        InputError: the file does not import, registers nothing, or its process dies or hangs.
    """
    facts = _described(f"{path}: importing the plug-in", "file", path, *([prefix] if prefix else []))
    return [replace(_with_reason(each), plugin=str(Path(path).resolve())) for each in facts]


def described(point: EntryPoint, taken: Iterable[str]) -> list[StrategyInfo]:
    """Ask a process of its own what an entry point brings; one that fails is a strategy that says why it cannot run.

    Args:
        taken: names that other strategies have.
    """
    found, fault = ((), point.fault) if point.fault else _describe_entry_point(point.value)
    if fault:
        return [_broken(point, fault)]
    clash = sorted({facts["name"] for facts in found}.intersection(taken))
    if clash:
        return [_broken(point, f"the name {clash[0]} is taken")]
    infos = [_with_reason({**facts, "requires": (point.distribution, *facts["requires"])}) for facts in found]
    return [replace(info, entry_point=point.value) for info in infos]


@functools.cache
def _describe_entry_point(value: str) -> tuple[Sequence[Mapping[str, Any]], str]:
    """The facts of its strategies, or a fault; asked once, as it may take long."""
    try:
        return _described("importing it", "entry-point", value), ""
    except InputError as error:
        return (), str(error)


def _described(doing: str, *asked: str) -> Sequence[Mapping[str, Any]]:
    command = [sys.executable, "-P", "-m", "bench.worker.describe", *asked]
    try:
        done = subprocess.run(command, capture_output=True, timeout=DESCRIBE_LIMIT_S, check=False)
        answer: Any = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise InputError(f"{doing} takes more than {DESCRIBE_LIMIT_S} s") from None
    except ValueError:
        raise InputError(f"{doing} ends its process (exit code {done.returncode})") from None
    packages.require_same(answer["packages"], sys.executable)
    if "error" in answer:
        raise InputError(answer["error"])
    facts: Sequence[Mapping[str, Any]] = answer["strategies"]
    return facts


def checksums(info: StrategyInfo) -> dict[str, str]:
    """SHA-256 of the programs that a strategy runs, and of the files that its command names, by their name there."""
    words = dict.fromkeys((*info.programs, *(info.command.argv if info.command else ())))
    found = {}
    for word in words:
        path = Path((shutil.which(word) if word in info.programs else None) or word)
        with contextlib.suppress(OSError, ValueError):  # most words are no files, some could not be
            found[word] = hashlib.sha256(path.read_bytes()).hexdigest()
    return found


def _broken(point: EntryPoint, fault: str) -> StrategyInfo:
    """Stands for an entry point that brings nothing."""
    return StrategyInfo(point.label, TASKS, reason=point.complaint(fault))


def _distinct(commands: Sequence[Command]) -> Sequence[Command]:
    twice = [name for name, times in Counter(command.name for command in commands).items() if times > 1]
    if twice:
        raise InputError(f"two commands are called {twice[0]}; give each a name of its own")
    return commands


def _is_engine(name: str) -> bool:
    """Do strategies of the project call a SAT solver so?"""
    try:
        registry.canonical(f"{SAT}:{PLAIN_MODEL}@{name}")
    except InputError:
        return False
    return True


def _command(name: str, command: Command) -> StrategyInfo:
    return replace(_builtin(strategy_of(name, command)), command=command)


def _builtin(strategy: type[Strategy]) -> StrategyInfo:
    facts = ("name", "tasks", "requires", "programs", "persistent", "environ")
    return _with_reason({key: getattr(strategy, key) for key in facts})


def _with_reason(facts: Mapping[str, Any]) -> StrategyInfo:
    return StrategyInfo(
        name=facts["name"],
        tasks=tuple(facts["tasks"]),
        requires=tuple(facts["requires"]),
        programs=tuple(facts["programs"]),
        persistent=facts["persistent"],
        environ=dict(facts["environ"]),
        reason=registry.missing(facts["requires"]) or registry.missing_program(facts["programs"]),
    )


# What handing over lines costs where there is nothing to solve: it is given full grids, and hands them back.
ECHO = replace(_command(f"{FAMILY}:echo", Command("echo", "cat")), tasks=TASKS)
