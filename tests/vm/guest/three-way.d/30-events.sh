# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Poison at markers of each device and region: the kernel's record has an hpa, the log its address.
# compare-markers compares both with the memory of the devices.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/three-way.sh
for program in cxl-spa cxl-redfishd cxl-redfish-trace; do
	needs_program $program
done

state=/run/state
mkdir -p $state
check "cxl-redfish-trace creates the trace instance" cxl-redfish-trace
start_redfishd /run/redfish "$RESULTS/redfishd.log" --state $state

# places: DPAs of each device that have a marker. The first, middle and last chunks of a region are the
# first, middle and last of the 256 MiB that each device gives to it.
places() {
	local region i
	for region in 0 0x10000000; do
		for i in 0 1 2 3 4 5; do
			printf '0x%x\n' $((region + i * 256)) $((region + 0x8000000 + i * 256)) \
				$((region + 0xfffff00 - i * 256))
		done
	done
}

n=0
for serial in $(serials); do
	memdev=$(memdev "$serial")
	for dpa in $(places); do
		echo "$dpa" >"/sys/kernel/debug/cxl/$memdev/inject_poison" && n=$((n + 1))
	done
done
same "poison at markers" $((36 * VM_WAYS)) $n

logged() {
	cxl-spa events --json --state $state | grep '"type":"poison"' >"$RESULTS/events"
	wc -l <"$RESULTS/events"
}
tenths=0
while [ "$(logged)" -lt $n ] && [ $tenths -lt 1800 ]; do
	sleep 0.5
	tenths=$((tenths + 5))
done
same "each has an entry in the log" $n "$(logged)"
stop_redfishd /run/redfish
