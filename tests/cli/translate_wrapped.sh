#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# translate --trace: lines that were wrapped, indented, quoted or cut have the right address or none.
. "${0%/*}/functions"
need_python

for name in plain-7.3 normalized-7.3; do
	mkdir "$scratch/$name" || exit 99
	tar --zstd -xf "$hosts/$name.tar.zst" -C "$scratch/$name" || exit 99
done
python3 "${0%/*}/translate_wrapped.py" "$spa" "$scratch/plain-7.3" "$scratch/normalized-7.3" ||
	fail "an address of a wrapped or cut line"
finish
