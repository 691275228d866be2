#!/usr/bin/env bash
# Makes one file each of the programs that begin often, or that somebody waits for: Node takes longer to find and read
# two hundred modules than most of them run. What has native code stays outside.
set -euo pipefail
cd "$(dirname "$0")/.."

entries=(hooks/hook-main ingest/ingest-worker ingest/reader-worker slow-worker commit-worker)
# CommonJS packages within ask for modules of Node.
require="import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);"

cd dist
npx --no-install esbuild "${entries[@]/%/.js}" --outdir=. --allow-overwrite --bundle --platform=node --format=esm \
  --target=node20 --minify-syntax --minify-whitespace --keep-names --sourcemap --legal-comments=inline --log-level=warning \
  --external:better-sqlite3 --external:koffi --external:fuse-native --banner:js="$require"
