"""The method of a run in words, made from what its manifest and its rows say: nothing is said that was not so."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from bench.figures.style import seconds
from bench.machine import disturbance
from bench.run.lane import WARM_UP_FORMS
from bench.verdicts.comparable import UNSUPPORTED, left_out
from bench.verdicts.run_data import ONE_SOLUTION
from bench.verdicts.run_tables import Run
from bench.verdicts.summary import wall_limits_s
from bench.writeup import statistics
from bench.writeup.facts import Facts
from bench.writeup.words import counted, listed, sentences


def paragraphs(run: Run) -> list[str]:
    """The method of this very run, in paragraphs of plain text without markup.

    Sources are named by author and year, as ``bench.writeup.bibliography`` knows them.
    """
    facts = Facts(run)
    if facts.real.empty:
        return ["No measurement of a strategy was made."]
    told = (question(facts), contenders(facts), measuring(facts), checking(facts), *statistics.told(facts))
    return [paragraph for paragraph in (*told, machine(facts)) if paragraph]


def question(facts: Facts) -> str:
    """What was asked, of which puzzles."""
    return sentences(_task(facts), _puzzles(facts), _choice(facts), _references(facts))


def _task(facts: Facts) -> str:
    task = str(facts.setting("task"))
    kind, _, number = task.partition(":")
    asked = {
        "first": "find one solution of a puzzle",
        "unique": "find the solution of a puzzle and show that there is no second one",
        "count": f"find all solutions of a puzzle, up to {number}",
    }[kind]
    return f"The task was to {asked} ({task})."


def _puzzles(facts: Facts) -> str:
    measured = facts.real[["collection", "puzzle"]].drop_duplicates()
    per_collection = measured.groupby("collection").size()
    names = [name for name in facts.run.collections if name in per_collection.index]
    each = listed(f"{name} ({per_collection[name]})" for name in names)
    total = counted(len(measured), "puzzle")
    source = f"of the collection {names[0]}" if len(names) == 1 else f"of {len(names)} collections: {each}"
    return f"It was asked of {total}{_boards(facts)} {source}."


def _boards(facts: Facts) -> str:
    lengths = facts.run.puzzles["grid"].dropna().str.len() if "grid" in facts.run.puzzles else ()
    sizes = sorted({math.isqrt(length) for length in lengths})
    return f" with {listed(f'{size}×{size}' for size in sizes)} cells" if sizes else ""


def _choice(facts: Facts) -> str:
    """Which puzzles of a collection were taken."""
    limit, sample = facts.setting("limit"), facts.setting("sample")
    first = f"the first {limit}" if limit else ""
    if sample:
        among = f" among {first}" if first else ""
        chosen = f"Of each collection at most {sample} puzzles were drawn at random{among}, spread over difficulty."
    else:
        chosen = f"Of each collection at most {first} puzzles were taken." if first else ""
    passed = sum(len(collection.get("skipped", ())) for collection in facts.manifest.get("collections", []))
    return sentences(chosen, f"{counted(passed, 'line')} without a valid puzzle were passed over." if passed else "")


def _references(facts: Facts) -> str:
    sources = {int(number): n for number, n in facts.manifest.get("references_by_sources", {}).items()}
    fewer = sum(n for number, n in sources.items() if number < 2)
    known = ""
    if sources:
        known = "The number of solutions of each puzzle was established beforehand by two independent solvers"
        known += f", for {fewer} of {sum(sources.values())} by fewer than two." if fewer else "."
    open_to_choice = 0
    if facts.setting("task") in ONE_SOLUTION:
        puzzles = facts.run.puzzles
        real = puzzles["decoy"].isna() if "decoy" in puzzles else True
        open_to_choice = int((real & (puzzles["solutions"] != 1)).sum())
    rest = counted(open_to_choice, "puzzle")
    verb = "does" if open_to_choice == 1 else "do"
    unlike = f"{rest} that {verb} not have exactly one solution took no part in any comparison."
    return sentences(known, unlike if open_to_choice else "")


def contenders(facts: Facts) -> str:
    """Who took part, and whose times do not count."""
    names = facts.names
    some = "strategy was measured" if len(names) == 1 else "strategies were compared"
    reasons = left_out(facts.run)
    unsupported = {
        name: [c for c, own in reasons.items() if own.get(name) == UNSUPPORTED]
        for name in names
        if any(own.get(name) == UNSUPPORTED for own in reasons.values())
    }
    wrong = sorted({name for own in reasons.values() for name, why in own.items() if why != UNSUPPORTED})
    lacking = "; ".join(f"{name} on {listed(where)}" for name, where in unsupported.items())
    return sentences(
        f"{len(names)} {some}: {listed(names)}.",
        f"Not supported, and left out there: {lacking}." if lacking else "",
        f"Because of wrong answers, no times are given of {listed(wrong)}." if wrong else "",
        *_origins(facts),
    )


def _origins(facts: Facts) -> Iterator[str]:
    """Strategies that do not come with the package, and those whose times drift."""
    for strategy in facts.manifest.get("strategies", []):
        if strategy.get("plugin"):
            checksum = (strategy.get("plugin_sha256") or "")[:12]
            yield f"{strategy['name']} comes from the file {strategy['plugin']} (SHA-256 {checksum}…)."
    commands = [s["name"] for s in facts.manifest.get("strategies", []) if s.get("command")]
    if commands:
        yield f"Run as {'a program' if len(commands) == 1 else 'programs'} of its own: {listed(commands)}."
    if facts.persistent:
        yield (
            f"Kept in one process through a launch, and so with what was learnt from earlier puzzles:"
            f" {listed(facts.persistent)}."
        )


def measuring(facts: Facts) -> str:
    """Processes, limits, forms, order and clocks."""
    return sentences(_processes(facts), _limits(facts), *_forms(facts), _order(facts), _clocks(facts))


def _processes(facts: Facts) -> str:
    if facts.cold:
        caches = "empty" if facts.setting("mode") == "cold-first" else "filled"
        return (
            "Each solve ran in a fresh interpreter; its time is everything from before the interpreter was started to"
            f" the complete answer, with {caches} caches of compiled code (mode {facts.setting('mode')})."
        )
    call = f"{facts.batch} forms of a puzzle were solved in one call, times are per form" if facts.batch else ""
    parts = (
        "Each strategy ran in a process of its own, in which what depends on the size of the board alone was prepared"
        f" before the clock started{'' if call else ' (mode warm)'}.",
        f"{call} (mode {facts.setting('mode')})." if call else "",
        f"Processes{' other than kept ones' if facts.persistent else ''} were started afresh for each repetition, and"
        f" solved {len(WARM_UP_FORMS)} forms that are not timed before the first measurement.",
    )
    return sentences(*parts)


def _limits(facts: Facts) -> str:
    reliable = facts.manifest.get("reliable", {})
    limit_s = float(facts.setting("timeout_s"))
    memory = facts.setting("memory_mib")
    wall_s = float(wall_limits_s(np.array([limit_s]))[0])
    if str(reliable.get("time_limit", "CPU")).startswith("CPU"):
        time = f"{seconds(limit_s)} of CPU time, with all processes that it started, and {seconds(wall_s)} of wall time"
    else:
        time = f"{seconds(limit_s)} of wall time"
    room = f", and to {memory:,} MiB of memory ({reliable.get('memory_limit', 'limited')})" if memory else ""
    caveats = "; ".join(reliable.get("best_effort", []))
    return sentences(
        f"A solve was limited to {time}{room}; beyond that it was ended.",
        f"On this system only as far as possible: {caveats}." if caveats else "",
    )


def _forms(facts: Facts) -> Iterator[str]:
    if facts.setting("isomorphs"):
        yield (
            "Each repetition solved another random isomorph of the puzzle (digits relabelled; rows, columns, bands and"
            " stacks permuted; transposed where boxes are square), the same for all strategies."
        )
    else:
        yield "The puzzles were solved as they are stored, the same grid in each repetition."
    yield _repetitions(facts)
    loops = _loops(facts)
    if loops and not facts.batch:
        each = listed(f"{number} on boards of {shape.replace('x', '×')}" for shape, number in loops.items())
        what = "different forms" if facts.setting("isomorphs") else "solves"
        chosen = "as given" if facts.setting("loops") else "so many that reading the clocks takes 1% at most"
        alone = " (one, for those that keep their process)" if facts.persistent else ""
        yield f"As single solves are short, a measurement is the mean over several {what}: {each}, {chosen}{alone}."


def _repetitions(facts: Facts) -> str:
    launches = int(facts.setting("launches"))
    each = "" if launches == 1 else f" in each of {launches} launches"
    spending = facts.manifest.get("settled", {}).get("spending")
    if spending:
        chosen = listed(f"{number} on {name}" for name, number in spending["repetitions"].items())
        return (
            f"The number of repetitions{each} followed from a budget of {facts.setting('budget')}: {chosen}; it was"
            " chosen by cost and spread in a pilot whose solves are not used, never by differences between strategies."
        )
    repetitions = int(facts.setting("repetitions"))
    return f"Every strategy solved every puzzle {'once' if repetitions == 1 else f'{repetitions} times'}{each}."


def _loops(facts: Facts) -> dict[str, int]:
    """Forms per measurement, by board, where there are several; boards from small to large."""
    loops = facts.manifest.get("settled", {}).get("loops", {})
    several = [(int(shape.partition("x")[0]), shape, number) for shape, number in loops.items() if number > 1]
    return {shape: number for _, shape, number in sorted(several)}


def _order(facts: Facts) -> str:
    seed, jobs = facts.suite.get("seed"), int(facts.setting("jobs"))
    by_seed = f" (seed {seed})" if seed is not None else ""
    side = (
        "one measurement at a time" if jobs == 1 else f"up to {jobs} measurements at a time, each on a core of its own"
    )
    pinned = ", with workers pinned to cores" if facts.setting("pin") != "off" else ""
    turns = ", and for each puzzle the strategies in random order one after the other" if len(facts.names) > 1 else ""
    return f"In each round the puzzles came in random order{turns}{by_seed}; {side}{pinned}."


def _clocks(facts: Facts) -> str:
    if facts.cold:
        clock = "Times are CPU time that the system charged the process and its descendants with."
    else:
        clock = (
            "Times are CPU time of the process with all its threads and descendants, for the whole solve: encoding,"
            " loading, searching, decoding and releasing."
        )
    by_wall = facts.run.pairs
    parallel = "" if by_wall.empty or not (by_wall["clock"] == "wall").any() else "wall"
    return sentences(
        clock,
        "Strategies that did several things at once are compared by wall time besides." if parallel else "",
        "Python's garbage collector was switched off." if facts.setting("gc") == "off" else "",
    )


def checking(facts: Facts) -> str:
    """What was done to know that answers are right."""
    decoys = facts.run.puzzles["decoy"].notna().sum() if "decoy" in facts.run.puzzles else 0
    unverified = facts.with_status("unverified")
    hidden = (
        f"Unannounced among the puzzles were {counted(int(decoys), 'decoy')}, copies with several solutions or none,"
        " whose times count nowhere; a false answer to one takes all times of a strategy out."
    )
    return sentences(
        "Every answer was checked when the clock had stopped: it must obey the rules and the clues, and have exactly as"
        " many solutions as the puzzle.",
        hidden if decoys else "",
        f"{counted(unverified, 'imported measurement')} came without an answer to check." if unverified else "",
    )


def machine(facts: Facts) -> str:
    """Where, when and with what it was measured, and what was amiss."""
    about, manifest = facts.manifest["machine"], facts.manifest
    cores = about.get("cores_logical")
    system = " ".join(str(about[key]) for key in ("distribution", "kernel") if about.get(key))
    virtual = (about.get("virtualisation") or {}).get("virtual")
    packages = {name: number for name, number in manifest.get("packages", {}).items() if number}
    git = manifest.get("git", {})
    commit = f" (commit {git['commit'][:12]}{' with changes' if git.get('dirty') else ''})" if git.get("commit") else ""
    hardware = (
        str(about.get("cpu") or "a processor that the system does not name"),
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
        *_amiss(facts),
    )


def _amiss(facts: Facts) -> Iterator[str]:
    looks, labels = facts.manifest.get("disturbance", []), {kind.name: kind.label for kind in disturbance.KINDS}
    watched, amiss = (sum(look[key] for look in looks) for key in ("seconds", "disturbed_s"))
    if looks and amiss:
        seen = {kind for look in looks for kind, found in look["kinds"].items() if found["disturbed_s"]}
        kinds = listed(label for kind, label in labels.items() if kind in seen)
        yield f"Counters of the system show a disturbance in {amiss / watched:.1%} of the time: {kinds}."
    elif looks:
        unseen = {kind for look in looks for kind, found in look["kinds"].items() if found["disturbed_s"] is None}
        unknown = [label for kind, label in labels.items() if kind in unseen - {disturbance.SIBLING.name}]
        rest = f"; they do not tell of {listed(unknown, 'or')}" if unknown else ""
        yield f"Counters of the system showed no disturbance in the {watched:,.0f} s of measuring{rest}."
    resumed = len(facts.manifest.get("resumed", []))
    if resumed:
        yield f"The run was interrupted and resumed ({counted(resumed, 'time')})."
    found, planned = len(facts.run.measurements), int(facts.manifest["planned_rows"])
    if found != planned:
        yield f"The run is incomplete: {found:,} of {planned:,} measurements were made."
