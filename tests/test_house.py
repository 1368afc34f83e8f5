"""The rooms of the project: which may import which, who reads clocks, who writes into a run, where tests stand."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.conftest import TOP

PACKAGES = ("datasets", "solvers", "bench", "sudoku_bench")
# Each room may import the rooms before it, in its own list and in the packages before its own.
ROOMS = {
    "": PACKAGES,
    "datasets": (
        *("errors", "layouts", "shape", "puzzle", "symmetries", "isomorphs", "verify", "naming"),
        *("sources", "kernels", "bits", "search"),
        *("files", "reading", "collections", "steps", "difficulty", "making"),
    ),
    "solvers": ("strategy", "registry", "sat", "search", "models", "external", "seeds"),
    "bench": (
        *("worker", "machine", "process", "plan", "folder", "verdicts", "say", "figures", "reports", "run"),
        "commands",
    ),
    "bench.verdicts": (
        *("once", "arrays", "times", "run_data", "run_files", "board_size", "comparable", "clusters"),
        *("phases", "summary", "pairs", "difficulty", "between_runs", "choice", "run_tables", "selection"),
        *("encodings", "groups", "answer"),
    ),
    "sudoku_bench": ("settings", "given", "tools", "runs", "answers", "pytest_plugin", "__main__"),
}
CLOCKS = {
    "time": {"time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"},
    "timeit": {"default_timer", "timeit", "repeat"},
}


@cache
def modules() -> dict[str, Path]:
    """Every module of the project by its dotted name, for `sudoku_bench.bench.commands.cli` from `bench` on."""
    inside = [path for package in PACKAGES[:-1] for path in (TOP / package).rglob("*.py")]
    return {dotted(path): path for path in sorted([*inside, *(TOP / PACKAGES[-1]).glob("*.py")])}


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(TOP).with_suffix("").parts).removesuffix(".__init__")


def test_the_folders_at_the_top_are_those_of_the_package() -> None:
    """A checkout has links in ``sudoku_bench``; the source distribution, which can hold none, has the files twice."""
    for package in PACKAGES[:-1]:
        for path in (TOP / package).rglob("*.py"):
            twin = TOP / "sudoku_bench" / path.relative_to(TOP)
            same = twin.exists() and twin.read_bytes() == path.read_bytes()
            assert same, f"{twin} is what runs: replace sudoku_bench/{package} by a link to ../{package}"


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(modules()[module].read_text(encoding="utf-8"))


@cache
def all_imported(module: str) -> frozenset[str]:
    """The modules that a module imports, inside functions too."""
    names: set[str] = set()
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            names |= {named(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            names |= set(imported_from(node))
    return frozenset(names)


@cache
def imported(module: str) -> frozenset[str]:
    """The modules of the project that a module imports, inside functions too."""
    return all_imported(module) & modules().keys()


def named(module: str) -> str:
    """The name in ``modules()`` of what an import calls so."""
    inside = module.removeprefix("sudoku_bench.")
    return inside if inside.partition(".")[0] in PACKAGES else module


def imported_from(node: ast.ImportFrom) -> Iterator[str]:
    for alias in node.names:
        full = named(f"{node.module}.{alias.name}")
        yield full if full in modules() else named(str(node.module))


def room(module: str, package: str) -> str:
    """The room of a package that a module stands in; empty for the package's own file and for modules elsewhere."""
    inside = module.removeprefix(f"{package}.") if package else module
    return "" if inside == module and package else inside.partition(".")[0]


