#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# region plan on captured hosts: the complete output in the golden texts, and what is refused.
#
# After an intended change of a text, write the files again and read the difference:
#	CXL_SPA_UPDATE_GOLDEN=1 tests/cli/region.sh		(from the top build directory)
. "${0%/*}/functions"
need_python

golden=$srcdir/tests/cli/golden
idle=$hosts/idle-7.3.tar.zst
mock=$hosts/mock-7.3.tar.zst

# One file for each bundled host: a plan, or the reason, for each window and mode.
for archive in "$hosts"/*.tar.zst; do
	host=$(basename "$archive" .tar.zst)
	: >"$scratch/all"
	windows=$("$spa" --host "$archive" list 2>/dev/null | sed -n 's/^ *window \([^ ]*\) .*/\1/p')
	for window in $windows; do
		for mode in ram pmem; do
			status=0
			echo "region plan $window --mode $mode" >>"$scratch/all"
			"$spa" --host "$archive" region plan "$window" --mode $mode >>"$scratch/all" 2>&1 ||
				status=$?
			echo "status $status" >>"$scratch/all"
		done
	done
	file=$golden/$host.plan
	if [ -n "$CXL_SPA_UPDATE_GOLDEN" ]; then
		cp "$scratch/all" "$file"
	elif ! diff -u "$file" "$scratch/all"; then
		fail "plans of $host differ from $file"
	fi
done

# Named devices, sizes in all forms, and JSON, whose keys are always there.
for size in 1G 1024m 1048576K 1073741824 0x40000000; do
	run 0 --host "$idle" region plan decoder0.0 mem2 mem0 mem1 mem3 --size $size --json
	silent
	json "a['possible'] and a['reason'] is None and a['size'] == 1 << 30 and a['share'] == 256 << 20"
	json "[p['memdev'] for p in a['positions']] == ['mem2', 'mem0', 'mem1', 'mem3']"
done
json "set(a) == {'possible', 'reason', 'window', 'mode', 'ways', 'granularity', 'size', 'share', 'spa', 'spa_last', 'positions', 'notes', 'steps', 'commands'}"
json "all(set(p) == {'position', 'memdev', 'serial', 'decoder', 'dpa', 'dpa_last', 'left_behind'} for p in a['positions'])"
json "a['commands'] == ['cxl create-region -m -d decoder0.0 -t ram -w 4 -g 256 -s 1073741824 mem2 mem0 mem1 mem3']"
json "a['spa'] == '0x110000000' and a['spa_last'] == '0x14fffffff'"
run 0 --host "$idle" region plan decoder0.0 serial:0xabc1 0000:df:00.0 --granularity 256
says "2-way at 256 B" "mem2" "mem0"
run 0 --host "$idle" region plan decoder0.1 --ways 1 --granularity 4K
says "1-way at 4096 B"

# Refused: one line with the reason, in JSON too.
plan_refused() {
	archive=$1 && shift
	words=$1 && shift
	run 1 --host "$archive" region plan "$@"
	refused "$words"
	run 1 --host "$archive" region plan "$@" --json
	json "a['possible'] is False and a['reason'] and set(a) == {'possible', 'reason', 'window'}"
}
plan_refused "$idle" "this order is possible: mem1 mem0 mem2 mem3" decoder0.0 mem3 mem2 mem0 mem1
plan_refused "$idle" "mem0 is below pci0000:de, and window decoder0.1 does not lead there" decoder0.1 mem0
plan_refused "$idle" "mem2 is named twice" decoder0.1 mem2 mem2
plan_refused "$idle" "possible are 2, 4, 8, 16" decoder0.0 --ways 3
plan_refused "$idle" "2 memory devices are named for a region of 4 ways" decoder0.0 mem2 mem0 --ways 4
plan_refused "$idle" "Linux accepts only that" decoder0.0 --granularity 512
plan_refused "$idle" "a power of two from 256 to 16384" decoder0.1 --granularity 100
plan_refused "$idle" "has no 8 GiB for a region" decoder0.0 --size 8G
plan_refused "$idle" "a size of 256 MiB is not possible" decoder0.0 --size 256M
plan_refused "$idle" "mem2 has 256 MiB of free volatile (ram) DPA of 256 MiB" decoder0.1 mem2 --size 512M
plan_refused "$idle" "has no persistent (pmem) partition" decoder0.1 mem2 --mode pmem
plan_refused "$mock" "does not allow pmem regions" decoder0.1 --mode pmem
plan_refused "$hosts/plain-7.3.tar.zst" "mem2 has no free volatile (ram) DPA" decoder0.1 mem2
plan_refused "$hosts/normalized-7.3.tar.zst" "Normalized addressing locks its decoders" decoder0.0
plan_refused "$hosts/zen5-doc.tar.zst" "Normalized addressing locks its decoders" decoder0.0

