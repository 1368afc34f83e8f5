# Everything here sets up what it needs. `make help` lists the targets.
PYTHON ?= python3

# Without compiled files, every worker would compile the project again.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
REFERENCE := results/reference
COMPILED := build/compiled
# The version is part of the stamps' names, so an environment made by another Python is built again. BASE has what
# `make bench` measures and draws; STAMP adds everything else to the same environment.
PYTHON_VERSION := $(shell $(PYTHON) -c 'import platform; print(platform.python_version())' 2>/dev/null)
BASE := $(VENV)/base-$(PYTHON_VERSION)
STAMP := $(VENV)/ready-$(PYTHON_VERSION)
# Only files whose hash is in `lock` are installed; what is built from source here uses the setuptools that it pins.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile
LOCKED := $(PIP) --require-hashes -r lock
# On all cores; files for other Pythons fail. A quarter of all code is tests of packages, never imported.
COMPILE := $(BIN)/python -m compileall -q -j 0 -x '/site-packages/.*/tests?/' $(VENV)/lib bench datasets solvers \
	sudoku_bench >/dev/null 2>&1 || true

.DEFAULT_GOAL := help
.PHONY: help published setup setup-solvers setup-browser bench reference reference-2 test thorough lint perf faults validate study compiled encodings boards strength screening tables collections known paper latexmk dist release docs lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-17s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP)  ## make the environment .venv (PYTHON=python3.13 chooses the Python)

setup-solvers:  ## install solvers that are programs of their own, and the sandbox for strangers (Debian; as root)
	@command -v apt-get >/dev/null || { echo "sudoku-bench: no apt-get here; install the programs of docs/external.md as your system does" >&2; exit 2; }
	@test "$$(id -u)" = 0 || { echo "sudoku-bench: installing packages is for root: sudo make setup-solvers" >&2; exit 2; }
	apt-get install --yes --no-install-recommends cadical picosat minisat clasp flatzinc minizinc bubblewrap

setup-browser:  ## install what some tests need: Chromium for the page of a run, and bubblewrap (Debian; as root)
	@command -v apt-get >/dev/null || { echo "sudoku-bench: no apt-get here; install Chromium and bubblewrap as your system does" >&2; exit 2; }
	@test "$$(id -u)" = 0 || { echo "sudoku-bench: installing packages is for root: sudo make setup-browser" >&2; exit 2; }
	apt-get install --yes --no-install-recommends chromium bubblewrap

bench: $(BASE)  ## measure eight ways to solve Sudoku and draw time versus difficulty (RUN=new folder)
	$(BIN)/sudoku-bench run main $(if $(RUN),--out $(RUN))

reference: $(STAMP)  ## measure the run that the documents show again (21 minutes on a quiet machine)
	$(BIN)/sudoku-bench run reference --out $(REFERENCE).new --resume
	rm -rf $(REFERENCE) $(REFERENCE).new/.lock
	mv $(REFERENCE).new $(REFERENCE)

reference-2: $(STAMP)  ## measure it a second time, hours or a restart later, with other forms, and report what stood
	$(BIN)/sudoku-bench run reference --seed 2 --out $(REFERENCE)-2.new --resume
	rm -rf $(REFERENCE)-2 $(REFERENCE)-2.new/.lock
	mv $(REFERENCE)-2.new $(REFERENCE)-2
	$(BIN)/sudoku-bench report $(REFERENCE) --second $(REFERENCE)-2

test: $(STAMP)  ## run the tests that one waits for (five minutes on two idle cores)
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not thorough"

thorough: $(STAMP)  ## run the tests that `make test` leaves out, three at a time: many wait for processes (fifteen minutes)
	$(BIN)/python -m pytest -n 3 --dist worksteal -m thorough

lint: $(STAMP)  ## check style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

perf: $(STAMP)  ## time the harness itself, not the strategies
	$(BIN)/python -m pytest tests/perf -o python_files='perf_*.py' --benchmark-only -rP --benchmark-json=results/perf.json

faults: $(STAMP)  ## make everything go wrong that can, and print what held (an hour or more)
	$(BIN)/python -m studies faults

validate: $(STAMP)  ## count false claims and findings of reports on copies of strategies, quiet and busy (35 minutes; goes on if stopped)
	$(BIN)/python -m studies validate

