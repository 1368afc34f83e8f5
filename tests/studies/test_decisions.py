"""Rules of decision: benchmarks have the truth that they claim, and rules claim it."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from studies import decisions
from studies.decisions import CHOSEN, HSU, MODELS, Model, Source, count, drawn


def source(seed: int = 1) -> Source:
    rng = np.random.default_rng(seed)
    taste, deviation = rng.exponential(0.2, (8, 20)), 0.02 * rng.standard_normal((8, 20, 3))
    centred = (part - part.mean(axis=-1, keepdims=True) for part in (taste, deviation))
    return Source(*centred, np.full(8, 0.01))


def test_benchmarks_have_the_true_means_of_their_model() -> None:
    rng = np.random.default_rng(2)
    parts = [drawn(source(), Model(math.log(1.2), 3), rng) for _ in range(400)]
    means = np.mean([part.log_s.mean(axis=(1, 2)) for part in parts], axis=0)
    assert means == pytest.approx(parts[0].truth, abs=0.01)
    quiet = dataclasses.replace(source(), deviation=np.zeros((8, 20, 3)), process=np.full(8, 0.1))
    log_s = drawn(quiet, Model(0.0, 5), rng).log_s
    processes = log_s - log_s.mean(axis=2, keepdims=True)
    assert np.allclose(processes, processes[:, :1])  # shared by all puzzles
    assert processes.std() == pytest.approx(0.1, rel=0.3)


def test_a_rule_claims_the_differences_between_groups_and_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "sources", lambda: [source()])
    monkeypatch.setitem(MODELS, "groups", Model(math.log(1.3), 3))
    rows = {row["rule"]: row for row in count(np.random.default_rng(0), 40, "groups")}
    assert 0 < rows[CHOSEN]["true_claims"] <= rows[HSU]["true_claims"]
    assert rows[CHOSEN]["with_a_false_claim"] <= stats.binom.ppf(0.999, 40, 0.05)
    assert rows[CHOSEN]["different"] == 6  # of eight, two are the best
