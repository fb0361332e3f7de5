#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The examples of cxl-spa in README.md, the manual pages and docs/ run on a captured host; one that
# does not is found.
srcdir=${srcdir:-$(dirname "$0")/../..}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

command -v python3 >/dev/null || {
	echo "SKIP: python3 is missing (Debian package: python3)"
	exit 77
}
forbidden=$(./cxl-spa --host "$srcdir/tests/hosts/zen5-doc.tar.zst" list 2>&1 >/dev/null | grep namespace) && {
	echo "SKIP: captured hosts cannot be entered here: $forbidden"
	exit 77
}

run() {
	python3 -B "$srcdir/tests/docs/examples.py" "$1" ./cxl-spa "$srcdir/tests/hosts/plain-7.3.tar.zst"
}

run "$srcdir" || exit 1

# A command that does not exist, and an output that is another one, are found.
mkdir -p "$scratch/docs" "$scratch/tests"
ln -s "$(realpath "$srcdir/tests/hosts")" "$scratch/tests/hosts"
cp "$srcdir/README.md" "$scratch"
cp "$srcdir"/docs/*.[18] "$scratch/docs"
sed -i 's/translate --trace/translate --track/; s/translate mem2 0x3040$/translate mem2 0x4040/' "$scratch/README.md" \
	"$scratch/docs/cxl-spa-translate.1"
run "$scratch" >"$scratch/out"
for expected in "FAIL: README.md: cxl-spa translate --track" "FAIL: cxl-spa-translate.1: cxl-spa --host .* 0x4040"; do
	grep -q "$expected" "$scratch/out" || {
		echo "FAIL: not found: $expected"
		cat "$scratch/out"
		exit 1
	}
done
