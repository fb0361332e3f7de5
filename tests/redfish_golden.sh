#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Every resource of every bundled host against tests/hosts/NAME.redfish. After a change that is
# meant, `make update-golden` writes these anew; look at the difference in git.
srcdir=${srcdir:-.}
failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

for golden in "$srcdir"/tests/hosts/*.redfish; do
	name=$(basename "$golden" .redfish)
	./dump_redfish "$srcdir/tests/hosts/$name.tar.zst" >"$out"
	status=$?
	if [ $status -eq 77 ]; then
		echo "SKIP: captured hosts cannot be entered here"
		exit 77
	fi
	if [ $status -ne 0 ] || ! diff -u "$golden" "$out"; then
		echo "FAIL: $name"
		failed=1
	fi
done
exit $failed
