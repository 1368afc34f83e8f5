"""Runs for the tests of the page, and access to the data embedded in a page."""

from __future__ import annotations

import base64
import dataclasses
import gzip
import json
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.bench.page import document
from sudoku_bench.bench.verdicts.run_tables import Run
from tests.bench.figures.cases import simulated

SMALL = "..34.412.3..2..1"  # a board of 4×4
EVIL = (
    'evil:</script><script>window.hacked="a"</script>',
    "evil:<img src=x onerror=window.hacked=1>",
    "evil:\"'&amp;\u2028\u2029]]><!--",
    "evil:$script ${numbers} $$",
)
PACKED = r'<script type="application/gzip" id="{}">([A-Za-z0-9+/=]*)</script>'


def tried() -> Run:
    """Four strategies on three collections, the first of 4×4 boards; some time out."""
    run = simulated(puzzles=12, limit_s=0.02)
    small = run.puzzles["collection"] == "tier0"
    ratings = [">9.4", ">4.4", *run.puzzles["er"][2:]]
    puzzles = run.puzzles.assign(grid=run.puzzles["grid"].mask(small, SMALL), er=ratings)
    return dataclasses.replace(run, puzzles=puzzles)


def evil() -> Run:
    """A run whose title, strategies and collections are markup."""
    run = simulated(puzzles=6, collections=2)
    names = dict(zip(sorted(set(run.measurements["strategy"])), EVIL, strict=True))
    collections = {"tier0": EVIL[0], "tier1": EVIL[1]}
    measurements = run.measurements.replace({"strategy": names, "collection": collections})
    suite = run.manifest["suite"] | {"title": EVIL[1]}
    puzzles = run.puzzles.replace({"collection": collections})
    return Run(run.manifest | {"suite": suite}, measurements, puzzles)


def html(run: Run, **options: Any) -> str:
    """Return the page of a run."""
    return document.page(run, **options).decode()


def block(page: str, name: str) -> bytes:
    """Return the unpacked content of a block of a page."""
    [text] = re.findall(PACKED.format(name), page)
    return gzip.decompress(base64.b64decode(text))


def facts(page: str) -> dict[str, Any]:
    """Return the facts embedded in the page."""
    result: dict[str, Any] = json.loads(block(page, "facts"))
    return result


def times(page: str) -> NDArray[np.float32]:
    """Return the embedded times: the median of each strategy on each puzzle."""
    content = facts(page)
    shape = (len(content["strategies"]), len(content["rows"]["puzzle"]))
    return np.frombuffer(block(page, "numbers"), "<f4", count=int(np.prod(shape))).reshape(shape)
