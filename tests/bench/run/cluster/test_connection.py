"""Job scripts of batch queues as dask-jobqueue writes them, and one line where a cluster cannot be had."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import pytest

from bench.plan import suite
from bench.run.cluster import connection
from bench.run.cluster.connection import Cluster, batch_cluster, require_usable
from datasets.errors import InputError
from tests.conftest import TOP

pytest.importorskip("distributed")
EXAMPLE = TOP / "docs" / "cluster.toml"


def script(tmp_path: Path, text: str) -> str:
    pytest.importorskip("dask_jobqueue")
    path = tmp_path / "own.toml"
    path.write_text(text, encoding="utf-8")
    batch = suite.read(path).cluster
    assert batch is not None
    cluster = batch_cluster(batch)
    try:
        return str(cluster.job_script())
    finally:
        cluster.close()


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_the_slurm_example_asks_for_whole_nodes_with_one_measurement_per_core(tmp_path: Path) -> None:
    text = script(tmp_path, EXAMPLE.read_text(encoding="utf-8"))
    for line in ("#SBATCH -p compute", "#SBATCH -A sudoku", "#SBATCH --cpus-per-task=32", "#SBATCH -t 04:00:00"):
        assert line in text.splitlines()
    for directive in ("--exclusive", "--hint=nomultithread"):
        assert f"#SBATCH {directive}" in text.splitlines()
    for line in connection.quiet_lines():
        assert text.index("module load python/3.11") < text.index(line)
    worker = text.splitlines()[-1]
    assert re.search(r"dask[_ ]worker|distributed\.cli\.dask_worker", worker)
    for words in ("--nthreads 1 ", "--nworkers 32 ", "--resources measurement=1"):
        assert words in f"{worker} "


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.parametrize(
    ("kind", "line"),
    [("pbs", "#PBS -q short"), ("sge", "#$ -q short"), ("lsf", "#BSUB -q short"), ("htcondor", "RequestCpus = ")],
)
def test_other_queues_get_the_same_workers(tmp_path: Path, kind: str, line: str) -> None:
    others = 'disk = "1GB"' if kind == "htcondor" else 'queue = "short"'
    text = script(tmp_path, f'[cluster]\nkind = "{kind}"\nslots = 4\nmemory = "8GB"\n{others}\n')
    assert any(each.startswith(line) for each in text.splitlines())
    assert "--resources measurement=1" in text.replace('"', "")
    assert "--nthreads 1" in text


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_setting_that_dask_jobqueue_does_not_know_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\[cluster\]: dask-jobqueue rejects the settings: .*") as refusal:
        script(tmp_path, '[cluster]\nkind = "slurm"\nmemory = "8GB"\nquue = "short"\n')
    assert "\n" not in str(refusal.value)
    del refusal
    gc.collect()  # the cluster that was not made warns that it was not closed


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


def test_dask_takes_the_settings_that_keep_it_quiet_from_the_lines_of_the_document() -> None:
    config = pytest.importorskip("dask.config")
    lines = connection.quiet_lines()
    document = (EXAMPLE.parent / "scale.md").read_text(encoding="utf-8")
    assert "".join(f"    {line}\n" for line in lines) in document
    environment = config.collect_env(dict(line.removeprefix("export ").split("=") for line in lines))
    assert {key: config.get(key, config=environment) for key in connection.QUIET} == connection.QUIET


@pytest.mark.parametrize("address", ["nonsense", "tcp://node1", "tcp://node1:port", "foo://node1:8786", ""])
def test_what_is_no_address_is_refused_in_one_line_before_anything_else(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(InputError) as refused:
        require_usable(Cluster(scheduler=address))
    message = str(refused.value)
    assert message.startswith(f"--scheduler {address}: ")
    assert message.endswith("; an address is tcp://HOST:PORT")
    assert "\n" not in message


def test_an_address_is_not_asked_before_the_run_needs_it() -> None:
    pytest.importorskip("distributed")
    require_usable(Cluster(scheduler="tcp://127.0.0.1:1"))
