"""Description of plug-in files, whatever they do during their import."""

from __future__ import annotations

import pytest

from sudoku_bench.bench.plan.strategies import describe_plugin
from sudoku_bench.datasets.errors import InputError

GOOD = """
@register
class Good(Backtracker):
    name = "test:good"
"""


@pytest.mark.parametrize(
    "line",
    [
        "print('hi', end='')",
        "os.write(1, b'raw')",
        "os.system('printf x')",
        "import atexit; atexit.register(print, 'bye')",
        "os.close(1)",
    ],
)
def test_output_during_the_import_is_harmless(plugin, line: str) -> None:
    assert [info.name for info in describe_plugin(str(plugin(f"{line}\n{GOOD}")))] == ["test:good"]


def test_an_invalid_strategy_is_reported_with_file_and_line(plugin) -> None:
    path = plugin(GOOD + GOOD)
    lines = path.read_text(encoding="utf-8").splitlines()
    with pytest.raises(InputError) as caught:
        describe_plugin(str(path))
    number = int(str(caught.value).removeprefix(f"{path}:").partition(":")[0])
    assert lines[number - 1] in ("@register", "class Good(Backtracker):")
    assert number > len(lines) - 4
    assert "the name is taken" in str(caught.value)
