#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The documentation as one site has no dead link, loads nothing from elsewhere, and is twice the same; a dead link is found.
# shellcheck source=tests/docs/functions
. "$(dirname "$0")/functions"

"$srcdir/scripts/html" "$scratch/site" "$srcdir" || fail "scripts/html"
python3 -B "$srcdir/tests/docs/links.py" "$scratch/site" || exit 1
"$srcdir/scripts/html" "$scratch/again" "$srcdir" && diff -r "$scratch/site" "$scratch/again" || fail "it is not the same twice"

# A page that is not there, a section that is not there, and what the checker itself is for.
mkdir -p "$scratch/src"
(cd "$srcdir" && cp --parents README.md HACKING.md SECURITY.md docs/*.md docs/*.[1-8] prm/kmod/README.md tests/hosts/README.md "$scratch/src")
chmod -R u+w "$scratch/src"
echo "[one](docs/nothing.md) [two](docs/glossary.md#nothing)" >>"$scratch/src/README.md"
"$srcdir/scripts/html" "$scratch/dead" "$scratch/src" 2>"$scratch/said" && fail "dead links were not found"
for expected in "link to docs/nothing.md is dead" "link to docs/glossary.md#nothing is dead: no such section"; do
	grep -q "README.md: the $expected" "$scratch/said" || fail "not said: $expected: $(cat "$scratch/said")"
done
echo '<a href="docs/nothing.html">x</a><img src="https://www.example.com/x.png">' >>"$scratch/site/index.html"
python3 -B "$srcdir/tests/docs/links.py" "$scratch/site" >"$scratch/said" && fail "a dead link in a page was not found"
for expected in "docs/nothing.html: no such page" "x.png is loaded from elsewhere"; do
	grep -q "index.html: .*$expected" "$scratch/said" || fail "not said: $expected: $(cat "$scratch/said")"
done
