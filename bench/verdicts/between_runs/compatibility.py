"""Whether two runs can be compared, and what a reader of the comparison must know.

Rejected: different tasks, modes or time limits, stored forms against random ones, different numbers of forms per
measurement, and no puzzle or no strategy in common. Reported as cautions: different machines,
software, puzzles or settings of the instrument, unverified answers, and disturbances.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sudoku_bench.bench.folder import disturbances, seal
from sudoku_bench.bench.folder.method import clock, has_limit, is_imported
from sudoku_bench.bench.folder.rows import FINISHED
from sudoku_bench.bench.verdicts.pairs import noise
from sudoku_bench.bench.verdicts.run_data import (
    ONE_SOLUTION,
    RunData,
    disqualified,
    of_strategies,
    unverified_answers,
    with_cpu_limit,
)
from sudoku_bench.datasets.errors import InputError

PUZZLE = ["collection", "puzzle"]
MUST_BE_EQUAL = {  # setting -> message if it differs
    "task": "one measured the task {0}, the other {1}",
    "mode": "one was measured in mode {0}, the other in mode {1}",
    "timeout_s": "the time limit was {0:g} s in one and {1:g} s in the other",
    "isomorphs": "one solved the stored forms only, the other random ones (--isomorphs)",
}
INSTRUMENT = ("memory_mib", "gc", "pin", "jobs")  # settings that may affect times
MACHINE = ("cpu", "cores_logical", "cores_usable", "kernel")
BUILD = ("python_implementation", "python_build", "environment")  # properties of Python, beside its version

# By how much other strategies in turn change a strategy's times, at most (``python -m studies company``; "Lead-in" in
# docs/methodology/order-and-forms.md): those of solves from ``SLOW_S`` on, of shorter ones, and of solves of a run of
# an earlier version, which had no lead-in.
COMPANY, FAST_COMPANY, COMPANY_BEFORE = 1.1, 1.25, 2.0
SLOW_S = 0.1e-3

Names = tuple[str, str]
Company = tuple[list[str], list[str]]


@dataclass(frozen=True)
class RunPair:
    """Two runs to compare.

    Attributes:
        old, new: the runs; names: their names, for messages.
        rows: counted rows of each run, on the puzzles that both measured.
        n_puzzles: number of counted puzzles in the old run, in the new run, and in both.
        company: strategies that only the old run measured, and those that only the new one did.
    """

    old: RunData
    new: RunData
    names: Names
    rows: tuple[pd.DataFrame, pd.DataFrame]
    n_puzzles: tuple[int, int, int]
    company: Company

    @classmethod
    def of(cls, old: RunData, new: RunData, names: Names, whole: Company | None = None) -> RunPair:
        """Return two runs with their rows on common puzzles.

        Args:
            whole: the company in the whole runs, if these are parts of them.
        """
        rows = counted_rows(old), counted_rows(new)
        keys = [_puzzles(run, run_rows) for run, run_rows in zip((old, new), rows, strict=True)]
        shared = keys[0].intersection(keys[1]).droplevel("grid")
        common = [
            run_rows[pd.MultiIndex.from_frame(run_rows[PUZZLE]).isin(shared)] if len(shared) < len(key) else run_rows
            for run_rows, key in zip(rows, keys, strict=True)
        ]
        return cls(
            old,
            new,
            names,
            (common[0], common[1]),
            (len(keys[0]), len(keys[1]), len(shared)),
            whole or company(old, new),
        )


def company(old: RunData, new: RunData) -> Company:
    """Return the strategies that only the old run measured, and those that only the new one did, sorted."""
    before, after = (set(of_strategies(run.measurements)["strategy"]) for run in (old, new))
    return sorted(before - after), sorted(after - before)


def allowed_change(runs: RunPair, strategy: str, collection: str) -> float:
    """Return the factor by which a strategy's times may differ because other strategies took turns with it; 1: none."""
    if not any(runs.company) or any(is_imported(run.manifest) for run in (runs.old, runs.new)):
        return 1.0
    parts = [rows[(rows["strategy"] == strategy) & (rows["collection"] == collection)] for rows in runs.rows]
    if not all(part["lead_in"].notna().any() for part in parts):
        return COMPANY_BEFORE
    return FAST_COMPANY if any(part["cpu_s"].median() < SLOW_S for part in parts) else COMPANY


def counted_rows(run: RunData) -> pd.DataFrame:
    """Return the rows of strategies on puzzles with one possible answer, with the CPU limit in ``limit_s``.

    Unlike ``RunData.comparable`` it includes strategies with wrong answers or unsupported puzzles.

    Raises:
        InputError: a finished solve took no time at all.
    """
    rows = of_strategies(with_cpu_limit(run))
    rows = rows[rows["decoy"].isna()]
    if (rows["status"].isin(FINISHED) & (rows[["cpu_s", "wall_s"]].min(axis=1) <= 0)).any():
        raise InputError("a finished solve took 0 s: the clock is too coarse; measure with more --loops")
    single = run.puzzles["solutions"] == 1
    if run.manifest["suite"]["task"] in ONE_SOLUTION and not single.all():
        rows = rows.merge(run.puzzles.loc[single, PUZZLE], on=PUZZLE)
    return rows


