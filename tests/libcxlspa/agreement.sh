#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-spa and libcxlspa give the same answers about every captured host: agreement.py.
. "${0%/*}/../cli/functions"
need_python

preload=$(ldd .libs/libcxlspa.so.1 | sed -n 's/.*=> \(.*libasan[^ ]*\).*/\1/p')
for archive in "$hosts"/*.tar.zst; do
	name=$(basename "$archive" .tar.zst)
	tree=$scratch/$name
	mkdir "$tree"
	tar -xf "$archive" -C "$tree" --zstd || exit 99
	[ -d "$tree/sys" ] || tree=$(dirname "$(find "$tree" -maxdepth 2 -name sys -type d)")
	env ${preload:+LD_PRELOAD="$preload"} ASAN_OPTIONS=detect_leaks=0 LD_LIBRARY_PATH=.libs \
		python3 "$srcdir/tests/libcxlspa/agreement.py" "$spa" "$srcdir" "$archive" "$tree" || fail "$name"
done
finish
