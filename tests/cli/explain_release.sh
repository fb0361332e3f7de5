#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: which memory block of a region prevents that it is released, with its zone and what is on it.
. "${0%/*}/functions"
need_python

unpack plain-7.3
blocks=$copy/sys/devices/system/memory
# The region has memory34 to memory41, at 0x110000000.
for number in 34 35 36 37; do
	echo online >"$blocks/memory$number/state"
	echo Movable >"$blocks/memory$number/valid_zones"
done
echo Normal >"$blocks/memory36/valid_zones"

# Without flags of pages, the block and its zone are named still.
run 0 --host "$copy" explain region0
says "memory36, zone Normal: its pages cannot be seen, because /proc/kpageflags does not have them"
run 0 --host "$copy" --json explain region0
json "a['release']['verdict'] == 'Unknown'"
json "[(b['name'], b['zone'], b['unmovable_pages']) for b in a['release']['blocks']] == [('memory36', 'Normal', None)]"

# 180 pages of slab, 32 page tables, 1 of which nothing is known, and free ones.
python3 - "$copy/proc/kpageflags" <<'END'
import struct
import sys

pages = 128 << 20 >> 12
flags = [1 << 7] * 180 + [1 << 26] * 32 + [0] + [1 << 5] * 1000
flags += [1 << 10] * (pages - len(flags))
with open(sys.argv[1], "wb") as f:
    f.seek(36 * pages * 8)
    f.write(struct.pack(f"{pages}Q", *flags))
END
run 0 --host "$copy" explain region0
says "can it be released? no" \
	"memory36, zone Normal, 212 unmovable pages (180 slab, 32 page tables): free only after a restart"
says_not "MiB online are in memory blocks"
run 0 --host "$copy" --json explain region0
json "a['release']['verdict'] == 'NotReleasable' and a['release']['pinned_bytes'] == 128 << 20"
json "a['release']['blocks'] == [{'name': 'memory36', 'zone': 'Normal', 'unmovable_pages': 212, 'slab_pages': 180, 'page_table_pages': 32, 'reserved_pages': 0, 'other_pages': 0, 'unclear_pages': 1, 'movable_pages': 1000, 'free_pages': 32768 - 1213}]"
# Its addresses say the same.
run 0 --host "$copy" --json explain 0x110000000-0x110000fff
json "a['owners'][0]['releasable'] is False and 'memory36, zone Normal, 212 unmovable pages' in a['owners'][0]['release_reason']"
run 0 --host "$copy" explain 0x110000000-0x110000fff
says "can be released: no because: memory36, zone Normal"

# A zone has the name that the kernel has for it; what is none is not shown.
echo DMA32 >"$blocks/memory36/valid_zones"
run 0 --host "$copy" explain region0
says "memory36, zone DMA32, 212 unmovable pages"
printf 'Nor\033[31mmal\n' >"$blocks/memory36/valid_zones"
run 0 --host "$copy" explain region0
says "memory36, zone not known: its zone or state cannot be read"
finish
