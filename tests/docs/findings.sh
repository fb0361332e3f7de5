#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# cxl-spa-explain(1) lists the code of every finding, with its severity and text.
srcdir=${srcdir:-$(dirname "$0")/../..}
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

./print_findings >"$scratch/printed" || exit 99
sed '1,/^\.\\" begin of findings$/d; /^\.\\" end of findings$/,$d' "$srcdir/docs/cxl-spa-explain.1" >"$scratch/page"
diff -u "$scratch/page" "$scratch/printed" || {
	echo "FAIL: the section FINDINGS of cxl-spa-explain(1) is not up to date: make update-findings"
	exit 1
}
