"""Do two runs answer the same question? What makes a comparison of them meaningless is refused, what a reader must know
when reading it is said.

Refused: another task, mode or time limit, stored forms against random ones, another number of forms per measurement,
no puzzle or no strategy in common, and anchors that cannot serve. Said: other machines, other software, other puzzles,
other settings of the instrument, disturbances.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from bench.verdicts.pairs import noise
from bench.verdicts.run_data import ONE_SOLUTION, RunData, of_strategies, with_cpu_limit, wrong_answers
from datasets.errors import InputError

PUZZLE = ["collection", "puzzle"]
SAME_QUESTION = {  # setting -> what to say of it
    "task": "one asked for {0}, the other for {1}",
    "mode": "one was measured in mode {0}, the other in mode {1}",
    "timeout_s": "the time limit was {0:g} s in one and {1:g} s in the other",
    "isomorphs": "one solved the stored forms only, the other random ones (--isomorphs)",
}
INSTRUMENT = ("memory_mib", "gc", "pin", "jobs")  # settings that may move times
MACHINE = ("cpu", "cores_logical", "cores_usable", "kernel", "virtualisation")
SOFTWARE = ("python", "python_implementation", "python_build", "environment")

Names = tuple[str, str]


@dataclass(frozen=True)
class Both:
    """Two runs side by side.

    Attributes:
        old, new: the runs; names: of them, for messages.
        rows: what counts of either run, on the puzzles that both measured.
        numbers: of puzzles that count, in either run and in both.
    """

    old: RunData
    new: RunData
    names: Names
    rows: tuple[pd.DataFrame, pd.DataFrame]
    numbers: tuple[int, int, int]

    @classmethod
    def of(cls, old: RunData, new: RunData, names: Names) -> Both:
        rows = measured(old), measured(new)
        keys = [_puzzles(run, own) for run, own in zip((old, new), rows, strict=True)]
        shared = keys[0].intersection(keys[1]).droplevel("grid")
        kept = [
            own[pd.MultiIndex.from_frame(own[PUZZLE]).isin(shared)] if len(shared) < len(key) else own
            for own, key in zip(rows, keys, strict=True)
        ]
        return cls(old, new, names, (kept[0], kept[1]), (len(keys[0]), len(keys[1]), len(shared)))


def measured(run: RunData) -> pd.DataFrame:
    """The rows that count in a comparison: of strategies, on puzzles of which any answer is the answer; with the limit
    of CPU time in ``limit_s``.

    Raises:
        InputError: a finished solve took no time at all.
    """
    rows = of_strategies(with_cpu_limit(run))
    rows = rows[rows["decoy"].isna()]
    if ((rows["status"] == "solved") & (rows[["cpu_s", "wall_s"]].min(axis=1) <= 0)).any():
        raise InputError("a finished solve took 0 s: the clock is too coarse; measure with more --loops")
    single = run.puzzles["solutions"] == 1
    if run.manifest["suite"]["task"] in ONE_SOLUTION and not single.all():
        rows = rows.merge(run.puzzles.loc[single, PUZZLE], on=PUZZLE)
    return rows


def _puzzles(run: RunData, rows: pd.DataFrame) -> pd.MultiIndex:
    """Collection, name and grid of the puzzles in these rows."""
    known = run.puzzles.reindex(columns=[*PUZZLE, "grid"]).astype(object)
    there = pd.MultiIndex.from_frame(rows[PUZZLE].drop_duplicates())
    return pd.MultiIndex.from_frame(known[pd.MultiIndex.from_frame(known[PUZZLE]).isin(there)].fillna(""))


def must_be_comparable(both: Both) -> None:
    """Refuse two runs that did not answer the same question.

    Raises:
        InputError: they did not.
    """
    here = f"{both.names[0]} and {both.names[1]} cannot be compared"
    for setting, words in SAME_QUESTION.items():
        a, b = (run.manifest["suite"].get(setting) for run in (both.old, both.new))
        if a != b:
            raise InputError(f"{here}: {words.format(a, b)}; measure both alike")
    if not both.numbers[2]:
        raise InputError(f"{here}: they have no puzzle in common; measure both with the same -d and --limit")
    if not set(both.rows[0]["strategy"]) & set(both.rows[1]["strategy"]):
        raise InputError(f"{here}: they have no strategy in common; for two plug-in files use --interleave")
    keys = [*PUZZLE, "strategy", "loops"]
    loops = [rows[keys].drop_duplicates(keys[:-1]) for rows in both.rows]
    pairs = loops[0].merge(loops[1], on=keys[:-1]).dropna()
    different = pairs[pairs["loops_x"] != pairs["loops_y"]]
    if len(different):
        a, b = different[["loops_x", "loops_y"]].iloc[0]
        raise InputError(
            f"{here}: a measurement was the mean of {a:g} forms in one and of {b:g} in the other, and means of more"
            f" forms have another distribution; measure both with --loops {max(a, b):g}"
        )


def must_be_anchors(both: Both, anchors: Sequence[str]) -> None:
    """Refuse anchors that do not stand for the machines.

    Raises:
        InputError: one is not in both runs, was wrong, or is not the same program in both.
    """
    for anchor in anchors:
        for run, rows, name in zip((both.old, both.new), both.rows, both.names, strict=True):
            own = rows[rows["strategy"] == anchor]
            if own.empty:
                raise InputError(f"{name}: the anchor {anchor} was not measured there; name one that both runs have")
            if anchor in wrong_answers(run.measurements) or (own["status"] == "unsupported").any():
                raise InputError(f"{name}: the anchor {anchor} was wrong or unsupported there; name another")
        changed = _program_changes(both.old.manifest, both.new.manifest, anchor)
        if changed:
            raise InputError(f"the anchor {anchor} is not the same program in both runs: {changed}; name another")


def _program_changes(old: Mapping[str, Any], new: Mapping[str, Any], strategy: str) -> str:
    """What tells a strategy's program in one run from that in the other, in words; empty for nothing known."""
    entries: list[Mapping[str, Any]] = [
        next((entry for entry in manifest.get("strategies", []) if entry["name"] == strategy), {})
        for manifest in (old, new)
    ]
    if entries[0].get("plugin_sha256") != entries[1].get("plugin_sha256"):
        return "its plug-in file was changed"
    packages = [*entries[0].get("requires", []), *entries[1].get("requires", [])]
    changes = [line for line in _package_changes(old, new) if line.partition(" ")[0] in packages]
    return ", ".join(changes)


