#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The ways to name a memory device, and the errors for none and for several.
. "${0%/*}/functions"
need_python

normalized=$hosts/normalized-7.3.tar.zst

for name in mem2 0000:0d:00.0 0000:0D:00.0 serial:0xabc0 serial:0xABC0 \
	serial:43968 cxl-000000000000abc0; do
	run 0 --host "$normalized" --json translate "$name" 0x1000
	json "a[0]['memdev'] == 'mem2' and a[0]['serial'] == '0xabc0'"
	run 0 --host "$normalized" explain "$name"
	says "mem2"
done

for name in mem9 0000:ff:00.0 serial:0x1 serial:1 cxl-0000000000000001; do
	run 2 --host "$normalized" --json translate "$name" 0x1000
	refused "$name"
	run 2 --host "$normalized" explain "$name"
	refused "$name"
done
run 2 --host "$normalized" translate mem9 0x1000
refused "mem0, mem1, mem2, mem3"
run 2 --host "$normalized" translate serial:abc0 0x1000
refused "serial:abc0"
run 2 --host "$normalized" translate mem2 1000
refused "0x1000 (hexadecimal) or 0x3e8 (decimal 1000)?"
run 2 --host "$normalized" translate 0d:00.0 0x1000
refused "0d:00.0"

# For a serial number that two devices share, their PCI addresses are listed.
unpack normalized-7.3
for mem in "$copy"/sys/bus/cxl/devices/mem2 "$copy"/sys/bus/cxl/devices/mem3; do
	echo 0xabc0 >"$mem/serial"
done
run 2 --host "$copy" --json translate serial:0xabc0 0x1000
refused "serial:0xabc0" "0000:0d:00.0" "0000:df:00.0"
run 2 --host "$copy" explain serial:0xabc0
refused "0000:0d:00.0" "0000:df:00.0"
run 0 --host "$copy" --json translate 0000:0d:00.0 0x1000
json "a[0]['memdev'] == 'mem2' and a[0]['spa'] == '0x210002000'"

# A serial number that cannot be read is unknown, and matches no operand.
rm "$copy/sys/bus/cxl/devices/mem2/serial"
run 0 --host "$copy" --json translate mem2 0x1000
json "a[0]['serial'] is None"
run 2 --host "$copy" translate serial:0xffffffffffffffff 0x1000
refused "serial:0xffffffffffffffff"
finish
