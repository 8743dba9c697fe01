#!/usr/bin/env bash
# Makes the machine and the checkout ready to build: Debian packages, and LibTorch from PyPI in .venv.
# Only what is missing is installed; when nothing is missing it ends in well under a second.
set -euo pipefail

usage() {
  cat <<'END'
usage: scripts/setup.sh [--gpu] [--check]
  --gpu    the CUDA half of LibTorch too (about 5 GB on disk instead of 1.3)
  --check  only say what is missing: exit status 0 nothing, 1 something
Environment:
  DEEPCFR_TORCH_ROOT  folder `torch` of a PyPI wheel installed elsewhere; then no .venv is made
Exit status: 0 ready, 1 something failed, 2 packages are missing and may not be installed from here.
END
}

packages=(g++ cmake ninja-build ccache git python3 python3-venv
  libyaml-cpp-dev libspdlog-dev libcli11-dev nlohmann-json3-dev libtomlplusplus-dev libgtest-dev libgmock-dev libbenchmark-dev)

root=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.." && pwd)
log=$root/build/setup.log
venv=$root/.venv
stamp=$venv/.deepcfr-setup
requirements=$root/scripts/libtorch.txt
gpu=no
check=no
for argument in "$@"; do
  case $argument in
    --gpu) gpu=yes ;;
    --check) check=yes ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

say() { printf 'setup: %s\n' "$*" >&2; }

# fail MESSAGE REMEDY: the end of the log, then what to do.
fail() {
  tail -n 15 "$log" | sed 's/^/  | /' >&2
  say "$1"
  say "remedy: $2"
  say "full log: $log"
  exit 1
}

# Debian packages that are not installed, on one line.
missing_packages() {
  command -v dpkg-query >/dev/null || { echo "${packages[@]}"; return; }
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null | sed -n 's/^installed //p' || true)
  comm -23 <(printf '%s\n' "${packages[@]}" | sort) <(sort <<<"$installed") | paste -sd' '
}

# What .venv must hold, as one line; a venv with the CUDA half serves for the CPU too.
wanted_key() { printf '%s %s\n' "$1" "$(cat "$root/scripts/setup.sh" "$requirements" | sha256sum | cut -c1-32)"; }
have_torch() {
  if [ -n "${DEEPCFR_TORCH_ROOT:-}" ]; then
    [ -e "$DEEPCFR_TORCH_ROOT/lib/libtorch_cpu.so" ]
    return
  fi
  [ -f "$stamp" ] && compgen -G "$venv/lib/python3*/site-packages/torch/lib/libtorch_cpu.so" >/dev/null || return 1
  local key
  key=$(cat "$stamp")
  [ "$key" = "$(wanted_key gpu)" ] || { [ $gpu = no ] && [ "$key" = "$(wanted_key cpu)" ]; }
}

install_packages() {
  local missing=$1 sudo=()
  local command="apt-get install -y --no-install-recommends $missing"
  if ! command -v apt-get >/dev/null; then
    say "this is not Debian; install what corresponds to: $missing"
    exit 2
  fi
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
      sudo=(sudo)
    else
      say "packages are missing, and there is neither root nor sudo here. Have this run as root, then try again:"
      printf '  apt-get update && %s\n' "$command" >&2
      exit 2
    fi
  fi
  say "installing Debian packages: $missing"
  local apt=("${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 -q)
  local install=("${apt[@]}" install -y --no-install-recommends)
  # shellcheck disable=SC2086  # $missing is a list
  if ! { compgen -G '/var/lib/apt/lists/*Packages*' >/dev/null && "${install[@]}" $missing >>"$log" 2>&1; }; then
    { "${apt[@]}" update && "${install[@]}" $missing; } >>"$log" 2>&1 ||
      fail "apt-get failed" "see that the package mirrors can be reached, then try: apt-get update && $command"
  fi
}

install_torch() {
  local kind=cpu
  local options=(--no-deps)
  if [ $gpu = yes ]; then kind=gpu options=(); fi
  local version
  version=$(sed -n 's/^torch==//p' "$requirements")
  if [ $kind = gpu ]; then
    say "LibTorch $version with CUDA from PyPI into .venv (about 5 GB; minutes)"
  else
    say "LibTorch $version from PyPI into .venv (1.3 GB; half a minute or more)"
  fi
  # What was cut short, or made otherwise, is laid anew over the old files.
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = installing ]; then options+=(--force-reinstall); fi
  local python=/usr/bin/python3
  [ -x $python ] || python=python3
  if ! "$venv/bin/python3" -m pip --version >/dev/null 2>&1; then
    $python -m venv --clear "$venv" >>"$log" 2>&1 || fail "$python -m venv failed" "install python3-venv"
  fi
  echo installing >"$stamp"
  "$venv/bin/python3" -m pip install --disable-pip-version-check --no-input --progress-bar off "${options[@]}" \
    -r "$requirements" >>"$log" 2>&1 ||
    fail "pip could not install torch $version" \
      "see that pypi.org can be reached and that $(df -Ph "$root" | awk 'NR==2 {print $4}') of free disk is enough, then run this again; or set DEEPCFR_TORCH_ROOT"
  wanted_key $kind >"$stamp"
}

missing=$(missing_packages)
if [ $check = yes ]; then
  status=0
  if [ -n "$missing" ]; then say "missing Debian packages: $missing"; status=1; fi
  if ! have_torch; then
    say "missing: LibTorch in ${DEEPCFR_TORCH_ROOT:-$venv}"
    status=1
  fi
  [ $status = 1 ] || say "nothing is missing"
  exit $status
fi
if [ -z "$missing" ] && have_torch; then exit 0; fi

mkdir -p "$root/build"
exec 9>"$root/build/.setup.lock"
if ! flock -n 9; then
  say "another set-up of this checkout is running; waiting for it"
  flock 9
fi
date >"$log"
missing=$(missing_packages)
if [ -n "$missing" ]; then install_packages "$missing"; fi
if ! have_torch; then
  if [ -n "${DEEPCFR_TORCH_ROOT:-}" ]; then
    say "DEEPCFR_TORCH_ROOT=$DEEPCFR_TORCH_ROOT holds no lib/libtorch_cpu.so; unset it, or name the folder 'torch' of a wheel"
    exit 2
  fi
  install_torch
fi
say "ready"
