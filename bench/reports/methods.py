"""The method of a run as text; it states only what the manifest and the rows of the run record."""

from __future__ import annotations

from collections.abc import Iterator

from sudoku_bench.bench.folder import disturbances
from sudoku_bench.bench.folder.method import is_imported, repetitions
from sudoku_bench.bench.reports import statistics
from sudoku_bench.bench.reports.facts import Facts
from sudoku_bench.bench.say import terminal
from sudoku_bench.bench.say.phrases import counted, listed, seconds, sentences
from sudoku_bench.bench.verdicts.run_data import ONE_SOLUTION
from sudoku_bench.bench.verdicts.run_tables import Run
from sudoku_bench.datasets.shape import size_of_text


def paragraphs(run: Run) -> list[str]:
    """Return the method of a run as paragraphs of plain text without markup.

    Sources are cited by author and year, with the labels of ``bench/reports/bibliography``.
    """
    facts = Facts(run)
    if facts.real.empty:
        return ["No strategy was measured."]
    numbers = map(facts.in_clock, statistics.paragraphs(facts))
    if is_imported(facts.manifest):
        return [sentences(*imported(facts)), *numbers, sentences(*machine(facts))]
    parts = (question(facts), contenders(facts), measuring(facts), checking(facts))
    return [*(sentences(*part) for part in parts), *filter(None, numbers), sentences(*machine(facts))]


def imported(facts: Facts) -> Iterator[str]:
    """Describe what is known of a run that another tool measured."""
    source = facts.manifest["imported"]
    yield f"The times were measured by {source['tool']} and imported; they are {facts.in_clock('CPU time')}."
    yield "" if source["has_limit"] else "The tool has no time limit."
    yield _task(facts)
    yield (
        "Order, isolation, warm-up and pinning were those of that tool. The same grid was solved again in each"
        " repetition, and repetitions may share a process, so intervals do not cover variation between forms or between"
        " processes."
    )
    checked = "Every answer was checked against the rules, the clues and the number of solutions."
    yield from [f"{line}." for line in terminal.unverified(facts.run)] or [checked]


def question(facts: Facts) -> Iterator[str]:
    """Describe the task and the puzzles, and how these were selected from the collections."""
    yield _task(facts)
    measured = facts.real[["collection", "puzzle"]].drop_duplicates()
    per_collection = measured.groupby("collection").size()
    names = [name for name in facts.run.collections if name in per_collection.index]
    grids = facts.run.puzzles["grid"].dropna() if "grid" in facts.run.puzzles else ()
    sizes = sorted(set(map(size_of_text, grids)))
    boards = f" ({listed(f'{size}×{size}' for size in sizes)} boards)" if sizes else ""
    several = f"{len(names)} collections: {listed(f'{name} ({per_collection[name]})' for name in names)}"
    source = f"the collection {names[0]}" if len(names) == 1 else several
    yield f"The run used {counted(len(measured), 'puzzle')}{boards} from {source}."
    limit, sample = facts.setting("limit"), facts.setting("sample")
    if sample:
        pool = f" from the first {limit}" if limit else ""
        yield f"At most {sample} puzzles of each collection were drawn at random{pool}, spread over difficulty."
    elif limit:
        yield f"At most the first {limit} puzzles of each collection were used."
    skipped = sum(len(collection.get("skipped", ())) for collection in facts.manifest.get("collections", []))
    if skipped:
        yield f"{counted(skipped, 'line')} without a valid puzzle {_was(skipped)} skipped."
    yield from _references(facts)


def _was(number: int) -> str:
    return "was" if number == 1 else "were"


def _task(facts: Facts) -> str:
    task = str(facts.setting("task"))
    kind, _, number = task.partition(":")
    goal = {
        "first": "find one solution of each puzzle",
        "unique": "find the solution of each puzzle and prove that it has no other",
        "count": f"find all solutions of each puzzle, up to {number}",
    }[kind]
    return f"The task was to {goal} ({task})."


def _references(facts: Facts) -> Iterator[str]:
    sources = {int(number): n for number, n in facts.manifest.get("references_by_sources", {}).items()}
    fewer = sum(n for number, n in sources.items() if number < 2)
    if sources:
        exception = f", but for {fewer} of {sum(sources.values())} puzzles by fewer than two" if fewer else ""
        yield (
            f"The number of solutions of each puzzle was established beforehand by two independent solvers{exception}."
        )
    puzzles = facts.run.puzzles
    excluded = int((facts.is_real_puzzle & (puzzles["solutions"] != 1)).sum())
    if excluded and facts.setting("task") in ONE_SOLUTION:
        one = f"{counted(excluded, 'puzzle')} without exactly one solution {_was(excluded)}"
        yield f"{one} excluded from all comparisons."


