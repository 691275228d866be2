#!/usr/bin/env bash
# Looks for problems that only show after a long time: leaks of memory, inodes, handles and descriptors while a mount is in use. Then
# it runs other people's tests, and kills daemons.
#
#   scripts/soak.sh                       an hour on the linux driver; all of torture.sh; races of a minute; 300 kills on both drivers
#   MINUTES=5 DRIVER=fuse-native KILLS=50 scripts/soak.sh
#
# FSSTRESS_BIN is fsstress of xfstests; without it stress-ng is used. torture.sh lists what else is needed; what is missing
# is reported as skipped. Ends with status 1 if something failed.
set -uo pipefail
project=$(cd "$(dirname "$0")/.." && pwd)
minutes=${MINUTES:-60}
driver=${DRIVER:-linux}
kills=${KILLS:-300}
work=$(mktemp -d)
point=$work/mount
docs=$work/docs
failures=0
workers=()

kgraphfs() { node "$project/dist/cli/main.js" "$@"; }
row() { printf '%-12s %-9s %s\n' "$1" "$2" "$3"; }
fail() { row "$1" FAILED "$2"; failures=$((failures + 1)); }

# Also ends what the workers have started: fsstress leaves its process group, but not its session.
stop_workers() {
  local session pids
  for session in "${workers[@]}"; do
    mapfile -t pids < <(ps -o pid= --sid "$session" | tr -d ' ')
    kill -KILL "${pids[@]}" 2>/dev/null
    wait "$session" 2>/dev/null
  done
  workers=()
}
finish() {
  stop_workers
  cd /
  if mountpoint -q "$point"; then kgraphfs unmount --force "$point" >/dev/null || umount -l "$point"; fi
  rm -rf --one-file-system "$work"
}
trap finish EXIT

"$project/scripts/setup.sh" soak || exit

# The figures of status.json and /proc about the daemon, as "name value" lines.
sample() {
  jq -r '.mount // {} | to_entries[] | "\(.key) \(.value)"' "$point/.kgraphfs/status.json"
  awk '/^VmRSS/ { print "rss_mb", int($2 / 1024) } /^Threads/ { print "os_threads", $2 }' "/proc/$daemon/status"
  echo "descriptors $(ls "/proc/$daemon/fd" | wc -l)"
}
# figure NAME FILE: prints a figure of a sample.
figure() { awk -v name="$1" '$1 == name { print $2 }' "$2"; }
table_line() {
  printf '%8s %8s %8s %8s %8s %8s %10s\n' "$1" "$(figure rss_mb "$2")" "$(figure descriptors "$2")" \
    "$(figure os_threads "$2")" "$(figure nodes "$2")" "$(figure handles "$2")" "$(figure requests "$2")"
}

