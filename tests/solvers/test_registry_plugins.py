"""Plug-in files: described by a separate process, run in a worker."""

from __future__ import annotations

import os
import signal
import sys
from textwrap import dedent

import pytest

from sudoku_bench.bench.plan import strategies
from sudoku_bench.bench.plan.strategies import describe_plugin, known
from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers import registry
from tests.solvers.solving import answer_of_worker

OWN = """
from sudoku_bench import Strategy, register

@register
class Own(Strategy):
    name = "my:own"
    def search(self, puzzle, task):
        return []
"""


@pytest.fixture
def plugin(tmp_path):
    """Write a file and return its path; the file must not be imported by this process."""
    registry.load_builtin()
    modules, path, names = set(sys.modules), list(sys.path), registry.names()

    def write(source: str, name: str = "own.py") -> str:
        file = tmp_path / name
        file.write_text(dedent(source), encoding="utf-8")
        return str(file)

    yield write
    assert {name for name in set(sys.modules) - modules if name.startswith("plugin_")} == set()
    assert "neighbour" not in sys.modules
    assert sys.path == path
    assert registry.names() == names


def refusal(path: str) -> str:
    with pytest.raises(InputError) as refused:
        describe_plugin(path)
    message = str(refused.value)
    assert "\n" not in message
    return message


def test_a_plugin_is_described(plugin):
    path = plugin("""
        from sudoku_bench import Strategy, register

        @register
        class First(Strategy):
            '''Solves.

            In a way.
            '''
            name = "my:first"
            tasks = ("first",)
            requires = ("numpy",)
            persistent = True
            environ = {"THREADS": "1"}

        @register
        class Second(Strategy):
            name = "your:second@engine"
    """)
    first, second = describe_plugin(path)
    assert (first.name, first.family, first.tasks, first.requires) == ("my:first", "my", ("first",), ("numpy",))
    assert (first.persistent, first.environ, first.plugin, first.available) == (True, {"THREADS": "1"}, path, True)
    assert (second.name, second.family, second.persistent) == ("your:second@engine", "your", False)
    assert second.tasks == ("first", "unique", "count")
    assert (first.description, second.description) == ("Solves.", "")
    with pytest.raises(InputError, match=r"no strategy is called my:fist; did you mean my:first\?"):
        strategies.select(["my:fist"], [path])


def test_a_plugin_runs_in_other_processes_only(plugin, tmp_path, puzzles):
    note = f"import os\nwith open({str(tmp_path / 'pids')!r}, 'a') as pids: print(os.getpid(), file=pids)\n"
    path = plugin(note + OWN)
    [info] = describe_plugin(path)
    assert answer_of_worker(info, puzzles["4x4"]["same_clue_in_a_row"], "first") == []
    pids = (tmp_path / "pids").read_text(encoding="utf-8").split()
    assert len(set(pids)) == 2
    assert str(os.getpid()) not in pids


def test_a_relative_path_still_works_from_another_folder(plugin, tmp_path, monkeypatch, puzzles):
    plugin(OWN)
    monkeypatch.chdir(tmp_path)
    [info] = describe_plugin("own.py")
    assert info.plugin == str(tmp_path / "own.py")
    monkeypatch.chdir("/")
    assert answer_of_worker(info, puzzles["4x4"]["same_clue_in_a_row"], "unique") == []


def test_a_plugin_imports_its_neighbours(plugin, puzzles):
    plugin("NAME = 'my:neighbourly'\nANSWER = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]", "neighbour.py")
    path = plugin("""
        import neighbour
        from sudoku_bench import Strategy, register

        @register
        class Own(Strategy):
            name = neighbour.NAME
            def search(self, puzzle, task):
                return [neighbour.ANSWER]
    """)
    [info] = describe_plugin(path)
    assert info.name == "my:neighbourly"
    assert answer_of_worker(info, puzzles["4x4"]["empty"], "first") == [
        [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    ]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("from sudoku_bench import Strategy\n\nclass Own(Strategy:\n    pass\n", ":3: SyntaxError"),
        ("\nraise LookupError('no settings\\nfor this machine')\n", ":2: LookupError: no settings for this machine"),
        ("\nimport no_such_module_anywhere\n" + OWN, ":2: ModuleNotFoundError"),
        (
            "from sudoku_bench import Strategy\n",
            ": registers no strategy; decorate a subclass of sudoku_bench.Strategy",
        ),
        (OWN.replace("my:own", "seed:norvig"), ":4: strategy seed:norvig: the name is taken"),
        (OWN.replace("(Strategy)", ""), ":4: class Own: is no strategy; derive it from sudoku_bench.Strategy"),
        (f"{OWN}    tasks = ('all',)\n", ":4: strategy my:own: tasks are a tuple"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_refused_with_its_line(plugin, source, message):
    path = plugin(source)
    assert refusal(path).startswith(f"{path}{message}")


def test_a_missing_plugin_is_named(tmp_path):
    path = str(tmp_path / "nothing.py")
    assert refusal(path) == f"{path}: no such plug-in file"


@pytest.mark.parametrize(
    ("statement", "code"),
    [("sys.exit(3)", "3"), ("os._exit(4)", "4"), ("os.kill(os.getpid(), signal.SIGKILL)", str(-signal.SIGKILL))],
)
def test_a_plugin_that_ends_its_process_is_reported_with_the_exit_code(plugin, statement, code):
    path = plugin(f"import os, signal, sys\n{statement}\n{OWN}")
    message = refusal(path)
    assert message.startswith(f"{path}: ")
    assert f"exit code {code})" in message


def test_a_plugin_that_hangs_is_refused(plugin, monkeypatch):
    path = plugin("import time\ntime.sleep(600)\n" + OWN)
    monkeypatch.setattr(strategies, "DESCRIBE_LIMIT_S", 0.3)
    assert refusal(path).startswith(f"{path}: importing the plug-in takes more than 0.3 s")


def test_two_plugins_cannot_take_the_same_name(plugin):
    paths = [plugin(OWN, "one.py"), plugin(OWN, "two.py")]
    with pytest.raises(InputError, match="my:own is taken") as refused:
        known(paths)
    assert str(refused.value).startswith(paths[1])