def cycles() -> Iterator[list[str]]:
    """Groups of modules that import each other (Tarjan 1972)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> Iterator[list[str]]:
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in sorted(imported(module)):
            if other not in index:
                yield from visit(other)
                low[module] = min(low[module], low[other])
            elif other in stack:
                low[module] = min(low[module], index[other])
        if low[module] == index[module]:
            place = stack.index(module)
            group, stack[place:] = stack[place:], []
            if len(group) > 1:
                yield sorted(group)

    for module in modules():
        if module not in index:
            yield from visit(module)


def test_no_modules_import_each_other() -> None:
    assert list(cycles()) == []


def test_a_cycle_is_seen_inside_functions_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Guards the test above: it must not pass because it finds nothing."""
    ring = {"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"a"}), "d": frozenset({"a"})}
    monkeypatch.setattr("tests.test_house.modules", lambda: dict.fromkeys(ring))
    monkeypatch.setattr("tests.test_house.imported", ring.__getitem__)
    assert list(cycles()) == [["a", "b", "c"]]
    monkeypatch.undo()
    assert "datasets.search" in imported("datasets.collections.sampling")  # which imports it inside a function


@pytest.mark.parametrize("package", ROOMS)
def test_imports_run_one_way(package: str) -> None:
    order = ROOMS[package]
    upward = []
    for module in modules():
        here = room(module, package)
        if not here:
            continue
        assert here in order, f"{module}: say in ROOMS which rooms it may import"
        for other in imported(module):
            there = room(other, package)
            if there and order.index(there) > order.index(here):
                upward.append(f"{module} imports {other}")
    assert upward == []


def test_only_strangers_import_the_public_names_from_the_top() -> None:
    """Modules of the project import each other, not the package that gathers what others may use."""
    assert [m for m in modules() if "sudoku_bench" in imported(m) and not m.startswith("sudoku_bench.")] == []


def test_nothing_here_knows_the_studies() -> None:
    assert [m for m in modules() if any(name.startswith("studies") for name in all_imported(m))] == []


def test_every_room_is_known() -> None:
    for package, order in ROOMS.items():
        rooms = {room(module, package) for module in modules()} - {""}
        assert rooms == set(order), package


@pytest.mark.parametrize("package", PACKAGES)
def test_clocks_are_read_in_the_worker_room_only(package: str) -> None:
    readers = {module for module in modules() if module.startswith(package) and reads_clock(module)}
    assert {module for module in readers if not module.startswith("bench.worker.")} == set()
    assert ("bench.worker.clocks" in readers) == (package == "bench")


def reads_clock(module: str) -> bool:
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            base = node.attr.removesuffix("_ns")
            if base in CLOCKS.get(node.value.id, ()):
                return True
        if isinstance(node, ast.ImportFrom) and node.module in CLOCKS:
            return True
    return False


# What else writes files, and what: none of it lies in a run folder.
WRITERS = {
    "bench.process.memory_group": "control groups",
    "bench.machine.control_groups": "a control group, to see whether one can be made",
    "bench.plan.kept": "the user's cache",
    "bench.plan.versions": "a plug-in in a temporary folder",
    "bench.worker.server": "its pipes",
    "bench.worker.start": "links to kernels, in the memory of a sandbox",
    "bench.commands.cli": "nothing (it closes standard output)",
    "bench.run.choosing": "what was screened, beside the run that --out names",
    "bench.commands.encode": "the file that --out names",
    "bench.commands.exporting": "the file that --out names, never in a run folder",
    "bench.commands.generate": "the files that --output and --keep name",
    "bench.commands.show": "the page or sheet that --out names",
}


def test_only_the_folder_room_writes_into_a_run() -> None:
    writers = {
        module
        for module in modules()
        if module.startswith("bench.") and not module.startswith("bench.folder.") and writes(module)
    }
    assert writers <= set(WRITERS)
    assert writes("bench.folder.store")


def writes(module: str) -> bool:
    """Does it call what writes files? Opening one to read does not count, nor does replacing parts of a text."""
    for node in ast.walk(tree(module)):
        if not isinstance(node, ast.Call):
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if called in ("write_text", "write_bytes", "mkdir", "unlink"):
            return True
        if called in ("open", "fdopen") and any(set(text) & set("wax+") and len(text) < 4 for text in texts):
            return True
    return False


def test_a_modules_tests_are_found_by_its_name() -> None:
    """``tests/PACKAGE/ROOM/test_MODULE[_ASPECT].py``, or ``test_ROOM[_ASPECT].py`` for a room as a whole."""
    lost = []
    for path in sorted((TOP / "tests").rglob("test_*.py")):
        parts = path.relative_to(TOP / "tests").parts
        if parts[0] not in PACKAGES:
            continue
        folder = TOP.joinpath(*parts[:-1])
        subjects = (
            {p.stem for p in folder.glob("*.py")} | {p.name for p in folder.iterdir() if p.is_dir()} | {folder.name}
        )
        name = path.stem.removeprefix("test_")
        if not any(name == subject or name.startswith(f"{subject}_") for subject in subjects):
            lost.append(str(path.relative_to(TOP)))
    assert lost == []
