"""One line where a cluster cannot be had, and what keeps Dask quiet."""

from __future__ import annotations

from importlib.util import find_spec
from unittest.mock import MagicMock

import pytest

from sudoku_bench.bench.run.cluster import connection, dask_engine
from sudoku_bench.bench.run.cluster.blocks import Block, Head
from sudoku_bench.bench.run.cluster.connection import Cluster, ClusterError, require_usable
from sudoku_bench.datasets.errors import InputError
from tests.bench.plan.test_plan import a_plan

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="the package distributed is not installed")


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "find_spec", lambda _name: None)
    with pytest.raises(InputError, match=r"--engine dask: the package distributed is missing; pip install"):
        require_usable(Cluster())


def test_a_scheduler_that_does_not_answer_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "CONNECT_S", 0.5)
    with (
        pytest.raises(InputError, match=r"--scheduler tcp://127\.0\.0\.1:1: cannot be reached") as refusal,
        connection.connected(Cluster("tcp://127.0.0.1:1")),
    ):
        pass
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("address", ["nonsense", "tcp://node1", "tcp://node1:port", "foo://node1:8786", ""])
def test_what_is_no_address_is_refused_in_one_line_before_anything_else(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError) as refused:
        require_usable(Cluster(scheduler=address))
    message = str(refused.value)
    assert message.startswith(f"--scheduler {address}: ")
    assert message.endswith("; an address is tcp://HOST:PORT")
    assert "\n" not in message


def test_a_block_whose_rows_are_lost_does_not_keep_a_run_waiting_without_workers(monkeypatch) -> None:
    monkeypatch.setattr(dask_engine, "LOOK_S", 0.01)
    client = MagicMock(status="running")
    client.scheduler_info.return_value = {"workers": {}}
    future = client.submit.return_value
    future.result.side_effect = TimeoutError
    future.add_done_callback.side_effect = lambda call: call(future)
    work = dask_engine.Work(client, Cluster("tcp://node1:8786", wait_s=0.05), Head("run", a_plan(), {}), print)
    work.submit(Block(1, (), 1, {}, 0.0))
    with pytest.raises(ClusterError, match=r"has had no workers for 0.05 s \(--wait\)"):
        work.next()
