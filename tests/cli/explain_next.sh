#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: one finding with one next step for a region that lacks a device, and for devices that lack
# a driver, a serial number, a namespace or themselves.
. "${0%/*}/functions"
need_python

devices=sys/bus/cxl/devices

# device NAME: the directory of a CXL device of $copy
device() {
	readlink -f "$copy/$devices/$1"
}

# detach POSITION...: takes devices out of region0 of plain-7.3, as the kernel leaves it
detach() {
	unpack plain-7.3
	region=$(device region0)
	echo 0 >"$region/commit"
	rm -f "$region/driver"
	for position; do
		decoder=$(device "$(cat "$region/target$position")")
		: >"$region/target$position"
		: >"$decoder/region"
		echo 0x0 >"$decoder/size"
		echo 0x0 >"$decoder/dpa_size"
		echo 0xffffffffffffffff >"$decoder/dpa_resource"
		echo none >"$decoder/mode"
	done
	# It resets the decoders of the whole region.
	for port in "$copy/$devices"/port[0-9]* "$copy/$devices"/endpoint*; do
		echo 0 >"$port/decoders_committed"
	done
}

# one_problem OBJECT CODE [NEXT...]: of all the host, one problem, of that object, with these steps
one_problem() {
	object=$1 code=$2
	shift 2
	run 1 --host "$copy" explain --check
	says "1 problem: $object"
	run 0 --host "$copy" --json explain
	json "[(f['object'], f['code']) for f in a['findings'] if f['severity'] == 'problem'] == [('$object', '$code')]"
	for step; do
		json "any(f['code'] == '$code' and '$step' in f['next'].split('\\n') for f in a['findings'])"
	done
}

# One position: the device below its host bridge, with the commands.
detach 2
one_problem region0 REGION_INCOMPLETE \
	'attach mem3 (0000:0e:00.0, serial 0xabc1) at position 2:' \
	'echo ram >/sys/bus/cxl/devices/decoder6.0/mode' \
	'echo 0x10000000 >/sys/bus/cxl/devices/decoder6.0/dpa_size' \
	'echo decoder6.0 >/sys/bus/cxl/devices/region0/target2' \
	'echo 1 >/sys/bus/cxl/devices/region0/commit' 'cxl enable-region region0'
run 0 --host "$copy" explain
says "no memory device at position 2, of 0..3" "region0 needs this device at its position 2"
says_not "create-region" "kernel log" "lspci" "devices' memory is in regions" "arithmetic of its window" \
	"assigned to decoders"
run 0 --host "$copy" explain mem3
says "; no problem. Health: " "region0 needs this device at its position 2"
says_not "create-region"

# Its DPA is reserved already.
detach 2
decoder=$(device decoder6.0)
echo 0x10000000 >"$decoder/dpa_size"
echo 0x0 >"$decoder/dpa_resource"
echo ram >"$decoder/mode"
one_problem region0 REGION_INCOMPLETE 'echo decoder6.0 >/sys/bus/cxl/devices/region0/target2'
says_not "decoder6.0/mode" "free-dpa"

# Two positions at two bridges: each gets the device below its own.
detach 0 3
one_problem region0 REGION_INCOMPLETE \
	'attach mem2 (0000:0d:00.0, serial 0xabc0) at position 0:' \
	'attach mem1 (0000:e0:00.0, serial 0xabc3) at position 3:' \
	'echo decoder4.0 >/sys/bus/cxl/devices/region0/target0' \
	'echo decoder3.0 >/sys/bus/cxl/devices/region0/target3'

# A free device below the other bridge does not fit.
detach 2 3
rm -r "$(device mem3)" "$(device endpoint6)"
rm "$copy/$devices/mem3" "$copy/$devices/endpoint6" "$copy/$devices"/decoder6.*
rm "$(dirname "$(device region0)")/../port2/decoder2.0/region"
echo region0 >"$(device decoder2.0)/region"
rm -r "$copy/sys/bus/pci/devices/0000:0e:00.0" "$copy/sys/devices/pci0000:0c/0000:0c:01.0/0000:0e:00.0"
run 0 --host "$copy" --json explain region0
json "any('position 2 is for a memory device below pci0000:0c' in (f['next'] or '') for f in a['findings'])"
json "any('attach mem1' in (f['next'] or '') and 'commit' not in f['next'] for f in a['findings'])"
json "any('echo 1 >/sys/bus/pci/rescan' in (f['next'] or '') for f in a['findings'])"

# Its device is there without cxl_mem, or its PCI function without cxl_pci.
detach 2
rm "$(device mem3)/driver"
rm -r "$(device endpoint6)"
rm "$copy/$devices/endpoint6" "$copy/$devices"/decoder6.*
run 1 --host "$copy" explain --check region0
says "position 2 is for a memory device below pci0000:0c, and mem3 (0000:0e:00.0) is there without its driver" \
	"cxl enable-memdev mem3"
