# Each target does its own set-up, so that any of them works right after a clone. What needs nothing of each other is done at once: to compile
# better-sqlite3 takes one core two minutes, and half of the tests need it not.
MAKEFLAGS += --jobs=2
.DEFAULT_GOAL := help
.PHONY: help packages setup runner tools compile build lint check first-tests test bench eval soak demo clean

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

packages:
	@scripts/setup.sh packages

setup: packages ## install what is missing: system packages (asks for root only then), npm packages
	@scripts/setup.sh

runner: packages
	@scripts/setup.sh packages runner

tools: packages ## install what tests use besides
	@scripts/setup.sh packages tests

compile: packages
	@npm run --silent compile

build: setup compile ## compile src to dist
	@npm run --silent finish-build

lint: packages
	@npm run --silent lint

check: setup runner ## format, lint, types and unused code
	@npm run --silent check

first-tests: tools compile
	@scripts/test.sh first

test: setup lint first-tests build ## everything: checks, unit tests, conformance, real mounts
	@scripts/test.sh rest

bench: build ## measure against the plain folder and a C++ filesystem in one run
	@scripts/bench.sh

eval: build ## how well search and context answer labelled questions: writes docs/evaluation.md
	@scripts/eval.sh

soak: build ## an hour of work on a mount, other people's tests, kills: looks for leaks and losses
	@scripts/soak.sh

demo: build ## mount the sample docs and look around in them
	@scripts/demo.sh

clean: ## remove what was built
	rm -rf dist build
