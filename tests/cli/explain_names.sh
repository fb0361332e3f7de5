#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain and list take every name that list prints; the verdict is the first line; no line is longer
# than 100 columns; --check reports problems by its status.
. "${0%/*}/functions"
need_python

# names_of HOST: the names in the output of list
names_of() {
	"$spa" --host "$1" list 2>/dev/null | tr -s ' ,' '\n' |
		grep -E '^(root|port|endpoint|decoder|region|mem|dax)[0-9]+(\.[0-9]+)?$|^[0-9a-f]{4}:[0-9a-f:.]+$|^pci[0-9a-f:]+$' |
		sort -u
}

# check_lines: of $out; commands are not divided
check_lines() {
	long=$(grep -v '^        ' "$scratch/out" | awk 'NR > 1 && length > 100')
	[ -z "$long" ] || fail "$what: longer than 100 columns: $long"
	head -n 1 "$scratch/out" | grep -Eq '^Mapping: (nothing is mapped|no system address|an interval|exact by [a-z]+).*; (no problem|[0-9]+ problems?: .*)[.] Health: (OK|(Warning|Critical|not known) [(].*[)])$' ||
		fail "$what: its first line is no verdict: $(head -n 1 "$scratch/out")"
}

for archive in "$hosts"/*.tar.zst; do
	run 0 --host "$archive" explain
	check_lines
	problems=0
	head -n 1 "$scratch/out" | grep -q '; no problem[.] Health: ' || problems=1
	run $problems --host "$archive" explain --check
	run $problems --host "$archive" --json explain --check
	json "a['verdict'] == 'Mapping: ' + a['mapping'] + '. Health: ' + a['health']"
	json "a['subject'] == 'host' and all(f['code'].isupper() for f in a['findings'])"
done

# Switches, a region and a dax device: every kind of name.
unpack switch-7.3
found=$(names_of "$copy")
[ "$(echo "$found" | wc -l)" -gt 20 ] || fail "list shows few names: $found"
for object in $found dax_region0; do
	run 0 --host "$copy" explain "$object"
	check_lines
	run 0 --host "$copy" list "$object"
	[ -n "$out" ] || fail "$what: no output"
	run 0 --host "$copy" --json list "$object"
	json "isinstance(a, dict) and ('name' in a or 'id' in a or 'bdf' in a)"
done
run 2 --host "$copy" list nothing9
refused "nothing9" "list"
run 2 --host "$copy" list mem77
refused "mem77"
run 2 --host "$copy" list --check
refused "--check"

# The largest sets of names in one heading and one list.
"$srcdir/scripts/generate-host" 256 "$scratch/many"
run 0 --host "$scratch/many" explain
check_lines
finish
