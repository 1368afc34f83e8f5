"""Facts about strategies for the runner. Plug-in code runs in workers, never in the runner."""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sudoku_bench.bench.process import apart
from sudoku_bench.bench.process.strategy_info import StrategyInfo
from sudoku_bench.bench.worker import start
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.datasets.shape import Shape
from sudoku_bench.solvers import registry
from sudoku_bench.solvers.external.command import FAMILY, PLAIN_MODEL, SAT, TASKS, Command
from sudoku_bench.solvers.external.strategies import ON_PATH, fault_on_path, names_on_path, strategy_of
from sudoku_bench.solvers.sat.names import split_model
from sudoku_bench.solvers.strategy import Strategy

DESCRIBE_LIMIT_S = 120


FLOOR = StrategyInfo(
    "null:answer", ("first", "unique", "count"), plugin=str(Path(__file__).parents[1] / "worker" / "null_strategy.py")
)  # the cost of a cold solve without solving


def known(
    plugins: Sequence[str] = (), commands: Sequence[Command] = (), sandbox: bool = False
) -> dict[str, StrategyInfo]:
    """Return the default strategies and those of plug-ins and commands, by name.

    Raises:
        InputError: a plug-in or a command cannot be used.
    """
    registry.load_builtin()
    infos = {name: _builtin(registry.get(name)) for name in registry.names() if not registry.is_strange(name)}
    for path in plugins:
        for info in describe_plugin(path, sandbox=sandbox):
            if info.name in infos:
                raise InputError(_blamed(path, f"{path}: the name {info.name} is taken; choose another"))
            infos[info.name] = info
    for command in _distinct(commands):
        if command.strategy in infos or (command.takes_encoding and _is_engine(command.name)):
            raise InputError(f"command {command.name}: the name is taken; choose another")
        infos[command.strategy] = _command(command.strategy, command)
    return infos


def select(
    patterns: Sequence[str], plugins: Sequence[str] = (), commands: Sequence[Command] = (), sandbox: bool = False
) -> list[StrategyInfo]:
    """Return the strategies that match the patterns; an exact name may be outside the default set.

    Words in braces are a product (see ``combinations``). A command is matched by the name of its strategy and by the
    name it was declared with. A plug-in that no pattern takes anything of takes part with all that it registers. With a
    sandbox, plug-ins are described in one.

    Raises:
        InputError: a pattern, a plug-in or a command cannot be used.
    """
    available = known(plugins, commands, sandbox) | programs(*patterns)
    extended = composed_by_plugins(patterns, available.values(), sandbox)
    declared = {command.name: command.strategy for command in commands}
    parts = [
        declared.get(part, part)
        for pattern in patterns
        for part in combinations(pattern, available, extended, commands)
    ]
    every = available | extended
    infos = [every.get(name) or exact(name, commands, every) for name in registry.match(parts, every)]
    untouched = {str(Path(path).resolve()) for path in plugins} - {info.plugin for info in infos}
    infos += [info for info in available.values() if info.plugin in untouched]
    return list({info.name: info for info in infos}.values())


