#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# What Linux can repair of each device, and why not.
. "${0%/*}/functions"
need_python

run 0 --host "$hosts/mock-7.3.tar.zst" list mem8
says "  repairs: cacheline-sparing, row-sparing, bank-sparing, rank-sparing, ppr: while it is in use, of an address in an event of this boot"
run 0 --host "$hosts/mock-7.3.tar.zst" --json list mem8
json "[r['type'] for r in a['repairs']] == ['cacheline-sparing', 'row-sparing', 'bank-sparing', 'rank-sparing', 'ppr']"
json "all(r['when'] == 'after-event' and r['last_dpa'] == '0x7fffffff' for r in a['repairs'])"
json "a['no_repairs_reason'] is None"
run 0 --host "$hosts/mock-7.3.tar.zst" --json explain mem8
json "any(f['code'] == 'MEMDEV_REPAIRS' for f in a['findings'])"

run 0 --host "$hosts/plain-6.12.tar.zst" --json list mem0
json "a['repairs'] == [] and a['no_repairs_reason'].startswith('Linux 6.12.95+deb12-amd64 is too old')"
run 0 --host "$hosts/plain-6.12.tar.zst" --json explain mem0
json "[f['text'] for f in a['findings'] if f['code'] == 'MEMDEV_NO_REPAIRS'][0].startswith('places in it cannot be repaired: Linux 6.12.95')"

# A kernel without the option says so itself.
unpack plain-7.3
mkdir -p "$copy/proc"
printf '# Linux/x86 7.3.4 Kernel Configuration\nCONFIG_EDAC=y\n' | gzip >"$copy/proc/config.gz"
run 0 --host "$copy" --json list mem0
json "a['no_repairs_reason'] == 'this kernel was built without CONFIG_CXL_EDAC_MEM_REPAIR, as /proc/config.gz says'"

# The worklist is of this machine's service.
run 2 repair --state "$scratch/none"
refused "repair: " "state.db"
run 2 repair 0
refused "'0' is not the ID of a repair"
run 2 repair 0x1
refused "'0x1' is not the ID of a repair"
run 2 repair --list 1
refused "--list has no operand"
run 2 repair --again
refused "--again requires the ID of a repair"
finish
