# Two commands do all the set-up: `make run` and `make test`. Both can be repeated.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
PY := $(VENV)/bin/python
HOST ?= 127.0.0.1
PORT ?= 8000
ROUNDS ?=
S := .stamps
FRONT_SOURCES := $(shell find frontend -path frontend/node_modules -prune -o -type f -print 2>/dev/null)
BUNDLE := designer/pages/static/app/manifest.json
PYTEST := $(PY) -m pytest

.PHONY: help run serve test test-python test-frontend e2e slow lint format bench rows lock clean doctor types

help: ## what can be made
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s "$$(printf '\t')"

doctor: ## say in plain words what this machine lacks
	@scripts/doctor.sh

$(S)/venv: scripts/doctor.sh
	@scripts/doctor.sh
	@mkdir -p $(S)
	@test -x $(PY) || $$(scripts/doctor.sh --python) -m venv $(VENV)
	@touch $@

$(S)/run: requirements/run.lock $(S)/venv
	@echo "Installing what the server needs ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/run.lock
	@touch $@

$(S)/dev: requirements/dev.lock $(S)/venv
	@echo "Installing what the tests need ..."
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	@touch $@

$(S)/node: frontend/package-lock.json $(S)/venv
	@echo "Installing what the page needs ..."
	@cd frontend && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(BUNDLE): $(S)/node $(FRONT_SOURCES)
	@echo "Building the page ..."
	@cd frontend && npm run --silent build -- --logLevel warn
	@touch $@

run: $(S)/run $(BUNDLE) ## install, build, migrate, load the demo, serve on http://127.0.0.1:8000
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py load_demo
	@$(PY) manage.py serve --host $(HOST) --port $(PORT)

serve: ## serve again without setting anything up
	@$(PY) manage.py serve --host $(HOST) --port $(PORT)

test: $(S)/dev $(BUNDLE) test-frontend ## everything that must pass before a change lands
	@scripts/ensure_browser.sh
	@$(PYTEST) -n 2 --dist loadgroup -m "not slow"

test-python: $(S)/dev ## the Python tests without a browser
	@$(PYTEST) -n 2 --dist loadgroup -m "not slow and not e2e"

test-frontend: $(S)/node
	@cd frontend && npm run --silent test

e2e: $(S)/dev $(BUNDLE) ## journeys in a real Chromium against a real server
	@scripts/ensure_browser.sh
	@$(PYTEST) -m e2e

slow: $(S)/dev ## the long ones
	@HYPOTHESIS_PROFILE=search $(PYTEST) -m slow --timeout=1800

lint: $(S)/dev $(S)/node ## ruff, mypy, import contracts, tsc, eslint, dependency-cruiser
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/lint-imports --no-cache
	@$(VENV)/bin/mypy
	@cd frontend && npm run --silent typecheck && npm run --silent lint && npm run --silent depcruise

format: $(S)/dev ## write the format
	@$(VENV)/bin/ruff format .
	@$(VENV)/bin/ruff check --fix --quiet . || true

bench: $(S)/dev ## our figures beside the peers', in one run of about 5 minutes; ROUNDS=7 for longer
	@ROUNDS=$(ROUNDS) $(PY) -m benchmarks

rows: $(S)/dev ## the table of rows (build/rows.json): row, state, tests
	@$(PYTEST) -n 2 --dist loadgroup -m row --rows || true
	@$(PY) scripts/rows.py

types: $(S)/dev $(S)/node ## generate the page's types from the API and the frames
	@mkdir -p build
	@$(PY) manage.py spectacular --format openapi-json --file build/openapi.json
	@cd frontend && npx openapi-typescript ../build/openapi.json -o src/transport/schema.d.ts

lock: ## freeze the Python dependencies with their hashes
	@$(PY) -m pip install --quiet uv
	@$(VENV)/bin/uv pip compile -q pyproject.toml --generate-hashes -o requirements/run.lock --python-version 3.11 --custom-compile-command "make lock"
	@$(VENV)/bin/uv pip compile -q pyproject.toml --extra dev -c requirements/run.lock --generate-hashes -o requirements/dev.lock --python-version 3.11 --custom-compile-command "make lock"
	@printf '%s\n' python-statemachine==3.2.2 sismic==1.6.14 transitions==0.9.3 xstate-statemachine==0.11.0 | $(VENV)/bin/uv pip compile -q - -c requirements/dev.lock --generate-hashes -o requirements/bench.lock --python-version 3.11 --custom-compile-command "make lock"

clean: ## remove what was built (not the data in var/)
	@rm -rf build $(S) designer/pages/static/app frontend/node_modules $(VENV) staticfiles
