"""One line where a cluster cannot be had, and what keeps Dask quiet."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from sudoku_bench.bench.run.cluster import connection
from sudoku_bench.bench.run.cluster.connection import Cluster, require_usable
from sudoku_bench.datasets.errors import InputError

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
