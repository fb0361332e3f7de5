#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# docs/operations.md has a row for each message of the service and its helpers, and none of another one; both are found.
srcdir=${srcdir:-$(dirname "$0")/../..}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

command -v python3 >/dev/null || {
	echo "SKIP: python3 is missing (Debian package: python3)"
	exit 77
}
python3 -B "$srcdir/tests/docs/messages.py" "$srcdir" || exit 1

sed 's/^| `a login failed, from …`/| `a login has failed, from …`/' "$srcdir/docs/operations.md" >"$scratch/page.md"
python3 -B "$srcdir/tests/docs/messages.py" "$srcdir" "$scratch/page.md" >"$scratch/out" && {
	echo "FAIL: a message without its row was not found"
	exit 1
}
sed 's/^| `created: …`/| `made: …`/' "$srcdir/docs/operations.md" >"$scratch/page.md"
python3 -B "$srcdir/tests/docs/messages.py" "$srcdir" "$scratch/page.md" >"$scratch/sentence" && {
	echo "FAIL: a sentence that no part makes was not found"
	exit 1
}
grep -q "page.md: no program logs this: made: …" "$scratch/sentence" || {
	echo "FAIL: not said of a sentence:"
	cat "$scratch/sentence"
	exit 1
}
for expected in "lockout.c: no row in page.md: | .a login failed, from …" "no program logs this: a login has failed"; do
	grep -q "$expected" "$scratch/out" || {
		echo "FAIL: not said: $expected"
		cat "$scratch/out"
		exit 1
	}
done
