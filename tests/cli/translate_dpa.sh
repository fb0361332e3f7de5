#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# translate MEMDEV DPA: its answers, and all keys of its JSON.
. "${0%/*}/functions"
need_python

normalized=$hosts/normalized-7.3.tar.zst
plain=$hosts/plain-7.3.tar.zst
keys="['memdev','serial','dpa','spa','spa_last','exact','source','mapping','region','decoder','position','window','numa_node','dax','reason']"

# Normalized addressing: the rule of the capture replaces the PRM handler.
run 0 --host "$normalized" --json translate mem2 0x3000
silent
json "list(a[0]) == $keys"
json "a == [{'memdev': 'mem2', 'serial': '0xabc0', 'dpa': '0x3000', 'spa': '0x210006000',
	'spa_last': '0x210006000', 'exact': True, 'source': 'emulated', 'mapping': 'region', 'region': 'region1',
	'decoder': 'decoder5.0', 'position': 0, 'window': 'decoder0.1', 'numa_node': 2,
	'dax': 'dax1.0', 'reason': None}]"

# An address whose translation was recorded on the real machine.
run 0 --host "$normalized" --json translate mem2 0x1040
json "a[0]['spa'] == '0x210002040' and a[0]['source'] == 'recorded' and a[0]['exact'] is True"

# One object per input, in the order of the input, and plain 0.
run 0 --host "$normalized" --json translate 0000:0d:00.0 0x20000 0 0x1ff
json "[x['dpa'] for x in a] == ['0x20000', '0x0', '0x1ff']"
json "[x['spa'] for x in a] == ['0x210040000', '0x210000000', '0x2100002ff']"

# Ordinary decoding.
run 0 --host "$plain" --json translate serial:0xabc0 0x1000
silent
json "a[0]['exact'] is True and a[0]['source'] == 'decoder' and a[0]['region'] == 'region0'"
json "int(a[0]['spa'], 16) == 0x110000000 + (0x1000 // 256 * 4 + a[0]['position']) * 256"

# A DPA beyond the device has no SPA, and a reason.
run 1 --host "$plain" --json translate mem0 0x10000000
json "list(a[0]) == $keys"
json "a[0]['spa'] is None and a[0]['spa_last'] is None and a[0]['exact'] is False"
json "a[0]['dpa'] == '0x10000000' and a[0]['memdev'] == 'mem0' and a[0]['reason']"
run 1 --host "$plain" --json translate mem0 0 0xffffffffffffffff
json "[x['exact'] for x in a] == [True, False] and a[1]['reason']"

# Linux 6.12 builds no region from Normalized addressing: the handler's answer is still exact.
run 0 --host "$hosts/normalized-6.12.tar.zst" --json translate serial:0xabc2 0x10000
json "a[0]['exact'] is True and a[0]['spa'] == '0x310020000' and a[0]['region'] is None"
json "a[0]['window'] == 'decoder0.2' and a[0]['source'] in ('recorded', 'emulated')"

# The DPA is not mapped, and there is no PRM handler.
run 1 --host "$hosts/normalized-no-prm-7.3.tar.zst" --json translate mem0 0x1000
json "a[0]['spa'] is None and a[0]['source'] is None and a[0]['reason']"

# Text output.
run 0 --host "$normalized" translate mem2 0x3040
says "mem2 DPA 0x3040 -> SPA 0x210006040" "exact" "emulated" "region1 position 0" \
	"window decoder0.1" "page 0x210006000" "node 2" "dax1.0"
run 1 --host "$plain" translate mem0 0x10000000
says "mem0 DPA 0x10000000 -> no SPA"

# Without the handler only the interleave block is known: an interval with a reason.
unpack normalized-7.3
rm -rf "$copy/prm"
run 1 --host "$copy" --json translate mem2 0x1000
json "a[0]['source'] == 'estimate' and a[0]['exact'] is False and a[0]['reason']"
json "int(a[0]['spa'], 16) <= 0x210002000 <= int(a[0]['spa_last'], 16)"
json "int(a[0]['spa_last'], 16) - int(a[0]['spa'], 16) < 4096"
run 1 --host "$copy" translate mem2 0x1000
says "an interval of 512 bytes" "estimate" "page 0x210002000"

# Pages are of the size that the captured machine has, and 4096 bytes when it does not say.
run 1 --host "$copy" translate mem2 0x1e00
says "page 0x210003000"
mkdir -p "$copy/cmd"
echo 65536 >"$copy/cmd/getconf-PAGESIZE"
run 1 --host "$copy" translate mem2 0x1e00
says "page 0x210000000"

# A device of two ranges is not at the addresses between them.
unpack plain-7.3
dax=$copy/sys/bus/dax/devices/dax0.0
mkdir "$dax/mapping1"
echo 0x11fffffff >"$dax/mapping0/end"
echo 0x140000000 >"$dax/mapping1/start"
echo 0x14fffffff >"$dax/mapping1/end"
echo 536870912 >"$dax/size"
run 0 --host "$copy" --json translate 0x110000000 0x11fffffff 0x120000000 0x13fffffff 0x140000000
json "[x['dax'] for x in a] == ['dax0.0', 'dax0.0', None, None, 'dax0.0']"
json "[x['numa_node'] for x in a] == [1, 1, None, None, 1]"
run 0 --host "$copy" list
says "0x110000000-0x11fffffff" "0x140000000-0x14fffffff"
run 0 --host "$copy" --json list
json "'0x140000000' in str(a) and 'ranges' in str(a)"

# A malformed operand: nothing is translated.
for bad in 1000 0xg 0x 0x10000000000000000 "0x1 " "" 0x20-0x10 0x1- -; do
	[ "$bad" = - ] && continue
	run 2 --host "$plain" --json translate mem0 0x1000 "$bad"
	refused "$bad"
done
finish
