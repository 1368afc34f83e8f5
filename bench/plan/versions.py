"""Two versions of a strategy in one run: two plug-in files that register the same names.

A generated plug-in per file loads it and registers its strategies as ``old/NAME`` and ``new/NAME``. Both versions are
then ordinary strategies: they take turns puzzle by puzzle, solve the same forms, and are compared in pairs.
"""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sudoku_bench.bench.plan import strategies
from sudoku_bench.datasets.errors import InputError

OLD, NEW = "old/", "new/"

# The checksum makes a run with changed contents a different run.
PLUGIN = """from sudoku_bench.solvers import registry

registry.load_renamed({path!r}, {prefix!r})  # sha256 {sha256}
"""


@dataclass(frozen=True)
class Versions:
    """Strategies that two plug-in files share.

    Attributes:
        names: as both files register them; only_old, only_new: names that only one file registers.
        plugins: the generated files that register them with prefixes; files: those that were given.
    """

    names: tuple[str, ...]
    only_old: tuple[str, ...]
    only_new: tuple[str, ...]
    plugins: tuple[str, ...]
    files: tuple[str, str]

    @property
    def strategies(self) -> tuple[str, ...]:
        """The names in a run, old and new."""
        return tuple(prefix + name for name in self.names for prefix in (OLD, NEW))


def versions(old: str, new: str, patterns: Sequence[str], folder: Path) -> Versions:
    """Generate plug-ins for the strategies of two files that match the patterns (none: all).

    Args:
        folder: destination of the plug-ins, which must exist as long as the run continues.

    Raises:
        InputError: a file cannot be used, they have no strategy in common, or a pattern matches none.
    """
    if Path(old).resolve() == Path(new).resolve():
        raise InputError(f"{old}: given as both the old and the new version; name two files")
    registered = [_names(path, prefix) for path, prefix in ((old, OLD), (new, NEW))]
    common = [name for name in registered[0] if name in registered[1]]
    if not common:
        raise InputError(
            f"{new}: registers {', '.join(registered[1])}, but {old} registers {', '.join(registered[0])};"
            " two versions of a strategy must have the same name"
        )
    matches = [name for name in common if not patterns or any(fnmatch.fnmatchcase(name, p) for p in patterns)]
    for pattern in patterns:
        if not fnmatch.filter(common, pattern):
            raise InputError(f"no strategy of both files matches {pattern}; they share {', '.join(common)}")
    return Versions(
        tuple(matches),
        tuple(name for name in registered[0] if name not in common),
        tuple(name for name in registered[1] if name not in common),
        tuple(_write(path, prefix, folder) for path, prefix in ((old, OLD), (new, NEW))),
        (old, new),
    )


def _names(path: str, prefix: str) -> list[str]:
    return [info.name.removeprefix(prefix) for info in strategies.describe_plugin(path, prefix)]


def _write(path: str, prefix: str, folder: Path) -> str:
    source = Path(path).resolve()
    sha256 = hashlib.sha256(source.read_bytes()).hexdigest()
    plugin = folder / f"version_{prefix.strip('/')}.py"
    plugin.write_text(PLUGIN.format(path=str(source), prefix=prefix, sha256=sha256), encoding="utf-8")
    return str(plugin)
