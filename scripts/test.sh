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

status=0
npx tap --reporter=silent --output-file=build/results.tap || status=$?
# Of a test that failed, what was expected; of one that could not run here, why.
grep -A 30 '^ *not ok' build/results.tap || [ $status = 0 ]
grep ' # SKIP' build/results.tap | sed 's/^ */skipped: /' || :
node --input-type=module -e '
  import { readFileSync } from "node:fs";
  const text = readFileSync("build/results.tap", "utf8");
  const count = (name) => Number(new RegExp(`${name}: (\\d+)`).exec(text.slice(text.lastIndexOf("# {")))?.[1] ?? 0);
  const skipped = count("skip");
  console.log(`${count("pass")} passed, ${count("fail")} failed${skipped ? `, ${skipped} skipped` : ""}`);
'
exit $status
