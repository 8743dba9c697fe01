#!/usr/bin/env bash
# Builds the preset gpu on a machine with a GPU, runs the tests labelled gpu and measures: docs/plans/gpu-measurements.md.
set -uo pipefail

usage() {
  cat <<'END'
usage: scripts/gpu_check.sh --pack DIR
       scripts/gpu_check.sh [--deps DIR] [--jobs N] [--quick] [--seconds S] [PART...]
  --pack DIR     here, on a machine with the Debian packages of setup.sh: puts copies of the few libraries that are no part of LibTorch into
                 DIR (4 MB), to be taken to a machine where nothing can be installed
  --deps DIR     there: such a folder. Without it the libraries of the system are taken
  --jobs N       jobs of the build (default: all processors)
  --quick        fewer and smaller measurements
  --seconds S    of all parts together (default 340); what has not begun by then is left out, and said so
  PART           some of: build test agree fit rows traversal train. Default: all, in this order
There: cmake 3.25, ninja, g++ 12, python3 and the wheel of torch 2.11 for CUDA 13; no network. The wheel is DEEPCFR_TORCH_ROOT, or the one
that python3 would import.
Exit status: 0 all parts passed, 1 some did not, 2 usage, 4 built, but no CUDA device is visible (the tests are skipped, nothing is measured).
END
}

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
packages=(libyaml-cpp-dev libyaml-cpp0.7 libspdlog-dev libspdlog1.10 libfmt-dev libfmt9 libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libgtest-dev
  libgmock-dev libbenchmark-dev libbenchmark1debian)
deps='' pack='' quick=''
jobs=$(nproc)
limit=340
parts=()
while [ $# -gt 0 ]; do
  case $1 in
    --pack | --deps | --jobs | --seconds)
      [ $# -ge 2 ] || { usage >&2; exit 2; }
      case $1 in
        --pack) pack=$2 ;;
        --deps) deps=$2 ;;
        --jobs) jobs=$2 ;;
        --seconds) limit=$2 ;;
      esac
      shift 2
      ;;
    --quick) quick=--quick; shift ;;
    -h | --help) usage; exit 0 ;;
    build | test | agree | fit | rows | traversal | train) parts+=("$1"); shift ;;
    *) usage >&2; exit 2 ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=(build test agree fit rows traversal train)

say() { printf 'gpu_check: %s\n' "$*"; }
fail() { say "$1"; say "remedy: $2"; exit 1; }

if [ -n "$pack" ]; then
  mkdir -p "$pack" || exit 1
  dpkg -L "${packages[@]}" 2>/dev/null | grep -E '^/usr/(include|lib|share/(cmake|pkgconfig))/' | sort -u |
    while read -r file; do [ -d "$file" ] || printf '%s\n' "${file#/}"; done | tar -C / -cf - -T - | tar -C "$pack" -xf - ||
    fail "the libraries could not be copied" "run scripts/setup.sh first"
  for package in "${packages[@]}"; do dpkg -s "$package" >/dev/null 2>&1 || fail "$package is not installed" "run scripts/setup.sh first"; done
  say "packed $(du -sh "$pack" | cut -f1) into $pack"
  exit 0
fi

torch=${DEEPCFR_TORCH_ROOT:-}
if [ -z "$torch" ]; then  # found, not imported: that alone would take seconds
  torch=$(python3 -c 'import importlib.util as u; s = u.find_spec("torch"); print(s.submodule_search_locations[0] if s else "")' 2>/dev/null)
  if [ -z "$torch" ]; then torch=$(compgen -G "$root/.venv/lib/python3*/site-packages/torch" | head -n 1); fi
fi
[ -e "$torch/lib/libtorch_cuda.so" ] ||
  fail "no LibTorch with CUDA in '${torch:-nowhere}'" "name the folder 'torch' of a wheel in DEEPCFR_TORCH_ROOT"
