"""``sudoku-bench completion``: print a script with which a shell completes commands, options and names."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.plan import suite
from datasets.collections import catalogue
from solvers import registry


@dataclass(frozen=True)
class Argument:
    """An option of a command, or its positional argument if it has no flags.

    Attributes:
        takes: whether a value follows; words: known values.
    """

    flags: tuple[str, ...]
    help: str
    takes: bool
    words: tuple[str, ...]


Commands = Mapping[str, Sequence[Argument]]


def add(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Print a script with which a shell completes commands, options, and names of suites, strategies and"
        " datasets. bash and zsh: put `source <(sudoku-bench completion bash)` into ~/.bashrc (zsh: into ~/.zshrc,"
        " after compinit). fish: `sudoku-bench completion fish > ~/.config/fish/completions/sudoku-bench.fish`."
    )
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="the shell")
    parser.set_defaults(main=main)


def main(options: argparse.Namespace) -> int:
    """Print the script for all commands."""
    names = known_names()
    described = {name: tuple(arguments(parser, names)) for name, parser in options.parsers().items()}
    print("\n".join(SCRIPTS[options.shell](described)))
    return 0


def known_names() -> dict[str, tuple[str, ...]]:
    """Return the known values of arguments, by the name under which the parser stores them."""
    from solvers.sat import encodings

    registry.load_builtin()
    strategies, collections = tuple(registry.names()), tuple(catalogue.entries())
    return {
        "strategies": strategies,
        "strategy": strategies,
        "datasets": collections,
        "names": collections,  # of `fetch`
        "suite": tuple(suite.shipped()),
        "encoding": tuple(encodings.DEFAULTS),
    }


def arguments(parser: argparse.ArgumentParser, names: Mapping[str, tuple[str, ...]]) -> Iterator[Argument]:
    """Yield the arguments of a command."""
    for action in parser._actions:
        words = tuple(map(str, action.choices)) if action.choices else names.get(action.dest, ())
        yield Argument(tuple(action.option_strings), action.help or "", action.nargs != 0, words)


def bash(commands: Commands) -> Iterator[str]:
    """Yield the lines of a script for bash.

    The shell splits words at colons and at signs, which names contain, so the script splits the line itself.
    """
    yield from (
        "_sudoku_bench() {",
        '    local line="${COMP_LINE:0:COMP_POINT}" words word last list=""',
        '    read -ra words <<< "$line"',
        '    [[ $line == *[[:space:]] ]] && words+=("")',
        '    word="${words[-1]}"',
        f"    if (( ${{#words[@]}} == 2 )); then list={quoted(commands)}",
        '    else case "${words[1]} ${words[-2]}" in',
    )
    for name, known in commands.items():
        for argument in known:
            if argument.flags and argument.takes:
                patterns = "|".join(shlex.quote(f"{name} {flag}") for flag in argument.flags)
                yield f"        {patterns}) list={quoted(argument.words)} ;;"
    yield from ('        *) case "${words[1]}" in',)
    for name, known in commands.items():
        yield f"            {name}) list={quoted(first_words(known))} ;;"
    yield from (
        "        esac ;;",
        "    esac; fi",
        '    COMPREPLY=($(compgen -W "$list" -- "$word"))',
        '    last="${word##*[:@=]}"  # the shell replaces only what follows one of these',
        '    COMPREPLY=("${COMPREPLY[@]#"${word%"$last"}"}")',
        "}",
        "complete -o default -F _sudoku_bench sudoku-bench",
    )


def zsh(commands: Commands) -> Iterator[str]:
    """Yield the lines of a script for zsh."""
    yield from (
        "_sudoku_bench() {",
        f"    if (( CURRENT == 2 )); then compadd -- {spaced(commands)}; return; fi",
        '    case "$words[2] $words[CURRENT-1]" in',
    )
    for name, known in commands.items():
        for argument in known:
            if argument.flags and argument.takes and argument.words:
                patterns = "|".join(shlex.quote(f"{name} {flag}") for flag in argument.flags)
                yield f"        {patterns}) compadd -- {spaced(argument.words)}; return ;;"
    yield from ("    esac", '    case "$words[2]" in')
    for name, known in commands.items():
        yield f"        {name}) compadd -- {spaced(first_words(known))} ;;"
    yield from ("    esac", "    _files", "}", "compdef _sudoku_bench sudoku-bench")


def fish(commands: Commands) -> Iterator[str]:
    """Yield the lines of a script for fish."""
    yield f"complete -c sudoku-bench -n __fish_use_subcommand -f -a {quoted(commands)}"
    for name, known in commands.items():
        here = f"complete -c sudoku-bench -n '__fish_seen_subcommand_from {name}'"
        for argument in known:
            words = f" -x -a {quoted(argument.words)}" if argument.words else " -r" if argument.takes else ""
            if not argument.flags:
                yield from [f"{here} -a {quoted(argument.words)}"] if argument.words else []
                continue
            flags = " ".join(f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}" for flag in argument.flags)
            yield f"{here} {flags}{words} -d {shlex.quote(argument.help)}"


SCRIPTS: dict[str, Callable[[Commands], Iterator[str]]] = {"bash": bash, "zsh": zsh, "fish": fish}


def first_words(known: Sequence[Argument]) -> list[str]:
    """Return what may stand where no value is expected: options, and known positional values."""
    return [word for argument in known for word in (argument.flags or argument.words)]


def quoted(words: Mapping[str, Any] | Sequence[str]) -> str:
    return shlex.quote(" ".join(words))


def spaced(words: Mapping[str, Any] | Sequence[str]) -> str:
    return " ".join(map(shlex.quote, words))
