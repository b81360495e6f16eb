# One command for each thing one wants to do here; `make` alone lists them. Each works on a fresh clone.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play build check test test-core test-python lint format bench soak sanitize wheel wheel-test stub clean doctest postgres node chromium page test-page

PYTHON ?= python3
GAME ?=
ARGS ?=
JOBS ?= auto
FUZZ_GAMES ?= 100000
SOAK_SECONDS ?= 600
SOAK_SHARE = $(shell echo $$(($(SOAK_SECONDS) / 3)))

BIN := .venv/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
PIP := $(BIN)/python -m pip install --quiet --constraint constraints.txt

CORE := $(shell find core -type f) CMakeLists.txt
PAGE := src/kiebitz/server/page/index.html
WEB := $(shell find web -type f -not -path '*/node_modules/*')
HAS_NODE := command -v npm > /dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(+a > 20 || +a == 20 && +b >= 19 ? 0 : 1)'
CPP := $(shell find core tests bench -name '*.hpp' -o -name '*.cpp')

help:  ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS=$$'\t' read -r name what; do \
	  printf '  make %-12s %s\n' "$$name" "$$what"; done

play: .venv/built  ## play in the browser; GAME=oware plays that game in the terminal
	@if [ -n "$(GAME)" ]; then exec $(BIN)/kiebitz play $(GAME) $(ARGS); fi; \
	if ! $(HAS_NODE); then echo "the page needs Node.js 20.19 or newer with npm: playing in the terminal"; \
	  exec $(BIN)/kiebitz play $(ARGS); fi; \
	$(MAKE) --no-print-directory page && exec $(BIN)/kiebitz serve $(ARGS)

page: $(PAGE)  ## build the page of the table into the package

build: .venv/built  ## build the extension into .venv, only what changed

check: lint  ## the quick round while you work: lint, and the tests of what differs from main
	@JOBS=$(JOBS) $(BIN)/python -m tests.check

# What needs one core runs beside what needs many; the tests in Python take all of them.
test: .venv/built doctest node postgres chromium  ## everything: lint, tests of C++, page and Python, a real browser included
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint test-core test-page page
	@$(MAKE) --no-print-directory test-python

# In blocks of 20 test cases, as many at a time as there are cores.
test-core: .venv/built doctest
	@echo "== building and running the C++ tests"
	@cmake --build build/dev --target core_tests random_games | tail -n 3
	@count=$$(build/dev/core_tests --count | sed -n 's/.*: //p'); test "$$count" -gt 0; \
	seq 1 20 "$$count" | xargs -P "$$(getconf _NPROCESSORS_ONLN)" -I{} \
	  bash -c 'build/dev/core_tests --minimal --first={} --last=$$(({} + 19))'; \
	echo "$$count test cases passed"
	@build/dev/random_games --games 50

test-page: web/node_modules/.installed
	@echo "== checking types and running the tests of the page"
	@cd web && npm run --silent check && npm test --silent

test-python: .venv/built .venv/tools $(PAGE) postgres chromium
	@echo "== running the Python tests, doctests included"
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(ARGS)

lint: .venv/built .venv/tools  ## format and type checks for Python and C++
	@echo "== checking style and types"
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy
	@$(BIN)/clang-format --dry-run -Werror $(CPP)

format: .venv/tools  ## put Python and C++ into the house style
	@$(BIN)/ruff format . && $(BIN)/ruff check --fix . && $(BIN)/clang-format -i $(CPP)

bench: .venv/built .venv/tools  ## measure against peers in one run (docs/performance.md)
	@$(BIN)/python -m bench $(ARGS)

sanitize: build/sanitize/built  ## C++ tests and random games under the address and undefined-behaviour sanitizers
	@echo "== running the C++ tests under the sanitizers"
	@ulimit -s 65536 || true; build/sanitize/core_tests  # sanitizers make deep recursion take several times the stack
	@echo "== playing $(FUZZ_GAMES) random games of each game under the sanitizers"
	@build/sanitize/random_games --games $(FUZZ_GAMES)

soak: .venv/built .venv/tools build/sanitize/built  ## attack rules, input and whole programs for SOAK_SECONDS (600)
	@echo "== random games under the sanitizers, $(SOAK_SHARE) s"
	@build/sanitize/random_games --seconds $(SOAK_SHARE) --seed $$RANDOM
	@echo "== malformed input, $(SOAK_SHARE) s"
	@$(BIN)/python tests/soak/malformed_input.py --seconds $(SOAK_SHARE) --seed $$RANDOM
	@echo "== attacks on the whole program, $(SOAK_SHARE) s for all kinds together"
	@$(BIN)/python -m tests.soak.attack --seconds $(SOAK_SHARE) --seed $$RANDOM

