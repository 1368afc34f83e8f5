"""Designs of a run: how many puzzles and repetitions decide how many pairs of strategies.

A small pilot gives each pair's ratio and the components of its variance, from which the power of any design follows
(see ``power``). The question is not what the largest design decides, but which smaller one decides nearly as much.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bench.folder.method import setting
from bench.verdicts.run_data import RunData
from bench.verdicts.spread.power import ALPHA, DIFFERENCE, EQUIVALENCE, FEWEST_PUZZLES, TARGET, Question, log_ratios
from bench.verdicts.spread.variance import components

Integers = NDArray[np.int64]

REPLICATES = np.array([2, 3, 4, 5, 7, 10, 15, 20])
STEPS = 60  # numbers of puzzles, from the fewest to all
NEARLY = 0.95  # of the pairs that the planned design decides


@dataclass(frozen=True)
class Expected:
    """What designs are expected to decide on one collection, each pair with a power of at least 80%.

    Attributes:
        strategies, pairs: that the pilot could compare.
        planned: puzzles and replicates of the planned design, ``decided``: how many pairs it decides.
        enough: the design with the fewest measurements that decides nearly as many, ``enough_decided``: how many.
    """

    collection: str
    strategies: int
    pairs: int
    planned: tuple[int, int]
    decided: int
    enough: tuple[int, int]
    enough_decided: int

    @property
    def share(self) -> float:
        """The measurements of ``enough`` in relation to those that are planned."""
        return math.prod(self.enough) / math.prod(self.planned)


def expected(pilot: RunData, planned: Mapping[str, tuple[int, int]]) -> list[Expected]:
    """Return what the planned design and smaller ones decide, for each collection of a pilot.

    Args:
        pilot: a run with at least two puzzles and two replicates of each collection.
        planned: puzzles and replicates of each collection.
    """
    questions = {collection: list(questions_of(pilot, collection)) for collection in pilot.cpu}
    family = sum(map(len, questions.values()))
    result = []
    for collection, asked in questions.items():
        if asked:
            strategies = len(pilot.cpu[collection].strategies)
            of_family = [Question(q.parts, q.log_ratio, q.log_margin, ALPHA / family) for q in asked]
            result.append(of_collection(collection, strategies, of_family, planned[collection]))
    return result


def questions_of(pilot: RunData, collection: str) -> list[Question]:
    """Return the question of each pair of strategies that both finished enough, not corrected for a family."""
    measured = pilot.cpu[collection]
    margin = math.log1p(float(setting(pilot.manifest, "margin")))
    questions = []
    for a, b in itertools.combinations(measured.strategies, 2):
        logs, _ = log_ratios(measured, a, b)
        if min(logs.shape) > 1:
            questions.append(Question(components(logs), float(logs.mean()), margin, ALPHA))
    return questions


def of_collection(collection: str, strategies: int, questions: list[Question], planned: tuple[int, int]) -> Expected:
    """Compare the planned design with smaller ones."""
    puzzles, replicates = grid(planned)
    decided = np.sum([decides(question, puzzles[:, None], replicates[None, :]) for question in questions], axis=0)
    of_plan = int(sum(decides(question, np.array(planned[0]), np.array(planned[1])) for question in questions))
    sizes = np.where(decided >= NEARLY * of_plan, puzzles[:, None] * replicates[None, :], np.inf)
    row, column = np.unravel_index(int(sizes.argmin()), sizes.shape)
    enough, enough_decided = (int(puzzles[row]), int(replicates[column])), int(decided[row, column])
    if not of_plan or not np.isfinite(sizes[row, column]) or math.prod(enough) > math.prod(planned):
        enough, enough_decided = planned, of_plan
    return Expected(collection, strategies, len(questions), planned, of_plan, enough, enough_decided)


def grid(planned: tuple[int, int]) -> tuple[Integers, Integers]:
    """Return the numbers of puzzles and of replicates of the designs, none with more puzzles than planned."""
    most = max(planned[0], 2)
    fewest = min(FEWEST_PUZZLES, most)
    return np.unique(np.geomspace(fewest, most, STEPS).astype(np.int64)), REPLICATES


def decides(question: Question, puzzles: Integers, replicates: Integers) -> Integers:
    """Return 1 for each design that decides a pair with enough power, else 0."""
    powers = [question.power(puzzles, np.maximum(replicates, 2), aim) for aim in (DIFFERENCE, EQUIVALENCE)]
    return np.asarray(np.maximum(*powers) >= TARGET, dtype=np.int64)


def words(each: Expected) -> str:
    """Return what a collection needs as a sentence."""
    (puzzles, replicates), (few, times) = each.planned, each.enough
    plan = (
        f"{each.collection}: {puzzles:,} puzzles × {each.strategies} strategies × {replicates} repetitions ="
        f" {puzzles * each.strategies * replicates:,} measurements decide about {each.decided} of {each.pairs} pairs"
    )
    if each.share >= 1:
        return f"{plan}; nothing smaller decides nearly as many"
    return (
        f"{plan}; {few:,} puzzles × {times} repetitions = {few * each.strategies * times:,} measurements"
        f" ({each.share:.2%}) decide about {each.enough_decided}: --sample {few} --repetitions {times}"
    )
