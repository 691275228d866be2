#!/usr/bin/env bash
# Evaluates search and context, and writes docs/evaluation.md. GOLD may name a folder with labelled answers for other docs.
set -euo pipefail
cd "$(dirname "$0")/.."
gold=${GOLD:-../shared/gold}
npm run --silent build:test
ln -sfn ../node_modules build/node_modules
if [ -d "$gold" ]; then
  set -- --gold "$gold" "$@"
else
  echo "eval: no labelled answers in $gold (GOLD=folder names another one): only the sample docs are evaluated" >&2
fi
exec node build/scripts/eval.js "$@"