def contenders(facts: Facts) -> Iterator[str]:
    """Describe the strategies, which of them have no times, and where they come from."""
    names, planned = facts.names, facts.manifest.get("strategies", [])
    verb = "strategy was measured" if len(names) == 1 else "strategies were compared"
    yield f"{len(names)} {verb}: {listed(names)}."
    yield from (f"{line}." for line in terminal.not_compared(facts.run))
    for strategy in planned:
        if strategy.get("plugin"):
            yield f"{strategy['name']} is defined in the file {strategy['plugin']}."
    commands = [strategy["name"] for strategy in planned if strategy.get("command")]
    if commands:
        yield f"Run as {'an external program' if len(commands) == 1 else 'external programs'}: {listed(commands)}."
    if facts.persistent:
        kept = "Kept in one process throughout a launch, and so with what was learnt from earlier puzzles"
        yield f"{kept}: {listed(facts.persistent)}."


def measuring(facts: Facts) -> Iterator[str]:
    """Describe processes, limits, forms, order and clocks."""
    cold, batch = facts.mode == "cold", facts.mode.partition(":")[2]
    if cold:
        yield (
            "Each solve ran in a fresh interpreter; its time covers everything from before the interpreter started to"
            " the complete answer, with filled caches of compiled code (mode cold)."
        )
    else:
        yield from _warm_processes(facts, batch)
    yield from _limits(facts)
    yield from _forms(facts)
    yield _repetitions(facts)
    if not batch:
        yield _loops(facts)
    yield _lead_in(facts)
    yield _order(facts)
    if cold:
        yield "Times are the CPU time that the operating system charged to the process and its descendants."
    else:
        yield (
            "Times are the CPU time of the process with all its threads and descendants over the whole solve: encoding,"
            " loading, searching, decoding and releasing."
        )
    if (facts.run.pairs["clock"] == "wall").any():
        yield "Strategies that computed in parallel are also compared by wall time."
    yield "Python's garbage collector was switched off." if facts.setting("gc") == "off" else ""


def _warm_processes(facts: Facts, batch: str) -> Iterator[str]:
    yield (
        "Each strategy ran in its own process, which prepared everything that depends only on the board size before the"
        f" clock started{'' if batch else ' (mode warm)'}."
    )
    if batch:
        yield f"{batch} forms of a puzzle were solved per call; times are per form (mode {facts.mode})."
    exception = " (except for strategies kept in one process)" if facts.persistent else ""
    yield f"A new process was started for each repetition{exception}."


def _limits(facts: Facts) -> Iterator[str]:
    reliable, memory = facts.manifest.get("reliable", {}), facts.setting("memory_mib")
    limit_s = float(facts.setting("timeout_s"))
    time = f"{seconds(limit_s)} of wall time"
    if str(reliable.get("time_limit", "CPU")).startswith("CPU"):
        wall = seconds(facts.run.method.wall_limit_s(limit_s))
        time = f"{seconds(limit_s)} of CPU time (with all processes that it started) and {wall} of wall time"
        if share := facts.run.method.idle_share:
            time += f" ({seconds(limit_s)} if it computed for less than {share:.0%} of it)"
    room = f", and to {memory:,} MiB of memory ({reliable.get('memory_limit', 'limited')})" if memory else ""
    yield f"Each solve was limited to {time}{room}; a solve that exceeded a limit was terminated."
    if reliable.get("best_effort"):
        yield f"Known limitations on this system: {'; '.join(reliable['best_effort'])}."


def _forms(facts: Facts) -> Iterator[str]:
    if facts.setting("isomorphs"):
        yield (
            "Each repetition solved a different random isomorph of the puzzle (digits relabelled; rows, columns, bands"
            " and stacks permuted; transposed where boxes are square), the same one for all strategies."
        )
    else:
        yield "The puzzles were solved as stored, with the same grid in each repetition."


