"""The explainer scale (see ``scale``), and each step in words (see ``words``)."""

from datasets.difficulty.explainer.scale import BEYOND, Explained, explain

__all__ = ["BEYOND", "Explained", "explain"]
