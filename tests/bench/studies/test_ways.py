"""The order of encodings by way of loading follows from the clock that counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from bench.studies import ways
from bench.studies.grid import BLOCKS
from tests.bench.verdicts.simulated_runs import a_run

BLOCK = "ways-25x25"
PRODUCT = "complete+product"


def test_an_encoding_that_loads_fast_and_searches_slowly_is_first_and_last() -> None:
    encodings = BLOCKS[BLOCK].factors["encoding"]
    rng = np.random.default_rng(1)
    names = list(BLOCKS[BLOCK].cells)
    slow, fast = np.full((len(names), 18, 3), 2.0), np.full((len(names), 18, 3), 1.0)
    is_product = np.array([PRODUCT in name for name in names])[:, None, None]
    noise = np.exp(0.02 * rng.standard_normal(slow.shape))
    search_s = np.where(is_product, slow, fast) * noise
    run = a_run(np.where(is_product, fast, slow) * noise, names, np.ones(18), search_cpu_s=search_s.ravel())
    run = replace(run, manifest=run.manifest | {"planned_rows": len(run.measurements)})
    found = pd.DataFrame(ways.orders(run, BLOCK))
    assert len(found) == len(ways.WAYS) * len(encodings)
    ratios = found.set_index(["suffix", "clock", "encoding"])["ratio"].sort_index()
    for way in ways.WAYS:
        last = ratios[way.suffix, way.clock].idxmax()
        assert (last == PRODUCT) == (way.clock == ways.SEARCH)
        assert ratios[way.suffix, way.clock].min() == 1.0
    text = ways.markdown(found.assign(block=BLOCK), BLOCK)
    row = next(line for line in text.splitlines() if PRODUCT in line)
    assert row.count("**1.00**") == len(ways.WAYS) - 2
