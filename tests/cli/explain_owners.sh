#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain START-END: who owns each part of a range of system addresses.
. "${0%/*}/functions"
need_python

# has_iomem: standard input becomes what /proc/iomem of the copy has from 4 GiB on
has_iomem() {
	{
		echo '00001000-0009fbff : System RAM'
		cat
	} >"$scratch/iomem"
	rm -f "$copy/proc/iomem"
	cp "$scratch/iomem" "$copy/proc/iomem"
}

# owners PYTHON: a condition on `o`, the owners of the three windows, which cover them without gaps
owners() {
	run 0 --host "$copy" --json explain 0x110000000-0x40fffffff
	json "a['owners'][0]['first'] == '0x110000000' and a['owners'][-1]['last'] == '0x40fffffff'"
	json "all(int(x['last'], 16) + 1 == int(y['first'], 16) for x, y in zip(a['owners'], a['owners'][1:]))"
	json "all([k for k in o if k != 'release_reason'] == ['first', 'last', 'what', 'made_by', 'usable', 'releasable', 'after_release'] for o in a['owners'])"
	json "(lambda o: $1)(a['owners'])"
}

# Soft Reserved around the window, then inside of it: only there it outlives the region.
unpack plain-7.3
has_iomem <<'END'
110000000-20fffffff : Soft Reserved
  110000000-20fffffff : CXL Window 0
    110000000-14fffffff : region0
      110000000-14fffffff : dax0.0
        110000000-14fffffff : System RAM (kmem)
210000000-30fffffff : CXL Window 1
END
owners "'System RAM (kmem) of dax0.0 of region0' in o[0]['what'] and o[0]['usable'] and o[0]['releasable']"
json "'made here again' in a['owners'][0]['after_release'] and 'kmem' in a['owners'][0]['made_by']"
json "'Soft Reserved > CXL Window 0 > region0 > dax0.0 > System RAM (kmem)' in a['owners'][0]['made_by']"
json "a['owners'][1]['what'] == 'free in CXL window decoder0.0' and a['owners'][1]['usable'] is True"
for order in 'Soft Reserved:region0' 'region0:Soft Reserved'; do
	has_iomem <<END
