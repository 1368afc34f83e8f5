"""THE EXPERIMENT: plan, processes, run folders, verdicts, figures and the command line."""

if __name__ == "bench":  # the folder of a checkout that is on the path
    raise ModuleNotFoundError("No module named 'bench'", name=__name__)
