# Two commands to know: `make play` and `make test`. Each sets itself up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FAST := .venv-fast
OLDEST := .venv-oldest
NEWEST := .venv-newest
# Every venv gets the versions that were tested (tools/make-constraints writes the file).
CONSTRAINTS ?= constraints.txt
PIP_INSTALL = pip install --quiet --disable-pip-version-check --constraint $(CONSTRAINTS)
PYTEST_ARGS ?=
# Two tests at a time; those with real time and real sandboxes one after another (conftest.py marks them).
PARALLEL ?= --numprocesses 2 --dist loadgroup
# Folders of tests with their own command; .ci/run runs them all.
HEAVY := tests/browser tests/zoo tests/night tests/kits tests/cluster tests/compiled tests/wheel
# Tests that an ordinary user need not repeat after root: rules and pages start nothing and are the same for everybody.
# Of the tournaments, those that commands kill, run and watch are repeated, not the long ones.
SAME_FOR_ALL := tests/game tests/protocol tests/narration tests/fuzz tests/recipe
LONG_TOURNAMENTS := $(filter-out %_tournaments.py,$(wildcard tests/night/test_*.py))
# Attacks on protections that an ordinary user's sandboxes give in another way than root's; the others need root.
ZOO_FOR_USERS := holds_its_stream or call_tells or where_strangers_submit
NOT_FOR_USERS := $(filter-out tests/night,$(HEAVY)) $(LONG_TOURNAMENTS) $(SAME_FOR_ALL)

.PHONY: play demo hall test pages names test-suite test-users-suite test-zoo test-web test-night test-kits test-cluster pictures test-user test-pythons test-oldest test-newest constraints test-compiled test-wheel test-steady test-bare test-cgroup2 wheel wheels fast tools check clean bench fuzz soak crash

play: $(VENV)/.runs
	$(BIN)/peloarena match bots/greedy bots/random

# Plays a small tournament of the built-in bots and shows it in the browser until Ctrl-C. `hall` is its former name.
demo hall: $(VENV)/.serves
	$(BIN)/peloarena tournament run tournaments/demo.toml --serve --no-questions

test: tools check test-suite

test-suite: $(VENV)/.develops
	$(BIN)/python -m pytest $(PARALLEL) $(HEAVY:%=--ignore=%) $(PYTEST_ARGS)

test-users-suite: $(VENV)/.develops
	$(BIN)/python -m pytest $(PARALLEL) $(NOT_FOR_USERS:%=--ignore=%) $(PYTEST_ARGS)
	$(BIN)/python -m pytest tests/zoo -k '$(ZOO_FOR_USERS)' $(PYTEST_ARGS)

test-zoo: tools $(VENV)/.develops
	$(BIN)/python -m pytest tests/zoo $(PYTEST_ARGS)

test-web: tools $(VENV)/.browses
	@sh tools/install-web-tools
	$(BIN)/python -m pytest tests/browser $(PYTEST_ARGS)

# Takes the pictures of the README from a tournament played for them.
pictures: $(VENV)/.browses
	@sh tools/install-web-tools
	$(BIN)/python tools/take_pictures.py docs

test-night: tools $(VENV)/.develops
	$(BIN)/python -m pytest $(PARALLEL) tests/night $(PYTEST_ARGS)

test-kits: tools $(VENV)/.develops
	@sh tools/install-kit-tools
	$(BIN)/python -m pytest tests/kits $(PYTEST_ARGS)

test-cluster: tools $(VENV)/.develops
	$(BIN)/python -m pytest tests/cluster $(PYTEST_ARGS)

test-user: tools
	@sh tools/test-as-user

test-pythons: tools
	@sh tools/test-pythons

# README's commands and the tests on bare Debian roots. PARTS=all: every other part of .ci/run, each in its own root.
SUITES ?= bookworm trixie
USERS ?= root visitor
PARTS ?=
MIRROR ?=

test-bare:
	@python3 tools/test_bare.py --suites '$(SUITES)' --users '$(USERS)' --parts '$(PARTS)' $(MIRROR:%=--mirror %)

# The tests of the sandbox on a kernel with control groups of version 2 alone, in a machine that QEMU runs.
test-cgroup2:
	@python3 tools/test_cgroup2.py --users '$(USERS)' $(MIRROR:%=--mirror %)

# The suite and the cluster tests with the lowest versions of the runtime packages that pyproject.toml admits, and with
# the newest that pip finds. Each run makes a new venv.
test-oldest: tools $(VENV)/.develops
	rm -rf $(OLDEST) && mkdir $(OLDEST)
	$(BIN)/python tools/runtime_packages.py lowest >$(OLDEST)/lowest.txt
	$(MAKE) --no-print-directory test-suite test-cluster VENV=$(OLDEST) CONSTRAINTS=$(OLDEST)/lowest.txt
	@echo "Tested with the lowest versions: $$($(OLDEST)/bin/python tools/runtime_packages.py installed)"

