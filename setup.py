"""Install the packages of a checkout in one folder below ``sudoku_bench``, so that nothing is written beside it.

Without this, installing would replace other packages called ``datasets``. An editable installation leaves the
packages where they are. All other settings are in pyproject.toml.
"""

import re
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

ROOM = "sudoku_bench.packages"  # sudoku_bench/room.py finds it
FACE = find_packages(include=["sudoku_bench*"])
INSIDE = find_packages(include=["bench*", "datasets*", "solvers*"], exclude=["bench.studies*"])
OURS = re.compile(r"^( *from )(?=(bench|datasets|solvers)\b)", re.MULTILINE)
# Modules of which type checkers read a stub, because they do not know where the room is: those with public types.
STUBBED = [f"sudoku_bench/{name}" for name in ("__init__", "answers", "runs", "settings")]
STUBBED += [f"sudoku_bench/packages/solvers/{name}" for name in ("__init__", "registry", "strategy")]
STUBBED += [f"sudoku_bench/packages/{name}" for name in ("bench/verdicts/run_tables", "bench/verdicts/run_data")]
STUBBED += [f"sudoku_bench/packages/datasets/{name}" for name in ("puzzle", "shape")]


class WithStubs(build_py):
    """An installation whose stubs are its modules, with imports of packages of the room from the room."""

    def run(self) -> None:
        super().run()
        for name in () if self.editable_mode else STUBBED:
            module = Path(self.build_lib, f"{name}.py")
            text = OURS.sub(rf"\1{ROOM}.", module.read_text(encoding="utf-8"))
            module.with_suffix(".pyi").write_text(text, encoding="utf-8")


class InPlace(editable_wheel):
    """An editable installation."""

    def finalize_options(self) -> None:
        self.distribution.packages, self.distribution.package_dir = [*FACE, *INSIDE], {}
        super().finalize_options()


setup(
    packages=[*FACE, *(f"{ROOM}.{name}" for name in INSIDE)],
    package_dir={ROOM: "."},
    cmdclass={"build_py": WithStubs, "editable_wheel": InPlace},
)
