#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# map: each block is what translate says, lines fit, and nothing is guessed.
. "${0%/*}/functions"
need_python

run 0 --host "$hosts/plain-7.3.tar.zst" map region0
silent
says "region0 0x110000000-0x14fffffff 1 GiB ram" "window decoder0.0, 4-way at 256 B, arithmetic modulo" \
	"position 2 mem3 decoder6.0 DPA 0x0-0xfffffff bridge pci0000:0c committed" "(source: decoder)" \
	"0x110000400 | 0 mem2 | 1 mem0 | 2 mem3 | 3 mem1 |"

# ---- each exact chunk is an answer of translate ----
for pair in plain-7.3:region0 normalized-7.3:region1 three-bridges-7.3:region0 zen5-doc:region0 mock-7.3:region0; do
	archive=$hosts/${pair%:*}.tar.zst
	run 0 --host "$archive" --json map "${pair#*:}"
	json 'a["reason"] is None and all(c["exact"] for c in a["chunks"])'
	cp "$scratch/out" "$scratch/map"
	# shellcheck disable=SC2046 # one address a word
	run 0 --host "$archive" --json translate $(python3 -c '
import json, sys
print(*[c["spa"] for c in json.load(open(sys.argv[1]))["chunks"]])' "$scratch/map")
	python3 - "$scratch/map" "$scratch/out" <<-'PYTHON' || fail "$pair: map and translate differ"
		import json, sys
		chunks = json.load(open(sys.argv[1]))['chunks']
		answers = json.load(open(sys.argv[2]))
		keys = ('spa', 'memdev', 'dpa', 'position', 'exact', 'source')
		sys.exit([[c[k] for k in keys] for c in chunks] != [[a[k] for k in keys] for a in answers])
	PYTHON
done

# ---- without firmware the map of Normalized addressing is not known ----
unpack normalized-7.3
rm -rf "$copy/prm"
run 1 --host "$copy" map region1
says "Normalized addressing" "| ? |" "?: "
says_not "0 mem2 |"
run 1 --host "$copy" --json map region1
json 'a["reason"] and a["mapping"] == "Normalized" and a["arithmetic"] is None'
json 'all(not c["exact"] and c["reason"] and c["dpa"] is None and c["memdev"] is None for c in a["chunks"])'

# ---- an empty position; a region without addresses ----
unpack plain-7.3
region=$(find "$copy/sys/devices" -type d -name region0 | head -1)
: >"$region/target1"
run 1 --host "$copy" map region0
says "position 1 - empty" "?: "
printf '0\n' >"$region/interleave_ways"
run 1 --host "$copy" map region0
says "no map: the interleave ways"
run 1 --host "$copy" --json map region0
json 'a["chunks"] == [] and a["reason"]'

# ---- lines are as wide as COLUMNS says ----
for columns in 40 60 80 200; do
	COLUMNS=$columns
	export COLUMNS
	run 0 --host "$hosts/three-bridges-7.3.tar.zst" map region0
	widest=$(grep '^  0x.*|$' "$scratch/out" | awk '{ if (length > n) n = length } END { print n }')
	[ "$widest" -le "$columns" ] || fail "$what: a row of $widest columns, COLUMNS=$columns"
	blocks=$(grep '^  0x.*|$' "$scratch/out" | sed 's/^[^|]*|//' | tr -cd '|' | wc -c)
	[ "$blocks" -eq 24 ] || fail "$what: $blocks blocks instead of 24, COLUMNS=$columns"
done
unset COLUMNS

# ---- wrong use ----
run 2 --host "$hosts/plain-7.3.tar.zst" map region9
refused "region9: no such region" "cxl-spa list shows the names"
run 2 --host "$hosts/plain-7.3.tar.zst" map
refused "REGION is missing"
finish
