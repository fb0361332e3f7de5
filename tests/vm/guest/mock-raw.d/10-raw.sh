# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Raw commands to QEMU's devices by a kernel that allows them: Set Timestamp, and Scan Media with
# raw_allow_all, which root writes here and nothing else does. QEMU answers no SLD QoS control.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-redfish-change-helper
needs_program cxl-redfish-trace

work=$RESULTS/raw
mkdir -p "$work/state"
allow_all=/sys/kernel/debug/cxl/mbox/raw_allow_all
serial=0xabc0
memdev=$(basename "$(dirname "$(grep -lx $serial /sys/bus/cxl/devices/mem*/serial)")")
memory=$host/Memory/$(memory_id "$memdev")
device=/redfish/v1/Chassis/$(memory_id "$memdev")/PCIeDevices/1
scan=$memory/Actions/Memory.ScanMedia
whole='{"PhysicalAddress": "0x0", "Length": 268435456}'

# raw_commands: how many times the kernel warned of one: once at most. Its flag W is set by others, too.
raw_commands() {
	dmesg | grep -c 'raw command path used'
}

# sets NAME STATUS BODY: a PATCH of the device. Its entity tag is another one at each moment.
sets() {
	send PATCH "$device" -H 'Content-Type: application/json' -d "$3"
	finish
	same "$1" "$2" "$status"
}

cxl-redfish-trace
start_redfishd "$socket" "$work/log" --state "$work/state" --allow=poison
becomes "without raw nothing of a PCIeDevice is set" 'GET, HEAD' allow_of "$device"
change "and nothing is scanned" 405 POST "$scan" "$whole"
says "which is said" "--allow=raw"
stop_redfishd "$socket"

start_redfishd "$socket" "$work/log" --state "$work/state" --allow=poison,raw
becomes "the helper's permission is shown" 'GET, HEAD, PATCH' allow_of "$device"
same "the service by itself sends no raw command" 0 "$(raw_commands)"

# ---- a machine that would end
echo 1 >/proc/sys/kernel/panic_on_warn
sets "a kernel that panics on warnings gets none" 409 '{"CXLDevice": {"Timestamp": "2031-02-03T04:05:06Z"}}'
says "which is said" "panic_on_warn is not 0"
echo 0 >/proc/sys/kernel/panic_on_warn
same "and does not warn" 0 "$(raw_commands)"

# ---- Set Timestamp
sets "a timestamp is set" 200 '{"CXLDevice": {"Timestamp": "2031-02-03T04:05:06Z"}}'
says "the answer says that Linux sets it again" "sets its timestamp again when it binds the device"
same "the device has it" 2031-02-03T04 "$(value "$device" .CXLDevice.Timestamp | cut -c 1-13)"
same "the kernel has warned" 1 "$(raw_commands)"
same "and is tainted by it" 1 $(($(cat /proc/sys/kernel/tainted) >> 9 & 1))
contains "the helper announced it" "a raw command follows, at the first of which the kernel warns and is tainted (W)" "$work/log"

# ---- QoS, of which QEMU's devices report nothing
change "a device without a QoS control has none to read" 405 POST "$device/Actions/Oem/CXLHostPCIeDevice.GetQoSControl" '{}'
sets "nor to set" 400 '{"CXLDevice": {"TemporaryThroughputReductionEnabled": true}}'

# ---- Scan Media
same "raw_allow_all is off at first" N "$(cat $allow_all)"
change "a scan is refused then" 409 POST "$scan" "$whole"
says "with the file that root must write" $allow_all
same "which the service has not written" N "$(cat $allow_all)"

# QEMU finds by a scan only what its list had no room for: it has 256 entries.
: >"$work/inject"
n=0
while [ $n -lt 256 ]; do
	printf '0x%x\n' $((n * 128)) >"/sys/kernel/debug/cxl/$memdev/inject_poison" 2>>"$work/inject"
	n=$((n + 1))
done
same "256 lines are poisoned" "" "$(cat "$work/inject")"
qmp_open
for dpa in 1048576 2097152 4194304; do
	check "poison at $dpa, for which the list has no room" qmp cxl-inject-poison \
		"\"path\": \"/machine/peripheral/dev0\", \"start\": $dpa, \"length\": 64"
done
qmp_close
echo Y >$allow_all
change "a scan of half of it finds nothing there" 200 POST "$scan" '{"PhysicalAddress": "0x8000000", "Length": 134217728}'
says "no poison" "no poison was found"
change "a scan of all" 200 POST "$scan" "$whole"
cp "$work/body" "$work/scanned"
says "finds the three" "poison was found in 3 ranges, which are entries"
same "by raw commands that root allowed" Y "$(cat $allow_all)"
echo N >$allow_all
first=$(sed -n 's/.*entries \([0-9]*\) to [0-9]* of its log.*/\1/p' "$work/scanned")
for n in "$first" $((first + 1)) $((first + 2)); do
	get "$memory/DeviceLog/Entries/$n" >"$work/entry"
	jq -r '"\(.MessageId | split(".") | last) \(.Severity) \(.Oem.CXLHost.DevicePhysicalAddress)"' "$work/entry" >>"$work/found"
	contains "entry $n was found by a scan" "found by a scan of the media" "$work/entry"
done
printf 'PoisonEvent Critical 0x%x\n' 1048576 2097152 4194304 >"$work/wanted"
check "they are entries of its log" same_lines "$work/wanted" "$work/found"
same "the kernel warned once only" 1 "$(raw_commands)"
dmesg | grep -c 'timeout waiting for background (0 ms)' >"$work/background"
same "the kernel waited for neither scan" 2 "$(cat "$work/background")"

# The list of the device has them now, and no second scan finds them again: QEMU moved them there.
change "the poison list is read" 200 POST "$memory/Actions/Oem/CXLHostMemory.GetPoisonList" '{}'
jq '[.Entries[].DevicePhysicalAddress] | length' "$work/body" >"$work/listed"
check "and is not empty" test "$(cat "$work/listed")" -gt 0
change "without raw_allow_all there is no further one" 409 POST "$scan" "$whole"
stop_redfishd "$socket"