# in_background FUNCTION ARGUMENT: runs it in a session of its own, which can be ended as a whole.
in_background() {
  setsid bash -c '"$@"' bash "$@" >/dev/null 2>&1 &
  workers+=($!)
}
work_in() {
  while :; do
    if [ -n "${FSSTRESS_BIN:-}" ]; then "$FSSTRESS_BIN" -d "$1/tree" -n 2000 -p 3 -l 1
    else stress-ng --temp-path "$1" --dir 2 --rename 2 --seek 2 --symlink 2 --timeout 20s; fi
    rm -rf "$1"/tree "$1"/stress-ng*
  done
}
read_all() {
  while :; do
    grep -rc payment "$1/docs" | tail -n 1
    ls -lR "$1" | wc -l
    head -c 100 "$1"/context/memory/fact/* "$1"/context/history/*
  done
}
remember() {
  local n=0
  while :; do
    n=$((n + 1))
    echo "fact $n" >"$1/context/memory/fact/soak-$((n % 50))"
    [ $((n % 7)) != 0 ] || rm -f "$1/context/memory/fact/soak-$((n % 50))"
    sleep 0.05
  done
}
edit_docs() {
  local n=0
  while :; do
    n=$((n + 1))
    printf '# Page %d\n\nA Payout%d requires a Charge.\n' "$n" $((n % 20)) >"$1/edited-$((n % 20)).md"
    sleep 0.5
  done
}

export -f work_in read_all remember edit_docs

soak() {
  local ended at rest=30 name first last
  [ -n "${FSSTRESS_BIN:-}" ] || row soak '' 'FSSTRESS_BIN is not set: stress-ng does the work'
  mkdir "$docs" "$point" && cp -r "$project/docs/sample/." "$docs"
  kgraphfs mount "$point" --docs "$docs" --state "$work/state" --driver "$driver" --wait >/dev/null ||
    { fail soak "no mount with driver $driver"; return; }
  daemon=$(jq -r .pid "$point/.kgraphfs/status.json")
  mkdir "$point/context/scratchpad/soak"
  echo "$minutes minutes on driver $driver, with a sample each minute:"
  printf '%8s %8s %8s %8s %8s %8s %10s\n' minute rss_mb fds threads nodes handles requests
  in_background work_in "$point/context/scratchpad/soak"
  in_background read_all "$point"
  in_background read_all "$point"
  in_background remember "$point"
  in_background edit_docs "$docs"
  # After the first minute the daemon has its normal size: caches are full, and all threads have started.
  for ((at = 1; at <= minutes; at++)); do
    sleep 60
    sample >"$work/sample.$at"
    table_line $at "$work/sample.$at"
  done
  stop_workers
  rm -rf "$point/context/scratchpad/soak"
  # On request the kernel forgets inodes that nobody uses. Only root may ask.
  if [ -w /proc/sys/vm/drop_caches ]; then sync; echo 2 >/proc/sys/vm/drop_caches; fi
  sleep $rest
  if [ -w /proc/sys/vm/drop_caches ]; then echo 2 >/proc/sys/vm/drop_caches; sleep 2; fi
  sample >"$work/sample.end"
  table_line end "$work/sample.end"

  last=$work/sample.end
  first=$work/sample.1
  name=$(figure pending "$last")
  if [ -z "$name" ]; then row pending SKIPPED 'status.json does not tell'
  elif [ "$name" -le 1 ]; then row pending passed 'nothing waits for its answer'
  else fail pending "$name requests wait for their answers"; fi
  # One handle is that of status.json, which is being read.
  name=$(figure handles "$last")
  if [ -z "$name" ]; then row handles SKIPPED "status.json does not tell"
  elif [ "$name" -le 1 ]; then row handles passed "$name, that of who asks"
  else fail handles "$name are open, and nobody uses the mount"; fi
  name=$(figure nodes "$last")
  if [ -z "$name" ]; then row nodes SKIPPED "status.json does not tell"
  elif [ ! -w /proc/sys/vm/drop_caches ]; then row nodes SKIPPED 'only root may have the kernel forget'
  elif [ "$name" -le 50 ]; then row nodes passed "$name left when the kernel has forgotten"
  else fail nodes "$name are left when the kernel has forgotten"; fi
  if [ $(($(figure descriptors "$last") - $(figure descriptors "$first"))) -le 2 ]; then
    row descriptors passed "$(figure descriptors "$first") after a minute, $(figure descriptors "$last") in the end"
  else fail descriptors "$(figure descriptors "$first") after a minute, $(figure descriptors "$last") in the end"; fi
  # Half as much again as in the warm state is a leak, not a cache.
  if [ "$minutes" -ge 3 ]; then
    first=$work/sample.3
    if [ "$(figure rss_mb "$last")" -le $(($(figure rss_mb "$first") * 3 / 2)) ]; then
      row rss passed "$(figure rss_mb "$first") MB after three minutes, $(figure rss_mb "$last") in the end"
    else fail rss "$(figure rss_mb "$first") MB after three minutes, $(figure rss_mb "$last") in the end"; fi
  fi
  local bugs
  bugs=$(grep -ciE 'bug|TypeError|RangeError' "$work/state/daemon.log")
  if [ "$bugs" = 0 ]; then row log passed 'no bug in daemon.log'
  else fail log "$bugs lines of daemon.log tell of bugs"; grep -iE -m 5 'bug|TypeError|RangeError' "$work/state/daemon.log" | sed 's/^/    /'; fi
  # A daemon that has ended may stay in /proc until its exit status is read.
  if ! kgraphfs unmount "$point" >/dev/null; then fail unmount 'the mount stays'
  elif grep -q '^State:.[^Z]' "/proc/$daemon/status" 2>/dev/null; then fail unmount "the daemon (pid $daemon) stays"
  else row unmount passed 'and the daemon has ended'; fi
}

soak

torture() {
  local title=$1
  shift
  echo "torture, driver $title:"
  TORTURE_DRIVER=$title "$project/scripts/torture.sh" || failures=$((failures + 1))
}
if [ "${TORTURE:-yes}" = yes ]; then torture "$driver"; fi

build_tests() { npm run --silent build:test && ln -sfn ../node_modules build/node_modules && cp package.json build/; }

if [ "${RACES:-yes}" = yes ]; then
  echo 'races of a minute each, on the linux driver:'
  (cd "$project" && build_tests && KGRAPHFS_SOAK=1 node build/test/fuse/linux/staleness.test.js >"$work/races")
  if [ $? = 0 ]; then grep 'versions,' "$work/races" | sed 's/^ *# //'; row races passed 'nothing stale'
  else grep -A 20 '^ *not ok' "$work/races" | head -n 60; fail races 'something stale, or told late'; fi
fi

if [ "$kills" -gt 0 ]; then
  echo "$kills kills, on both drivers:"
  (cd "$project" && build_tests &&
    KGRAPHFS_CRASH_ROUNDS=$kills TAP_TIMEOUT=$((kills * 10 + 60)) node build/test/durability/crash.test.js >"$work/crash")
  if [ $? = 0 ]; then grep '# seed' "$work/crash" | sed 's/^ *# //'; row crash passed "$kills kills"
  else grep -A 20 '^ *not ok' "$work/crash" | head -n 60; fail crash "$kills kills"; fi
fi

[ $failures = 0 ] || { echo "$failures failed"; exit 1; }
echo 'all passed'
