# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The kernel with this firmware: PRMT, address mappings, regions.
# shellcheck source=/dev/null
. /lib/vm/lib.sh

same "four CXL devices with the serial numbers of the machine" 4 "$(cxl_devices | wc -l)"
if [ "$VM_FAULT" = unprogrammed ]; then
	check "there is no PRMT" test ! -e /sys/firmware/acpi/tables/PRMT
	exit 0
fi
check "the kernel found the PRMT" grep -q . /sys/firmware/acpi/tables/PRMT

dmesg >"$RESULTS/dmesg-boot.txt"
mapped=0
windowless=0
untranslated=0
while read -r _ bdf base _; do
	if dmesg | grep -F "address mapping found for $bdf" |
		grep -q "0x0+0x10000000 -> $base+0x20000000 ways:2 granularity:256"; then
		mapped=$((mapped + 1))
	fi
	if dmesg | grep -q "$bdf: mem.* no CXL window for range 0x0:0xfffffff"; then
		windowless=$((windowless + 1))
	fi
	if dmesg | grep -q "$bdf: mem.* Failed to setup translation for address range 0x0:0xfffffff"; then
		untranslated=$((untranslated + 1))
	fi
done <<END
$(cxl_devices)
END
regions=$(for region in /sys/bus/cxl/devices/region*; do
	[ -d "$region" ] || continue
	echo "$(cat "$region/resource") $(cat "$region/size") $(cat "$region/interleave_ways")" \
		"$(cat "$region/interleave_granularity")"
done | sort)

case $VM_SERIES/$VM_FAULT in
6.12/* | 7.x/no-handler)
	same "dmesg reports for each device that it has no CXL window" 4 $windowless
	same "there is no region" "" "$regions"
	;;
7.x/no-execute)
	same "no device could be translated" 4 $untranslated
	same "there is no region" "" "$regions"
	check "Linux disabled EFI runtime services" \
		sh -c 'dmesg | grep -q "Page fault caused by firmware"'
	;;
*)
	same "each device has its address mapping in dmesg" 4 $mapped
	same "regions as the firmware interleaves" "0x210000000 0x20000000 2 256
0x310000000 0x20000000 2 256" "$regions"
	;;
esac

case $VM_SERIES/$VM_FAULT in
*/no-handler | */no-execute | 6.12/*) same "the handler was not called" 0 "$(handler_calls)" ;;
*) check "the handler was called" test "$(handler_calls)" -gt 0 ;;
esac
