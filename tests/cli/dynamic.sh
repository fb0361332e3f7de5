#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Devices of dynamic capacity: partitions, modes and extents, on two hosts of tests/hosts/make-dynamic-host.
. "${0%/*}/functions"
need_python
command -v zstd >/dev/null || skip "zstd is missing, which unpacks captured hosts here (Debian package: zstd)"

a=$scratch/interleaved b=$scratch/partitions
"$hosts/make-dynamic-host" interleaved "$hosts" "$a" || exit 99
"$hosts/make-dynamic-host" partitions "$hosts" "$b" || exit 99

# Names, numbers and bases, and never a 0 for what is not known.
run 0 --host "$a" list
silent
says "512 MiB  2-way at 256 B  dynamic_ram_a  committed" "extent extent0.1  offset 0x10000000  128 MiB  tag 5be13bce-" \
	"512 MiB dynamic_ram_a at DPA 0x10000000" "type3 dynamic_ram_a  qos class 0"
run 0 --host "$b" list
says "1 GiB dynamic_ram_a at DPA 0x20000000  512 MiB dynamic_ram_c at DPA 0x100000000  256 MiB later_kind at DPA 0x200000000" \
	"512 MiB dynamic_ram_1  at dport" "DPA 0x200000000-0x20fffffff  later_kind"
run 0 --host "$a" --json list
json "[p['base'] + ' ' + p['base_source'] for e in a['buses'][0]['ports'][0]['ports'][0]['ports'] for p in e['memdev']['partitions'][2:]] == ['0x10000000 mailbox', '0x10000000 decoder']"
json "[(w['other_modes'], w['makes_other_modes']) for w in a['buses'][0]['windows']] == [(['dynamic_ram_a'], ['dynamic_ram_a'])]"
json "[(r['memory_bytes'], len(r['extents']), r['extents_complete']) for r in a['buses'][0]['windows'][0]['regions']] == [(1 << 28, 2, True)]"
run 0 --host "$b" --json list mem2
json "(a['partitions'][2]['base'], a['partitions'][2]['base_source']) == (None, None) and '0x20000000' in a['partitions'][2]['base_reason']"

run 0 --host "$a" explain
says "memory is at 256 MiB of it, in 2 extents" "its partition dynamic_ram_a has 512 MiB of memory from DPA 0x10000000 on; decoders have 256 MiB of it, QoS class 1"
says_not "problem:"
run 0 --host "$b" explain
says "memory is at 18 MiB of it, in 2 extents" "256 MiB of later_kind" \
	"problem: where its partition dynamic_ram_a begins is not known: its mailbox has 0x10000000 bytes at DPA 0x10000000, and Linux shows 0x20000000 bytes" \
	"where its partition dynamic_ram_1 begins is not known: Linux does not show it"

run 0 --host "$a" map region0
says "memory at 256 MiB of it, in 2 extents" "| 0 mem0 | 1 mem1 |"
run 0 --host "$b" --json map region1
json "(a['mode'], a['memory_bytes'], [x['tag'] for x in a['extents']]) == ('dynamic_ram_a', 18 << 20, ['older', None])"

# Both ways exact; where no extent is, it is said.
run 0 --host "$a" translate mem0 0x10001000
says "SPA 0x110002000  (exact, decoder arithmetic)" "node 0, dax0.0"
says_not "no memory"
run 0 --host "$a" translate 0x118000000
says "mem0 DPA 0x14000000  (exact" "no memory is there"
run 0 --host "$b" translate mem1 0x30000000
says "SPA 0x220000000  (exact"
says_not "no memory"
run 0 --host "$b" translate mem1 0x20300000
says "no memory is there"
run 1 --host "$b" translate mem1 0x300000000
says "beyond the capacity of the device (0x210000000 bytes)"
run 1 --host "$b" translate mem2 0x20000000
says_not "beyond"

