# Everything runs inside .venv, with the exact versions of constraints.txt. `make` alone lists the targets.

VENV    := .venv
BIN     := $(VENV)/bin
STAMP   := $(VENV)/.installed
CHECKED := src tests $(wildcard benchmarks)

# Two processes are enough for the suite and leave a small machine usable; WORKERS=0 runs in one.
WORKERS ?= 2

# Each process begins with its part of the files in order, so that what a file prepares is mostly prepared once, and who
# is done early takes over from the other.
SHARED := -n $(WORKERS) --dist worksteal

# The first of these that runs, is 3.11 or newer and can make a virtual environment. `make PYTHON=/path/to/python3.12`
# goes first. The lock is made with the oldest one, so that its versions exist for all of them.
PYTHONS := $(PYTHON) python3.11 python3.12 python3.13 python3
USABLE  := import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))
FIND_PYTHON = for python in $(PYTHONS); do \
	  if "$$python" -c '$(USABLE)' >/dev/null 2>&1; then break; fi; python=; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "make: no Python 3.11 or newer with venv found (tried $(PYTHONS)); install one or say make PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	fi

# pip builds weft in an environment of its own, which -c does not reach: older pip reads PIP_CONSTRAINT there, newer pip
# PIP_BUILD_CONSTRAINT. Each ignores what it does not know. A relative path, because pip splits these at spaces.
LOCKED := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
PIP    := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip

.DEFAULT_GOAL := help
.PHONY: help install demo test test-full lint format bench lock clean web docs chromium axe screenshots

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

install: $(STAMP) ## make .venv and install weft into it, editable, with everything that development needs

$(STAMP): pyproject.toml constraints.txt
	@$(FIND_PYTHON); \
	if ! $(BIN)/python -c '$(USABLE)' >/dev/null 2>&1; then \
	  echo "$$python -m venv $(VENV)"; "$$python" -m venv --clear $(VENV); \
	fi
	$(LOCKED) $(PIP) install --quiet -c constraints.txt --editable '.[dev]'
	@touch $@

demo: install ## from three example tables to a report, in build/demo
	$(BIN)/weft demo -o build/demo

# A browser for tests/browser, where it may be installed; those tests say when they are skipped.
chromium:
	@command -v chromium >/dev/null || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  { apt-get install -y -q chromium || { apt-get update -q && apt-get install -y -q chromium; }; } >/dev/null 2>&1; \
	} || echo "make: no Chromium, and it may not be installed here: the tests in tests/browser will be skipped" >&2

# axe-core looks through the page in tests/browser/test_page.py; those tests say when they are skipped. The lock stays as
# it is: npm would add what vite needs on other systems, and the built page is known by it.
axe:
	@[ -e web/node_modules/axe-core ] || { command -v npm >/dev/null && cd web && \
	  npm install --no-package-lock --no-audit --no-fund --silent; } \
	  || echo "make: no axe-core, since npm is not here or cannot install it: the tests that need it will be skipped" >&2

test: lint chromium axe ## lint, then the tests and doctests, with the same random examples every time
	$(BIN)/python -m pytest $(SHARED) --hypothesis-profile=ci

test-full: lint chromium axe ## the same with the slow tests and many more random examples
	$(BIN)/python -m pytest $(SHARED) --hypothesis-profile=thorough -m ''

lint: install ## ruff, mypy --strict and the layers
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers $(WORKERS) $(CHECKED)
	$(BIN)/lint-imports

format: install ## put the code into the one format and repair what ruff can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# The built files are committed, so that only who changes web/ needs Node. Not npm ci: it wants the lock to list what vite
# needs on every other system too. The versions are those of the lock all the same.
web: ## build the report's page from web/ into src/weft/report/static (needs Node 20 and npm)
	cd web && npm install --omit-lockfile-registry-resolved --no-audit --no-fund && npm run build

screenshots: install ## write pictures of the report's main states to build/screenshots (needs Chromium)
	$(BIN)/python -m tests.browser.screenshots build/screenshots

docs: install ## build the documentation as HTML in build/docs
	$(BIN)/python -m sphinx -W -q -d build/docs-trees docs build/docs
	@echo "open build/docs/index.html"

bench: install ## install the peers too, and print the table of timings and figures beside theirs
	$(LOCKED) $(PIP) install --quiet -c constraints.txt --editable '.[bench]'
	$(BIN)/python -m benchmarks

# A new environment without constraints, read back. editables is what hatchling asks for when it builds an editable install.
lock: ## choose the newest versions of all dependencies and write them to constraints.txt
	@$(FIND_PYTHON); set -e; \
	work=$$(mktemp -d); trap 'rm -rf "$$work"' EXIT; \
	"$$python" -m venv "$$work"; \
	PIP_DISABLE_PIP_VERSION_CHECK=1 "$$work/bin/python" -m pip install --quiet editables --editable '.[dev,bench]'; \
	{ \
	  echo "# The exact version of every package that an installation or a build of weft takes. Written by: make lock"; \
	  "$$work/bin/python" -m pip list --format=freeze --exclude weft --exclude pip --exclude setuptools | LC_ALL=C sort -f; \
	} > "$$work/constraints.txt"; \
	cp "$$work/constraints.txt" constraints.txt
	@echo "constraints.txt written; run make test"

clean: ## remove .venv and everything that is made by running
	rm -rf $(VENV) build dist .hypothesis
	find . -type d '(' -name __pycache__ -o -name '.*_cache' ')' -prune -exec rm -rf {} +
