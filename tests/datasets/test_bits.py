"""The helpers of the compiled kernels: bit masks and random numbers."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sudoku_bench.datasets.bits import lowest_bit, nth_bit, popcount, random_below, random_bit, random_state

masks = st.integers(1, 2**63 - 1)


@given(masks)
def test_masks_of_both_integer_types_are_counted_alike(mask: int) -> None:
    assert popcount(np.uint64(mask)) == popcount(np.int64(mask)) == mask.bit_count()


@given(masks)
def test_bits_are_found_from_the_low_end(mask: int) -> None:
    bits = [1 << k for k in range(63) if mask >> k & 1]
    assert lowest_bit(np.uint64(mask)) == bits[0]
    assert [int(nth_bit(np.uint64(mask), n)) for n in range(len(bits))] == bits
    assert [int(nth_bit(np.int64(mask), n)) for n in range(len(bits))] == bits


@given(masks, st.integers(0, 2**63))
def test_a_random_bit_is_one_of_the_mask_and_uses_one_random_number(mask: int, seed: int) -> None:
    state, expected_state = random_state(seed), random_state(seed)
    bit = int(random_bit(np.uint64(mask), state))
    assert bit & mask == bit
    assert bit.bit_count() == 1
    assert bit == nth_bit(np.uint64(mask), random_below(expected_state, mask.bit_count()))
    assert state == expected_state


def test_random_numbers_are_the_same_on_every_machine() -> None:
    state = random_state(2026)
    numbers = [int(random_below(state, 1000)) for _ in range(8)]
    assert numbers == EXPECTED
    assert random_state(-1) == random_state(2**64 - 1)


def split_mix_64(seed: int, number: int) -> list[int]:
    """SplitMix64 written a second time with Python's integers; the upper 31 bits of each output."""
    outputs = []
    for k in range(1, number + 1):
        z = (seed + k * 0x9E3779B97F4A7C15) % 2**64
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        outputs.append((z ^ (z >> 31)) >> 33)
    return outputs


EXPECTED = [output % 1000 for output in split_mix_64(2026, 8)]
