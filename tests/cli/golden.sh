#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The complete output of list, explain and graph on each bundled host.
#
# After an intended change of a text, write the files again and read the difference:
#	CXL_SPA_UPDATE_GOLDEN=1 tests/cli/golden.sh		(from the top build directory)
. "${0%/*}/functions"

golden=$srcdir/tests/cli/golden

for archive in "$hosts"/*.tar.zst; do
	host=$(basename "$archive" .tar.zst)
	for command in list explain graph; do
		run 0 --host "$archive" "$command"
		silent
		file=$golden/$host.$command
		if [ -n "$CXL_SPA_UPDATE_GOLDEN" ]; then
			cp "$scratch/out" "$file"
		elif ! diff -u "$file" "$scratch/out"; then
			fail "$what: its output differs from $file"
		fi
	done
	# Graphviz accepts the graph.
	if command -v dot >/dev/null; then
		dot -Tsvg -o /dev/null "$scratch/out" 2>"$scratch/err" ||
			fail "graph of $host: dot says $(cat "$scratch/err")"
	fi
done
finish
