"""``sudoku-bench report``: make summary and pictures of a run again from its raw rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("report", help="write the summary and the pictures of a run")
    parser.add_argument("run", metavar="RUN", type=Path, help="folder of a run, such as results/bench")
    parser.add_argument(
        "--power", action="store_true", help="say how many puzzles and repetitions would settle each undecided pair"
    )
    parser.set_defaults(main=lambda options: main(options.run, options.power))


def is_written(folder: Path) -> bool:
    """Is there everything that ``main`` writes?"""
    from bench import report

    return all((folder / name).exists() for name in report.OUTPUTS)


def main(folder: Path, power: bool = False) -> int:
    # pandas and matplotlib are loaded only here, where they are needed.
    from rich.console import Console

    from bench import report, terminal

    console = Console(highlight=False, markup=False)
    written = report.write(folder)
    terminal.print_summary(folder, console)
    if power:
        written.append(report.plan_next(folder, console))
    for path in (folder / "measurements.csv", *written):
        console.print(str(path), soft_wrap=True)
    return 0
