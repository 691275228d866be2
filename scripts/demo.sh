#!/usr/bin/env bash
# Mounts the sample docs, looks around in them with ordinary tools, and unmounts them again.
set -euo pipefail
cd "$(dirname "$0")/.."

kgraphfs() { node dist/cli/main.js "$@"; }
work=$(mktemp -d)
ctx=$work/ctx
finish() {
  if grep -q " $ctx fuse" /proc/mounts; then kgraphfs unmount "$ctx" >/dev/null; fi
  rm -rf --one-file-system "$work"
}
trap finish EXIT

# Shows a command as a person would type it in the mount, then runs it there.
show() {
  printf '\n\033[1m$ %s\033[0m\n' "$*" | if [ -t 1 ]; then cat; else sed 's/\x1b\[[0-9]*m//g'; fi
  (cd "$ctx" && bash -c "$*")
}

printf '$ kgraphfs mount ~/ctx --docs docs/sample\n'
kgraphfs mount "$ctx" --docs docs/sample --state "$work/state" --wait

show 'ls'
show 'ls graph/types'
show 'head -n 12 graph/nodes/Charge'
show 'cat graph/path/Subscription/charge.succeeded'
show 'cd graph/near/Subscription/generates && ls && cd ../../Invoice && ls'
show "grep -h '\"triggers\"' graph/edges/triggers.jsonl | head -n 4"
show 'grep -rl renewal docs | head -n 4'
show "find graph/nodes -name '*charges*' | sort | head -n 6"
show 'getfattr --only-values -n user.kgraphfs.source graph/nodes/Invoice; echo'
show 'echo "Refunds take 5 days" > context/memory/fact/refunds'
show 'cat context/memory/fact/refunds'
show 'ls graph/near/Refund/about_of'
show 'grep -r "take 5" context/memory'
show 'echo draft > context/scratchpad/draft && ls context/scratchpad'
printf '\n$ kgraphfs context history\n'
kgraphfs context history --type create --docs docs/sample --state "$work/state"
show 'touch docs/new.md; :'

printf '\n$ kgraphfs unmount ~/ctx\n'
kgraphfs unmount "$ctx"
