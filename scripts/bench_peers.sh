#!/usr/bin/env bash
# usage: scripts/bench_peers.sh [--rounds N] [--seconds S] [--no-deep-cfr] [--json]
# OpenSpiel's Deep CFR and its C++ game logic against ours, in turn on the same core: bars 5 and 6 of docs/performance.md.
# OpenSpiel comes with scripts/peers.sh. Its Deep CFR needs torch for Python with all that torch asks for: that of .venv if it is complete
# (scripts/setup.sh --gpu), else PyPI's in build/bench-peers (5 GB on disk, once).
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
say() { printf 'bench_peers: %s\n' "$*" >&2; }

deep_cfr=yes
for argument in "$@"; do
  case $argument in
    --no-deep-cfr) deep_cfr=no ;;
    -h | --help) sed -n '2,5s/^# //p' "${BASH_SOURCE[0]}"; exit 0 ;;
  esac
done

"$root/scripts/setup.sh"
"$root/scripts/peers.sh"
python=$root/.venv-peers/bin/python3
if [ ! -x "$python" ]; then
  say "OpenSpiel is not here (see build/peers.log)"
  exit 1
fi
"$root/scripts/build.sh" release inference_backend_bench walk_bench

# The walk, against the headers in OpenSpiel's own wheel.
packages=$("$python" -c 'import os, open_spiel; print(os.path.dirname(os.path.dirname(open_spiel.__file__)))')
walk=$root/build/openspiel_walk.so
if [ ! "$walk" -nt "$root/bench/peers/openspiel_walk.cpp" ]; then
  ${CXX:-g++} -std=c++17 -O3 -march=native -DNDEBUG -fPIC -shared -w -I"$packages" -I"$packages/open_spiel" \
    -I"$packages/open_spiel/json/include" -I"$packages/open_spiel/abseil-cpp" "$root/bench/peers/openspiel_walk.cpp" -o "$walk"
fi

# Folders for PYTHONPATH with which OpenSpiel's Deep CFR can be loaded.
works() { PYTHONPATH=$1 "$python" -c 'import torch, tree' 2>/dev/null; }
torch=
if [ $deep_cfr = yes ]; then
  extra=$root/build/bench-peers
  complete=$(compgen -G "$root/.venv/lib/python3*/site-packages" | head -n 1 || true)
  for candidate in "$extra" "$extra:$complete"; do
    if works "$candidate"; then torch=$candidate; break; fi
  done
  if [ -z "$torch" ]; then
    version=$(sed -n 's/^torch==//p' "$root/scripts/libtorch.txt")
    say "installing torch $version and dm-tree from PyPI into build/bench-peers"
    if ! "$python" -m pip install --disable-pip-version-check --no-input --progress-bar off --retries 1 --timeout 60 --only-binary :all: \
      --upgrade --target "$extra" "torch==$version" dm-tree==0.1.10 >"$root/build/bench-peers.log" 2>&1 || ! works "$extra"; then
      say "torch for Python is not available here; log: build/bench-peers.log; --no-deep-cfr compares the game logic alone"
      exit 1
    fi
    torch=$extra
  fi
fi

# One core for all; the last one, since the first often serves interrupts.
core=$("$python" -c 'import os; print(max(os.sched_getaffinity(0)))')
export PYTHONPATH=$torch OMP_NUM_THREADS=1
exec taskset -c "$core" "$python" "$root/bench/peers/compare.py" --build "$root/build/release" --walk "$walk" "$@"