def _puzzles(run: RunData, rows: pd.DataFrame) -> pd.MultiIndex:
    """Return collection, name and grid of the puzzles in these rows."""
    puzzles = run.puzzles.reindex(columns=[*PUZZLE, "grid"]).astype(object)
    in_rows = pd.MultiIndex.from_frame(rows[PUZZLE].drop_duplicates())
    return pd.MultiIndex.from_frame(puzzles[pd.MultiIndex.from_frame(puzzles[PUZZLE]).isin(in_rows)].fillna(""))


def require_comparable(runs: RunPair) -> None:
    """Check that two runs measured the same thing.

    Raises:
        InputError: they did not.
    """
    prefix = f"{runs.names[0]} and {runs.names[1]} cannot be compared"
    for setting, message in MUST_BE_EQUAL.items():
        a, b = (run.manifest["suite"].get(setting) for run in (runs.old, runs.new))
        without_limit = not any(has_limit(run.manifest) for run in (runs.old, runs.new))
        if a != b and not (setting == "timeout_s" and without_limit):
            raise InputError(f"{prefix}: {message.format(a, b)}; measure both with the same settings")
    if clock(runs.old.manifest) != clock(runs.new.manifest):
        raise InputError(f"{prefix}: one was imported with wall times only; import both, or measure both")
    if not runs.n_puzzles[2]:
        raise InputError(f"{prefix}: they have no puzzle in common; measure both with the same -d and --limit")
    if not set(runs.rows[0]["strategy"]) & set(runs.rows[1]["strategy"]):
        raise InputError(f"{prefix}: they have no strategy in common; for two plug-in files use run --versions")
    _require_equal_samples(runs, prefix)


def _require_equal_samples(runs: RunPair, prefix: str) -> None:
    """Check that samples are means of equally many forms, measured alike; those of imported runs are of one form."""
    if all(is_imported(run.manifest) for run in (runs.old, runs.new)):
        return
    keys = [*PUZZLE, "strategy", "loops"]
    loops = [rows[keys].drop_duplicates(keys[:-1]) for rows in runs.rows]
    pairs = loops[0].merge(loops[1], on=keys[:-1]).dropna()
    different = pairs[pairs["loops_x"] != pairs["loops_y"]]
    if len(different):
        a, b = different[["loops_x", "loops_y"]].iloc[0]
        raise InputError(
            f"{prefix}: a measurement is the mean of {a:g} forms in one and of {b:g} in the other, and means of more"
            f" forms have a different distribution; measure both with --loops {max(a, b):g}"
        )
    led_in = [rows["lead_in"].notna().any() for rows in runs.rows]
    if led_in[0] != led_in[1]:
        raise InputError(
            f"{prefix}: strategies were led in before each measurement in only one of them, which saves them the cost"
            " of cold caches; measure both with the same version"
        )


def unchanged(runs: RunPair, strategies: Sequence[str]) -> list[str]:
    """Return those of some strategies that can represent the machines: no difference of their programs is known.

    Nothing is known of the programs of imported runs.
    """
    if any(is_imported(run.manifest) for run in (runs.old, runs.new)):
        return []
    before, after = (run.manifest.get("machine", {}) for run in (runs.old, runs.new))
    if next(_different(before, after, ["python", *BUILD]), None):
        return []
    wrong = {*disqualified(runs.old.measurements), *disqualified(runs.new.measurements)}
    unsupported = {name for rows in runs.rows for name in rows.loc[rows["status"] == "unsupported", "strategy"]}
    manifests = runs.old.manifest, runs.new.manifest
    return [name for name in strategies if name not in wrong | unsupported and not _program_changes(*manifests, name)]


def _program_changes(old: Mapping[str, Any], new: Mapping[str, Any], strategy: str) -> str:
    """Return the known differences between a strategy's programs in the two runs, as text; empty if none."""
    entries: list[Mapping[str, Any]] = [
        next((entry for entry in manifest.get("strategies", []) if entry["name"] == strategy), {})
        for manifest in (old, new)
    ]
    if entries[0].get("plugin_sha256") != entries[1].get("plugin_sha256"):
        return "its plug-in file was changed"
    packages = [*entries[0].get("requires", []), *entries[1].get("requires", [])]
    changes = [line for line in _package_changes(old, new) if line.partition(" ")[0] in packages]
    return ", ".join(changes)


