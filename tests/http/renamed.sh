#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Two names of Linux change places while clients work with the service: renamed.py, on captured hosts as they are, and without serial
# numbers, so that a PCI address is all that a device has.
. "${0%/*}/functions"
needs_python
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"

renamed() { # NAME [SERIAL]
	echo "$*:"
	mkdir "$scratch/$1"
	zstd -dc "$hosts/$1.tar.zst" | tar -x -C "$scratch/$1"
	chmod -R u+w "$scratch/$1"
	[ -z "$2" ] || find "$scratch/$1/sys/devices" -path '*/mem[0-9]*/serial' -exec sh -c 'echo "$0" >"$1"' "$2" {} \;
	mkdir "$scratch/of-$1"
	python3 -B "$srcdir/tests/http/renamed.py" "$daemon" "$scratch/$1" "$scratch/of-$1" || fail "$*"
	rm -rf "${scratch:?}/$1" "$scratch/of-$1"
}

renamed plain-7.3
renamed plain-7.3 0x0
renamed switch-model-7.3
finish
