#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Mappings of committed decoders without a region of Linux are listed, drawn, mapped and explained as
# regions are, by the names of their first addresses.
. "${0%/*}/functions"
need_python

devices=sys/bus/cxl/devices
name=spa-0000000110000000

forget_region0
run 0 --host "$copy" list
says "    $name  0x110000000-0x14fffffff  1 GiB  4-way at 256 B  ram  committed  by decoders, no region" \
	"decoder1.0  0x110000000-0x14fffffff  1 GiB  2-way at 512 B  $name" "ram  ordinary  $name"
says_not "no region of Linux" "disabled"
run 0 --host "$copy" --json list
json "[r['name'] + ' ' + r['mapping'] for r in a['buses'][0]['windows'][0]['regions']] == ['$name decoders']"
run 0 --host "$copy" --json list decoder5.0
json "a['region'] is None and a['mapped_by'] == '$name'"
run 0 --host "$copy" graph
says "\"decoder0.0\" -> \"$name\"" "by decoders, no region" "\"$name\" -> \"mem0\" [style=dashed, label=\"1\"]"
run 0 --host "$copy" map "$name"
says "$name  0x110000000-0x14fffffff  1 GiB  ram  by decoders, no region" "| 0 mem2 | 1 mem0 | 2 mem3 | 3 mem1 |"
run 0 --host "$copy" --json map "$name"
json "a['by_decoders'] is True and all(c['exact'] for c in a['chunks'])"
run 0 --host "$copy" translate mem0 0x1000
says "mem0 DPA 0x1000 -> SPA 0x110004100  (exact, decoder arithmetic)" "$name position 1, decoder5.0"

# One problem for all of its decoders, with its consequence; what it maps is no unused memory.
run 0 --host "$copy" explain
says "1 problem: $name" "committed decoders map 1 GiB of the devices' 1 GiB of memory without a region of Linux" \
	"mapped by committed decoders, without a region: $name" "0x150000000-0x20fffffff (3 GiB) is used by no region" \
	"the kernel gives no system address with events of these devices" "next: this kernel can make regions"
says_not "decoder5.0 maps" "none of the devices' 1 GiB" "in no region"
run 0 --host "$copy" explain "$name"
says "can it be released? no" "Linux has no region there that could be destroyed"
run 0 --host "$copy" explain decoder5.0
says "part of $name" "DPAs are translated by: decoder"
says_not "problem:"
run 0 --host "$copy" explain mem0
says "part of $name"
says_not "problem:"
run 1 --host "$copy" region plan decoder0.0
says_not "0x110000000"
sed -i 's/^Linux version [^ ]*/Linux version 6.1.0-37-amd64/' "$copy/proc/version"
rm -f "$copy/$devices"/decoder0.*/create_ram_region
run 0 --host "$copy" explain "$name"
says "next: this kernel, 6.1.0-37-amd64, makes no region of memory that firmware has mapped: boot Linux 6.3 or newer"

# A device without driver: the others keep their addresses, and all say which one is missing.
forget_region0
endpoint=$(readlink -f "$copy/$devices/endpoint3")
rm -rf "$endpoint" "$copy/$devices/endpoint3" "$copy/$devices"/decoder3.*
rm -rf "$(readlink -f "$copy/$devices/mem1")" "$copy/$devices/mem1"
run 0 --host "$copy" translate mem0 0x1000
says "mem0 DPA 0x1000 -> SPA 0x110004100  (exact, decoder arithmetic)" "no decoder is committed for position 3 of 4"
run 1 --host "$copy" translate 0x110000300
says "SPA 0x110000300 -> no memory device" "$name is incomplete: no device at position 3 of 4"
run 1 --host "$copy" map "$name"
says "  position 3   -  empty" "| 0 mem2 | 1 mem0 | 2 mem3 |   ?    |"
run 0 --host "$copy" explain "$name"
says "Mapping: exact by decoder; 2 problems" "problem: Linux shows no device at position 3, of 0..3" \
	"$name: Linux expects 4 devices here, 3 are committed" "way out: attach: find the device that is missing"

