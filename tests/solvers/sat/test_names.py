"""Names of SAT strategies: parsing, and the errors."""

from __future__ import annotations

import pytest

from sudoku_bench.datasets.errors import InputError
from sudoku_bench.solvers.sat import names


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("sat:complete+product@cadical195", ("complete+product", "product", "", "cadical195", False)),
        ("sat:natural+product+substituted@glucose4", ("natural+product", "product", "substituted", "glucose4", False)),
        ("sat:log+assumptions@minisat-gh", ("log", "", "assumptions", "minisat-gh", False)),
        ("sat:order@/cadical", ("order", "", "", "/cadical", False)),
        ("sat:natural+bitwise+compiled@minisat22", ("natural+bitwise", "bitwise", "", "minisat22", True)),
    ],
)
def test_a_name_is_parsed(name, parts):
    assert names.parse(name) == parts


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("sat:complete@cadical195", "say which at-most-one scheme, such as complete+pairwise"),
        ("sat:log+units@cadical195", "leave out +units"),
        ("sat:log", "say which engine"),
        ("sat:nothing@cadical195", "no encoding is called 'nothing'"),
    ],
)
def test_an_invalid_name_is_an_input_error_with_the_fix(name, fix):
    with pytest.raises(InputError) as refused:
        names.parse(name)
    assert str(refused.value).startswith(f"no strategy is called {name}: ")
    assert fix in str(refused.value)
