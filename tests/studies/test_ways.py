"""The order of encodings by way of loading follows from the clock that counts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from studies import ways
from studies.document import region
from studies.grid import BLOCKS, FASTEST, SLOWER, TIED
from studies.grid_numbers import PAGE, Grid
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
    ratios = found.set_index(["suffix", "clock", "encoding"])["behind"].sort_index()
    lines = ways.markdown(found.assign(block=BLOCK)).splitlines()[2:]
    for way, line in zip(ways.WAYS, lines, strict=True):
        order = ratios[way.suffix, way.clock]
        assert order.min() == 1.0
        assert (order.idxmax() == PRODUCT) == (way.clock == ways.SEARCH)
        assert line.startswith(f"| {way.reader}, `{way.suffix.rpartition('@')[2]}` | **`{order.idxmin()}`**")
        assert (f"; last `{PRODUCT}` (2.0" in line) == (way.clock == ways.SEARCH)
        assert f"last `{order.idxmin()}`" not in line


def test_what_no_verdict_puts_behind_is_tied_only_if_its_interval_comes_near() -> None:
    order = pd.DataFrame(
        [
            {"encoding": "a", "behind": 1.0, "standing": FASTEST},
            {"encoding": "b", "behind": 1.3, "behind_lo": 1.2, "standing": TIED},
            {"encoding": "c", "behind": 1.04, "behind_lo": 0.9, "standing": TIED},
            {"encoding": "d", "behind": np.nan, "behind_lo": np.nan, "behind_at_least": 7.0, "standing": SLOWER},
        ]
    )
    assert ways.cell(order) == "**`a`**, `c` (1.04); too uncertain `b` (1.30); last `d` (at least 7.0)"


@pytest.mark.skipif(Grid().ways.empty, reason="not measured yet")
def test_the_page_shows_the_stored_orders() -> None:
    assert region(PAGE, "ways") == ways.markdown(Grid().ways)
