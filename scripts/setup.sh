#!/usr/bin/env bash
# Installs what is missing and nothing else, so it is quick if everything is there. Arguments ask for more: `tests`, `bench` and `soak` for the tools that these
# use, `runner` for the test runner alone. With `packages` it ends before better-sqlite3 is compiled, which takes longer than all the rest and is often not needed.
set -euo pipefail
cd "$(dirname "$0")/.."
words=" $* "

fail() { printf 'setup: %s\n' "$*" >&2; exit 1; }
wants() { [[ "$words" = *" $1 "* ]]; }

command -v node >/dev/null || fail 'Node.js 20.19 or newer is needed; install it and run this again'
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
  fail "Node.js 20.19 or newer is needed, this is $(node --version)"

# --- system packages: for mounting, for compiling better-sqlite3 and for the demo; the tools that the tests use like a user
missing=()
need() { command -v "$1" >/dev/null || missing+=("$2"); }
# Debian and Ubuntu package npm separately from Node. If Node comes from elsewhere, their npm would install their Node as well.
if ! command -v npm >/dev/null; then
  dpkg -S "$(readlink -f "$(command -v node)")" >/dev/null 2>&1 ||
    fail "npm is missing, which comes with Node.js; install it for $(command -v node) and run this again"
  missing+=(npm)
fi
need fusermount3 fuse3
need g++ g++
need make make
need python3 python3
need git git
need getfattr attr
if wants tests; then
  need rg ripgrep
  need jq jq
  need rsync rsync
  need strace strace
  need vim vim
  need sqlite3 sqlite3
  need man man-db
  need zsh zsh
  need fish fish
fi
if wants bench; then
  need rg ripgrep
  need bindfs bindfs
  need perl perl
  need taskset util-linux
fi
if wants soak; then
  need jq jq
  need rsync rsync
  need strace strace
  need sqlite3 sqlite3
  need fio fio
  need stress-ng stress-ng
  need dbench dbench
fi
as_root=()
if [ "$(id -u)" != 0 ]; then as_root=(sudo); fi
install() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# A source that cannot be read is no reason to stop: the lists of the others may be enough, and otherwise install says what is missing.
update_lists() { "${as_root[@]}" apt-get update -qq || echo 'setup: some package lists cannot be read; going on' >&2; }

if [ ${#missing[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || fail "install these and run this again: ${missing[*]}"
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null || fail "as root, run: apt-get install ${missing[*]}"
  echo "setup: installing ${missing[*]}"
  update_lists
  install "${missing[@]}" || fail "these could not be installed; as root, run: apt-get install ${missing[*]}"
fi

# Whether there are no npm packages, or the lock file is newer.
lacks_packages() { [ ! -f node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; }

# --- libfuse 2, which only the driver fuse-native and its tests need: if it cannot be installed, everything else works
# There is no pipe here: grep would end ldconfig once it has a match, and ldconfig would then count as failed.
has_libfuse2() { [[ $(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null) = *libfuse.so.2* ]]; }
add_libfuse2() {
  command -v apt-get >/dev/null || return 1
  # No password is asked for, since libfuse 2 is optional.
  [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null || return 1
  install libfuse2 2>/dev/null && return
  update_lists
  # The package has another name on newer systems.
  install libfuse2 2>/dev/null || install libfuse2t64 2>/dev/null
}
# It is only tried along with npm packages: some systems no longer have it, and asking the network each time would be slow there.
has_libfuse2 || { lacks_packages && add_libfuse2; } ||
  echo 'setup: libfuse 2 is not installed, which the driver fuse-native wants (apt-get install libfuse2, on newer systems libfuse2t64)' >&2

# --- the device: every distribution gives all users access, but a bare machine without udev does not
if [ -c /dev/fuse ] && [ ! -w /dev/fuse ]; then
  fail 'this user has no right to /dev/fuse; as root, run: chmod 666 /dev/fuse'
fi
if [ -c /dev/fuse ] && [ "$(id -u)" = 0 ] && [ "$(stat -c %a /dev/fuse)" = 600 ]; then
  echo 'setup: /dev/fuse is open to root alone; opening it to all users, as udev does'
  chmod 666 /dev/fuse
fi

# --- the mount table, which tells fusermount3 what an ordinary user may unmount; a bare system without systemd has none
if [ ! -e /etc/mtab ]; then
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    fail 'without /etc/mtab fusermount3 unmounts nothing for an ordinary user; as root, run: ln -s /proc/self/mounts /etc/mtab'
  echo 'setup: linking /etc/mtab, without which fusermount3 unmounts nothing for an ordinary user'
  "${as_root[@]}" ln -s /proc/self/mounts /etc/mtab
fi

# --- npm packages
# With the headers that came with Node, node-gyp need not download any.
prefix=$(node -p 'require("path").resolve(process.execPath, "../..")')
if [ -f "$prefix/include/node/node_api.h" ]; then export npm_config_nodedir="$prefix"; fi
# Compiling uses all cores: by default node-gyp uses one. The jobs of the Makefile are not shared, since none may be left.
export JOBS=max
unset MAKEFLAGS
if lacks_packages; then
  echo 'setup: installing npm packages'
  npm ci --ignore-scripts --no-fund --no-audit --loglevel=error
  touch node_modules/.package-lock.json
fi
# --- the test runner, built with the plugins of package.json; `npm ci` alone does not build it
if { wants tests || wants runner; } && [ ! -f node_modules/.test-runner-is-built ]; then
  npx tap build >/dev/null
  touch node_modules/.test-runner-is-built
fi
if wants packages; then exit; fi

# --- better-sqlite3: precompiled if that can be downloaded, otherwise compiled here, with object-wrap.h (which says why)
# The folder is not in CXXFLAGS, where a space in its name would end it. -O2 is for SQLite: with -O3, which its package asks for, it
# takes half as long again to compile, and answers no faster.
rebuild() {
  CFLAGS="-O2 ${CFLAGS:-}" CXXFLAGS="${CXXFLAGS:-} -include object-wrap.h" CPLUS_INCLUDE_PATH="$PWD/scripts${CPLUS_INCLUDE_PATH:+:$CPLUS_INCLUDE_PATH}" \
    npm rebuild --loglevel=error better-sqlite3
}
load() {
  node -e 'try { new (require("better-sqlite3"))(":memory:") } catch (error) { console.error(error.message); process.exit(1) }'
}
addon=node_modules/better-sqlite3/build/Release/better_sqlite3.node
if [ ! -f "$addon" ]; then
  echo 'setup: getting better-sqlite3; where it has to be compiled, that takes two minutes'
  rebuild
fi
# --- also compiled here if it is for another Node, or has the hooks that object-wrap.h leaves out
if ! load 2>/dev/null || grep -qs RemoveEnvironmentCleanupHook "$addon"; then
  echo "setup: compiling better-sqlite3 for Node.js $(node -p process.versions.node)"
  # This is a variable, because npm 12 refuses options that it does not know.
  export npm_config_build_from_source=true
  rebuild
  if ! load; then
    node="Node.js $(node -p process.versions.node)"
    # Headers that somebody has configured may be those of another Node, which nothing checks during compiling.
    headers=$(npm config get nodedir) || headers=''
    case "$headers" in
      '' | undefined | null) fail "better-sqlite3 was compiled, but $node cannot load it" ;;
      *) fail "better-sqlite3 was compiled with the headers in $headers (npm config get nodedir), and $node cannot load it; have nodedir name its own headers, or none" ;;
    esac
  fi
fi
