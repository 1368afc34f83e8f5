"""The published data set: ``python -m datasets.making.dataset`` makes it; docs/dataset.md describes it."""
