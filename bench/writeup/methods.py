"""The method of a run as text; it states only what the manifest and the rows of the run record."""

from __future__ import annotations

import math
from collections.abc import Iterator

from bench.folder.method import is_imported
from bench.machine import disturbance
from bench.say.phrases import counted, listed, seconds, sentences
from bench.verdicts.comparable import UNSUPPORTED, left_out
from bench.verdicts.run_data import ONE_SOLUTION
from bench.verdicts.run_tables import Run
from bench.writeup import statistics
from bench.writeup.facts import Facts


def paragraphs(run: Run) -> list[str]:
    """Return the method of a run as paragraphs of plain text without markup.

    Sources are cited by author and year, with the labels of ``bench.writeup.bibliography``.
    """
    facts = Facts(run)
    if facts.real.empty:
        return ["No strategy was measured."]
    if is_imported(facts.manifest):
        return [imported(facts), *map(facts.in_clock, statistics.paragraphs(facts)), machine(facts)]
    parts = (question(facts), contenders(facts), measuring(facts), checking(facts), *statistics.paragraphs(facts))
    return [paragraph for paragraph in (*parts, machine(facts)) if paragraph]


def imported(facts: Facts) -> str:
    """Describe what is known of a run that another tool measured."""
    source, unverified = facts.manifest["imported"], facts.with_status("unverified")
    limit = "" if source["has_limit"] else " The tool has no time limit."
    return sentences(
        f"The times were measured by {source['tool']} and imported; they are {facts.in_clock('CPU time')}.{limit}",
        _task(facts),
        "Order, isolation, warm-up and pinning were those of that tool. The same grid was solved again in each"
        " repetition, and repetitions may share a process, so intervals do not cover variation between forms or between"
        " processes.",
        f"{counted(unverified, 'measurement')} had no answer to check; all other answers were checked."
        if unverified
        else "Every answer was checked against the rules, the clues and the number of solutions.",
    )


def question(facts: Facts) -> str:
    """Describe the task and the puzzles."""
    return sentences(_task(facts), _puzzles(facts), _choice(facts), _references(facts))


def _task(facts: Facts) -> str:
    task = str(facts.setting("task"))
    kind, _, number = task.partition(":")
    goal = {
        "first": "find one solution of each puzzle",
        "unique": "find the solution of each puzzle and prove that it has no other",
        "count": f"find all solutions of each puzzle, up to {number}",
    }[kind]
    return f"The task was to {goal} ({task})."


def _puzzles(facts: Facts) -> str:
    measured = facts.real[["collection", "puzzle"]].drop_duplicates()
    per_collection = measured.groupby("collection").size()
    names = [name for name in facts.run.collections if name in per_collection.index]
    each = listed(f"{name} ({per_collection[name]})" for name in names)
    total = counted(len(measured), "puzzle")
    source = f"from the collection {names[0]}" if len(names) == 1 else f"from {len(names)} collections: {each}"
    return f"The run used {total}{_boards(facts)} {source}."


def _boards(facts: Facts) -> str:
    lengths = facts.run.puzzles["grid"].dropna().str.len() if "grid" in facts.run.puzzles else ()
    sizes = sorted({math.isqrt(length) for length in lengths})
    return f" ({listed(f'{size}×{size}' for size in sizes)} boards)" if sizes else ""


def _choice(facts: Facts) -> str:
    """Describe how puzzles were selected from the collections."""
    limit, sample = facts.setting("limit"), facts.setting("sample")
    first = f"the first {limit}" if limit else ""
    if sample:
        pool = f" from {first}" if first else ""
        selection = f"At most {sample} puzzles of each collection were drawn at random{pool}, spread over difficulty."
    else:
        selection = f"At most {first} puzzles of each collection were used." if first else ""
    skipped = sum(len(collection.get("skipped", ())) for collection in facts.manifest.get("collections", []))
    verb = "was" if skipped == 1 else "were"
    return sentences(selection, f"{counted(skipped, 'line')} without a valid puzzle {verb} skipped." if skipped else "")


