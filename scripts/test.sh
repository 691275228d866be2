#!/usr/bin/env bash
# `test.sh first` compiles all tests and runs those that need no better-sqlite3, which is compiled meanwhile if necessary; `test.sh rest` runs
# the others, and its last line counts all. If CI is set, tests with mounts must run.
set -euo pipefail
cd "$(dirname "$0")/.."
part=$1

if [ "$part" = first ]; then
  rm -rf build
  npm run --silent build:test
  ln -sfn ../node_modules build/node_modules
  cp package.json build/
fi

# The user's own config and keys must not affect the tests.
export XDG_CONFIG_HOME="$PWD/build/config"
unset OPENAI_API_KEY OPENROUTER_API_KEY KGRAPHFS_EMBEDDINGS_URL KGRAPHFS_EMBEDDINGS_MODEL
# If this is set, Node reads all certificates at each start, which takes three times as long as the start itself; no test uses the network.
unset NODE_EXTRA_CA_CERTS

if [ "$part" = first ]; then node scripts/bundling/bundle-tests.mjs; fi
node scripts/bundling/keep-test-code.mjs "$part"

# The tests run the shipped program.
export KGRAPHFS_TEST_PROGRAM="$PWD/dist"
node build/scripts/run-tests.js --part "$part"
