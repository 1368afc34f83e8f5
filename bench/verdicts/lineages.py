"""Clusters of puzzles that are not independent observations.

Mined collections have several puzzles from one search (a lineage). A strategy's result on one of them carries little
new information about the others, so intervals and tests count a cluster as one puzzle.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from bench.verdicts.arrays import Flags, Floats, Indices
from datasets.collections.catalogue import MINED, lineages


def clusters(puzzles: pd.DataFrame, merge_copies: bool = False) -> Indices:
    """Return the cluster number of each puzzle; puzzles of one lineage share a number, in order of first appearance.

    A mined puzzle is recognised by its grid in any collection, and by its name in a mined one.

    Args:
        puzzles: rows with ``collection`` and ``puzzle``, and ``grid`` where it is known.
        merge_copies: rows with the same grid share a number too, such as one puzzle in two collections.
    """
    names = puzzles["collection"].astype(str) + "\n" + puzzles["puzzle"].astype(str)
    labels = puzzles["puzzle"].where(puzzles["collection"].isin(MINED)).map(lineages()).astype(object)
    if "grid" in puzzles:
        labels = puzzles["grid"].map(lineages()).astype(object).fillna(labels)
        if merge_copies:
            labels = labels.fillna(puzzles["grid"])
    codes, _ = pd.factorize(labels.fillna(names).to_numpy(dtype=object))
    return np.asarray(codes, dtype=np.intp)


def clusters_in(collection: str, names: tuple[str, ...], puzzles: pd.DataFrame) -> Indices:
    """Return the cluster numbers of some puzzles of a collection (see ``clusters``).

    Args:
        puzzles: the puzzles of the run.
    """
    rows = puzzles[puzzles["collection"] == collection].drop_duplicates("puzzle").set_index("puzzle")
    rows = rows.reindex(list(names)).rename_axis("puzzle").reset_index()
    return clusters(rows.assign(collection=collection))


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
