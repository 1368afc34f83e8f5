"""THE EXPERIMENT: suite -> plan -> engine and worker -> store -> analysis -> report, and the command line."""