study: $(STAMP)  ## simulate benchmarks whose truth is known (STUDY=drift; without it: list the studies)
	$(BIN)/python -m studies $(STUDY)

compiled: $(COMPILED)/cadical153.so $(COMPILED)/minisat22.so  ## build the solvers of `+compiled` strategies in build/compiled (with g++)

$(COMPILED)/cadical153.so: solvers/sat/loader.cc
	@command -v g++ >/dev/null && test -e /usr/include/cadical.hpp || { echo "sudoku-bench: no g++, or no library of CaDiCaL; on Debian: apt install g++ libcadical-dev" >&2; exit 2; }
	@mkdir -p $(@D)
	g++ -O3 -DNDEBUG -fPIC -shared -o $@ $< -Wl,-Bsymbolic -lcadical

# MiniSat 2.2 is in the source distribution of python-sat; -fpermissive because compilers have become stricter since.
$(COMPILED)/minisat22.so: solvers/sat/loader.cc | $(STAMP)
	@command -v g++ >/dev/null || { echo "sudoku-bench: no g++; on Debian: apt install g++" >&2; exit 2; }
	@rm -rf $(@D)/minisat && mkdir -p $(@D)/minisat
	sed -n '/^python-sat==/,/[^\\]$$/p' lock/all.txt >$(@D)/minisat/lock.txt
	$(BIN)/python -m pip download --quiet --no-deps --no-binary python-sat --require-hashes -r $(@D)/minisat/lock.txt -d $(@D)/minisat
	tar -xzf $(@D)/minisat/*.tar.gz -C $(@D)/minisat --wildcards '*/solvers/minisat22.tar.gz'
	tar -xzf $(@D)/minisat/*/solvers/minisat22.tar.gz -C $(@D)/minisat
	cd $(@D)/minisat/minisat && g++ -std=gnu++11 -fpermissive -w -O3 -DNDEBUG -DMINISAT -fPIC -shared -I. -o $(abspath $@) \
		$(abspath $<) core/Solver.cc utils/Options.cc utils/System.cc -Wl,-Bsymbolic

encodings: $(STAMP) compiled  ## measure encodings in blocks, and fill in docs/encodings.md (35 minutes; goes on if stopped; BLOCKS= SEED=)
	$(BIN)/python -m studies grid --seed $(or $(SEED),1) $(BLOCKS)
	$(BIN)/python -m studies grid-picture
	$(BIN)/python -m studies grid-numbers

boards: $(STAMP)  ## measure pencilmarks, layouts and Latin squares in blocks, and fill in docs/boards.md (90 minutes; goes on if stopped; BLOCKS=)
	$(BIN)/python -m studies boards $(BLOCKS)

strength: $(STAMP)  ## count what each encoding derives by propagation for docs/encoding-list.md (3 minutes, the same everywhere)
	$(BIN)/python -m studies strength

screening: $(STAMP)  ## measure every strategy on a few puzzles of each board; the fastest take part in suites (20 minutes)
	$(BIN)/python -m studies screening
	$(BIN)/python -m studies tables

published: $(STAMP)  ## install solvers by others in build/published, for `sudoku-bench run published`
	PYTHON=$(BIN)/python examples/published/install.sh build/published

tables: $(STAMP)  ## write the lists of strategies, encodings, schemes and commands into documents and suites
	$(BIN)/python -m studies tables

collections: $(STAMP)  ## make the embedded collections again, but those that were mined (byte for byte the same)
	$(BIN)/python -m studies.embedded
	$(BIN)/python -m studies known

known: $(STAMP)  ## compute the shipped ratings of embedded puzzles whose code has changed (minutes)
	$(BIN)/python -m studies known

paper: latexmk $(STAMP)  ## build the sample paper of docs/paper with latexmk (RUN=folder; default results/reference)
	@rm -rf build/paper && mkdir -p build/paper
	@cp -r $(or $(RUN),results/reference) build/paper/run
	@cp docs/paper/*.tex build/paper
	@rm -rf build/paper/run/plots
	@$(BIN)/sudoku-bench report build/paper/run --format pdf --column single --writeup >build/paper/report.log
	@$(BIN)/sudoku-bench report build/paper/run --format pdf --column double --writeup --figure time_vs_difficulty >>build/paper/report.log
	@cd build/paper && latexmk -pdf -interaction=nonstopmode -halt-on-error -silent paper.tex >latexmk.log 2>&1 \
		|| { grep -m 1 -A 3 '^!' paper.log >&2 || tail -5 latexmk.log >&2; echo "sudoku-bench: build/paper/paper.log has the rest" >&2; exit 2; }
	@echo build/paper/paper.pdf

latexmk:
	@command -v latexmk >/dev/null || { echo "sudoku-bench: no latexmk; on Debian: apt install latexmk texlive-latex-extra texlive-fonts-recommended texlive-publishers" >&2; exit 2; }

dist: $(STAMP)  ## build the wheel and the source distribution into dist
	@rm -rf build/lib build/bdist.* dist *.egg-info
	@$(BIN)/python -c 'from setuptools import build_meta as b; b.build_sdist("dist"); b.build_wheel("dist")' >/dev/null
	@ls dist/*

release: $(STAMP)  ## test what is committed, and build it into dist (half an hour)
	@$(MAKE) lint
	@$(MAKE) test
	@$(MAKE) thorough
	@$(MAKE) dist

docs: $(STAMP)  ## build the documentation as a site, in build/site, which fetches nothing from elsewhere
	@rm -rf build/pages build/site && mkdir -p build/pages
	@cp -r CONTRIBUTING.md CHANGELOG.md docs build/pages
	@sed 's,https://github.com/sudoku-bench/sudoku-bench/[a-z]*/main/,,' README.md >build/pages/README.md
	@cp --parents results/reference/plots/*.png results/*/*.png build/pages
	@$(BIN)/zensical build --strict >build/site.log 2>&1 || { cat build/site.log >&2; exit 2; }
	@echo "build/site/index.html; with search: $(BIN)/python -m http.server -d build/site"

