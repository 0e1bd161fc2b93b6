# Every target sets itself up; all it needs is Python 3.11 or newer with pip.
#   make test                      all checks, on the first Python found
#   make test PYTHON=python3.13    the same on another one, in an environment of its own
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash

OLDEST := import sys; sys.exit(sys.version_info < (3, 11))
FOUND := $(shell for name in python3.11 python3.12 python3.13 python3; do \
	$$name -c '$(OLDEST)' 2>/dev/null && { echo $$name; break; }; done)

ifeq ($(origin PYTHON),undefined)
PYTHON := $(FOUND)
VENV := .venv
else
VENV := .venv-$(shell $(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')
endif
BIN := $(VENV)/bin

# An environment lives as long as its lock, its interpreter and its place stay what they were.
KEYED := import hashlib, os, sys; \
	text = open("requirements-dev.lock").read() + sys.version + os.getcwd(); \
	print(hashlib.sha256(text.encode()).hexdigest()[:16])
KEY := $(shell $(PYTHON) -c '$(KEYED)')
LOCKED := $(VENV)/locked-$(KEY)
READY := $(VENV)/ready

PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input

.PHONY: help setup demo test lint types unit bench bench-trace e2e-trace sabotage lock fmt clean

help:
	@echo "make demo      watch an agent repair a package, then replay and verify the run"
	@echo "make test      every check: lint, types, tests with coverage"
	@echo "make sabotage  break each requirement in a copy; its tests must notice"
	@echo "make bench     measure beside other frameworks"
	@echo "make bench-trace  measure what tracing costs"
	@echo "make e2e-trace    send the demo to Phoenix and read it back (needs the network)"
	@echo "make fmt       format and fix what can be fixed"
	@echo "make lock      pin the development requirements again"

$(LOCKED): requirements-dev.lock
	@$(PYTHON) -c '$(OLDEST)' || { echo "Python 3.11 or newer is needed; name one with PYTHON=..." >&2; exit 2; }
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	touch $@

$(READY): $(LOCKED) pyproject.toml
	$(PIP) install --quiet --no-deps --no-build-isolation --no-index --editable .
	touch $@

setup: $(READY)

demo: $(READY)
	$(BIN)/python examples/repair/demo.py

# One after the other, the quickest first, and pytest's summary last.
test: $(READY)
	$(MAKE) --no-print-directory lint PYTHON=$(PYTHON) VENV=$(VENV)
	$(MAKE) --no-print-directory types PYTHON=$(PYTHON) VENV=$(VENV)
	$(MAKE) --no-print-directory unit PYTHON=$(PYTHON) VENV=$(VENV)

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy
	$(BIN)/basedpyright --pythonpath $(BIN)/python

unit: $(READY)
	$(BIN)/python -m pytest --cov --cov-report=term $(ARGS)

sabotage: $(READY)
	$(BIN)/python tests/sabotage.py $(ARGS)

include bench/Makefile.inc

# Phoenix is big, and its dependencies are its own: an environment beside ours, made when this is called.
.venv-phoenix/ready:
	$(PYTHON) -m venv .venv-phoenix
	.venv-phoenix/bin/python -m pip install --quiet arize-phoenix
	touch $@

e2e-trace: $(READY) .venv-phoenix/ready
	$(BIN)/python -m examples.repair.phoenix .venv-phoenix/bin/phoenix

fmt: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# uv is needed for this alone: pip cannot pin for every platform and version at once.
lock:
	test -x .venv-lock/bin/uv || { $(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv; }
	.venv-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
		--no-header --no-annotate $(ARGS) pyproject.toml requirements-dev.in --output-file requirements-dev.lock

clean:
	rm -rf .venv .venv-* .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage build dist
