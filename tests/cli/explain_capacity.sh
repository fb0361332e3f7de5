#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: capacity that nobody maps, and cxl create-region only where it can work.
. "${0%/*}/functions"

devices=sys/bus/cxl/devices

# larger: a copy of plain-7.3 in which mem0 (endpoint5, 256 MiB in region0) has 256 MiB more
larger() {
	unpack plain-7.3
	echo 0x20000000 >"$copy/$devices/mem0/ram/size"
}

# set_all VALUE ATTRIBUTE OBJECT...
set_all() {
	value=$1 attribute=$2
	shift 2
	for object; do
		echo "$value" >"$copy/$devices/$object/$attribute"
	done
}

larger
run 0 --host "$copy" explain mem0
says "DPA 0x10000000-0x1fffffff (256 MiB of ram) is mapped by no decoder" \
	"next: map it with, for example: cxl create-region -t ram -d decoder0.2 -m mem0 -s 256M"

# No decoder is left.
set_all 0x10000000 size decoder5.1 decoder5.2 decoder5.3
run 0 --host "$copy" explain mem0
says "problem: it cannot be mapped: all its decoders are in use"
says_not "create-region"

# One is left, but Linux does not go back to it.
set_all 0x0 size decoder5.1
run 0 --host "$copy" explain mem0
says "its idle decoders have lower numbers than one in use"
says_not "create-region"

# The window of this bridge is used up by what firmware mapped, that over both needs a partner.
larger
sed -i "s/^310000000-40fffffff : CXL Window.*/&\\n  310000000-40fffffff : System RAM/" "$copy/proc/iomem"
run 0 --host "$copy" explain mem0
says "its ram cannot be mapped: window decoder0.2 is full" "window decoder0.0 interleaves over several"
says_not "create-region"
for mem in mem1 mem2 mem3; do
	set_all 0x20000000 ram/size $mem
done
run 0 --host "$copy" explain mem0
says "next: map it with cxl create-region -t ram, in a window whose targets lead to this device"
set_all 0x50000000 size decoder0.0
run 0 --host "$copy" explain mem0
says "window decoder0.0 has free addresses, but fewer than the smallest region needs"
set_all 0x40000000 size decoder0.0
run 0 --host "$copy" explain mem0
says "window decoder0.0 is full"
set_all 1 locked decoder0.0
run 0 --host "$copy" explain mem0
says "window decoder0.0 is locked by firmware"
says_not "create-region"

# A small window takes a part.
larger
set_all 0x40000000 ram/size mem0
set_all 0x20000000 size decoder0.2
run 0 --host "$copy" explain mem0
says "cxl create-region -t ram -d decoder0.2 -m mem0 -s 512M"

# Persistent memory goes where it is allowed.
unpack plain-7.3
set_all 0x10000000 pmem/size mem0
run 0 --host "$copy" explain mem0
says "(256 MiB of pmem) is mapped by no decoder" \
	"cxl create-region -t pmem -d decoder0.2 -m mem0"
says_not "-s "
set_all 0 cap_pmem decoder0.0 decoder0.2
run 0 --host "$copy" explain mem0
says "its pmem cannot be mapped: no window that leads to it accepts pmem"
says_not "create-region"

# What lies below the DPA already mapped is lost, and so is less than 256 MiB.
larger
set_all 0x10000000 dpa_resource decoder5.0
run 0 --host "$copy" explain mem0
says "DPA 0x0-0xfffffff (256 MiB of ram) is mapped by no decoder" "Linux maps a device from the lowest DPA"
says_not "create-region"
finish
