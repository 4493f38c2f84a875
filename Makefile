PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test slow test-long steady attack check bench dist installs docs article figures formal referee clean

demo: .venv/.installed
	$(BIN)/depthsep demo

PYTEST := $(BIN)/python -m pytest -n logical --maxprocesses 4 --dist worksteal

# property tests try 15 examples each, and 75 n of them in `make test DRAWS=n`
DRAWING = $(if $(DRAWS),DEPTHSEP_DRAWS=$(DRAWS))
test: .venv/.installed-test
	$(DRAWING) $(PYTEST) -m "not slow" $(if $(DRAWS),--hypothesis-profile long)

# slow tests also wait, for browsers and processes: one worker more than cores, at most 5
WORKERS = $(shell $(BIN)/python -c "import os; print((os.cpu_count() or 1) + 1)")
slow: .venv/.installed-dev
	$(DRAWING) $(PYTEST) -n $(WORKERS) --maxprocesses 5 -m slow

# the slow tests, then those fast ones that draw, with more draws
DRAWN = $(shell grep -rlE "hypothesis|mark\.attack" tests --include='test_*.py')
test-long: DRAWS ?= 2
test-long: slow
	$(DRAWING) $(PYTEST) -m "(hypothesis or attack) and not slow" --hypothesis-profile long $(DRAWN)

LOOPS ?= 10
steady: .venv/.installed-dev
	for loop in $$(seq $(LOOPS)); do \
		$(BIN)/python tests/support/busy.py 10 $(BIN)/python -m pytest tests/studies/running || exit 1; \
	done

SECONDS ?= 600
attack: .venv/.installed-dev
	nice $(BIN)/python -m tests.attack --seconds $(SECONDS)

check: .venv/.installed-dev
	PATH="$(CURDIR)/$(BIN):$$PATH" ./check

bench: .venv/.installed-dev
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest benchmarks -o addopts= --benchmark-only --benchmark-columns=min,median,rounds

.venv/bin/python:
	$(PYTHON) -m venv .venv

# uv needs 8 s where pip needs a minute, and does not read pip's configuration; pip takes
# over where there is no uv, or where uv fails. What is never imported is not compiled
PIP := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check -c constraints.txt
UV := $(BIN)/uv pip install --quiet --python $(BIN)/python -c constraints.txt
INSTALL = $(UV) -e "$(1)" || $(PIP) -e "$(1)"

.venv/bin/uv: .venv/bin/python constraints.txt
	-$(PIP) --only-binary uv uv && touch $@

.venv/.installed: .venv/bin/uv pyproject.toml constraints.txt
	$(call INSTALL,.)
	touch $@

.venv/.installed-test: .venv/bin/uv pyproject.toml constraints.txt
	$(call INSTALL,.[test])
	touch .venv/.installed $@

.venv/.installed-dev: .venv/bin/uv pyproject.toml constraints.txt
	$(call INSTALL,.[dev])
	touch .venv/.installed .venv/.installed-test $@

formal:
	$(MAKE) -C formal sabotage

PROOFS ?= 200
referee: .venv/.installed
	rm -rf referee-suite
	$(BIN)/python checker/referee.py make referee-suite $(PROOFS)
	$(PYTHON) checker/referee.py run referee-suite

# what a package index takes: sdist and wheel of depthsep and of the checker
dist: .venv/.installed-dev
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m build --no-isolation --outdir dist checker
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python tests/support/built.py dist

# on every Python of this machine that is new enough
installs: dist
	$(BIN)/python tests/support/bare_install.py dist

# the site, with the explorer's chosen states: open site/index.html
# what its pages train runs for a shorter time than XLA would take to optimise it
docs: export JAX_DISABLE_MOST_OPTIMIZATIONS := true
# without fusion emitters XLA compiles sooner; jaxlib 0.10, which is pinned, has this flag
docs: export XLA_FLAGS ?= --xla_cpu_use_fusion_emitters=false
docs: .venv/.installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "the explorer's chosen states, about a minute:"
	$(BIN)/depthsep explore --export site/explorer
	@echo "done: open site/index.html"

# the article, as PDF
article: .venv/.installed-dev
	mkdir -p site
	$(BIN)/python paper/build.py site/depthsep.pdf

figures: .venv/.installed-dev
	$(BIN)/python docs/figures.py docs/images
	$(BIN)/python docs/door_pictures.py docs/images

clean:
	rm -rf .venv demo-report build dist referee-suite site
	$(MAKE) -C formal clean