# The DPA that an interrupted change left behind is released first.
unpack idle-7.3
decoder=$(readlink -f "$copy/sys/bus/cxl/devices/decoder6.0")
echo 0x10000000 >"$decoder/dpa_size"
echo 0x0 >"$decoder/dpa_resource"
echo ram >"$decoder/mode"
run 0 --host "$copy" region plan decoder0.1 mem1
says "1. release DPA 0x0-0xfffffff of decoder6.0 of mem1, left behind" "cxl free-dpa -d decoder6.0 mem1"
run 0 --host "$copy" region plan decoder0.1 mem1 --json
json "a['positions'][0]['left_behind'] == 'decoder6.0'"

# The address is not known when that of the window is not.
unpack idle-7.3
rm "$(readlink -f "$copy/sys/bus/cxl/devices/decoder0.0")/start"
run 0 --host "$copy" region plan decoder0.0 --json
json "a['spa'] is None and a['spa_last'] is None and len(a['notes']) == 1"

# Addresses in use: nothing is planned there.
# window_0 LINE...: lines of /proc/iomem in the place of that of window 0, with the indentation of two blanks
window_0() {
	unpack idle-7.3
	printf '%s\n' "$@" >"$scratch/lines"
	sed -i -e "/^110000000-20fffffff : CXL Window 0/{r $scratch/lines" -e 'd}' "$copy/proc/iomem"
}
window_0 "10ffff000-20fffffff : System RAM" "  110000000-20fffffff : CXL Window 0"
plan_refused "$copy" "0x110000000-0x20fffffff is in use as System RAM" decoder0.0
window_0 "110000000-20fffffff : dax0.0" "  110000000-20fffffff : System RAM (kmem)" "    110000000-20fffffff : CXL Window 0"
plan_refused "$copy" "is in use as System RAM of dax0.0" decoder0.0
window_0 "110000000-20fffffff : CXL Window 0" "  110000000-20fffffff : Reserved"
plan_refused "$copy" "firmware must not list addresses of a window as Reserved" decoder0.0
window_0 "110000000-20fffffff : CXL Window 0" "  110000000-20fffffff : PCI Bus 0000:00"
plan_refused "$copy" "addresses of PCI devices are in the window: PCI Bus 0000:00" decoder0.0
window_0 "10ffff000-20fffffff : PCI Bus 0000:00" "  110000000-20fffffff : CXL Window 0"
plan_refused "$copy" "Linux would put the region at 0x110000000, but addresses of PCI devices are in the window: PCI Bus 0000:00 0x110000000-0x20fffffff" decoder0.0
window_0 "10ffff000-20fffffff : Reserved" "  110000000-20fffffff : CXL Window 0"
plan_refused "$copy" "but 0x110000000-0x20fffffff is Reserved in firmware's memory map" decoder0.0
window_0 "110000000-20fffffff : Soft Reserved" "  110000000-20fffffff : CXL Window 0"
run 0 --host "$copy" region plan decoder0.0
says "SPA 0x110000000-0x14fffffff"
says_not "not known"
window_0 "110000000-20fffffff : CXL Window 0" "  110000000-12fffffff : Soft Reserved"
run 0 --host "$copy" region plan decoder0.0
says "SPA 0x130000000-0x16fffffff"
# A line that is left out may have addresses up to the next outermost one: nothing is planned there.
for left_out in "  130000000-zzz : System RAM" "  130000000-13fffffff" "13fffffff-130000000 : System RAM"; do
	window_0 "110000000-20fffffff : CXL Window 0" "$left_out"
	run 1 --host "$copy" --json region plan decoder0.0
	json "'who uses 0x110000000-0x20fffffff is not known: a line of /proc/iomem has an unknown format; no region is planned there' in a['reason']"
	run 0 --host "$copy" region plan decoder0.1
	run 0 --host "$copy" --json explain 0x110000000-0x30fffffff
	json "[(o['last'], o['usable']) for o in a['owners']] == [('0x20fffffff', None), ('0x30fffffff', True)]"