def machine_changes(runs: RunPair) -> list[str]:
    """Return what differs between the machines of two runs; nothing if they are the same, as far as is known."""
    before, after = (run.manifest.get("machine", {}) for run in (runs.old, runs.new))
    changes = _changes(before, after, MACHINE)
    hosts = [set(run.measurements["host"].dropna()) for run in (runs.old, runs.new)]
    return changes or (["another host of the same kind"] if hosts[0] != hosts[1] else [])


def cautions(runs: RunPair) -> list[str]:
    """Return what a reader of the comparison must know, a line each."""
    manifests = runs.old.manifest, runs.new.manifest
    before, after = (manifest.get("machine", {}) for manifest in manifests)
    lines = []
    if changes := machine_changes(runs):
        lines.append(f"the machines differ: {'; '.join(changes)}")
    software = _changes(before, after, ["python"]) + [key.replace("_", " ") for key in _different(before, after, BUILD)]
    if software := [*software, *_package_changes(*manifests)]:
        lines.append("the software differs: " + "; ".join(software))
    commits = [_text(manifest.get("git", {}).get("commit"))[:12] for manifest in manifests]
    codes = [", ".join(manifest.get("code", [])) for manifest in manifests]
    differing = codes if all(codes) else commits
    if differing[0] != differing[1]:
        kind, (old, new) = ("commit", commits) if commits[0] != commits[1] else ("code", codes)
        lines.append(f"sudoku-bench itself differs: {kind} {old} → {new}")
    plugins = [{e["name"]: e.get("plugin_sha256") for e in manifest.get("strategies", [])} for manifest in manifests]
    changed = (name for name, sha256 in plugins[1].items() if plugins[0].get(name, sha256) != sha256)
    lines += [f"{name}: its plug-in file was changed" for name in changed]
    in_old, in_new, in_both = runs.n_puzzles
    if in_old != in_both or in_new != in_both:
        lines.append(f"only the {in_both} puzzles that both measured are compared, of {in_old} and {in_new}")
    for name, only in zip(runs.names, runs.company, strict=True):
        lines += [f"only in {name}: {', '.join(only)}"] if only else []
    if any(runs.company) and not any(map(is_imported, manifests)):
        lines.append(
            "the runs differ in strategies, which take turns and change each other's times: no change is claimed that"
            f" this can explain (×{COMPANY:g}; ×{FAST_COMPANY:g} for solves below {1e3 * SLOW_S:g} ms)"
        )
    if settings := _changes(runs.old.manifest["suite"], runs.new.manifest["suite"], INSTRUMENT):
        lines.append("settings differ: " + ", ".join(settings))
    return lines + _of_run(runs.old, runs.names[0]) + _of_run(runs.new, runs.names[1])


def _of_run(run: RunData, name: str) -> list[str]:
    lines = [f"{name}: {note}" for note in seal.note(run.edited)]
    if run.manifest.get("complete") is False:
        lines.insert(0, f"{name} is not complete; incomplete launches do not count")
    if unverified := unverified_answers(run.measurements):
        lines.append(f"{name} has {unverified:,} measurements whose answer was not verified")
    placebos = noise.table(run.measurements)
    if told := disturbances.words(run.manifest):
        lines.append(f"{name}: {told}")
    if differing := ", ".join(placebos.loc[placebos["differs"] == "yes", "strategy"]):
        lines.append(f"{name}: a placebo differs from its strategy ({differing})")
    return lines


def _package_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    before, after = (manifest.get("packages", {}) for manifest in (old, new))
    return _changes(before, after, [name for name in before if name in after])


def _changes(old: Mapping[str, Any], new: Mapping[str, Any], keys: Sequence[str]) -> list[str]:
    """Return the changed values, each as ``key old → new``."""
    return [f"{key} {_text(old.get(key))} → {_text(new.get(key))}" for key in _different(old, new, keys)]


def _different(old: Mapping[str, Any], new: Mapping[str, Any], keys: Sequence[str]) -> Iterator[str]:
    return (key for key in keys if old.get(key) != new.get(key))


def _text(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text(item)}" for key, item in value.items() if item is not None) or "none"
    return "not known" if value is None else str(value)


def same_forms(old: pd.DataFrame, new: pd.DataFrame, seeds: tuple[object, object]) -> bool:
    """Return whether both runs solved the same forms in the same launches; a form depends on seed, grid and number."""
    keys = [*PUZZLE, "strategy", "launch", "repetition"]
    both = old[[*keys, "isomorph"]].merge(new[[*keys, "isomorph"]], on=keys, suffixes=("_old", "_new"))
    repetitions = [part["repetition"].nunique() for part in (old, new)]
    same_numbers = bool((both["isomorph_old"] == both["isomorph_new"]).all())
    all_stored = bool((both["isomorph_old"] == 0).all())  # the stored form does not depend on the seed
    return same_numbers and repetitions[0] == repetitions[1] and (seeds[0] == seeds[1] or all_stored)
