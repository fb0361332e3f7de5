#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# translate MEMDEV DPA: its answers, and all keys of its JSON.
. "${0%/*}/functions"
need_python

normalized=$hosts/normalized-7.3.tar.zst
plain=$hosts/plain-7.3.tar.zst
keys="['memdev','serial','dpa','spa','spa_last','exact','source','region','decoder','position','window','numa_node','dax','reason']"

# Normalized addressing: the rule of the capture replaces the PRM handler.
run 0 --host "$normalized" --json translate mem2 0x3000
silent
json "list(a[0]) == $keys"
json "a == [{'memdev': 'mem2', 'serial': '0xabc0', 'dpa': '0x3000', 'spa': '0x210006000',
	'spa_last': '0x210006000', 'exact': True, 'source': 'emulated', 'region': 'region1',
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

# A malformed operand: nothing is translated.
for bad in 1000 0xg 0x 0x10000000000000000 "0x1 " "" 0x20-0x10 0x1- -; do
	[ "$bad" = - ] && continue
	run 2 --host "$plain" --json translate mem0 0x1000 "$bad"
	refused "$bad"
done
finish