# A region of which Linux refused the decoders: all say that its memory is mapped.
incomplete_region0
run 0 --host "$copy" explain region0
says "Mapping: exact by decoder; " "so it is not committed, and committed decoders map its memory without it" "see $name"
says_not "cannot be used"
for object in mem0 host; do
	run 0 --host "$copy" explain "$object"
	says_not "not in use" "nothing is mapped"
done
run 0 --host "$copy" translate mem0 0x1000
says "SPA 0x110004100  (exact, decoder arithmetic" "Linux has no region for 0x110000000-0x14fffffff (region0 is not complete): committed"
run 0 --host "$copy" map region0
says "$name" "| 0 mem2 | 1 mem0 | 2 mem3 | 3 mem1 |"
run 2 --host "$copy" health
says " regions=1 " " mappings=1"
run 2 --host "$copy" --json health
json "a['regions'] == 1 and a['mappings'] == 1"
run 2 --host "$hosts/plain-7.3.tar.zst" health
says_not "mappings="

# A decoder that contradicts the others: which ones, and once.
forget_region0
sed -i 's/^Linux version [^ ]*/Linux version 6.1.0-37-amd64/' "$copy/proc/version"
echo 512 >"$copy/$devices/decoder3.0/interleave_granularity"
run 0 --host "$copy" explain
says "1 problem: $name" \
	"no address in it is exact, because decoders contradict each other, or a region of Linux: decoder4.0 has granularity 256"
says_not "accesses reach its devices"

# A decoder that makes no mapping says why.
forget_region0
echo 2 >"$copy/$devices/decoder3.0/interleave_ways"
run 0 --host "$copy" explain decoder5.0
says "and no address of it is exact: 4 endpoint decoders have the range 0x110000000-0x14fffffff with"
echo 0x90000000 >"$copy/$devices/decoder5.0/start"
run 0 --host "$copy" explain decoder5.0
says "problem: in no region: the system addresses it decodes are in no CXL window"

# A low memory hole: the window ends where the decoders of its region go on, and that is no fault.
unpack switch-7.3
rm "$copy/proc/iomem"
for object in decoder0.0 region0; do
	echo 0x14000000 >"$copy/$devices/$object/size"
done
run 0 --host "$copy" explain region0
says "they decode 0x20000000 bytes and the window has 0x14000000, so 192 MiB of DPA of its devices has no system address" \
	"DPAs are translated by: decoder"
says_not "problem:" "must provide"
run 0 --host "$copy" list
says "region0  0x110000000-0x123ffffff  320 MiB" "decoder3.0  0x110000000-0x12fffffff  512 MiB"
run 0 --host "$copy" translate mem0 0x9ffff00
says "(exact, decoder arithmetic)"
run 1 --host "$copy" translate mem0 0xa000000
says "no SPA"
run 1 --host "$copy" region plan decoder0.0
refused "decoder0.0"
# Behind the window the decoders own nothing, and firmware may have registers there.
dax=$copy/sys/bus/dax/devices/dax0.0
echo 335544320 >"$dax/size"
echo 0x123ffffff >"$dax/mapping0/end"
cat >"$copy/proc/iomem" <<'END'
110000000-123ffffff : CXL Window 0
  110000000-123ffffff : region0
124000000-12fffffff : PCI Bus 0000:00
END
run 0 --host "$copy" --json explain --check 0x110000000-0x12fffffff
json "max(int(o['last'], 16) for o in a['owners'] if 'region0' in o['what'] or 'decoder' in o['what']) == 0x123ffffff"
json "a['owners'][-1]['first'] == '0x124000000' and 'PCI Bus' in a['owners'][-1]['what'] and a['problems'] == 0"

# With a region the same addresses are the region's.
run 0 --host "$hosts/plain-7.3.tar.zst" --json map region0
json "a['by_decoders'] is False"
run 0 --host "$hosts/plain-7.3.tar.zst" --json list region0
json "a['mapping'] == 'region'"
run 2 --host "$hosts/plain-7.3.tar.zst" map "$name"
refused "no such region or mapping"
finish
