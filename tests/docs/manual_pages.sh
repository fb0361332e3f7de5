#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The manual pages that are made of Markdown have a name, all rows of the tables, and no error.
# shellcheck source=tests/docs/functions
. "$(dirname "$0")/functions"

"$srcdir/scripts/manual-pages" "$scratch" "$srcdir" || fail "scripts/manual-pages"
for name in operations clients glossary; do
	page=$scratch/cxl-redfish-$name.7
	mandoc -T lint -W error "$page" || fail "$name has errors"
	mandoc -T utf8 -O width=400 "$page" | sed 's/.\x08//g' >"$scratch/$name.txt"
	grep -q "cxl-redfish-$name - " "$scratch/$name.txt" || fail "$name has no name"
	# The first word of each row's first cell, as it is read.
	sed -n 's/^| `\([a-z][a-z0-9-]*\).*/\1/p' "$srcdir/docs/$name.md" | sort -u >"$scratch/rows"
	while read -r word; do
		grep -qF -e "$word" "$scratch/$name.txt" || fail "$name lacks the row of $word"
	done <"$scratch/rows"
	! grep -n '^\.T[SE]\|](' "$page" || fail "$name has a table or a link left"
done
