#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# explain: capacity that no decoder maps, and cxl create-region only where it can work.
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

# resize N SIZE FIRST LAST: another size of window decoder0.N, for Linux and in /proc/iomem
resize() {
	set_all "$2" size "decoder0.$1"
	sed -i "s/^$3-[0-9a-f]* : CXL Window $1/$3-$4 : CXL Window $1/" "$copy/proc/iomem"
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

# One is left, but Linux does not use it after a later one.
set_all 0x0 size decoder5.1
run 0 --host "$copy" explain mem0
says "its idle decoders have lower numbers than one in use"
says_not "create-region"

# Advice is a plan that is possible, and the reason is that of the plan. The window of this bridge is full
# of memory that firmware mapped; the one over both bridges needs a second device.
larger
sed -i "s/^310000000-40fffffff : CXL Window.*/&\\n  310000000-40fffffff : System RAM/" "$copy/proc/iomem"
run 0 --host "$copy" explain mem0
says "its ram cannot be mapped: window decoder0.2 has 0 MiB" "0x310000000-0x40fffffff is in use as System RAM" \
	"none of the 2 memory devices below pci0000:0c can be in a region of window decoder0.0"
says_not "create-region"
for mem in mem1 mem2 mem3; do
	set_all 0x20000000 ram/size $mem
done
run 0 --host "$copy" explain mem0
says "next: map it together with others, for example: cxl create-region -m -t ram -d decoder0.0 -w 4 -g 256 -s 1024M mem2 mem0 mem3 mem1"
run 0 --host "$copy" region plan decoder0.0
resize 0 0x50000000 110000000 15fffffff
run 0 --host "$copy" explain mem0
says "window decoder0.0 has 256 MiB of free addresses in one piece, and a region needs at least 512 MiB"
resize 0 0x40000000 110000000 14fffffff
run 0 --host "$copy" explain mem0
says "window decoder0.0 has 0 MiB of free addresses"
set_all 1 locked decoder0.0
run 0 --host "$copy" explain mem0
says "window decoder0.0 is locked"
says_not "create-region"

# One decoder of the bridge, which is in use; all its windows.
larger
set_all 1 decoders_committed port1
for decoder in decoder1.1 decoder1.2 decoder1.3; do
	rm -r "$(readlink -f "$copy/$devices/$decoder")" "$copy/$devices/$decoder"
done
run 0 --host "$copy" explain mem0
says "host bridge port1, on the way to memory device mem0, has no free decoder: all 1 are in use; destroy region0"
says_not "create-region"

# A kernel that makes no volatile regions.
larger
rm "$copy/$devices"/decoder0.?/create_ram_region
rm -r "$(readlink -f "$copy/$devices/region0")" "$copy/$devices/region0"
run 0 --host "$copy" explain mem0
says_not "create-region"
says "makes no volatile regions: window decoder0.2 has no create_ram_region" "CONFIG_CXL_REGION"

# The users of the addresses are not known: the command that is given looks.
larger
sed -i 's/^\( *\)[0-9a-f]*-[0-9a-f]*/\100000000-00000000/' "$copy/proc/iomem"
run 0 --host "$copy" explain mem0
says "this command looks before it writes: cxl-spa region create decoder0.2 mem0 --mode ram"
says_not "cxl create-region"

# A small window holds a part of the capacity.
larger
set_all 0x40000000 ram/size mem0
resize 2 0x20000000 310000000 32fffffff
run 0 --host "$copy" explain mem0
says "cxl create-region -t ram -d decoder0.2 -m mem0 -s 512M"

# Persistent memory is mapped where the window allows it.
unpack plain-7.3
set_all 0x10000000 pmem/size mem0
run 0 --host "$copy" explain mem0
says "(256 MiB of pmem) is mapped by no decoder" \
	"cxl create-region -t pmem -d decoder0.2 -m mem0"
says_not "-s "
set_all 0 cap_pmem decoder0.0 decoder0.2
run 0 --host "$copy" explain mem0
says "its pmem cannot be mapped: Linux shows no window that leads to it and accepts pmem"
says_not "create-region"

# Capacity below the DPA already mapped cannot be used, nor can less than 256 MiB.
larger
set_all 0x10000000 dpa_resource decoder5.0
run 0 --host "$copy" explain mem0
says "DPA 0x0-0xfffffff (256 MiB of ram) is mapped by no decoder" "Linux maps a device from the lowest DPA"
says_not "create-region"
finish
