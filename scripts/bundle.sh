#!/usr/bin/env bash
# Makes one file each of the programs that begin often, or that somebody waits for: Node takes longer to find and read
# two hundred modules than most of them run. What has native code stays outside.
set -euo pipefail
cd "$(dirname "$0")/../dist"

# CommonJS packages within ask for modules of Node.
require="import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);"

bundle() {
  npx --no-install esbuild "$@" --allow-overwrite --bundle --platform=node --format=esm --target=node20 \
    --minify-syntax --minify-whitespace --keep-names --sourcemap --legal-comments=inline --log-level=warning \
    --external:better-sqlite3 --external:koffi --external:fuse-native --external:gpt-tokenizer --banner:js="$require"
}

bundle ingest/ingest-worker.js ingest/reader-worker.js slow-worker.js context-worker.js commit-worker.js --outdir=.
# What project.js loads only where it has to stays where it is.
bundle cli/quick-ask.js --outdir=cli --external:./app.js --external:./config/{settings,modules}.js --external:./schema-settings.js \
  --external:./ingest/{indexer,held-search}.js --external:./cli/embeddings.js --external:./modules/{modules,module-folders}.js
# Who completes a word waits for it at each press of a key.
bundle cli/completion/names.js --outdir=cli/completion
# What a hook seldom needs, such as to check a config file, is in files of its own beside it.
rm -f hooks/part-*
bundle hooks/hook-main.js --outdir=hooks --splitting --chunk-names='part-[hash]'
# A client waits for the server: the SDK is of many modules. Our own, which others load too, stay outside.
rm -f mcp/part-*
bundle mcp/server.js mcp/stdio.js --outdir=mcp --splitting --chunk-names='part-[hash]' \
  "--external:$PWD/core/*" "--external:$PWD/toolkit/*" "--external:$PWD/vfs/*"
