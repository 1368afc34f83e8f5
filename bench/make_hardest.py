"""Draft."""
import sys
from pathlib import Path
from bench.conflicts import objective
from datasets.make_hardest import *
functions = {"guesses": None, "te_rounds": te_rounds, "conflicts": objective}
for found in lineages(functions, LINEAGES, Path(sys.argv[1])):
    print(found[0].objective, found[0].lineage, len(found), flush=True)
