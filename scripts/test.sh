#!/usr/bin/env bash
# usage: scripts/test.sh [arguments of ctest]
# Sets up, builds everything in build/release and runs all tests; ends with ctest's summary line.
#   scripts/test.sh -LE 'slow|peer'    the quick ones
#   scripts/test.sh -R '^game\.'       those of one room
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
"$root/scripts/setup.sh"
"$root/scripts/peers.sh"
"$root/scripts/build.sh" release all benches

output=$root/build/ctest.log
status=0
ctest --test-dir "$root/build/release" -j2 --output-on-failure --no-tests=error "$@" 2>&1 | tee "$output" || status=$?
# ctest prints times and skipped tests after its summary; the summary is to be what one sees last.
summary=$(grep -E 'tests passed, [0-9]+ tests? failed|^No tests were found' "$output" | tail -n 1 || true)
if [ -n "$summary" ]; then printf '\n%s\n' "$summary"; fi
exit "$status"
