"""The published data set: ``python -m datasets.making.dataset.build`` makes it; docs/dataset.md describes it."""
