#!/usr/bin/env bash
# usage: scripts/librarian.sh [ROOT]
# Exits 0 when every document is in its place; otherwise one line for each finding: file:line: what, and the remedy.
# The rules stand at the top of librarian.py.
set -euo pipefail
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
python=/usr/bin/python3
[ -x $python ] || python=python3
exec $python "$here/librarian.py" "${1:-$here/..}"
