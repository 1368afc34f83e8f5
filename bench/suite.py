"""A suite: what a run is asked to do.

TOML files, the shipped ones by name; the command line overrides single settings.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from datasets.errors import InputError
from solvers.strategy import Task

SHIPPED = Path(__file__).parent / "suites"
DEFAULT = "main"
MODES = ("warm",)


@dataclass(frozen=True)
class Suite:
    """The settings of a run, with their defaults. Times in seconds, memory in MiB.

    Attributes:
        strategies: patterns; datasets: names of collections or paths.
        limit: only the first so many puzzles of each collection (None: all).
        sample: so many of these at random, spread over difficulty as ``datasets.sampling`` says (None: all).
        skip_bad: pass over lines that hold no puzzle and count them (else the first is an error).
        repetitions, launches: solves of each pair per worker process, and how many fresh processes.
        isomorphs: each repetition solves another form (else the stored one).
        loops: different forms solved per measurement (None: calibrated so that a sample is long enough to time).
    """

    name: str = "command-line"
    title: str = ""
    strategies: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    task: str = "first"
    mode: str = "warm"
    limit: int | None = None
    sample: int | None = None
    skip_bad: bool = False
    repetitions: int = 5
    launches: int = 1
    timeout_s: float = 10.0
    memory_mib: int | None = None
    seed: int = 1
    isomorphs: bool = True
    loops: int | None = None
    gc: str = "on"

    def with_settings(self, settings: Mapping[str, Any]) -> Suite:
        """This suite with some settings replaced (None: kept), checked.

        Raises:
            InputError: a value is out of range.
        """
        changed = dataclasses.replace(self, **{k: v for k, v in settings.items() if v is not None})
        Task.parse(changed.task)
        for key, allowed in (("mode", MODES), ("gc", ("on", "off"))):
            if getattr(changed, key) not in allowed:
                raise InputError(f"{key} must be one of {', '.join(allowed)}, not {getattr(changed, key)!r}")
        positive = ("limit", "sample", "repetitions", "launches", "timeout_s", "memory_mib", "loops")
        for key in positive:
            value = getattr(changed, key)
            if value is not None and not 0 < value < float("inf"):
                raise InputError(f"{key.partition('_')[0]} must be more than 0, not {value}")
        return changed


def shipped() -> dict[str, Suite]:
    """The suites that come with the project, by name."""
    return {path.stem: read(path) for path in sorted(SHIPPED.glob("*.toml"))}


def load(name_or_path: str) -> Suite:
    """A shipped suite by name, or a TOML file.

    Raises:
        InputError: there is neither, or the file is not a suite.
    """
    suites = SHIPPED / f"{name_or_path}.toml"
    if "/" not in name_or_path and suites.is_file():
        return read(suites)
    if not name_or_path.endswith(".toml"):
        names = [path.stem for path in sorted(SHIPPED.glob("*.toml"))]
        near = difflib.get_close_matches(name_or_path, names, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"{name_or_path}: neither a suite ({', '.join(names)}) nor a .toml file{hint}")
    return read(Path(name_or_path))


def read(path: Path) -> Suite:
    """A suite from a TOML file.

    Raises:
        InputError: the file cannot be read or parsed, or a setting is unknown or of the wrong kind.
    """
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: is not TOML: {error}") from None
    suite = Suite(name=path.stem)
    kinds = {field.name: str(field.type) for field in dataclasses.fields(Suite)}
    for key, value in settings.items():
        if key not in kinds:
            near = difflib.get_close_matches(key, kinds, n=1)
            hint = f"; did you mean {near[0]}?" if near else f"; the settings are {', '.join(kinds)}"
            raise InputError(f"{path}: unknown setting {key}{hint}")
        settings[key] = _checked(path, key, value, kinds[key])
    try:
        return suite.with_settings(settings)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _checked(path: Path, key: str, value: Any, kind: str) -> Any:
    """A value of the setting's kind: lists become tuples, integers may stand for floats."""
    if kind.startswith("tuple"):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        raise InputError(f"{path}: {key} must be a list of strings")
    wanted: dict[str, tuple[type, ...]] = {"str": (str,), "bool": (bool,), "float": (int, float)}
    if type(value) not in wanted.get(kind, (int,)):
        raise InputError(f"{path}: {key} must be of kind {kind.partition(' ')[0]}, not {value!r}")
    return value