export DEEPCFR_TORCH_ROOT=$torch
if [ -z "${CUDA_HOME:-}" ] && command -v nvcc >/dev/null; then  # for CUDA's headers
  CUDA_HOME=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
  export CUDA_HOME
fi
if [ -n "$deps" ]; then
  deps=$(cd "$deps" 2>/dev/null && pwd) && [ -d "$deps/usr" ] || fail "--deps holds no folder usr" "make it with --pack"
  export CMAKE_PREFIX_PATH=$deps/usr LD_LIBRARY_PATH=$deps/usr/lib/x86_64-linux-gnu${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
fi

build=$root/build/gpu
started=$SECONDS
failed=() skipped=()
left() { echo $((limit - (SECONDS - started))); }

# part NAME COMMAND...: its output, how long it took, whether it passed; within the time that is left.
part() {
  local name=$1 begun=$SECONDS status=0
  shift
  [[ " ${parts[*]} " == *" $name "* ]] || return 0
  if [ "$(left)" -lt 5 ]; then skipped+=("$name"); return 0; fi
  say "== $name"
  if [ "$(type -t "$1")" = function ]; then
    "$@" || status=$?
  else
    timeout "$(left)" "$@" || status=$?
  fi
  say "$name: $([ $status = 0 ] && echo passed || echo "FAILED ($status)"), $((SECONDS - begun)) s"
  [ $status = 0 ] || failed+=("$name")
  return $status
}

build_all() {
  cd "$root" && mkdir -p build || return 1
  cmake --fresh --preset gpu "-DDEEPCFR_TORCH_ROOT=$torch" >build/gpu.configure.log 2>&1 || { tail -n 20 build/gpu.configure.log; return 1; }
  rm -f build/gpu.configure.log
  timeout "$(left)" ninja -C "$build" -j "$jobs" deepcfr test_gpu device_bench device_traversal_bench >"$build/check.log" 2>&1 ||
    { grep -m 5 -A 12 -E '^FAILED|error:' "$build/check.log"; tail -n 3 "$build/check.log"; return 1; }
  ls -l "$build/deepcfr" "$build/test_gpu" "$build/device_bench" | awk '{print "  " $5 " bytes " $9}'
}

train_small() {
  local folder
  folder=$(mktemp -d) || return 1
  (cd "$folder" && timeout "$(left)" "$build/deepcfr" train "$root/configs/leduc.yaml" --set training.device=cuda --set algorithm.iterations=3 --set evaluation.games=200 \
    --run-dir run | grep -E 'device:|iteration|NashConv') &&
    grep 'device:' "$folder/run/log.txt"
  local status=$?
  rm -rf "$folder"
  return $status
}

say "$(uname -m), $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1); $(g++ --version | head -n 1)"
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null | sed 's/^/gpu_check: /'
say "LibTorch: $torch"
part build build_all || { say "nothing can be run without the build"; exit 1; }
cd "$build" || exit 1
export OMP_NUM_THREADS=1
./deepcfr doctor || true
part test ./test_gpu --gtest_brief=0
if ./deepcfr doctor | grep -qE ' 0 CUDA|not built in'; then
  say "no CUDA device is visible: built and linked in $((SECONDS - started)) s; the tests were skipped, nothing was measured"
  [ ${#failed[@]} = 0 ] && exit 4
  exit 1
fi
part agree ./device_bench agree $quick
part fit ./device_bench fit $quick
part train train_small
traversals=$([ -n "$quick" ] && echo 1024 || echo 8192)
part traversal ./device_traversal_bench --workers "$(nproc)" --traversals "$traversals" --rounds 2
part rows ./device_bench rows $quick

[ ${#skipped[@]} = 0 ] || say "left out for want of time: ${skipped[*]}"
if [ ${#failed[@]} -gt 0 ]; then
  say "failed: ${failed[*]}; $((SECONDS - started)) s"
  exit 1
fi
say "all parts passed, $((SECONDS - started)) s"