done
# Nothing tells where one is that breaks the order; a file of too many lines has the others behind them.
unpack idle-7.3
echo '00000000-00000fff : System RAM' >>"$copy/proc/iomem"
run 1 --host "$copy" --json region plan decoder0.1
json "'a line of /proc/iomem has an unknown format' in a['reason']"
unpack idle-7.3
sed -i '/^10000/,$d' "$copy/proc/iomem"
yes '100000000-100000fff : x' | head -n 100000 >>"$copy/proc/iomem"
run 1 --host "$copy" --json region plan decoder0.1
json "'/proc/iomem has more lines than are read' in a['reason']"
head -c 5000000 /dev/zero >"$copy/proc/iomem"
run 1 --host "$copy" --json region plan decoder0.1
json "'/proc/iomem cannot be read' in a['reason']"
# Firmware has mapped a device that Linux has no region for: Linux would put one over it.
unpack idle-7.3
for decoder in decoder1.0 decoder5.0; do
	echo 0x110000000 >"$copy/sys/bus/cxl/devices/$decoder/start"
	echo 0x10000000 >"$copy/sys/bus/cxl/devices/$decoder/size"
done
echo 1 >"$copy/sys/bus/cxl/devices/port1/decoders_committed"
plan_refused "$copy" "Linux would put the region at 0x110000000, but 0x110000000-0x11fffffff is mapped by decoder1.0" decoder0.0 mem3 mem1 --size 512M
# Without privileges the users are not known, and the plan says so.
unpack idle-7.3
sed -i 's/^\( *\)[0-9a-f]*-[0-9a-f]*/\100000000-00000000/' "$copy/proc/iomem"
run 0 --host "$copy" region plan decoder0.0
says "whether its addresses are in use is not known"
run 0 --host "$copy" region plan decoder0.0 --json
json "len(a['notes']) == 1 and 'in use is not known' in a['notes'][0]"

# A memory device that is disabled.
unpack idle-7.3
rm "$(readlink -f "$copy/sys/bus/cxl/devices/mem1")/driver"
plan_refused "$copy" "mem1 is disabled: enable it with cxl enable-memdev mem1" decoder0.1 mem1

# Wrong usage.
usage() {
	words=$1 && shift
	run 2 "$@"
	refused "$words"
}
usage "write create, plan or destroy" region make decoder0.0
usage "operand WINDOW is missing" region plan
usage "operand REGION is missing" region destroy
usage "unexpected operand" region destroy region0 region1
usage "region create does not support --host: a captured host cannot be changed" --host "$idle" region create decoder0.0
usage "region destroy does not support --host" --host "$idle" region destroy region0
usage "region destroy does not support --size" region destroy region0 --size 1G
usage "region plan does not support --force" region plan decoder0.0 --force
usage "online does not support --host" --host "$idle" online region0
usage "offline does not support --host" --host "$idle" offline region0
usage "online does not support --size" online region0 --size 1G
usage "no such window; windows: decoder0.0, decoder0.1, decoder0.2" --host "$idle" region plan decoder1.0
usage "no such memory device" --host "$idle" region plan decoder0.0 mem9
usage "17 memory devices are named" --host "$idle" region plan decoder0.0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
usage "--mode requires one of ram, pmem, dynamic_ram_a, dynamic_ram_1, not 'both'" region plan decoder0.0 --mode both
usage "--ways" region plan decoder0.0 --ways 17
usage "--zone requires one of movable, kernel" online region0 --zone normal
for size in 0 -1 1.5G 1Q 0x 18446744073709551616 16777216T 1GG ''; do
	usage "--size" region plan decoder0.0 "--size=$size"
done
usage "region9: no such region" region destroy region9
usage "region9: no such region or dax device" online region9
usage "region9: no such region or dax device" offline region9
finish
