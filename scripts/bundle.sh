#!/usr/bin/env bash
# Puts the compiled program together from a few dozen files: Node takes longer to find and read five hundred modules than
# most commands run. What several programs share is in files of its own (part-…). What has native code stays outside.
set -euo pipefail
cd "$(dirname "$0")/../dist"

# CommonJS packages within ask for modules of Node.
require="import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);"

bundle() {
  npx --no-install esbuild "$@" --allow-overwrite --bundle --platform=node --format=esm --target=node20 \
    --minify-syntax --minify-whitespace --sourcemap --sources-content=false --legal-comments=inline --log-level=warning \
    --external:better-sqlite3 --external:koffi --external:fuse-native --external:sqlite-vec --external:gpt-tokenizer --external:openai \
    "--external:$PWD/core/program-file.js" --banner:js="$require"
}

# These are waited for at each press of a key, or for one answer: one file each, and what they seldom need is what the others have.
bundle cli/completion/names.js --outdir=cli/completion
bundle cli/quick-ask.js --outdir=cli --external:./app/app.js --external:./config/{settings,modules,user-config}.js --external:./app/schema-settings.js \
  --external:./ingest/{indexer,held-search}.js --external:./cli/embeddings.js --external:./mount/ask-mount.js --external:./modules/{modules,module-folders}.js
# Read whole before anything is answered: names of variables are a quarter of it.
npx --no-install esbuild cli/quick-ask.js --minify --platform=node --format=esm --target=node20 --legal-comments=inline \
  --log-level=warning --allow-overwrite --outfile=cli/quick-ask.js
rm -f cli/quick-ask.js.map part-*
bundle cli/main.js cli/mount-helper.js cli/mount/daemon-main.js hooks/hook-main.js ingest/{ingest,reader}-worker.js \
  app/{contexts/context,threads/slow,threads/commit,vectors/vectors}-worker.js modules/module-worker.js --outdir=. --outbase=. --splitting --chunk-names='part-[hash]' \
  --external:./quick-ask.js --external:./completion/names.js