run 0 --host "$copy" explain mem3
says "problem: the driver cxl_mem is not bound to it" "cxl enable-memdev mem3"
says_not "is mapped by no decoder"
rm -r "$(device mem3)"
rm "$copy/$devices/mem3" "$copy/sys/devices/pci0000:0c/0000:0c:01.0/0000:0e:00.0/driver"
run 0 --host "$copy" explain region0
says "position 2 is for a memory device below pci0000:0c, and 0000:0e:00.0 is there without its driver cxl_pci" \
	"echo 0000:0e:00.0 >/sys/bus/pci/drivers/cxl_pci/bind"

# A memory device without driver.
unpack idle-7.3
rm "$copy/$devices/mem3" "$copy/$devices/endpoint4" "$copy/$devices"/decoder4.*
rm -r "$copy/sys/devices/platform/ACPI0017:00/root0/port1/endpoint4"
function=$copy/sys/devices/pci0000:de/0000:de:01.0/0000:e0:00.0
rm -rf "$function/mem3" "$function/driver"
for command in "explain" "explain 0000:e0:00.0"; do
	run 0 --host "$copy" $command
	says "a CXL memory device without its driver cxl_pci" \
		"echo 0000:e0:00.0 >/sys/bus/pci/drivers/cxl_pci/bind"
done
run 1 --host "$copy" explain --check 0000:e0:00.0
run 0 --host "$copy" list
says "0000:e0:00.0 CXL memory device without memdev no driver"

# A device that was unplugged: its endpoint stays, its memory device has gone.
unpack idle-7.3
rm "$copy/$devices/mem3"
rm -r "$copy/sys/devices/pci0000:de/0000:de:01.0/0000:e0:00.0" "$copy/sys/bus/pci/devices/0000:e0:00.0"
run 0 --host "$copy" explain endpoint4
says "problem: its memory device mem3 has gone: it was unplugged" "echo 1 >/sys/bus/pci/rescan"
run 0 --host "$copy" --json explain
json "[f['code'] for f in a['findings'] if f['object'] == 'endpoint4' and f['severity'] == 'problem'] == ['ENDPOINT_NO_MEMDEV']"
json "not any('left out' in f['text'] for f in a['findings'])"

# A port that a committed decoder leads to, with nothing below it.
unpack plain-7.3
region=$(device region0)
rm -r "$region"
rm "$copy/$devices/region0" "$copy/$devices/dax_region0" "$copy/sys/bus/dax/devices/dax0.0"
for decoder in "$copy/$devices"/decoder*; do
	[ ! -e "$decoder/region" ] || : >"$decoder/region"
done
rm -r "$(device mem3)" "$(device endpoint6)"
rm "$copy/$devices/mem3" "$copy/$devices/endpoint6" "$copy/$devices"/decoder6.* "$copy/sys/bus/pci/devices/0000:0e:00.0"
for command in "explain" "explain 0000:0c:01.0"; do
	run 0 --host "$copy" $command
	says "problem: decoder2.0 of port2 sends accesses to this port, but no memory device is below it" \
		"echo 1 >/sys/bus/pci/rescan"
done

# Serial numbers.
unpack plain-7.3
echo 0x0 >"$(device mem0)/serial"
one_problem mem0 MEMDEV_SERIAL_ZERO
says "PCI address"
echo 0xabc1 >"$(device mem0)/serial"
run 1 --host "$copy" explain --check
says "2 problems: mem0, mem3" "its serial number 0xabc1 is not unique" "mem0 (0000:df:00.0), mem3 (0000:0e:00.0)" \
	"next: name it by its PCI address instead of serial:"

# Persistent memory without a namespace.
unpack plain-7.3
echo pmem >"$(device region0)/mode"
one_problem region0 REGION_NO_ND_REGION 'modprobe cxl_pmem'
nd=$copy/sys/devices/platform/ACPI0017:00/root0/nvdimm-bridge0/ndbus0/region3
mkdir -p "$nd/namespace3.0"
echo 0 >"$nd/namespace3.0/size"
echo 0x110000000 >"$nd/resource"
ln -s "../../../devices/platform/ACPI0017:00/root0/nvdimm-bridge0/ndbus0/region3" "$copy/sys/bus/nd/devices/region3"
one_problem region0 REGION_NO_NAMESPACE 'ndctl create-namespace -r region3'
echo 1073741824 >"$nd/namespace3.0/size"
run 0 --host "$copy" explain --check
says "; no problem. Health: " "region3 of the nvdimm bus, with 1 namespace"

# The node of a dax device is missing; sysfs has the device.
unpack plain-7.3
rm "$copy/dev/dax0.0"
run 0 --host "$copy" explain --check
silent
says "; no problem. Health: " "dax0.0 is system RAM"
run 0 --host "$copy" list dax0.0
silent
says "dax0.0 0x110000000-0x14fffffff"
# A restricted device is directly below the root; what region plan makes is the next step.
run 0 --host "$hosts/mock-7.3.tar.zst" explain mem10
says "next: map it with, for example: cxl create-region -t ram -d decoder0.5 -m mem10 -s 256M"
run 0 --host "$hosts/mock-7.3.tar.zst" region plan decoder0.5
says "cxl create-region -m -d decoder0.5 -t ram -w 1 -g 256 -s 268435456 mem10"
finish
