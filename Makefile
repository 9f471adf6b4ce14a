# Two commands to know: `make play` and `make test`. Each sets itself up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST_ARGS ?=

.PHONY: play test tools check clean bench fuzz soak

play: $(VENV)/.runs
	$(BIN)/peloarena match bots/greedy bots/random

test: tools check
	$(BIN)/python -m pytest $(PYTEST_ARGS)

check: $(VENV)/.develops
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

tools:
	@sh tools/install-test-tools

bench: $(VENV)/.benches
	$(BIN)/python bench/run.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.runs: $(VENV)/.made pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.develops: $(VENV)/.made pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.runs

$(VENV)/.benches: $(VENV)/.develops
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	@touch $@
