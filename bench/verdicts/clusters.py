"""Clusters of puzzles that are not independent observations: the groups that ``puzzles.csv`` numbers.

A group holds isomorphs, and puzzles of one lineage (``datasets/making/groups``). A strategy's result on one of them
carries little new information about the others, so intervals and tests count a cluster as one puzzle.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from sudoku_bench.bench.verdicts.arrays import Flags, Floats, Indices
from sudoku_bench.bench.verdicts.run_data import GROUP

MISSED = 0.05  # probability that a sample has no puzzle of a kind


def unseen_share(puzzles: int) -> float:
    """Return the largest share of a kind of puzzles of which a sample has none with a probability of 5%.

    Kinds that make up at least this share of such puzzles are in a sample of so many independent ones with 95%.
    """
    return float(1 - MISSED ** (1 / puzzles))


def clusters(puzzles: pd.DataFrame) -> Indices:
    """Return the cluster number of each puzzle, from 0 in order of first appearance.

    Args:
        puzzles: rows with ``group``; a puzzle whose group is not known is a cluster of its own.
    """
    groups = puzzles.reindex(columns=[GROUP])[GROUP].reset_index(drop=True)
    own = -1.0 - groups.index  # groups are positive
    codes, _ = pd.factorize(groups.astype(float).fillna(pd.Series(own)))
    return np.asarray(codes, dtype=np.intp)


def clusters_in(collection: str, names: tuple[str, ...], puzzles: pd.DataFrame) -> Indices:
    """Return the cluster numbers of some puzzles of a collection (see ``clusters``).

    Args:
        puzzles: the puzzles of the run.
    """
    rows = puzzles[puzzles["collection"] == collection].drop_duplicates("puzzle").set_index("puzzle")
    return clusters(rows.reindex(list(names)))


def dependent(puzzles: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Return the numbers of clusters and of puzzles of each collection that has fewer clusters than puzzles.

    Args:
        puzzles: the puzzles of the run; decoys are not counted.
    """
    real = puzzles[puzzles["decoy"].isna()] if "decoy" in puzzles else puzzles
    counts = {
        str(name): (int(clusters(rows).max()) + 1, len(rows)) for name, rows in real.groupby("collection", sort=False)
    }
    return {name: (number, of) for name, (number, of) in counts.items() if number < of}


def by_cluster(values: Floats, clusters: Indices) -> Floats:
    """Return sums over the puzzles of each cluster, scaled so that their mean is that of the values."""
    number = int(clusters.max()) + 1
    sums = np.zeros((number, *values.shape[1:]))
    np.add.at(sums, clusters, values)
    return sums * number / len(clusters)


def cluster_sums(values: Floats, clusters: Indices) -> Floats:
    """Return sums over the puzzles of each cluster, along the last axis; as they are if every puzzle is a cluster."""
    order = np.argsort(clusters, kind="stable")
    starts = np.flatnonzero(np.diff(clusters[order], prepend=-1))
    if len(starts) == len(clusters):
        return values
    sums: Floats = np.add.reduceat(values[..., order], starts, axis=-1)
    return sums


def cluster_means(log_s: Floats, censored: Flags, clusters: Indices) -> tuple[Floats, Flags]:
    """Return log times and censoring flags with one entry per cluster: its mean, censored if one of its puzzles is.

    Args:
        log_s, censored: strategies × puzzles × repetitions.
    """
    order = np.argsort(clusters, kind="stable")
    _, starts, sizes = np.unique(clusters[order], return_index=True, return_counts=True)
    if len(starts) == len(clusters):
        return log_s, censored
    sums = np.add.reduceat(log_s[:, order], starts, axis=1)
    return sums / sizes[:, None], np.logical_or.reduceat(censored[:, order], starts, axis=1)
