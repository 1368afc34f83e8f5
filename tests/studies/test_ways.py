"""The order of encodings by way of loading: who is first, tied and last under each way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from studies import ways
from studies.document import region
from studies.grid import BLOCKS, FASTEST, SLOWER, TIED
from studies.grid_numbers import PAGE, Grid
from tests.bench.verdicts.simulated_runs import a_run

BLOCK = "ways-25x25"
PRODUCT = "complete+product"


def test_an_encoding_that_is_slow_as_a_file_only_is_last_there_only() -> None:
    names = list(BLOCKS[BLOCK].cells)
    is_slow = np.array([PRODUCT in name and "@/" in name for name in names])[:, None, None]
    is_fast = np.array([PRODUCT in name and "@/" not in name for name in names])[:, None, None]
    noise = np.exp(0.02 * np.random.default_rng(1).standard_normal((len(names), 18, 3)))
    run = a_run(np.where(is_slow, 4.0, np.where(is_fast, 1.0, 2.0)) * noise, names, np.ones(18))
    run = replace(run, manifest=run.manifest | {"planned_rows": len(run.measurements)})
    found = pd.DataFrame(ways.orders(run, BLOCK)).assign(block=BLOCK)
    assert len(found) == len(ways.WAYS) * len(BLOCKS[BLOCK].factors["encoding"])
    lines = ways.markdown(found).splitlines()[2:]
    for (suffix, reader), line in zip(ways.WAYS.items(), lines, strict=True):
        order = found[found["suffix"] == suffix].set_index("encoding")["behind"]
        assert order.min() == 1.0
        assert line.startswith(f"| {reader}, `{suffix.rpartition('@')[2]}` | **`{order.idxmin()}`**")
        assert (order.idxmin() == PRODUCT) == (reader != "DIMACS")
        assert (f"; last `{PRODUCT}` (2.0" in line) == (reader == "DIMACS")


def test_what_no_verdict_puts_behind_is_tied_only_if_it_is_near() -> None:
    order = pd.DataFrame(
        [
            {"encoding": "a", "behind": 1.0, "standing": FASTEST},
            {"encoding": "b", "behind": 1.3, "standing": TIED},
            {"encoding": "c", "behind": 1.04, "standing": TIED},
            {"encoding": "d", "behind": np.nan, "behind_at_least": 7.0, "standing": SLOWER},
        ]
    )
    assert ways.cell(order) == "**`a`**, `c` (1.04); last `d` (at least 7.0)"


def test_the_page_shows_the_stored_orders() -> None:
    assert region(PAGE, "ways") == ways.markdown(Grid().ways)