def unnamed(commands: Iterable[Command], patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the commands that no pattern stands for."""
    parts = [part for pattern in patterns for part in registry.expanded(pattern)]
    return tuple(command.name for command in commands if not any(map(command.matches, parts)))


def combinations(
    pattern: str, available: Iterable[str], extended: Iterable[str] = (), commands: Sequence[Command] = ()
) -> list[str]:
    """Return the exact names and plain patterns that a pattern stands for.

    Combinations in braces that are no strategies are left out. A pattern for SAT strategies ranges over all that can be
    composed if it names the encoding and leaves the engine open, or matches nothing in the default set.

    Args:
        available: the default set.
        extended: SAT strategies that plug-ins compose.
        commands: those that are engines solve puzzles under any encoding.

    Raises:
        InputError: none of the combinations in braces is a strategy.
    """
    parts, among, further = registry.expanded(pattern), list(available), list(extended)
    names = [name for part in parts for name in _composed(part, among, further)]
    if len(parts) == 1:
        return names
    known_names = {*among, *further}
    existing = [
        name for name in names if registry.is_pattern(name) or name in known_names or _is_strategy(name, commands)
    ]
    if not existing:
        raise InputError(f"{pattern}: none of its {len(parts)} combinations is a strategy; {registry.LISTED}")
    return existing


def _composed(pattern: str, among: Sequence[str], extended: Sequence[str]) -> list[str]:
    model, at, engine = pattern.partition("@")
    if not (model.startswith(f"{SAT}:") and at and registry.is_pattern(pattern)) or ON_PATH in pattern:
        return [pattern]
    if fnmatch.filter(among, pattern) and (registry.is_pattern(model) or not registry.is_pattern(engine)):
        return [pattern]
    from sudoku_bench.solvers.sat.strategies import matching

    return list(dict.fromkeys([*matching(pattern), *fnmatch.filter([*among, *extended], pattern)])) or [pattern]


def _is_strategy(name: str, commands: Iterable[Command]) -> bool:
    try:
        _class_of(name, commands)
    except InputError:
        return False
    return True


def notes_on(patterns: Iterable[str], chosen: Iterable[StrategyInfo]) -> Iterator[str]:
    """Yield how many strategies a pattern stands for that ranges over more than the default set."""
    names, default = [info.name for info in chosen], set(registry.names())
    for pattern in patterns:
        parts = registry.expanded(pattern)
        found = [name for name in names if any(fnmatch.fnmatchcase(name, part) for part in parts)]
        ranges = registry.is_pattern(pattern) and any(name.startswith(f"{SAT}:") for name in {*found} - default)
        if len(parts) > 1 or ranges:
            others = len(parts) - len(found) if not registry.is_pattern(pattern) else 0
            left_out = f"; {others} of its {len(parts)} combinations are no strategies" if others > 0 else ""
            yield f"{pattern} stands for {len(found)} strategies{left_out}"


def composed_by_plugins(
    patterns: Sequence[str], infos: Iterable[StrategyInfo], sandbox: bool = False
) -> dict[str, StrategyInfo]:
    """Return the SAT strategies that patterns stand for and that use an encoding, a scheme or an engine of a plug-in.

    Args:
        infos: all available strategies; only a plug-in with SAT strategies among them is asked.
    """
    composed: dict[str, StrategyInfo] = {}
    if any(pattern.startswith(f"{SAT}:") for pattern in patterns):
        for source in _extending(infos):
            facts = _describe(source, "importing the plug-in", sandbox, patterns=list(patterns))
            for info in map(_with_reason, facts.get("composed", ())):
                composed.setdefault(info.name, replace(info, plugin=source))
    return composed


def encodings_of_plugins(
    infos: Sequence[StrategyInfo], shapes: Sequence[Shape], sandbox: bool = False
) -> list[dict[str, Any]]:
    """Return the sizes of the encodings of SAT strategies of plug-ins: a row for each encoding and shape.

    Raises:
        InputError: the code of an encoding fails.
    """
    rows: list[dict[str, Any]] = []
    boards = [shape.arguments for shape in shapes]
    for source in _extending(infos):
        names = [info.name for info in infos if info.plugin == source]
        encodings = list(dict.fromkeys(map(_encoding_in, names)))
        facts = _describe(source, "encoding", sandbox, encodings=encodings, shapes=boards)
        rows += facts.get("sizes", ())
    return rows


def _encoding_in(name: str) -> str:
    """Return the encoding in the name of a SAT strategy, with its at-most-one scheme and without the clue handling."""
    return split_model(name.removeprefix(f"{SAT}:").partition("@")[0])[0]


def _extending(infos: Iterable[StrategyInfo]) -> Iterable[str]:
    """Return the files of the plug-ins that register SAT strategies."""
    return dict.fromkeys(info.plugin for info in infos if info.family == SAT and info.plugin)


def programs(*patterns: str) -> dict[str, StrategyInfo]:
    """Return the well-known SAT solvers on the PATH, for patterns that ask for programs (``@/``).

    They are not in the default set, which is the same on all machines.
    """
    if not any(ON_PATH in pattern for pattern in patterns):
        return {}
    infos = [_tried(_builtin(registry.get(name))) for name in names_on_path()]
    return {info.name: info for info in infos if info.available}


def exact(name: str, commands: Iterable[Command] = (), others: Iterable[str] = ()) -> StrategyInfo:
    """Return the strategy of an exact name; ``others`` may be meant by a misspelt one.

    Raises:
        InputError: there is none.
    """
    command = _command_of(name, commands)
    info = _builtin(_class_of(name, commands, others))
    return replace(info, command=command) if command else _tried(info)


def _class_of(name: str, commands: Iterable[Command], others: Iterable[str] = ()) -> type[Strategy]:
    command = _command_of(name, commands)
    if command is None and registry.is_strange(name):
        raise InputError(f"{name} is registered in this process alone; give its class, or its file (plugins)")
    return strategy_of(name, command) if command else registry.get(registry.canonical(name), others)


def _command_of(name: str, commands: Iterable[Command]) -> Command | None:
    return next((command for command in commands if command.goes_by(name)), None)


def describe_plugin(path: str, prefix: str = "", sandbox: bool = False) -> list[StrategyInfo]:
    """Describe the strategies of a plug-in file, imported in a separate process; names get the prefix.

    Raises:
        InputError: the file cannot be imported, registers nothing, or its process dies or hangs.
    """
    facts = _describe(path, "importing the plug-in", sandbox, prefix=prefix)["strategies"]
    return [replace(_with_reason(each), plugin=str(Path(path).resolve())) for each in facts]


def _describe(file: str, doing: str, sandbox: bool, **request: Any) -> Mapping[str, Any]:
    request = {"file": file, "prefix": "", "patterns": [], "encodings": [], "shapes": [], **request}
    action = f"{file}: {doing}"
    command = start.command("sudoku_bench.bench.worker.describe", json.dumps(request))
    try:
        ended = apart.run(command, DESCRIBE_LIMIT_S, sandbox, [file])
        answer: Any = json.loads(ended.output)
    except subprocess.TimeoutExpired:
        raise InputError(f"{action} takes more than {DESCRIBE_LIMIT_S} s") from None
    except ValueError:
        raise InputError(f"{action} ends its process (exit code {ended.code})") from None
    if "error" in answer:
        raise InputError(_blamed(file, answer["error"]))
    for facts in answer.get("strategies", ()):
        if fault := registry.name_fault(facts["name"].removeprefix(request["prefix"])):
            raise InputError(f"{action}: {fault}")
    described: Mapping[str, Any] = answer
    return described


def _blamed(file: str, text: str) -> str:
    """Return a message that begins with a file and a line without these if the file is a copy of a class."""
    return re.sub(rf"^{re.escape(file)}(:\d+)?: ", "", text) if registry.CLASS_FILE.fullmatch(Path(file).name) else text


def checksums(info: StrategyInfo) -> dict[str, str]:
    """Return the SHA-256 of the programs that a strategy runs and the files that its command names, by name."""
    words = dict.fromkeys((*info.programs, *(info.command.argv if info.command else ())))
    digests = {}
    for word in words:
        path = Path((shutil.which(word) if word in info.programs else None) or word)
        with contextlib.suppress(OSError, ValueError):  # most words are not files
            digests[word] = hashlib.sha256(path.read_bytes()).hexdigest()
    return digests


def _distinct(commands: Sequence[Command]) -> Sequence[Command]:
    duplicates = [name for name, times in Counter(command.name for command in commands).items() if times > 1]
    if duplicates:
        raise InputError(f"two commands are called {duplicates[0]}; give each a unique name")
    return commands


def _is_engine(name: str) -> bool:
    """Is this the name of a SAT engine of the project?"""
    try:
        registry.canonical(f"{SAT}:{PLAIN_MODEL}@{name}")
    except InputError:
        return False
    return True


def _command(name: str, command: Command) -> StrategyInfo:
    return replace(_builtin(strategy_of(name, command)), command=command)


def _tried(info: StrategyInfo) -> StrategyInfo:
    """Return a strategy as unavailable if the program on the PATH that it runs is not the solver of that name."""
    if ON_PATH not in info.name or not info.available:
        return info
    fault = fault_on_path(info.name)
    return replace(info, reason=f"the program {info.programs[0]} on the PATH {fault}") if fault else info


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
        description=facts.get("description", ""),
        reason=registry.missing(facts["requires"]) or registry.missing_program(facts["programs"]),
    )


# The cost of passing lines without solving: it receives full grids and returns them.
ECHO = replace(_command(f"{FAMILY}:echo", Command("echo", "cat")), tasks=TASKS)
