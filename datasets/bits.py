"""Bit masks and seeded random numbers: the helpers that the compiled kernels of this package share.

Masks are unsigned 64-bit integers; functions that only read a mask take any integer that is not negative. Importing
this module imports numba.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_bench.datasets.kernels import njit

RandomState = NDArray[np.uint64]

ONE = np.uint64(1)
ZERO = np.uint64(0)


@njit()
def popcount(mask: Any) -> Any:
    """Number of bits that are set."""
    x = np.uint64(mask)
    x = x - ((x >> ONE) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit()
def bit_index(bit: Any) -> Any:
    """Index of the only bit that is set; the lowest bit has index 0."""
    return popcount(np.uint64(bit) - ONE)


@njit()
def lowest_bit(mask: Any) -> Any:
    """Mask of the lowest bit that is set."""
    return mask & (~mask + ONE)


@njit()
def nth_bit(mask: Any, n: int) -> Any:
    """Mask of the n-th bit that is set, counted from 0 at the low end."""
    x = np.uint64(mask)
    for _ in range(n):
        x &= x - ONE
    return x & (~x + ONE)


def random_state(seed: int) -> RandomState:
    """State of the random number generator, an array of one number that ``random_below`` changes."""
    return np.array([seed % 2**64], dtype=np.uint64)


@njit()
def random_below(state: RandomState, bound: int) -> Any:
    """Random integer in 0 .. bound-1 (SplitMix64: Steele, Lea & Flood 2014), the same on every machine."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.int64((z >> np.uint64(33)) % np.uint64(bound))


@njit()
def random_bit(mask: Any, state: RandomState) -> Any:
    """Mask of a random bit among those that are set."""
    return nth_bit(mask, random_below(state, popcount(mask)))
