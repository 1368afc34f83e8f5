"""THE EXPERIMENT: plan, processes, run folders, verdicts, figures and the command line."""