def _repetitions(facts: Facts) -> str:
    launches, number = int(facts.setting("launches")), repetitions(facts.manifest)
    each = "" if launches == 1 else f" in each of {launches} launches"
    budget = facts.manifest["suite"].get("budget")
    if not budget:
        return f"Every strategy was given every puzzle {'once' if number == 1 else f'{number} times'}{each}."
    return (
        f"The number of repetitions{each} was set by a budget of {budget}: {number}. It was chosen from the cost of a"
        " few solves that are not used, never from differences between strategies."
    )


def _loops(facts: Facts) -> str:
    loops = facts.setting("loops")
    if not loops or loops == 1:
        return ""
    unit = "different forms" if facts.setting("isomorphs") else "solves"
    exception = " (one for strategies that keep their process)" if facts.persistent else ""
    return f"A measurement is the mean over {loops} {unit}{exception}."


def _lead_in(facts: Facts) -> str:
    """Describe what a strategy does before each measurement; nothing for runs of earlier versions."""
    lead_in_s = facts.run.method.lead_in_s
    if not lead_in_s or facts.mode == "cold":
        return ""
    return (
        f"Immediately before each measurement, the strategy worked for {seconds(lead_in_s)} of CPU time, and at least"
        " one solve, on other puzzles that were made for the board; these answers were checked, too."
    )


def _order(facts: Facts) -> str:
    seed, jobs = facts.manifest["suite"].get("seed"), int(facts.setting("jobs"))
    by_seed = f" (seed {seed})" if seed is not None else ""
    parallel = f"up to {jobs} measurements ran at a time, each on its own core"
    core = "the same core" if jobs == 1 else "the core of its job"
    pinned = f", with every worker on {core}" if facts.setting("pin") != "off" else ""
    several = ", and for each puzzle the strategies ran one after another in random order"
    return (
        f"In each round the puzzles were in random order{several if len(facts.names) > 1 else ''}{by_seed};"
        f" {'one measurement ran at a time' if jobs == 1 else parallel}{pinned}."
    )


def checking(facts: Facts) -> Iterator[str]:
    """Describe how answers were checked."""
    decoys = int((~facts.is_real_puzzle).sum())
    yield (
        "Every answer was checked after the clock had stopped: it must satisfy the rules and the clues, and contain"
        " exactly as many solutions as the puzzle has, up to the number that the task asks for."
    )
    if decoys:
        yield (
            f"The puzzles included {counted(decoys, 'unannounced decoy')}, copies with several solutions or none, whose"
            " times are not used; a strategy with a wrong answer to a decoy loses all its times."
        )


def machine(facts: Facts) -> Iterator[str]:
    """Describe the machine, the date, the software, and what went wrong."""
    about, manifest, git = facts.manifest["machine"], facts.manifest, facts.manifest.get("git", {})
    hardware = (
        str(about.get("cpu") or "an unnamed processor"),
        counted(int(about["cores_logical"]), "core") if about.get("cores_logical") else "",
        f"{about['memory_mib'] / 1024:.0f} GiB of memory" if about.get("memory_mib") else "",
        "a virtual machine" if (about.get("virtualisation") or {}).get("virtual") else "",
        " ".join(str(about[key]) for key in ("distribution", "kernel") if about.get(key)),
        f"Python {about['python']}" if about.get("python") else "",
    )
    started = f" on {manifest['started'][:10]}" if manifest.get("started") else ""
    yield f"Measured{started}: {', '.join(filter(None, hardware))}."
    versions = listed(f"{name} {number}" for name, number in manifest.get("packages", {}).items() if number)
    edits = " with uncommitted changes" if git.get("dirty") else ""
    commit = f" (commit {git['commit'][:12]}{edits})" if git.get("commit") else ""
    yield f"Packages: {versions}{commit}." if versions else ""
    yield from _disturbances(facts)
    resumed = len(manifest.get("resumed", []))
    yield f"The run was interrupted and resumed ({counted(resumed, 'time')})." if resumed else ""
    yield "The code of sudoku-bench was changed during the run." if len(manifest.get("code", [])) > 1 else ""
    yield f"Files were changed after the run: {listed(facts.run.edited)}." if facts.run.edited else ""
    measured, planned = len(facts.run.measurements), int(manifest["planned_rows"])
    if measured != planned:
        yield f"The run is incomplete: {measured:,} of {planned:,} measurements were made."


def _disturbances(facts: Facts) -> Iterator[str]:
    if facts.manifest.get("disturbance"):
        yield f"{disturbances.words(facts.manifest) or 'The counters of the system showed no disturbance'}."
