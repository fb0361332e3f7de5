#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The tables that are in the tree are those that iasl compiles from tests/prm/tables.
srcdir=${srcdir:-$(dirname "$0")/../..}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

command -v python3 >/dev/null || { echo "SKIP: python3 is missing (Debian package: python3)"; exit 77; }
# No download here: an iasl that is new enough, or the one that was unpacked before.
cache=${CXL_VM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/cxl-redfish-vm}
version=$(${IASL:-iasl} -v 2>/dev/null | sed -n 's/.*version \([0-9]\{8\}\).*/\1/p' | head -n 1)
[ "${version:-0}" -ge 20210604 ] || [ -d "$cache/acpica" ] || {
	echo "SKIP: no iasl 20210604 or newer, which \`make update-tables' fetches"
	exit 77
}
CXL_VM_OFFLINE=1 python3 "$srcdir/tests/prm/tables/compile" "$scratch" || exit 1
n=0
for file in $(cd "$scratch" && find . -type f); do
	cmp "$scratch/$file" "$srcdir/$file" || {
		echo "FAIL: ${file#./} differs from what tests/prm/tables gives: make update-tables"
		exit 1
	}
	n=$((n + 1))
done
[ "$n" -ge 15 ] || { echo "FAIL: only $n files were compiled"; exit 1; }
