"""Install the packages of a checkout in one folder below ``sudoku_bench``, so that nothing is written beside it.

Without this, installing would replace other packages called ``datasets``. An editable installation leaves the
packages where they are. All other settings are in pyproject.toml.
"""

from setuptools import find_packages, setup
from setuptools.command.editable_wheel import editable_wheel

ROOM = "sudoku_bench.packages"  # sudoku_bench/room.py finds it
FACE = find_packages(include=["sudoku_bench*"])
INSIDE = find_packages(include=["bench*", "datasets*", "solvers*"], exclude=["bench.studies*"])


class InPlace(editable_wheel):
    """An editable installation."""

    def finalize_options(self) -> None:
        self.distribution.packages, self.distribution.package_dir = [*FACE, *INSIDE], {}
        super().finalize_options()


setup(
    packages=[*FACE, *(f"{ROOM}.{name}" for name in INSIDE)],
    package_dir={ROOM: "."},
    cmdclass={"editable_wheel": InPlace},
)
