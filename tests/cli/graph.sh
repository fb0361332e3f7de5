#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# graph: the state of each object is in its label and its colour; --svg draws it.
. "${0%/*}/functions"

# state NODE TEXT COLOUR: checks the label and the colour of a node.
state() {
	line=$(grep "^  \"$1\" \[" "$scratch/out") || fail "$what: no node $1"
	case $line in
	*"\\n$2"*"fillcolor=\"$3\""*) ;;
	*) fail "$what: '$2' in $3 is not the state of: $line" ;;
	esac
}
good='#c8e6c9' unused='#e0e0e0' normalized='#bbdefb' offline='#ffe0b2' bad='#ffcdd2'

# ---- what is in use, unused, offline ----
run 0 --host "$hosts/switch-7.3.tar.zst" graph
state region0 committed "$good"
state mem0 "in use" "$good"
state dax0.0 "offline: 4 of 4 blocks" "$offline"
run 0 --host "$hosts/idle-7.3.tar.zst" graph
state decoder0.0 "no region" "$unused"
state mem0 unused "$unused"

# ---- Normalized addressing ----
run 0 --host "$hosts/normalized-7.3.tar.zst" graph
for node in region1 mem2 endpoint3; do
	state $node Normalized "$normalized"
done
run 0 --host "$hosts/plain-7.3.tar.zst" graph
says_not Normalized

# ---- links of a switch ----
run 0 --host "$hosts/switch-model-7.3.tar.zst" graph
state switch-00000000000004d2/P3 "no device" "$unused"

# ---- empty positions, dead ports, regions that are not committed ----
unpack plain-7.3
region=$(find "$copy/sys/devices" -type d -name region0 | head -1)
: >"$region/target1"
echo 0 >"$region/commit"
run 0 --host "$copy" graph
state "region0 position 1" empty "$bad"
state region0 "not committed" "$bad"
grep '"region0" -> "region0 position 1"' "$scratch/out" >/dev/null || fail "$what: the position has no edge"
unpack plain-7.3
rm "$(find "$copy/sys/devices" -path '*/endpoint3/driver')"
run 0 --host "$copy" graph
state endpoint3 "dead: no driver" "$bad"

# ---- a device to which no port leads, and a slot that is empty ----
unpack plain-7.3
rm -r "$(find "$copy/sys/devices" -type d -name endpoint4)" "$copy/sys/bus/cxl/devices/endpoint4"
run 0 --host "$copy" graph
state "port2 0000:0c:00.0" "dead: no CXL port for mem2 below" "$bad"
state mem2 "no endpoint" "$bad"
rm -r "$(find "$copy/sys/devices" -type d -path '*/0000:0d:00.0/mem2')" "$copy/sys/bus/cxl/devices/mem2"
run 0 --host "$copy" graph
state "port2 0000:0c:00.0" "dead: no CXL port below" "$unused"

# ---- --svg: XML with the nodes of the graph ----
# Graphviz and fontconfig leave memory allocated when they are done.
ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-}
export ASAN_OPTIONS
run_svg() {
	"$spa" --host "$1" graph >"$scratch/dot" 2>&1 || fail "graph of $1"
	status=0
	"$spa" --host "$1" graph --svg >"$scratch/svg" 2>"$scratch/err" || status=$?
	grep -q 'needs the library of Graphviz' "$scratch/err" && no_library=yes
}
no_library=
run_svg "$hosts/switch-model-7.3.tar.zst"
if [ "$no_library" ]; then
	[ "$status" -eq 2 ] || fail "--svg without Graphviz: status $status"
	[ ! -s "$scratch/svg" ] || fail "--svg without Graphviz: something on standard output"
	grep -q 'libgvc6' "$scratch/err" || fail "--svg without Graphviz: the package is not named"
	[ "$n_failed" -eq 0 ] || finish
	skip "Graphviz's library is missing, which draws pictures (Debian package: libgvc6)"
fi
need_python
for archive in "$hosts"/switch-model-7.3.tar.zst "$hosts"/normalized-7.3.tar.zst "$hosts"/zen5-doc.tar.zst "$copy"; do
	run_svg "$archive"
	[ "$status" -eq 0 ] || fail "graph --svg of $archive: status $status: $(cat "$scratch/err")"
	python3 - "$scratch/dot" "$scratch/svg" <<-'PYTHON' || fail "graph --svg of $archive is not that of graph"
		import re, sys, xml.etree.ElementTree as xml
		dot = re.findall(r'^  "((?:[^"\\]|\\.)*)" \[shape=', open(sys.argv[1]).read(), re.M)
		svg = '{http://www.w3.org/2000/svg}'
		groups = xml.parse(sys.argv[2]).iter(svg + 'g')
		nodes = [g.find(svg + 'title').text for g in groups if g.get('class') == 'node']
		print(len(nodes), 'nodes in SVG,', len(dot), 'in DOT')
		sys.exit(sorted(nodes) != sorted(dot) or not dot)
	PYTHON
done
run 2 list --svg
refused "list does not support --svg"
finish