def cautions(both: Both, anchors: Sequence[str]) -> list[str]:
    """What a reader of the comparison must know, a line each."""
    old, new = both.old, both.new
    found = [
        *_of_machines(old, new, anchors),
        *_of_software(old.manifest, new.manifest),
        *_of_contents(both),
        *_of_settings(old.manifest["suite"], new.manifest["suite"]),
    ]
    for run, name in zip((old, new), both.names, strict=True):
        if run.manifest.get("complete") is False:
            found.append(f"{name} is not complete; launches that are not whole do not count")
        table = noise.table(run.measurements)
        disturbed = ", ".join(table.loc[table["disturbed"] == "yes", "strategy"])
        if disturbed:
            found.append(f"{name} was disturbed: a placebo differs from its strategy ({disturbed})")
    return found


def _of_machines(old: RunData, new: RunData, anchors: Sequence[str]) -> Iterator[str]:
    before, after = (run.manifest.get("machine", {}) for run in (old, new))
    differ = [f"{key} {_said(before.get(key))} → {_said(after.get(key))}" for key in _unlike(before, after, MACHINE)]
    hosts = [set(run.measurements["host"].dropna()) for run in (old, new)]
    if not differ and hosts[0] == hosts[1]:
        return
    yield "the machines differ: " + ("; ".join(differ) or "another host of the same kind")
    if not anchors:
        yield "without --anchor a ratio is of strategy and machine together"
    elif len(anchors) == 1:
        yield "one anchor cannot say how differently the machines suit different strategies; name two or more"


def _of_software(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    before, after = (manifest.get("machine", {}) for manifest in (old, new))
    differ = [
        f"{key} {_said(before.get(key))} → {_said(after.get(key))}" if key == "python" else key.replace("_", " ")
        for key in _unlike(before, after, SOFTWARE)
    ]
    differ += _package_changes(old, new)
    if differ:
        yield "the software differs: " + "; ".join(differ)
    commits = [manifest.get("git", {}).get("commit") for manifest in (old, new)]
    if commits[0] != commits[1]:
        yield f"sudoku-bench itself differs: commit {_said(commits[0])[:12]} → {_said(commits[1])[:12]}"
    for entry in new.get("strategies", []):
        before = [e for e in old.get("strategies", []) if e["name"] == entry["name"]]
        if before and before[0].get("plugin_sha256") != entry.get("plugin_sha256"):
            yield f"{entry['name']}: its plug-in file was changed"


def _package_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    before, after = (manifest.get("packages", {}) for manifest in (old, new))
    differ = _unlike(before, after, [name for name in before if name in after])
    return [f"{name} {_said(before[name])} → {_said(after[name])}" for name in differ]


def _of_contents(both: Both) -> Iterator[str]:
    in_old, in_new, shared = both.numbers
    if in_old != shared or in_new != shared:
        yield f"only the {shared} puzzles that both measured are compared, of {in_old} and {in_new}"
    strategies = [set(rows["strategy"]) for rows in both.rows]
    for own, other, name in ((0, 1, both.names[0]), (1, 0, both.names[1])):
        only = sorted(strategies[own] - strategies[other])
        if only:
            yield f"only in {name}: {', '.join(only)}"


def _of_settings(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    differ = [f"{key} {_said(old.get(key))} → {_said(new.get(key))}" for key in _unlike(old, new, INSTRUMENT)]
    if differ:
        yield "settings differ: " + ", ".join(differ)


def _unlike(old: Mapping[str, Any], new: Mapping[str, Any], keys: Sequence[str]) -> Iterator[str]:
    return (key for key in keys if old.get(key) != new.get(key))


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_said(own)}" for key, own in value.items() if own is not None) or "none"
    return "not known" if value is None else str(value)


def same_forms(old: pd.DataFrame, new: pd.DataFrame, seeds: tuple[object, object]) -> bool:
    """Did both runs solve the same forms in the same launches? A form depends on seed, grid and number."""
    keys = [*PUZZLE, "strategy", "launch", "repetition"]
    both = old[[*keys, "isomorph"]].merge(new[[*keys, "isomorph"]], on=keys, suffixes=("_old", "_new"))
    repetitions = [part["repetition"].nunique() for part in (old, new)]
    alike = bool((both["isomorph_old"] == both["isomorph_new"]).all())
    stored = bool((both["isomorph_old"] == 0).all())  # which no seed changes
    return alike and repetitions[0] == repetitions[1] and (seeds[0] == seeds[1] or stored)
