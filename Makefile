# Penstock. `make run` and `make test` each work as the first command after a clone: they need Python 3.11 or newer,
# a C and C++ compiler and make, and put everything else into .venv.

PYTHON ?= python3
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# Seconds of fuzzing per target in `make fuzz`; in `make test` it is a brief run.
FUZZ_SECONDS ?= 60
FUZZ_SECONDS_IN_TEST ?= 5
SCENARIO ?= scenarios/office55.toml
RESULTS ?= results/$(basename $(notdir $(SCENARIO)))
STUDY ?= fusion
EFFORT ?= full
STUDY_RESULTS ?= results/reproduce-$(STUDY)-$(EFFORT)

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check install --quiet -c constraints.txt
CMAKE := $(VENV)/bin/cmake
CTEST := $(VENV)/bin/ctest
CONFIGURE := $(CMAKE) -DCMAKE_MAKE_PROGRAM="$(CURDIR)/$(VENV)/bin/ninja"

# What was installed, and when: a stamp for each layer of .venv, so that a second `make run` goes straight to work.
STAMPS := $(VENV)/stamps
NATIVE_SOURCES := CMakeLists.txt $(shell find cmake lib sim -type f \( -name '*.[ch]' -o -name '*.[ch]pp' \
	-o -name '*.cmake' -o -name CMakeLists.txt \) ! -path '*/tests/*' ! -path '*/fuzz/*')

# Targets build with all cores by themselves and share .venv: one at a time.
.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

.PHONY: help
help: ## List what make can do here
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: $(STAMPS)/package ## Build what is needed and run the main job: six strategies over the office scenario
	$(VENV)/bin/penstock run $(SCENARIO) --out $(RESULTS)

.PHONY: test
test: test-native test-fuzz test-python ## All tests: native under sanitizers, a brief fuzzing, then Python

.PHONY: test-native
test-native: $(STAMPS)/native ## The tests of lib/, sim/ and examples/ under ASan and UBSan
	$(CONFIGURE) --preset native
	$(CMAKE) --build --preset native --parallel $(JOBS)
	$(CTEST) --preset native --parallel $(JOBS)

.PHONY: test-fuzz
test-fuzz: $(STAMPS)/native
	$(PY) tools/fuzz.py --seconds $(FUZZ_SECONDS_IN_TEST) --jobs $(JOBS) --optional

.PHONY: test-python
test-python: $(STAMPS)/package $(STAMPS)/test ## The tests in tests/; PYTEST_ARGS="-k name" selects
	$(PY) -m pytest --numprocesses $(JOBS) --dist loadfile $(PYTEST_ARGS)

.PHONY: bench
bench: $(STAMPS)/package ## Speed and memory of the engine and the bench
	$(PY) bench/bench.py

.PHONY: lint
lint: $(STAMPS)/native $(STAMPS)/package $(STAMPS)/test $(STAMPS)/lint ## Formatting, static analysis and types, C++ and Python
	@failed=0; \
	$(VENV)/bin/ruff format --check . || failed=1; \
	$(VENV)/bin/ruff check --output-format=concise . || failed=1; \
	$(VENV)/bin/pyright || failed=1; \
	$(PY) tools/lint_native.py --jobs $(JOBS) || failed=1; \
	exit $$failed

.PHONY: format
format: $(STAMPS)/lint ## Rewrite the sources in the house's format
	$(VENV)/bin/ruff check --fix-only --quiet .
	$(VENV)/bin/ruff format .
	$(PY) tools/lint_native.py --fix-format

.PHONY: fuzz
fuzz: $(STAMPS)/native ## Fuzz every frame parser for FUZZ_SECONDS each (60 unless given)
	$(PY) tools/fuzz.py --seconds $(FUZZ_SECONDS) --jobs $(JOBS)

.PHONY: figures
figures: $(STAMPS)/package $(STAMPS)/test ## The pictures and the table in docs/, from the results of `make run` (needs Chromium)
	$(PY) tools/figures.py results/office55

.PHONY: study
study: $(STAMPS)/package $(STAMPS)/test ## A paper's study into docs/studies/: STUDY=fusion EFFORT=full (or quick; needs Chromium)
	$(VENV)/bin/penstock reproduce $(STUDY) --$(EFFORT) --out $(STUDY_RESULTS)
	$(PY) tools/study.py $(STUDY_RESULTS)

.PHONY: footprint
footprint: $(STAMPS)/venv ## Code, data and stack of the library on ATmega128, Cortex-M4 and MSP430, as a table in docs/
	$(PY) tools/footprint.py

.PHONY: clean
clean: ## Remove what was built and every cache; keeps .venv and results
	rm -rf build .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +

.PHONY: distclean
distclean: clean ## Also remove .venv; keeps results
	rm -rf $(VENV)

# ---- the layers of .venv ----

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Penstock needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
		     "Name another with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) lacks the venv module; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	@mkdir -p $(STAMPS) && touch $@

# Build tools: CMake, Ninja, nanobind and the build backend, so that the system needs none of them.
$(STAMPS)/native: $(STAMPS)/venv constraints.txt pyproject.toml
	$(PY) tools/requirements.py build native > $(STAMPS)/native.txt
	$(PIP) -r $(STAMPS)/native.txt
	@touch $@

# The package itself, editable: Python sources are used where they are; the native module is rebuilt here when
# its sources have changed (CMake sees to building only what is needed).
$(STAMPS)/package: $(STAMPS)/native $(NATIVE_SOURCES)
	$(PIP) --no-build-isolation -e .
	@touch $@

$(STAMPS)/test $(STAMPS)/lint: $(STAMPS)/%: $(STAMPS)/venv constraints.txt pyproject.toml
	$(PY) tools/requirements.py $* > $@.txt
	$(PIP) -r $@.txt
	@touch $@