# No plan guesses where free dynamic capacity is.
run 1 --host "$a" region plan decoder0.0 --mode dynamic_ram_a
refused "Linux does not show which DPAs of the partition are free" "cxl create-region -d decoder0.0 -t dynamic_ram_a"
run 1 --host "$a" region plan decoder0.0 --mode dynamic_ram_1
refused "makes no regions of mode dynamic_ram_1" "has no create_dynamic_ram_1_region"
run 1 --host "$a" region plan decoder0.0
refused "has dynamic or other capacity only (dynamic_ram_a)"
run 0 --host "$b" region plan decoder0.1
says "0: mem2" "DPA 0x0-0xfffffff"

run 3 --host "$a" health
says "the devices do not report their health"
run 1 --host "$b" health
says "CXL WARNING"

# Extents that are invalid, or more than are read, leave it unknown where memory is.
chmod -R u+w "$b"
extents=$b/sys/bus/cxl/devices/dax_region1
echo 0xfffffffffffffff0 >"$extents/extent1.1/offset"
run 0 --host "$b" explain region1
says "problem: it is of dynamic capacity, and not all its extents are known" "extent1.1 is left out: it is not a range inside its region"
run 0 --host "$b" translate mem1 0x30000000
says "it is not known whether memory is at this address"
run 0 --host "$b" --json list region1
json "(a['memory_bytes'], a['extents_complete']) == (None, False)"

# Redfish: extents, MemoryRegions, and what is used.
"$hosts/make-dynamic-host" partitions "$hosts" "$scratch/whole" || exit 99
for host in "$a" "$b" "$scratch/whole"; do
	./dump_redfish "$host" >"$host.redfish" || fail "$host: no Redfish"
done
python3 "$srcdir/tests/redfish/invariants.py" "$a.redfish" "$b.redfish" "$scratch/whole.redfish" ||
	fail "a rule of Redfish is broken"
# resource FILE URI-END: the resource of a dump, in $scratch/out
resource() {
	what="Redfish $2"
	sed -n "\\|^GET .*$2\$|,/^}/p" "$1" | sed 1d >"$scratch/out"
}
resource "$scratch/whole.redfish" cxl-000000000000abc0/PCIeDevices/1/CXLLogicalDevices/0/MemoryRegions/dynamic_ram_a
json "[a[k] for k in ('RegionType', 'RegionNumber', 'RegionBaseOffsetMiB', 'RegionSizeMiB')] == ['Dynamic', 0, 512, 1024]"
json "(a['BlockSizeMiB'], a['SanitizeOnRelease'], a['ExtentsCount']) == (2, True, 2)"
json "[(x['ExtentOffsetMiB'], x['ExtentSizeMiB']) for x in a['MemoryExtents']] == [(0, 2), (256, 16)]"
resource "$scratch/whole.redfish" MemoryChunks/spa-0000000210000000
json "(a['AddressRangeType'], a['Oem']['CXLHost']['Mode']) == ('Volatile', 'dynamic_ram_a')"
json "a['Oem']['CXLHost']['ExtentsBytes'] == 18 << 20"
json "[x['Offset'] for x in a['Oem']['CXLHost']['Extents']] == ['0x0', '0x10000000']"
resource "$scratch/whole.redfish" MemoryDomains/window-0000000210000000
json "[a['Oem']['CXLHost'][k] for k in ('UsedBytes', 'ReservedBytes', 'FreeBytes')] == ['0x1200000', '0x1ee00000', '0xe0000000']"
resource "$a.redfish" cxl-000000000000abc0/PCIeDevices/1/CXLLogicalDevices/0
json "a['MemorySizeMiB'] == 128"
resource "$b.redfish" MemoryDomains/window-0000000210000000
json "'UsedBytes' not in a['Oem']['CXLHost'] and a['Oem']['CXLHost']['FreeBytes'] == '0xe0000000'"
resource "$b.redfish" MemoryChunks/spa-0000000210000000
json "'ExtentsBytes' not in a['Oem']['CXLHost'] and a['Oem']['CXLHost']['ExtentsComplete'] is False"
finish