def _references(facts: Facts) -> str:
    sources = {int(number): n for number, n in facts.manifest.get("references_by_sources", {}).items()}
    fewer = sum(n for number, n in sources.items() if number < 2)
    reference = ""
    if sources:
        reference = "The number of solutions of each puzzle was established beforehand by two independent solvers"
        reference += f", but for {fewer} of {sum(sources.values())} puzzles by fewer than two." if fewer else "."
    excluded = 0
    if facts.setting("task") in ONE_SOLUTION:
        puzzles = facts.run.puzzles
        real = puzzles["decoy"].isna() if "decoy" in puzzles else True
        excluded = int((real & (puzzles["solutions"] != 1)).sum())
    verb = "was" if excluded == 1 else "were"
    exclusion = f"{counted(excluded, 'puzzle')} without exactly one solution {verb} excluded from all comparisons."
    return sentences(reference, exclusion if excluded else "")


def contenders(facts: Facts) -> str:
    """Describe the strategies, and which of them have no times."""
    names = facts.names
    verb = "strategy was measured" if len(names) == 1 else "strategies were compared"
    reasons = left_out(facts.run)
    unsupported = {
        name: [collection for collection, reason_of in reasons.items() if reason_of.get(name) == UNSUPPORTED]
        for name in names
        if any(reason_of.get(name) == UNSUPPORTED for reason_of in reasons.values())
    }
    wrong = sorted({name for reason_of in reasons.values() for name, why in reason_of.items() if why != UNSUPPORTED})
    where_unsupported = "; ".join(f"{name} on {listed(collections)}" for name, collections in unsupported.items())
    return sentences(
        f"{len(names)} {verb}: {listed(names)}.",
        f"Excluded where unsupported: {where_unsupported}." if where_unsupported else "",
        f"No times are reported for {listed(wrong)} because of wrong answers." if wrong else "",
        *_origins(facts),
    )


def _origins(facts: Facts) -> Iterator[str]:
    """Describe plug-ins, external programs, and strategies that keep state between puzzles."""
    for strategy in facts.manifest.get("strategies", []):
        if strategy.get("plugin"):
            checksum = (strategy.get("plugin_sha256") or "")[:12]
            yield f"{strategy['name']} is defined in the file {strategy['plugin']} (SHA-256 {checksum}…)."
    commands = [s["name"] for s in facts.manifest.get("strategies", []) if s.get("command")]
    if commands:
        yield f"Run as {'an external program' if len(commands) == 1 else 'external programs'}: {listed(commands)}."
    if facts.persistent:
        yield (
            "Kept in one process throughout a launch, and so with what was learnt from earlier puzzles:"
            f" {listed(facts.persistent)}."
        )


def measuring(facts: Facts) -> str:
    """Describe processes, limits, forms, order and clocks."""
    return sentences(_processes(facts), _limits(facts), *_forms(facts), _order(facts), _clocks(facts))


def _processes(facts: Facts) -> str:
    if facts.cold:
        caches = "empty" if facts.setting("mode") == "cold-first" else "filled"
        return (
            "Each solve ran in a fresh interpreter; its time covers everything from before the interpreter started to"
            f" the complete answer, with {caches} caches of compiled code (mode {facts.setting('mode')})."
        )
    call = f"{facts.batch} forms of a puzzle were solved per call; times are per form" if facts.batch else ""
    exception = " (except for strategies kept in one process)" if facts.persistent else ""
    parts = (
        "Each strategy ran in its own process, which prepared everything that depends only on the board size before the"
        f" clock started{'' if call else ' (mode warm)'}.",
        f"{call} (mode {facts.setting('mode')})." if call else "",
        f"A new process was started for each repetition{exception}, and solved"
        f" {facts.run.method.warm_up_forms} untimed forms before its first measurement.",
    )
    return sentences(*parts)


