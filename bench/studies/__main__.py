"""The studies of the project, by name: ``python -m bench.studies NAME [options]``; without a name, a list of them.

A program is a function. Its parameters are the arguments of the command, those with a default are options, and it
returns False if what must hold does not.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.commands.run import terminated_as_interrupt
from bench.studies.simulation import RESULTS, Simulation, simulate
from datasets.errors import InputError

STUDIES = {  # modules of this package, and what in them
    "coverage": "intervals.COVERAGE",
    "false-claims": "intervals.FALSE_CLAIMS",
    "processes": "intervals.PROCESSES",
    "decisions": "decisions.DECISIONS",
    "crossovers": "crossovers.CROSSOVERS",
    "drift": "simulations.DRIFT",
    "choice": "simulations.CHOICE",
    "forms": "simulations.FORMS",
    "factors": "factors.FACTORS",
    "validate": "validation.validate",
    "compare": "validation.validate_compare",
    "faults": "faults.faults",
    "grid": "grid.measure_blocks",
    "grid-puzzles": "grid_puzzles.write",
    "grid-numbers": "grid_numbers.fill_in",
    "grid-figures": "grid_figures.draw",
    "encoding-tables": "encoding_tables.write",
    "strength": "strength_tables.write",
    "tables": "catalogue.write",
    "collections": "collections.collection_table",
    "conflicts": "collections.conflicts_table",
    "strategies": "run_results.strategies",
    "seventeen": "run_results.seventeen",
    "sample": "ratings.write_sample",
    "correlations": "ratings.correlations",
    "dataset-cost": "dataset_cost.dataset_cost",
    "notebook": "notebook.execute",
}


def program_of(name: str) -> Callable[..., bool | None]:
    """Return the program of a name; that of a simulation has the options of a trial."""
    module, _, attribute = STUDIES[name].partition(".")
    study = getattr(import_module(f"bench.studies.{module}"), attribute)
    if not isinstance(study, Simulation):
        return study  # type: ignore[no-any-return]

    def program(*, draws: int = 0, every: int = 1, out: Path = RESULTS) -> bool:
        return simulate(name, study, draws, every, out)

    program.__doc__ = f"Simulate {study.title}.\n\nA trial: --draws benchmarks of each --every-th cell."
    return program


def execute(name: str, arguments: Sequence[str]) -> int:
    """Run a program with the arguments of the command line; return its exit code."""
    program = program_of(name)
    parser = argparse.ArgumentParser(prog=f"python -m bench.studies {name}", description=inspect.getdoc(program))
    positional: list[str] = []
    rest = ""
    for parameter in inspect.signature(program, eval_str=True).parameters.values():
        option = f"--{parameter.name}"
        if parameter.kind is parameter.VAR_POSITIONAL:
            rest = parameter.name
            parser.add_argument(rest, nargs="*", type=parameter.annotation)
        elif parameter.default is parameter.empty:
            positional.append(parameter.name)
            parser.add_argument(parameter.name, type=parameter.annotation)
        elif parameter.annotation is bool:
            parser.add_argument(option, action="store_true")
        else:
            shown = f"default: {parameter.default}"
            parser.add_argument(option, type=parameter.annotation, default=parameter.default, help=shown)
    options: dict[str, Any] = vars(parser.parse_args(arguments))
    values = [options.pop(key) for key in positional] + (options.pop(rest) if rest else [])
    try:
        with terminated_as_interrupt():
            return int(program(*values, **options) is False)
    except (InputError, OSError) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{name}: interrupted", file=sys.stderr)
        return 130


def main(arguments: Sequence[str]) -> int:
    """Run the program that the first argument names; list the programs if there is none of that name."""
    name, *rest = arguments or [""]
    if name in STUDIES:
        return execute(name, rest)
    lines = [f"{known:16} {str(program_of(known).__doc__).partition(chr(10))[0]}" for known in STUDIES]
    print("\n".join(lines), file=sys.stderr if name else sys.stdout)
    return 2 if name else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
