#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: what is mapped, what is not, and why, on hosts with faults.
. "${0%/*}/functions"
need_python

normalized=$hosts/normalized-7.3.tar.zst

# Objects of each kind, and JSON.
for object in region1 decoder0.1 decoder2.0 decoder5.0 mem2 serial:0xabc0; do
	run 0 --host "$normalized" explain "$object"
	silent
	run 0 --host "$normalized" --json explain "$object"
	json "a['findings'] and all(set(f) == {'code', 'severity', 'object', 'text', 'next'} for f in a['findings'])"
	json "all(f['severity'] in ('info', 'problem') for f in a['findings'])"
	json "a['problems'] == sum(f['severity'] == 'problem' for f in a['findings'])"
done
run 2 --host "$normalized" explain region9
refused "region9"
run 2 --host "$normalized" explain port9
refused "port9"

# Normalized addressing and its lock.
run 0 --host "$normalized" explain region1
says "Normalized addressing" "EPERM" "locked" "dax1.0" "0 of 4 memory blocks" "emulated" "recorded"

# Linux 6.12 has no region for it.
run 0 --host "$hosts/normalized-6.12.tar.zst" explain mem0
says "problem: in no region: Linux 6.12" "does not support Normalized addressing" "7.0"

# Without a handler.
unpack normalized-7.3
rm -rf "$copy/prm" "$copy/sys/firmware/acpi/tables/PRMT"
run 0 --host "$copy" explain
says "Normalized addressing" "no ACPI table PRMT" "interval instead of one SPA"

# Recorded answers cover a few chunks only.
unpack normalized-7.3
rm "$copy/prm/rule.json"
run 0 --host "$copy" explain 0000:0d:00.0
says "some DPAs are translated by: recorded" "other DPAs are answered by an interval" \
	"contains the answers of firmware's PRM handler for some chunks of 256 bytes only"
says_not "does not contain its answers"
unpack normalized-6.12
rm "$copy/prm/rule.json"
run 0 --host "$copy" explain 0000:0d:00.0
says "some DPAs are translated by: recorded" "no SPA can be given for other DPAs" \
	"for some chunks of 256 bytes only"
rm -r "$copy/prm"
run 0 --host "$copy" explain 0000:0d:00.0
says "no SPA can be given for DPAs" "does not contain its answers"

# The verdict is about the object and what is below it.
run 0 --host "$hosts/plain-7.3.tar.zst" explain
says "Mapping: exact by decoder; no problem. Health: Critical (mem2, mem3)"
for object in region0 decoder0.0 root0 dax0.0 dax_region0; do
	run 0 --host "$hosts/plain-7.3.tar.zst" explain "$object"
	says "Mapping: exact by decoder; no problem. Health: Critical (mem2, mem3)"
done
run 0 --host "$hosts/plain-7.3.tar.zst" explain mem2
says "Mapping: exact by decoder; no problem. Health: Critical (mem2)"
run 0 --host "$hosts/plain-7.3.tar.zst" explain mem0
says "Mapping: exact by decoder; no problem. Health: not known (the devices do not report their health)"
unpack normalized-7.3
rm -rf "$copy/prm" "$copy/sys/firmware/acpi/tables/PRMT"
run 0 --host "$copy" explain region1
says "Mapping: an interval; "
run 0 --host "$copy" explain
says "Mapping: an interval; "
run 0 --host "$copy" --json explain host
json "a['mapping'].startswith('an interval; ') and a['subject'] == 'host'"

