#!/usr/bin/env bash
# Measures in one run; prints the tables of docs/benchmarks.md. Arguments go to scripts/bench.ts.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in bindfs taskset perl git rg; do
  command -v "$tool" >/dev/null || { echo "bench: install $tool (bindfs, util-linux, perl, git, ripgrep) and run this again" >&2; exit 1; }
done
npm run --silent build:test
ln -sfn ../node_modules build/node_modules
exec node build/scripts/bench.js "$@"