test-newest: tools
	rm -rf $(NEWEST)
	$(MAKE) --no-print-directory test-suite test-cluster VENV=$(NEWEST) CONSTRAINTS=/dev/null
	@echo "Tested with the newest versions: $$($(NEWEST)/bin/python tools/runtime_packages.py installed)"

# The newest versions within the ranges, for every Python. Test with them, then commit the file.
constraints:
	@sh tools/make-constraints $(PYTHON)

test-compiled: tools fast
	$(FAST)/bin/$(PIP_INSTALL) "$$(ls dist/*-cp*.whl)[dev]"
	@sh tools/test-compiled $(BIN)/python $(FAST) $(PARALLEL) $(PYTEST_ARGS)

# Wheel and source archive, installed by pip, pipx and uv without a clone.
test-wheel: tools $(VENV)/.installs
	$(BIN)/python -m pytest tests/wheel $(PYTEST_ARGS)

# Checks that tests are stable: runs TARGETS RUNS times in a row while another process keeps one core busy.
RUNS ?= 10
TARGETS ?= test-suite

test-steady: tools $(VENV)/.develops
	@sh tools/run-repeatedly $(BIN)/python $(RUNS) $(TARGETS)

# The wheel for every machine, into dist/; it needs no compiler.
wheel: $(VENV)/.made
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .

# Both wheels from the source archive, into dist/.
wheels: $(VENV)/.develops
	@sh tools/build-wheels $(BIN)/python

# The arena with compiled rules, in a separate venv: a compiled file next to the sources would hide edits there.
fast: $(VENV)/.develops
	@sh tools/build-wheels $(BIN)/python compiled
	$(PYTHON) -m venv --clear $(FAST)
	$(FAST)/bin/$(PIP_INSTALL) dist/*-cp*.whl
	$(FAST)/bin/peloarena --version

check: $(VENV)/.develops
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# After changing a module or a message: updates the schema, and the tables of spec/ that follow from the registry.
pages: $(VENV)/.develops
	$(BIN)/peloarena schema --pages spec

# After adding an option, key, field, address or public function: updates the lists (tests/public_names/README.md).
names: $(VENV)/.develops
	$(BIN)/python tests/public_names/update_names.py

tools:
	@sh tools/install-test-tools

bench: $(VENV)/.benches
	$(BIN)/python bench/run.py

# Limits: examples for each hypothesis property, seconds for each atheris target.
FUZZ_EXAMPLES ?= 5000
FUZZ_SECONDS ?= 120
# Connections to a web process, each with its own damaged requests.
FUZZ_REQUESTS ?= 100000

fuzz: $(VENV)/.fuzzes
	PELOARENA_FUZZ_EXAMPLES=$(FUZZ_EXAMPLES) $(BIN)/python -m pytest tests/fuzz tests/tournament/test_changing_tournaments.py tests/tournament/test_scheduler.py
	PELOARENA_FUZZ_REQUESTS=$(FUZZ_REQUESTS) $(BIN)/python -m pytest tests/web/test_fuzzed_requests.py
	$(BIN)/python tests/fuzz/atheris_dialogue.py -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -artifact_prefix=.hypothesis/
	$(BIN)/python tests/fuzz/atheris_files.py -max_total_time=$(FUZZ_SECONDS) -max_len=4096 -artifact_prefix=.hypothesis/

SOAK_GAMES ?= 2000
# Referees in parallel: games mostly wait.
SOAK_PROCESSES ?= 1

soak: $(VENV)/.develops
	$(BIN)/python bench/soak.py --games $(SOAK_GAMES) --processes $(SOAK_PROCESSES)
	$(BIN)/python tests/game/soak_subsets.py

CRASH_KILLS ?= 20

crash: $(VENV)/.develops
	$(BIN)/python bench/crash.py --kills $(CRASH_KILLS)

clean:
	rm -rf $(VENV) $(FAST) $(OLDEST) $(NEWEST) dist .steady .venv-3.* .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.made:
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.runs: $(VENV)/.made pyproject.toml $(CONSTRAINTS)
	$(BIN)/$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.develops: $(VENV)/.made pyproject.toml $(CONSTRAINTS)
	$(BIN)/$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/.runs

$(VENV)/.serves: $(VENV)/.made pyproject.toml $(CONSTRAINTS)
	$(BIN)/$(PIP_INSTALL) --editable '.[web]'
	@touch $@ $(VENV)/.runs

$(VENV)/.browses: $(VENV)/.develops
	$(BIN)/$(PIP_INSTALL) --editable '.[dev,browser]'
	@touch $@

$(VENV)/.installs: $(VENV)/.develops
	$(BIN)/$(PIP_INSTALL) --editable '.[dev,installers]'
	@touch $@

$(VENV)/.benches: $(VENV)/.develops
	$(BIN)/$(PIP_INSTALL) --editable '.[dev,bench]'
	@touch $@

$(VENV)/.fuzzes: $(VENV)/.develops
	$(BIN)/$(PIP_INSTALL) --editable '.[dev,fuzz]'
	@mkdir -p .hypothesis
	@touch $@
