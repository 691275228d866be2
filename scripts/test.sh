#!/usr/bin/env bash
# `test.sh first` compiles all tests and runs those that need no better-sqlite3, which is compiled meanwhile where it has to be; `test.sh rest` runs
# the others, and its last line counts all. Mounted tests must run where CI is set.
set -euo pipefail
cd "$(dirname "$0")/.."
part=$1

if [ "$part" = first ]; then
  rm -rf build
  npm run --silent build:test
  ln -sfn ../node_modules build/node_modules
  cp package.json build/
fi

# What whoever runs the tests has configured for themselves has no say in them, nor have their keys.
export XDG_CONFIG_HOME="$PWD/build/config"
unset OPENAI_API_KEY OPENROUTER_API_KEY KGRAPHFS_EMBEDDINGS_URL KGRAPHFS_EMBEDDINGS_MODEL
# Node reads all certificates there are at each start where this is set, which takes three times as long as starting; no test goes out to the network.
unset NODE_EXTRA_CA_CERTS

if [ "$part" = first ]; then node scripts/bundling/bundle-tests.mjs; fi
node scripts/bundling/keep-test-code.mjs "$part"

# What is tested is what is shipped.
export KGRAPHFS_TEST_PROGRAM="$PWD/dist"
node build/scripts/run-tests.js --part "$part"
