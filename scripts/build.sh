#!/usr/bin/env bash
# usage: scripts/build.sh PRESET TARGET...
# Configures (when needed) and builds quietly: nothing to see when nothing is to be done, one line of progress otherwise,
# the compiler's errors when it fails. Everything goes to stderr; the full output is in build/PRESET.log.
set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
preset=$1
shift
build=$root/build/$preset
log=$root/build/$preset.log
cd "$root"
mkdir -p build

say() { printf 'build: %s\n' "$*" >&2; }

exec 9>"build/.$preset.lock"
if ! flock -n 9; then
  say "another build of build/$preset is running; waiting for it"
  flock 9
fi

# Shows what ninja is at, from the second second on. It sleeps in `read`, so nothing of it outlives the build.
progress() {
  local never
  exec {never}<> <(:)
  read -rt 1 -u "$never" || true
  if [ ! -t 2 ]; then
    say "building in build/$preset (log: build/$preset.log)"
    return
  fi
  while :; do
    printf '\r\033[Kbuild: build/%s %s' "$preset" "$(tail -c 2000 "$log" | grep -o '^\[[0-9]*/[0-9]*\]' | tail -n 1)" >&2
    read -rt 1 -u "$never" || true
  done
}
progress_pid=
stop_progress() {
  [ -n "$progress_pid" ] || return 0
  kill "$progress_pid" 2>/dev/null || true
  wait "$progress_pid" 2>/dev/null || true
  progress_pid=
  if [ -t 2 ]; then printf '\r\033[K' >&2; fi
}
trap stop_progress EXIT

# Runs a command with its output in the log; on failure shows the part that says why.
quietly() {
  if "$@" >>"$log" 2>&1 9>&-; then return 0; fi
  stop_progress
  local from
  from=$(grep -nm1 -E '^FAILED:|CMake Error|^ninja: error' "$log" | cut -d: -f1 || true)
  tail -n "+${from:-1}" "$log" | head -n 60 | cut -c1-400 >&2
  # A cache that cannot be configured may be at fault itself: the next run starts without it.
  if grep -q 'CMake Error' "$log"; then rm -f "$build/.configured"; fi
  say "failed; full log: $log"
  exit 1
}

: >"$log"
progress &
progress_pid=$!

# What the configuration was made from, beyond what ninja watches.
wheel=${DEEPCFR_TORCH_ROOT:-$(compgen -G "$root/.venv/lib/python3*/site-packages/torch" || true)}
key=$(printf '%s\n' "$root" "$wheel" | cat - CMakePresets.json | sha256sum)
if [ ! -e "$build/build.ninja" ] || [ "$(cat "$build/.configured" 2>/dev/null)" != "$key" ]; then
  quietly cmake --fresh --preset "$preset" "-DDEEPCFR_TORCH_ROOT=${DEEPCFR_TORCH_ROOT:-}"
  printf '%s\n' "$key" >"$build/.configured"
fi
quietly ninja -C "$build" -j "$(nproc)" "$@"