# Decoders of one host are translated in different ways.
unpack three-bridges-7.3
echo 3 >"$copy/sys/bus/cxl/devices/decoder8.1/interleave_ways"
run 0 --host "$copy" explain
says "Mapping: exact by decoder for 6 decoders, no system address for 6 decoders; 3 problems: region0, region2. Health: "
run 0 --host "$copy" explain mem4
says "Mapping: exact by decoder for 1 decoder, no system address for 1 decoder; "
rm "$copy/sys/bus/cxl/devices/decoder8.1/start" "$copy/sys/bus/cxl/devices/decoder1.1/target_list"
echo 6 >"$copy/sys/bus/cxl/devices/decoder8.1/interleave_ways"
run 0 --host "$copy" --json explain
json "a['mapping'] == 'exact by decoder for 6 decoders, an interval for 6 decoders; 3 problems: region0, region2'"
run 0 --host "$copy" explain region0
says "Mapping: exact by decoder; "

# No decoder maps the capacity.
run 0 --host "$hosts/idle-7.3.tar.zst" explain mem0
says "problem: DPA 0x0-0xfffffff (256 MiB of ram) is mapped by no decoder" "next: " "cxl create-region"
run 0 --host "$hosts/idle-7.3.tar.zst" explain decoder0.0
says "regions in it: none" "is used by no region"

# Targets that are swapped are out of order.
unpack plain-7.3
region=$(readlink -f "$copy/sys/bus/cxl/devices/region0")
first=$(cat "$region/target0")
cat "$region/target1" >"$region/target0"
echo "$first" >"$region/target1"
run 0 --host "$copy" explain region0
says "out of order" "is at position 0, but" "its position is 1" "next: programs are not affected"
says_not "destroy it"

# A target that does not exist, and a share of the wrong size.
unpack plain-7.3
region=$(readlink -f "$copy/sys/bus/cxl/devices/region0")
decoder=$(readlink -f "$copy/sys/bus/cxl/devices/$(cat "$region/target3")")
echo 0x8000000 >"$decoder/dpa_size"
echo decoder99.0 >"$region/target1"
run 0 --host "$copy" explain region0
says "no memory device at position 1 decoder99.0 (does not exist), of 0..3" "cxl disable-region region0" \
	"provides 0x8000000 bytes of DPA; each device of this region must provide 0x10000000 bytes"

# A region without a driver, and a memory device without an endpoint.
unpack plain-7.3
rm "$(readlink -f "$copy/sys/bus/cxl/devices/region0")/driver"
run 0 --host "$copy" explain region0
says "committed, but no driver is bound"

# XOR or modulo is not known without the CEDT.
unpack plain-7.3
rm "$copy/sys/firmware/acpi/tables/CEDT"
run 0 --host "$copy" explain decoder0.0
says "interleave arithmetic is not known" "there is no ACPI table CEDT"
# Words are not divided where a narrower terminal ends; commands and the verdict are not either, so that they can be copied.
for width in 60 80 132; do
	COLUMNS=$width run 0 --host "$hosts/mock-7.3.tar.zst" explain
	awk -v width=$((width < 100 ? width : 100)) '
		NR == 1 { next }
		!/^        / && length > width { exit 1 }
		length > longest { longest = length }
		END { if (longest < width - 15) exit 1 }' "$scratch/out" || fail "$what: COLUMNS=$width: $out"
	says "problem: "
	tr -s ' \n' '\n' <"$scratch/out" >"$scratch/words.$width"
	cmp "$scratch/words.$width" "$scratch/words.60" || fail "$what: other words with COLUMNS=$width"
done
# On a terminal a text that is empty has no colour.
for command in explain "explain --check" list graph "events --summary" "translate mem2 0x3040"; do
	what="$command on a terminal"
	# shellcheck disable=SC2086
	TERM=xterm python3 - "$spa" --host "$normalized" $command <<-'PYTHON' >"$scratch/out" || fail "$what"
		import os, pty, sys
		os.environ.pop("NO_COLOR", None)
		pty.spawn(sys.argv[1:])
	PYTHON
	[ -s "$scratch/out" ] || fail "$what: no output"
	if grep -q "$(printf '\033\\[[0-9]*m\033\\[0m')" "$scratch/out"; then fail "$what: empty colours"; fi
done
finish
