#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The commands of docs/bad-dimm.md have the answers that it shows; UPDATE=1 writes them into it. An answer that is another one is found.
. "${0%/*}/../http/functions"
needs_python
run() {
	mkdir "$scratch/$1"
	python3 -B "$srcdir/tests/docs/bad_dimm.py" "$daemon" ./cxl-spa "$hosts/plain-7.3.tar.zst" "$scratch/$1" "$2" ${UPDATE:+--update}
}
run document "$srcdir/docs/bad-dimm.md" || fail "docs/bad-dimm.md has other answers: make update-golden"
[ -n "${UPDATE:-}" ] && finish
sed 's/serial 0xabc0/serial 0xabc9/' "$srcdir/docs/bad-dimm.md" >"$scratch/changed.md"
run changed "$scratch/changed.md" >"$scratch/said" && fail "an answer that is another one is not found"
grep -q '^-Where: .*0xabc9' "$scratch/said" || fail "the difference is not shown: $(cat "$scratch/said")"
finish