def _limits(facts: Facts) -> str:
    reliable = facts.manifest.get("reliable", {})
    limit_s = float(facts.setting("timeout_s"))
    memory = facts.setting("memory_mib")
    wall_s = facts.run.method.wall_limit_s(limit_s)
    if str(reliable.get("time_limit", "CPU")).startswith("CPU"):
        time = f"{seconds(limit_s)} of CPU time (with all processes that it started) and {seconds(wall_s)} of wall time"
    else:
        time = f"{seconds(limit_s)} of wall time"
    room = f", and to {memory:,} MiB of memory ({reliable.get('memory_limit', 'limited')})" if memory else ""
    caveats = "; ".join(reliable.get("best_effort", []))
    return sentences(
        f"Each solve was limited to {time}{room}; a solve that exceeded a limit was terminated.",
        f"Known limitations on this system: {caveats}." if caveats else "",
    )


def _forms(facts: Facts) -> Iterator[str]:
    if facts.setting("isomorphs"):
        yield (
            "Each repetition solved a different random isomorph of the puzzle (digits relabelled; rows, columns, bands"
            " and stacks permuted; transposed where boxes are square), the same one for all strategies."
        )
    else:
        yield "The puzzles were solved as stored, with the same grid in each repetition."
    yield _repetitions(facts)
    loops = _loops(facts)
    if loops and not facts.batch:
        each = listed(f"{number} on {shape.replace('x', '×')} boards" for shape, number in loops.items())
        unit = "different forms" if facts.setting("isomorphs") else "solves"
        if facts.run.method.run_in_forms:
            rule = "chosen in a pilot so that a measurement is long enough to time"
        else:
            rule = f"chosen so that reading the clocks takes at most {facts.run.method.clock_share:.0%}"
        rule = "as configured" if facts.setting("loops") else rule
        exception = " (one for strategies that keep their process)" if facts.persistent else ""
        yield f"As single solves are short, a measurement is the mean over several {unit}: {each}, {rule}{exception}."

    fast = sorted({name for names in facts.manifest.get("settled", {}).get("run_in", {}).values() for name in names})
    if fast:
        yield (
            f"Before each measurement, {listed(fast)} solved up to"
            f" {facts.run.method.run_in_forms} other forms of the puzzle untimed, as filling the caches again takes"
            " long compared with one solve, and the cost of reading the clocks was subtracted."
        )


def _repetitions(facts: Facts) -> str:
    launches = int(facts.setting("launches"))
    each = "" if launches == 1 else f" in each of {launches} launches"
    spending = facts.manifest.get("settled", {}).get("spending")
    if spending:
        numbers = listed(f"{number} on {name}" for name, number in spending["repetitions"].items())
        return (
            f"The number of repetitions{each} was set by a budget of {facts.setting('budget')}: {numbers}. It was"
            " chosen from the cost and spread of a pilot whose solves are not used, never from differences between"
            " strategies."
        )
    repetitions = int(facts.setting("repetitions"))
    return f"Every strategy solved every puzzle {'once' if repetitions == 1 else f'{repetitions} times'}{each}."


def _loops(facts: Facts) -> dict[str, int]:
    """Return the forms per measurement by board, small boards first, where there is more than one."""
    loops = facts.manifest.get("settled", {}).get("loops", {})
    several = [(int(shape.partition("x")[0]), shape, number) for shape, number in loops.items() if number > 1]
    return {shape: number for _, shape, number in sorted(several)}


def _order(facts: Facts) -> str:
    seed, jobs = facts.suite.get("seed"), int(facts.setting("jobs"))
    by_seed = f" (seed {seed})" if seed is not None else ""
    parallel = (
        "one measurement ran at a time"
        if jobs == 1
        else f"up to {jobs} measurements ran at a time, each on its own core"
    )
    where = "the same core" if jobs == 1 else "the core of its job"
    pinned = f", with every worker on {where}" if facts.setting("pin") != "off" else ""
    turns = ", and for each puzzle the strategies ran one after another in random order" if len(facts.names) > 1 else ""
    return f"In each round the puzzles were in random order{turns}{by_seed}; {parallel}{pinned}."


