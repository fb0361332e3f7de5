#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# contrib/interop, the profile that clients may rely on, is true of every bundled host.
srcdir=${srcdir:-.}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

for host in "$srcdir"/tests/hosts/*.tar.zst; do
	./dump_redfish "$host" >"$scratch/$(basename "$host" .tar.zst)"
	status=$?
	if [ $status -eq 77 ]; then
		echo "SKIP: captured hosts cannot be entered here"
		exit 77
	fi
	[ $status -eq 0 ] || exit 1
done
python3 "$srcdir/tests/redfish/profile.py" "$srcdir/contrib/interop/CXLHost.v1_0_0.json" \
	"$srcdir/docs/mapping.md" "$scratch"/*
