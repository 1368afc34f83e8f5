"""The catalogue of faults: ``make faults``.

Everything that can go wrong with strategies, files, memory, disks and interrupts is made to happen on this machine, and
one line for each says whether the promise held. The single faults are those of the tests; random edits of a run folder
and random input to the readers come on top.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from bench.studies import document, edits
from bench.worker.clocks import wall_s
from datasets.errors import InputError
from datasets.reading import reader

CATALOGUE = {  # tests, by what they make happen
    "A strategy that misbehaves": ("bench/run/test_runner_faults.py", "bench/process/test_watch_limits.py"),
    "A strategy whose reported time is false": ("bench/run/test_runner_cheats.py", "bench/run/test_clock_check.py"),
    "An external program that misbehaves": ("bench/run/test_runner_external.py",),
    "Interrupts, kill -9 and full disks": ("bench/run/test_runner_crash.py", "bench/folder/test_store.py"),
    "Workers that cannot be started": ("bench/process/test_worker_process.py",),
    "Edited and damaged run folders": ("bench/folder/test_folder_edited.py", "bench/folder/test_manifest.py"),
    "Names and text of others": ("bench/test_bench_text_of_others.py", "datasets/test_errors.py"),
    "Files that are no puzzles": ("datasets/reading/test_reader.py", "datasets/reading/test_sources.py"),
}
EDITED_ROWS = 120
REFERENCE = document.TOP / "results" / "reference"
HELD, FAILED = "held", "FAILED"
SIGNS = (b"1", b".", b"0", b",", b"\n", b"[", b"{", b'"', b"]", b"}", b":", b"#", b"  ", b"A")
PIECES = (*SIGNS, b"\x00", b"\xff", b"puzzle")  # of random inputs


@dataclass(frozen=True)
class Outcome:
    """A line of the catalogue: what was tried, whether the promise held, and how long it took."""

    name: str
    held: bool
    seconds: float

    def __str__(self) -> str:
        return f"  {HELD if self.held else FAILED:6}  {self.seconds:6.1f} s  {self.name}"


def tried(tests: tuple[str, ...]) -> Iterator[Outcome]:
    """Run tests; yield the outcome of each."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        paths = [str(document.TOP / "tests" / name) for name in tests]
        command = [sys.executable, "-m", "pytest", "-q", f"--junit-xml={report}", *paths]
        subprocess.run(command, cwd=document.TOP, capture_output=True, check=False)
        for case in ElementTree.parse(report).iter("testcase"):
            failed = case.find("failure") is not None or case.find("error") is not None
            if case.find("skipped") is None:
                yield Outcome(case.get("name", "").removeprefix("test_").replace("_", " "), not failed, seconds(case))


def seconds(case: ElementTree.Element) -> float:
    return float(case.get("time", 0.0))


def edited_folders(number: int, seed: int) -> Outcome:
    """Edit a run folder at random, again and again; read it and compute its tables each time."""
    rng, counts, start_s = random.Random(seed), Counter[str](), wall_s()
    with tempfile.TemporaryDirectory() as top:
        whole, edited = Path(top) / "run", Path(top) / "edited"
        edits.copy_part(REFERENCE, whole, EDITED_ROWS)
        for _ in range(number):
            edits.renew(whole, edited)
            for _ in range(rng.choice((1, 1, 3))):
                edits.random_edit(edited, rng)
            counts[kind_of(edited)] += 1
    tracebacks = [f"{times} {kind}" for kind, times in counts.items() if kind not in ("read", "refused")]
    name = f"{number} random edits: {counts['refused']} refused in one line, {counts['read']} read"
    return Outcome(", ".join([name, *tracebacks]), not tracebacks, wall_s() - start_s)


def kind_of(folder: Path) -> str:
    """Read an edited folder: ``read``, ``refused``, or the exception that it ended in."""
    try:
        return "refused" if edits.refusal(folder) else "read"
    except Exception as error:
        return type(error).__name__


def random_inputs(number: int, seed: int) -> Outcome:
    """Read random bytes as puzzles, of all kinds that the readers know."""
    rng, counts, start_s = random.Random(seed), Counter[str](), wall_s()
    longest_s, before_kib = 0.0, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"input{suffix}" for suffix in (".txt", ".csv", ".json", ".jsonl", ".sdk", ".gz")]
        for _ in range(number):
            path = rng.choice(paths)
            path.write_bytes(b"".join(rng.choices(PIECES, k=rng.randrange(1, 200))))
            began_s = wall_s()
            counts[kind_of_input(path)] += 1
            longest_s = max(longest_s, wall_s() - began_s)
    grown_mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before_kib) / 1024
    tracebacks = [f"{times} {kind}" for kind, times in counts.items() if kind not in ("read", "refused")]
    name = (
        f"{number} random inputs: {counts['refused']} refused, {counts['read']} read; the slowest took"
        f" {longest_s * 1e3:.0f} ms, memory grew by {grown_mib:.0f} MiB"
    )
    return Outcome(", ".join([name, *tracebacks]), not tracebacks, wall_s() - start_s)


def kind_of_input(path: Path) -> str:
    try:
        for _ in reader.read_file(path):
            pass
    except InputError:
        return "refused"
    except Exception as error:
        return type(error).__name__
    return "read"


def main(arguments: list[str] | None = None) -> int:
    """Print the catalogue; 1 if a promise did not hold."""
    parser = argparse.ArgumentParser(prog="python -m bench.studies.faults", description=__doc__)
    parser.add_argument("--edits", type=int, default=10_000, metavar="N", help="random edits of a run folder")
    parser.add_argument("--inputs", type=int, default=1_000_000, metavar="N", help="random inputs to the readers")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    outcomes: list[Outcome] = []
    for title, tests in CATALOGUE.items():
        print(f"{title}:", flush=True)
        for outcome in tried(tests):
            outcomes.append(outcome)
            print(outcome, flush=True)
    print("Random edits and inputs:", flush=True)
    for outcome in (edited_folders(options.edits, options.seed), random_inputs(options.inputs, options.seed)):
        outcomes.append(outcome)
        print(outcome, flush=True)
    failed = sum(not outcome.held for outcome in outcomes)
    print(f"{len(outcomes) - failed} of {len(outcomes)} held")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