wheel: .venv/tools $(PAGE)  ## a wheel for this Python, in dist/
	@echo "== building a wheel"
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist . | tail -n 1

wheel-test: wheel  ## install the wheel into an empty environment without a compiler and play there
	@echo "== playing from the wheel in an empty environment"
	@rm -rf build/wheel-test && $(PYTHON) -m venv build/wheel-test
	@CC=false CXX=false build/wheel-test/bin/python -m pip install --quiet --constraint constraints.txt \
	  --only-binary :all: "$$(ls -t dist/*.whl | head -n 1)"
	@cd build/wheel-test && CC=false CXX=false bin/kiebitz match connect_four random 'uct(iterations=200)' --games 10

stub: .venv/built .venv/tools  ## write the type stub of the extension, the options in docs/search.md and the fields in docs/protocol.md anew
	@$(BIN)/python -m nanobind.stubgen -q -P -p core/bind/stub_patterns.txt -m kiebitz._core -o src/kiebitz/_core.pyi
	@$(BIN)/python tests/test_option_tables.py
	@$(BIN)/python -m tests.contract.test_fields

clean:  ## remove everything that was built or installed here
	@echo "== removing .venv, build, dist and caches"
	@rm -rf .venv build dist web/node_modules src/kiebitz/server/page .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- What the commands stand on -------------------------------------------------------------------------------------

# The environment with what is needed to build and play.
.venv/base: pyproject.toml constraints.txt
	@echo "== making a Python environment in .venv"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Kiebitz needs Python 3.11 or newer")'
	@$(PYTHON) -m venv .venv || { echo "python3 -m venv failed; on Debian: apt-get install python3-venv"; exit 1; }
	@$(PIP) --upgrade pip
	@$(PIP) --group build
	@touch $@

# On top of it what the tests need.
.venv/tools: .venv/base
	@echo "== installing what tests and checks need into .venv"
	@$(PIP) --group dev
	@touch $@

# The package itself, editable: Python files are used where they lie, the extension is rebuilt where it changed.
.venv/built: .venv/base $(CORE)
	@command -v $(CXX) > /dev/null || { echo "expected a C++20 compiler; on Debian: apt-get install g++"; exit 1; }
	@echo "== building the extension (a few minutes the first time, then only what changed)"
	@$(PIP) --no-build-isolation --config-settings=build-dir=build/dev \
	  --config-settings=cmake.define.KIEBITZ_TESTS=ON --editable .
	@touch $@

# The page: its tools, then the build that the server hands out.
web/node_modules/.installed: web/package.json web/package-lock.json | node
	@echo "== installing what the page needs"
	@cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

$(PAGE): web/node_modules/.installed $(WEB)
	@echo "== building the page"
	@cd web && npm run --silent build -- --logLevel warn
	@touch $@

build/sanitize/built: .venv/base $(CORE) $(wildcard tests/core/*.* tests/fuzz/*.*) | doctest
	@echo "== building the C++ tests with sanitizers"
	@cmake -S . -B build/sanitize -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DKIEBITZ_MODULE=OFF \
	  -DKIEBITZ_TESTS=ON -DKIEBITZ_SANITIZE=address,undefined > /dev/null
	@cmake --build build/sanitize --target core_tests random_games | tail -n 3
	@touch $@

# What comes from the system: $(call debian,test whether it is there,package,what it is).
HASH := \#

define debian
	@if $(1); then exit 0; fi; echo "== installing $(3)"; \
	if ! command -v apt-get > /dev/null; then echo "expected $(3): install it"; exit 1; fi; \
	if [ "$$(id -u)" = 0 ]; then root=; elif command -v sudo > /dev/null; then root=sudo; \
	else echo "expected $(3): as root, apt-get install $(2)"; exit 1; fi; \
	$$root apt-get update -qq && $$root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(2) > /dev/null
endef

doctest:
	$(call debian,echo '$(HASH)include <doctest/doctest.h>' | $(CXX) -std=c++20 -x c++ -E - > /dev/null 2>&1,doctest-dev,the C++ test framework doctest)

postgres:
	$(call debian,ls /usr/lib/postgresql/*/bin/initdb > /dev/null 2>&1 || command -v initdb > /dev/null,postgresql,PostgreSQL)

node:
	$(call debian,$(HAS_NODE),nodejs npm,Node.js)
	@$(HAS_NODE) || { echo "expected Node.js 20.19 or newer with npm"; exit 1; }

chromium:
	$(call debian,command -v chromium > /dev/null || command -v chromium-browser > /dev/null,chromium,Chromium)
