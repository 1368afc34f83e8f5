"""The page ``report.html``: a run in one file that opens from disk and needs no network."""
