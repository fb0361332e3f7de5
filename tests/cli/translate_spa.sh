#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# translate SPA: the device and DPA of a system physical address.
. "${0%/*}/functions"
need_python

normalized=$hosts/normalized-7.3.tar.zst
plain=$hosts/plain-7.3.tar.zst
keys="['memdev','serial','dpa','spa','spa_last','exact','source','mapping','region','decoder','position','window','numa_node','dax','reason','dpa_last','candidates']"

run 0 --host "$normalized" --json translate 0x210006000
silent
json "list(a[0]) == $keys"
json "a[0]['memdev'] == 'mem2' and a[0]['dpa'] == a[0]['dpa_last'] == '0x3000'"
json "a[0]['spa'] == a[0]['spa_last'] == '0x210006000' and a[0]['exact'] is True"
json "a[0]['reason'] is None and a[0]['numa_node'] == 2 and a[0]['dax'] == 'dax1.0'"

# All positions of a region.
run 0 --host "$plain" --json translate 0x110000000 0x110000100 0x110000200 0x110000300 0x14fffffff
json "len({x['memdev'] for x in a[:4]}) == 4 and {x['dpa'] for x in a[:4]} == {'0x0'}"
json "[x['position'] for x in a] == [0, 1, 2, 3, 3] and a[4]['dpa'] == '0xfffffff'"

# In a window but in no region; in no window; the highest address.
run 1 --host "$plain" --json translate 0x150000000 0x1000 0xffffffffffffffff
json "[x['window'] for x in a] == ['decoder0.0', None, None]"
json "all(x['memdev'] is None and x['dpa'] is None and x['dpa_last'] is None for x in a)"
json "all(x['exact'] is False and x['reason'] and x['candidates'] == [] for x in a)"
json "a[2]['spa'] == '0xffffffffffffffff'"

# Without the handler several devices are possible: memdev is null, and all are listed.
unpack normalized-7.3
rm -rf "$copy/prm"
run 1 --host "$copy" --json translate 0x210006000
json "a[0]['memdev'] is None and a[0]['exact'] is False and a[0]['reason']"
json "(a[0]['dpa'], a[0]['dpa_last']) == ('0x3000', '0x30ff')"
json "{c['memdev'] for c in a[0]['candidates']} == {'mem1', 'mem2'}"
json "all(int(c['dpa'], 16) <= 0x3000 <= int(c['dpa_last'], 16) for c in a[0]['candidates'])"
run 1 --host "$copy" translate 0x210006000
says "SPA 0x210006000 -> one of 2 memory devices" "mem1 DPA 0x" "mem2 DPA 0x"

run 0 --host "$normalized" translate 0x210006040
says "SPA 0x210006040 -> mem2 DPA 0x3040" "exact"
run 1 --host "$plain" translate 0x1000
says "SPA 0x1000 -> no memory device"
finish
