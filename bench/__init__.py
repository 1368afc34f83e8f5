"""THE EXPERIMENT: plan, processes, run folders, verdicts, figures and the command line."""

VERSION = "0.2.0"  # the only place that says it, beside CITATION.cff, which a test compares

if __name__ == "bench":  # the folder of a checkout that is on the path
    raise ModuleNotFoundError("No module named 'bench'", name=__name__)
