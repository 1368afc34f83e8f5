"""The order in which chunks of the data set are made."""

from __future__ import annotations

from collections import Counter

from datasets.making.dataset.build import in_proportion


def test_a_build_that_was_stopped_holds_all_recipes_in_proportion() -> None:
    numbers = {"many": 40, "some": 10, "one": 1}
    order = in_proportion(numbers)
    assert sorted(order) == sorted((name, k) for name, number in numbers.items() for k in range(number))
    for length in range(len(order)):
        made = Counter(name for name, _ in order[:length])
        assert 0 <= made["many"] - 4 * made["some"] <= 4
    assert order[-1] == ("one", 0)