lock:  ## resolve all dependencies anew on this Python, which should be the oldest supported one
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	for part in 'base' 'seeds --extra seeds' 'all --extra dev --extra solvers --extra cluster --extra export --extra docs'; do \
		set -- $$part; name=$$1; shift; \
		echo 'setuptools>=77' | $(VENV)-lock/bin/uv pip compile pyproject.toml - $$* --universal --fork-strategy fewest \
			--python-version 3.11 --upgrade --quiet --generate-hashes --no-annotate --custom-compile-command 'make lock' \
			-o lock/$$name.txt || exit; \
	done
	rm -rf $(VENV)-lock

clean:  ## remove the environment and caches (runs under results/ stay)
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .hypothesis .benchmarks
	find bench datasets solvers sudoku_bench studies tests -name __pycache__ -prune -exec rm -rf {} +

$(BASE): pyproject.toml $(wildcard lock/*.txt)
	@test -n "$(PYTHON_VERSION)" || { echo "sudoku-bench: $(PYTHON) is not there; install Python 3.11 or newer, or name one: make PYTHON=python3.12" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "sudoku-bench: Python $(PYTHON_VERSION) is too old; name one from 3.11 on: make PYTHON=python3.12" >&2; exit 2; }
	@echo "set-up: $(VENV), an environment with Python $(PYTHON_VERSION)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV) >/dev/null || { echo "sudoku-bench: cannot make $(VENV); on Debian: apt install python3-venv" >&2; exit 2; }
	@printf '#include <Python.h>\n' | $$($(PYTHON) -c 'import os, sysconfig as s; print(os.environ.get("CC") or s.get_config_var("CC"))') \
		-I$$($(PYTHON) -c 'import sysconfig as s; print(s.get_path("include"))') -fsyntax-only -x c - 2>/dev/null && built=seeds \
		|| { built=; echo "sudoku-bench: no C compiler, or no Python headers: pycosat and PyEDA are left out; on Debian: apt install gcc python3-dev, then make clean" >&2; }; \
	echo "set-up: the packages that are measured or draw (600 MiB)"; \
	$(LOCKED)/base.txt && { test -z "$$built" || $(LOCKED)/seeds.txt --no-build-isolation --use-pep517; } && \
	$(PIP) --no-build-isolation --no-deps -e .
	@echo "set-up: compiling them"
	@$(COMPILE)
	@touch $@

$(STAMP): $(BASE)
	@echo "set-up: the packages of further solvers, tests and documents (1,300 MiB)"
	@$(LOCKED)/all.txt
	@echo "set-up: compiling them"
	@$(COMPILE)
	@$(BIN)/python -m pytest --collect-only >/dev/null 2>&1 || true # it compiles tests in a way of its own
	@touch $@
