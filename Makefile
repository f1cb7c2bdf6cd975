# `make demo` and `make test` set themselves up in .venv; they need make and Python >= 3.10 with venv.
# `make tools` brings the assemblers and simulators that the facts are checked on: Debian packages (as root), and GNU
# tools built from Debian's source packages into $(TOOLS), all of it on Debian 12; `make tools-gcc` a C compiler for
# RL78 as well. All may be run again at any time.

# The tests that `make test` runs: all, or those in TESTS.
TESTS ?=
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# The tests and bitsel look here.
TOOLS ?= .tools
export BITSEL_TOOLS := $(abspath $(TOOLS))
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Debian packages: tools, and what the others are built from and with; what GCC needs besides; and code that tests read.
TOOL_PACKAGES := gcc-avr avr-libc simavr libsimavr-dev mspdebug llvm-19 clang-19 lld-19 binutils-source gdb-source \
  gcc g++ libc6-dev make bison flex xz-utils
GCC_PACKAGES := gcc-12-source libgmp-dev libmpfr-dev libmpc-dev
TEST_PACKAGES := arduino-core-avr

.PHONY: demo fuzz test coverage packages tools tools-gcc clean

demo: $(VENV)/installed
	$(BIN)/bitsel select examples/sha256.Os.ll examples/g23_driver.Os.ll --target rl78:r7f100g

# Random programs before and after rewriting, run in simulators: N seeds per compiler and level, from FIRST on.
N = 10
FIRST = 1
fuzz: $(VENV)/installed-dev
	FUZZ_SEEDS=$(N) FUZZ_FIRST=$(FIRST) $(BIN)/pytest tests/differential

test: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest $(TESTS)

# The same, with what of the code they run: how much of its branches, and what is left out. Tests of time mean nothing
# here, since every line is counted.
coverage: $(VENV)/installed-dev
	$(BIN)/python -m pytest --cov --cov-report= -k 'not linear_time' $(TESTS)
	$(BIN)/coverage report
	$(BIN)/coverage json --quiet -o - | $(BIN)/python -c "import json, sys; t = json.load(sys.stdin)['totals']; \
	  share = 100 * t['covered_branches'] / t['num_branches']; print(f'{share:.1f} % of the branches'); sys.exit(share < 95)"

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(PIP) --editable '.[dev]'
	touch $@

# All that `.ci/run` needs.
packages:
	scripts/install-packages.sh $(TOOL_PACKAGES) $(GCC_PACKAGES) $(TEST_PACKAGES)

tools:
	scripts/install-packages.sh $(TOOL_PACKAGES)
	$(MAKE) $(TOOLS)/bin/simavr-step $(TOOLS)/bin/mspdebug-step
	scripts/build-gnu-tools.sh $(TOOLS) rl78-elf binutils sim
	scripts/build-gnu-tools.sh $(TOOLS) v850-elf binutils sim

# GCC for RL78, for whole programs.
tools-gcc: tools
	scripts/install-packages.sh $(GCC_PACKAGES)
	scripts/build-gnu-tools.sh $(TOOLS) rl78-elf gcc

$(TOOLS)/bin/simavr-step: scripts/simavr-step.c
	mkdir -p $(@D)
	gcc -O1 -o $@ $< -lsimavr

$(TOOLS)/bin/mspdebug-step: scripts/mspdebug-step
	mkdir -p $(@D)
	cp $< $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
