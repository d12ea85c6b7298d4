#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# A real file, carried over 48 hops by Flush, and over the first six of them by Flush and, as CoAP does it, block by block.
# Each ends with the file at the sink, which is compared with the one that was sent.
#
#     examples/bulk_transfer.sh [FILE]        # needs `penstock`, which `make run` installs into .venv
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
file=${1:-$root/docs/spec.md}
penstock=$root/.venv/bin/penstock
test -x "$penstock" || penstock=penstock
got=$(mktemp)
trap 'rm -f "$got"' EXIT

carry() {
    "$penstock" transfer "$file" --topology "$root/scenarios/flush-line.toml" --source "$1" --mode "$2" --received "$got"
    cmp "$file" "$got"
}

carry 79 flush
carry 10 flush
carry 10 blockwise
