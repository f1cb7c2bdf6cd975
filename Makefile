# `make demo` and `make test` set themselves up in .venv; they need make and Python >= 3.10 with venv.
# `make tools` brings the assemblers and simulators that the facts are checked on: Debian packages (as root), and GNU
# tools built from Debian's source packages into $(TOOLS), all of it on Debian 12. Both may be run again at any time.

# The tests that `make test` runs: all, or those in TESTS.
TESTS ?=
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# The tests and bitsel look here.
TOOLS ?= .tools
export BITSEL_TOOLS := $(abspath $(TOOLS))
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: demo test tools tools-gcc clean

demo: $(VENV)/installed
	$(BIN)/bitsel select examples/sha256.Os.ll examples/g23_driver.Os.ll --target rl78:r7f100g

test: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest $(TESTS)

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(PIP) --editable '.[dev]'
	touch $@

tools: $(TOOLS)/bin/simavr-step $(TOOLS)/bin/mspdebug-step
	scripts/install-packages.sh gcc-avr avr-libc simavr mspdebug llvm-19 clang-19 lld-19 \
	  binutils-source gdb-source gcc g++ make bison flex xz-utils
	scripts/build-gnu-tools.sh $(TOOLS) rl78-elf binutils sim
	scripts/build-gnu-tools.sh $(TOOLS) v850-elf binutils sim

# GCC for RL78, for whole programs.
tools-gcc: tools
	scripts/install-packages.sh gcc-12-source libgmp-dev libmpfr-dev libmpc-dev
	scripts/build-gnu-tools.sh $(TOOLS) rl78-elf gcc

$(TOOLS)/bin/simavr-step: scripts/simavr-step.c
	scripts/install-packages.sh gcc libc6-dev libsimavr-dev
	mkdir -p $(@D)
	gcc -O1 -o $@ $< -lsimavr

$(TOOLS)/bin/mspdebug-step: scripts/mspdebug-step
	mkdir -p $(@D)
	cp $< $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
