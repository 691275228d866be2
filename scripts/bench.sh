#!/usr/bin/env bash
# Runs all measurements, and prints the tables of docs/benchmarks.md. Arguments go to scripts/bench.ts.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh bench
npm run --silent build:test
ln -sfn ../node_modules build/node_modules
exec node build/scripts/bench.js "$@"