def _clocks(facts: Facts) -> str:
    if facts.cold:
        clock = "Times are the CPU time that the operating system charged to the process and its descendants."
    else:
        clock = (
            "Times are the CPU time of the process with all its threads and descendants over the whole solve: encoding,"
            " loading, searching, decoding and releasing."
        )
    pairs = facts.run.pairs
    by_wall = not pairs.empty and (pairs["clock"] == "wall").any()
    return sentences(
        clock,
        "Strategies that computed in parallel are also compared by wall time." if by_wall else "",
        "Python's garbage collector was switched off." if facts.setting("gc") == "off" else "",
    )


def checking(facts: Facts) -> str:
    """Describe how answers were checked."""
    decoys = facts.run.puzzles["decoy"].notna().sum() if "decoy" in facts.run.puzzles else 0
    unverified = facts.with_status("unverified")
    hidden = (
        f"The puzzles included {counted(int(decoys), 'unannounced decoy')}, copies with several solutions or none,"
        " whose times are not used; a strategy with a wrong answer to a decoy loses all its times."
    )
    return sentences(
        "Every answer was checked after the clock had stopped: it must satisfy the rules and the clues, and contain"
        " exactly as many solutions as the puzzle has, up to the number that the task asks for.",
        hidden if decoys else "",
        f"{counted(unverified, 'imported measurement')} had no answer to check." if unverified else "",
    )


def machine(facts: Facts) -> str:
    """Describe the machine, the date, the software, and what went wrong."""
    about, manifest = facts.manifest["machine"], facts.manifest
    cores = about.get("cores_logical")
    system = " ".join(str(about[key]) for key in ("distribution", "kernel") if about.get(key))
    virtual = (about.get("virtualisation") or {}).get("virtual")
    packages = {name: number for name, number in manifest.get("packages", {}).items() if number}
    git = manifest.get("git", {})
    commit = (
        f" (commit {git['commit'][:12]}{' with uncommitted changes' if git.get('dirty') else ''})"
        if git.get("commit")
        else ""
    )
    hardware = (
        str(about.get("cpu") or "an unnamed processor"),
        counted(int(cores), "core") if cores else "",
        f"{about['memory_mib'] / 1024:.0f} GiB of memory" if about.get("memory_mib") else "",
        "a virtual machine" if virtual else "",
        system,
        f"Python {about['python']}" if about.get("python") else "",
    )
    versions = listed(f"{name} {number}" for name, number in packages.items())
    started = str(manifest.get("started", ""))[:10]
    return sentences(
        f"Measured{f' on {started}' if started else ''}: {', '.join(part for part in hardware if part)}.",
        f"Packages: {versions}{commit}." if versions else "",
        *_problems(facts),
    )


def _problems(facts: Facts) -> Iterator[str]:
    """Describe disturbances, interruptions and missing measurements."""
    looks, labels = facts.manifest.get("disturbance", []), {kind.name: kind.label for kind in disturbance.KINDS}
    watched, disturbed = (sum(look[key] for look in looks) for key in ("seconds", "disturbed_s"))
    if disturbed and watched:
        seen = {kind for look in looks for kind, counts in look["kinds"].items() if counts.get("disturbed_s")}
        kinds = listed(label for kind, label in labels.items() if kind in seen)
        yield f"System counters show a disturbance during {disturbed / watched:.1%} of the time: {kinds}."
    elif looks:
        unseen = {kind for look in looks for kind, counts in look["kinds"].items() if counts.get("disturbed_s") is None}
        unknown = [label for kind, label in labels.items() if kind in unseen - {disturbance.SIBLING.name}]
        rest = f"; they do not cover {listed(unknown, 'or')}" if unknown else ""
        yield f"System counters show no disturbance in the {watched:,.0f} s of measuring{rest}."
    resumed = len(facts.manifest.get("resumed", []))
    if resumed:
        yield f"The run was interrupted and resumed ({counted(resumed, 'time')})."
    if facts.run.edited:
        yield f"Files were changed after the run: {listed(facts.run.edited)}."
    measured, planned = len(facts.run.measurements), int(facts.manifest["planned_rows"])
    if measured != planned:
        yield f"The run is incomplete: {measured:,} of {planned:,} measurements were made."
