#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Each fuzz target gets the inputs of its corpus, once. scripts/fuzz looks for others.
srcdir=${srcdir:-$(dirname "$0")/../..}
top=$(cd "$srcdir" && pwd)
build=$(pwd)
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
failed=0 inputs=0

# Targets may make files.
cd "$scratch" || exit 99
for corpus in "$top"/tests/fuzz/corpus/*; do
	target=$build/fuzz_$(basename "$corpus")
	"$target" "$corpus" >said 2>&1 || {
		echo "FAIL: $(basename "$target"):"
		tail -n 40 said
		failed=1
	}
	n=$(sed -n 's/ inputs$//p' said)
	inputs=$((inputs + ${n:-0}))
done
echo "$inputs inputs"
exit $failed
