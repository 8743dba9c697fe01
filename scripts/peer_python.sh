#!/usr/bin/env bash
# Runs Python with the packages of scripts/peers.sh where they are there, else the system's.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python=$root/.venv-peers/bin/python3
[ -x "$python" ] || python=python3
exec "$python" "$@"
