#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# translate START-END: one answer for each extent, not for each chunk.
. "${0%/*}/functions"
need_python

plain=$hosts/plain-7.3.tar.zst
normalized=$hosts/normalized-7.3.tar.zst

# A whole device and a piece beyond it: two extents without a gap.
run 1 --host "$plain" --json translate mem0 0-0x1fffffff
json "len(a) == 2"
json "[(x['dpa'], x['dpa_last']) for x in a] == [('0x0', '0xfffffff'), ('0x10000000', '0x1fffffff')]"
json "all(x['exact'] is False and x['reason'] for x in a)"
json "a[0]['region'] == 'region0' and 0x110000000 <= int(a[0]['spa'], 16)"
json "int(a[0]['spa_last'], 16) <= 0x14fffffff and a[1]['spa'] is None"

# A range of one address is one address.
run 0 --host "$plain" --json translate mem0 0x1000-0x1000
json "a[0]['exact'] is True and a[0]['spa'] == a[0]['spa_last'] and a[0]['dpa_last'] == '0x1000'"

# By SPA: before the window, region, rest of the window.
run 1 --host "$normalized" --json translate 0x300000000-0x33fffffff
json "a[0]['spa'] == '0x300000000' and a[-1]['spa_last'] == '0x33fffffff'"
json "all(int(x['spa_last'], 16) + 1 == int(y['spa'], 16) for x, y in zip(a, a[1:]))"
json "'region2' in [x['region'] for x in a] and len(a) == 3"
json "all('dpa_last' in x and 'candidates' in x for x in a)"

# The whole address space, in a few extents.
run 1 --host "$plain" --json translate 0-0xffffffffffffffff
json "len(a) < 20 and a[0]['spa'] == '0x0' and a[-1]['spa_last'] == '0xffffffffffffffff'"
run 1 --host "$plain" --json translate mem0 0-0xffffffffffffffff
json "a[-1]['dpa_last'] == '0xffffffffffffffff' and len(a) < 20"

run 1 --host "$plain" translate mem0 0-0x1fffffff
says "mem0 DPA 0x0-0xfffffff -> SPA 0x" "interval of" "mem0 DPA 0x10000000-0x1fffffff -> no SPA"
finish
