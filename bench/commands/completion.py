"""``sudoku-bench completion``: print a script with which a shell completes commands, options and names."""

from __future__ import annotations

import argparse

import shtab

from sudoku_bench.bench.plan import suite
from sudoku_bench.datasets.collections import catalogue
from sudoku_bench.solvers import registry

SHELLS = ("bash", "zsh", "fish")
# bash splits words at colons, at and equals signs, which names contain: the words are joined before they are completed.
JOINED = """
_sudoku_bench() {
    local -a COMP_WORDS; local COMP_CWORD word last
    read -ra COMP_WORDS <<< "${COMP_LINE:0:COMP_POINT}"
    [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && COMP_WORDS+=("")
    COMP_CWORD=$(( ${#COMP_WORDS[@]} - 1 )); word="${COMP_WORDS[COMP_CWORD]}"
    _shtab_sudoku_bench
    last="${word##*[:@=]}"  # the shell replaces only what follows one of these
    COMPREPLY=("${COMPREPLY[@]#"${word%"$last"}"}")
}
complete -o bashdefault -o default -F _sudoku_bench sudoku-bench
"""


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a script with which a shell completes commands, options, and names of suites, strategies and"
        ' datasets. bash and zsh: put `eval "$(sudoku-bench completion bash)"` into ~/.bashrc (zsh: into ~/.zshrc,'
        " after compinit). fish: `sudoku-bench completion fish > ~/.config/fish/completions/sudoku-bench.fish`."
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Print the script for all commands."""
    names, parser = known_names(), options.filled_parser()
    for of_command in options.parsers(parser).values():
        for action in of_command._actions:
            action.choices = action.choices or names.get(action.dest)
            if options.shell == "zsh" and action.choices:  # where a colon ends the list of names
                action.choices = [str(name).replace(":", r"\:") for name in action.choices]
            elif action.choices is None and action.nargs != 0:
                action.complete = shtab.FILE
    print(shtab.complete(parser, options.shell) + (JOINED if options.shell == "bash" else ""))
    return 0


def known_names() -> dict[str, list[str]]:
    """Return the known values of arguments, by the name under which the parser stores them."""
    from sudoku_bench.solvers.sat import encodings

    registry.load_builtin()
    strategies, collections = list(registry.names()), list(catalogue.entries())
    return {
        "strategies": strategies,
        "strategy": strategies,
        "datasets": collections,
        "names": collections,  # of `fetch`
        "suite": list(suite.shipped()),
        "encoding": list(encodings.DEFAULTS),
    }
