#!/usr/bin/env bash
# Makes .venv-peers: OpenSpiel, PokerKit and phevaluator, which the tests in tests/peer compare with. Nothing else needs
# them: where they cannot be had (no network) this says so and ends with 0, and those tests are skipped.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
venv=$root/.venv-peers
stamp=$venv/.deepcfr-peers
log=$root/build/peers.log
requirements=$root/scripts/peers.txt
key=$(sha256sum <"$requirements")

ready() { [ "$(cat "$stamp" 2>/dev/null)" = "$key" ] && [ -x "$venv/bin/python3" ]; }
say() { printf 'peers: %s\n' "$*" >&2; }

if ready; then exit 0; fi
mkdir -p "$root/build"
exec 9>"$root/build/.peers.lock"
if ! flock -n 9; then
  say "another scripts/peers.sh is running; waiting for it"
  flock 9
fi
if ready; then exit 0; fi
say "installing $(grep -v '^#' "$requirements" | paste -sd' ') from PyPI into .venv-peers"
python=/usr/bin/python3
[ -x $python ] || python=python3
if { $python -m venv --clear "$venv" &&
  "$venv/bin/python3" -m pip install --disable-pip-version-check --no-input --progress-bar off \
    --retries 1 --timeout 20 --only-binary :all: -r "$requirements"; } >"$log" 2>&1; then
  printf '%s\n' "$key" >"$stamp"
  say "ready"
else
  say "not available here ($(tail -n 1 "$log" | cut -c1-200)); tests against peers will be skipped; log: build/peers.log"
  rm -rf "$venv"
fi
