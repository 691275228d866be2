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
    --banner:js="$require"
}

# These are waited for at each press of a key, or for one answer: one file each, and what they seldom need is what the others have.
bundle cli/completion/names.js --outdir=cli/completion
bundle cli/quick-ask.js --outdir=cli --external:./app/app.js --external:./config/{settings,modules,user-config}.js --external:./app/schema-settings.js \
  --external:./ingest/{indexer,held-search}.js --external:./cli/embeddings.js --external:./mount/ask-mount.js --external:./modules/{modules,module-folders}.js
# Read whole before anything is answered: names of variables are a quarter of it.
npx --no-install esbuild cli/quick-ask.js --minify --platform=node --format=esm --target=node20 --legal-comments=inline \
  --log-level=warning --allow-overwrite --outfile=cli/quick-ask.js
rm -f cli/quick-ask.js.map part-* daemon-* thread-*

# Commands share what they load, in parts of any number; a daemon and each of its threads loads nearly all of its own, which is read in fewer files
# when it is not cut where others share it.
parts() {
  bundle --splitting --outdir=. --outbase=. --chunk-names="$1-[hash]" "${@:2}"
}
parts part cli/main.js cli/mount-helper.js hooks/hook-main.js --external:./quick-ask.js --external:./completion/names.js
parts daemon cli/mount/daemon-main.js
parts thread {ingest/ingest,ingest/reader,app/contexts/context,app/threads/slow,app/threads/commit,app/vectors/vectors,modules/module}-worker.js
