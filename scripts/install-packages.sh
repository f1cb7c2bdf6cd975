#!/usr/bin/env bash
# Installs those of the Debian packages named that are missing; where that is not possible, says how to.
#
#   scripts/install-packages.sh PACKAGE...
set -euo pipefail

missing=()
for package in "$@"; do
  status=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

echo "installing ${missing[*]}"
if ! command -v apt-get >/dev/null || ((EUID != 0)); then
  echo "$0: as root on Debian 12, run: apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi
export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3; do
  if apt-get update --quiet --quiet &&
    apt-get install --quiet --quiet --yes --no-install-recommends "${missing[@]}"; then
    exit 0
  fi
  echo "$0: attempt $attempt failed" >&2
  sleep $((10 * attempt))
done
exit 1
