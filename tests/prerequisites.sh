#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# make check names every missing package at once.
srcdir=${srcdir:-$(dirname "$0")/..}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# A PATH without any tool.
mkdir "$scratch/bin"
sh=$(command -v sh)
if PATH=$scratch/bin "$sh" "$srcdir/tests/prerequisites" no 2>"$scratch/err"; then
	echo "FAIL: nothing is missing"
	exit 1
fi
for package in check python3 curl zstd acpica-tools "install-deps test" "configure again"; do
	grep -q "$package" "$scratch/err" || { echo "FAIL: $package is not named"; exit 1; }
done
# Each package that it names is one that scripts/install-deps test installs.
for package in $(sed -n 's/.* missing://p' "$scratch/err"); do
	grep -qE "[( ]$package([ )]|$)" "$srcdir/scripts/install-deps" || {
		echo "FAIL: scripts/install-deps does not install $package"
		exit 1
	}
done
"$srcdir/tests/prerequisites" yes || { echo "FAIL: something is missing here"; exit 1; }
# It is asked before anything is built.
unset MAKEFLAGS MFLAGS MAKELEVEL
make -n check 2>/dev/null | head -n 1 | grep -q prerequisites || { echo "FAIL: not first in make check"; exit 1; }