110000000-20fffffff : CXL Window 0
  110000000-14fffffff : ${order%:*}
    110000000-14fffffff : ${order#*:}
      110000000-14fffffff : dax0.0
        110000000-14fffffff : System RAM (kmem)
END
	owners "o[0]['releasable'] and 'before the next boot' in o[0]['after_release']"
done

# Without addresses in /proc/iomem nothing is free, and what sysfs shows is still known.
rm -f "$copy/proc/iomem"
echo '00000000-00000000 : System RAM' >"$copy/proc/iomem"
owners "'dax0.0' in o[0]['what'] and 'CAP_SYS_ADMIN' in o[0]['after_release']"
json "all(o['usable'] is None and 'not known' in o['what'] and 'root' in o['made_by'] for o in a['owners'][1:])"

# A region that is not complete is enabled, and its memory cannot be used. A kernel of 6.3 that has made a region makes
# others, whatever attributes its windows have.
incomplete_region0
rm "$copy/sys/bus/dax/devices/dax0.0" "$copy"/sys/bus/cxl/devices/decoder0.*/create_*_region
has_iomem <<'END'
110000000-20fffffff : CXL Window 0
  110000000-14fffffff : region0
210000000-30fffffff : CXL Window 1
END
owners "o[0]['what'].startswith('region0 ') and o[0]['usable'] is False"
json "a['owners'][1]['what'] == 'free in CXL window decoder0.0' and a['owners'][1]['usable'] is True"
run 1 --host "$copy" explain --check
says_not CONFIG_CXL_REGION "Linux 6.3"

unpack idle-7.3
has_iomem <<'END'
110000000-20fffffff : CXL Window 0
  110000000-20fffffff : Reserved
210000000-30fffffff : CXL Window 1
  210000000-21fffffff : PCI Bus 0000:0c
    210000000-2101fffff : 0000:0d:00.0
  220000000-22fffffff : Soft Reserved
END
owners "'Reserved in CXL window decoder0.0' == o[0]['what'] and o[0]['usable'] is False and o[0]['releasable'] is False"
json "'must not list' in a['owners'][0]['made_by']"
json "[o['what'].split(' in ')[0] for o in a['owners'][1:]] == ['0000:0d:00.0', 'PCI Bus 0000:0c', 'Soft Reserved', 'free', 'free']"
json "'before the next boot' in a['owners'][3]['after_release'] and a['problems'] == 3"
run 1 --host "$copy" explain --check 0x110000000-0x110000fff
says "problem: Reserved in CXL window decoder0.0" "usable by Linux: no" "can be released: no"
says "Mapping: nothing is mapped; 1 wrong owner: 0x110000000-0x110000fff. Health: not known (no memory device)"

# The verdict of a range is about what maps addresses of it; one address is enough.
for range in 0x0-0xffffffffffffffff 0x14fffffff-0x14fffffff 0x110000000 0x0-0x110000000; do
	run 0 --host "$hosts/plain-7.3.tar.zst" explain "$range"
	[ "$(head -n 1 "$scratch/out")" = "Mapping: exact by decoder; no wrong owner. Health: Critical (mem2, mem3)" ] ||
		fail "$what: $(head -n 1 "$scratch/out")"
done
for range in 0x0-0x10fffffff 0x150000000-0x20fffffff; do
	run 0 --host "$hosts/plain-7.3.tar.zst" --json explain "$range"
	json "a['verdict'] == 'Mapping: ' + a['mapping'] + '. Health: ' + a['health']"
	json "a['mapping'] == 'nothing is mapped; no wrong owner' and a['health'] == 'not known (no memory device)'"
done

# Linux keeps what firmware gave it as memory.
run 0 --host "$copy" --json explain 0x1000-0x1fff
json "a['owners'][0]['releasable'] is False and 'at its start' in a['owners'][0]['release_reason']"

# Around the window, they have its addresses, too.
has_iomem <<'END'
100000000-20fffffff : PCI Bus 0000:00
  110000000-20fffffff : CXL Window 0
210000000-30fffffff : Reserved
  210000000-30fffffff : CXL Window 1
END
owners "[x['what'] for x in o[:2]] == ['PCI Bus 0000:00 in CXL window decoder0.0', 'Reserved in CXL window decoder0.1']"
json "a['problems'] == 2 and all(o['usable'] is False for o in a['owners'][:2])"

# A dax device without region encloses windows.
has_iomem <<'END'
110000000-30fffffff : dax0.0
  110000000-30fffffff : System RAM (kmem)
    110000000-20fffffff : CXL Window 0
    210000000-30fffffff : CXL Window 1
END
owners "all('System RAM (kmem) of dax0.0' in x['what'] and 'dax0.0 keeps' in x['after_release'] for x in o[:2])"

# Firmware's memory map, of a kernel log with lines that are none.
has_iomem </dev/null
cat >"$copy/dmesg.txt" <<'END'
BIOS-e820: [mem 0x0000000110000000-0x000000020fffffff] soft reserved
BIOS-e820: [mem 0xffffffffffffffffffff-0x1] usable
BIOS-e820: [mem
efi: mem07: [Conventional|   |SP|  |WB|  |  |  ] range=[0x0000000210000000-0x000000030fffffff] (4096MB)
efi: mem08: ] range=[0x1 [
efi: mem09: [] range=[0x5-0x1]
END
owners "'(kernel log, e820): soft reserved' in o[0]['made_by'] and '(kernel log, efi): Conventional, specific purpose' in o[1]['made_by']"
mkdir -p "$copy/sys/firmware/memmap/0"
echo 0x310000000 >"$copy/sys/firmware/memmap/0/start"
echo 0x40fffffff >"$copy/sys/firmware/memmap/0/end"
echo Reserved >"$copy/sys/firmware/memmap/0/type"
owners "'(/sys/firmware/memmap): Reserved' in o[2]['made_by']"

# Ranges beyond 8,192 are left out, and said to be.
python3 -c 'for i in range(8200): print("BIOS-e820: [mem 0x%016x-0x%016x] usable" % (0x110000000 + i * 0x1000, 0x110000fff + i * 0x1000))' >"$copy/dmesg.txt"
rm -r "$copy/sys/firmware/memmap"
owners "'(kernel log, e820): usable' in o[0]['made_by'] and o[0]['last'] == '0x111ffffff'"
json "'memory map' not in a['owners'][1]['made_by']"
run 0 --host "$copy" explain host
says "memory map of firmware: more than 8192 ranges, the others are left out"

# Memory affinity structures of the SRAT that are enabled.
rm "$copy/dmesg.txt"
python3 - "$copy/sys/firmware/acpi/tables/SRAT" <<'END'
import struct, sys
def memory(domain, first, size, flags):
    return struct.pack("<BBIHQQIIQ", 1, 40, domain, 0, first, size, 0, flags, 0)
body = memory(7, 0x110000000, 0x100000000, 1) + memory(8, 0x210000000, 0x100000000, 0) + memory(9, 0x310000000, 2**64 - 1, 1)
open(sys.argv[1], "wb").write(struct.pack("<4sIBB6s8sI4sIIQ", b"SRAT", 48 + len(body), 3, 0, b"", b"", 0, b"", 0, 1, 0) + body)
END
owners "['SRAT: proximity domain %s' % n in x['made_by'] for x, n in zip(o, '789')] == [True, False, True]"

# Decoders without region own what they decode; those of a region of Linux do, too.
unpack plain-7.3
devices=sys/bus/cxl/devices
for decoder in 1.0 2.0 3.0 4.0 5.0 6.0; do
	echo >"$copy/$devices/decoder$decoder/region"
done
rm -r "$(readlink -f "$copy/$devices/region0")" "$copy/$devices/region0"
echo '110000000-20fffffff : CXL Window 0' | has_iomem
owners "'committed decoders' in o[0]['what'] and 'decoder1.0' in o[0]['made_by'] and o[0]['usable'] is False"
json "a['owners'][0]['last'] == '0x14fffffff'"

# Normalized decoders own no system addresses.
run 0 --host "$hosts/normalized-7.3.tar.zst" --json explain 0x0-0xfff
json "'decoder' not in str(a['owners'])"

# Nesting without end, the last address, and operands that are no range.
python3 -c 'for i in range(500): print(" " * (2 * i) + "110000000-%x : a%d" % (0x40fffffff - i, i))' | has_iomem
owners "'more ranges' in o[0]['made_by'] and o[0]['usable'] is None"
echo 'fffffffffffff000-ffffffffffffffff : Reserved' | has_iomem
run 0 --host "$copy" --json explain 0x0-0xffffffffffffffff
json "a['owners'][0]['first'] == '0x0' and a['owners'][-1]['last'] == '0xffffffffffffffff'"
json "a['owners'][-1]['what'] == 'Reserved'"
for operand in 0x2-0x1 0x10000000000000000-0x2 0x1- 0x; do
	run 2 --host "$copy" explain "$operand"
	refused "$operand"
done
finish
