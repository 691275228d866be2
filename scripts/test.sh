#!/usr/bin/env bash
# Checks, then every test; the last line counts. Mounted tests must run where CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."

npm run --silent check
rm -rf build
npm run --silent build:test
ln -sfn ../node_modules build/node_modules
cp package.json build/

# What whoever runs the tests has configured for themselves has no say in them, nor have their keys.
export XDG_CONFIG_HOME="$PWD/build/config"
unset OPENAI_API_KEY OPENROUTER_API_KEY KGRAPHFS_EMBEDDINGS_URL KGRAPHFS_EMBEDDINGS_MODEL

# What is tested is what is shipped.
export KGRAPHFS_TEST_PROGRAM="$PWD/dist"
node build/scripts/run-tests.js
