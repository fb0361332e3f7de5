# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for dynamic.d/*.sh, in addition to lib.sh, mock.sh and switch.sh. The device on port 2 of the switch has
# dynamic capacity. The kernel knows nothing of it, so the test plays the host: it reads and answers the
# device's offers by raw commands.
# shellcheck disable=SC2034,SC2154 # for the tests, of switch.sh
# shellcheck source=/dev/null
. /lib/vm/switch.sh
needs_program mailbox_raw
needs_program cxl-redfish-switch-helper

# The machine as tests/vm/run asked for it: 256 MiB that are not dynamic, and two regions of 512 MiB behind them.
memdev=$(memdev_with 0xdcd2)
device=/redfish/v1/Chassis/cxl-000000000000dcd2/PCIeDevices/1
extents=$device/MemoryExtents
ld=$device/CXLLogicalDevices/0
MIB=1048576

# number HEXADECIMAL: of little-endian bytes, decimal.
number() {
	echo $((0x$(echo "$1" | sed 's/../& /g' | awk '{ for (i = NF; i > 0; i--) printf "%s", $i }')))
}

# le64 NUMBER: as 8 little-endian bytes in hexadecimal.
le64() {
	printf '%016x' "$1" | sed 's/../& /g' | awk '{ for (i = NF; i > 0; i--) printf "%s", $i }'
}

# part TEXT FIRST BYTES: of bytes in hexadecimal.
part() {
	echo "$1" | cut -c "$((2 * $2 + 1))-$((2 * ($2 + $3)))"
}

# command_of_host OPCODE SIZE [INPUT]: to the device, as its host.
command_of_host() {
	mailbox_raw "$memdev" "$@" 2>&1
}

# extents_of_host: the host's list, by Get Dynamic Capacity Extent List: "OFFSET+SIZE TAG" in MiB, a line each. QEMU
# counts what is pending among those that follow, but not in the total.
extents_of_host() {
	local answer i=0 at
	answer=$(command_of_host 4801 1024 1000000000000000)
	while [ $i -lt "$(number "$(part "$answer" 4 4)")" ]; do
		at=$((16 + 40 * i))
		echo "$(($(number "$(part "$answer" $at 8)") / MIB))+$(($(number "$(part "$answer" $((at + 8)) 8)") / MIB))" \
			"$(part "$answer" $((at + 16)) 16)"
		i=$((i + 1))
	done
}

# host_answers OPCODE [OFFSET SIZE]...: in MiB: 4802 accepts these of what was offered last and rejects the others,
# 4803 releases them.
host_answers() {
	local opcode=$1 n list=''
	shift
	n=$(($# / 2))
	while [ $# -gt 0 ]; do
		list="$list$(le64 $(($1 * MIB)))$(le64 $(($2 * MIB)))0000000000000000"
		shift 2
	done
	command_of_host "$opcode" 0 "$(printf '%02x' $n)00000000000000$list"
}

# records: of the device's event log for dynamic capacity: "TYPE OFFSET+SIZE TAG", a line each. 0: the host
# is offered an extent, 1: it is asked to release one.
records() {
	local answer i=0 at
	answer=$(command_of_host 0100 2048 04)
	while [ $i -lt "$(number "$(part "$answer" 20 2)")" ]; do
		at=$((32 + 128 * i))
		echo "$(number "$(part "$answer" $((at + 48)) 1)")" \
			"$(($(number "$(part "$answer" $((at + 56)) 8)") / MIB))+$(($(number "$(part "$answer" $((at + 64)) 8)") / MIB))" \
			"$(part "$answer" $((at + 72)) 16)"
		i=$((i + 1))
	done
}

# start_manager [OPTION...]: the service, which may change the switch.
start_manager() {
	start_redfishd "$socket" "$work/log" --poll 1 --switch-mailbox=auto --allow=fabric "$@"
	wait_for extents_are_read
}
extents_are_read() {
	[ "$(value "$extents" '.Members | type')" = array ]
}

# switch_is_named: the helper that opens files of root has opened the file with the switch's serial number, its Id.
switch_is_named() {
	[ "$(status_of "$ports")" = 200 ]
}

# shown: the extents that Redfish shows: "OFFSET+SIZE TAG STATE", a line each.
shown() {
	get "$extents?\$expand=." | jq -r '.Members[] |
		"\(.ExtentOffsetMiB)+\(.ExtentSizeMiB) \(.Tag) \(.Status.State)"'
}

# propose OFFSET SIZE [TAG]: in MiB. Sets $proposal to its URI.
propose() {
	change "an extent at $1 MiB is proposed" 201 POST "$extents" \
		"{\"ExtentOffsetMiB\": $1, \"ExtentSizeMiB\": $2${3:+, \"Tag\": \"$3\"}}"
	proposal=$(monitor)
}

# links URI...: as a JSON array.
links() {
	local uri list=''
	for uri; do
		list="$list${list:+, }{\"@odata.id\": \"$uri\"}"
	done
	echo "[$list]"
}

# ask ACTION BODY: of the logical device, always as a Task, whose monitor is in $task; "" when it is refused at once. A
# reading of the device between its entity tag and the request is tried again.
ask() {
	local tries=0
	status=412
	while [ "$status" = 412 ] && [ $tries -lt 20 ]; do
		send POST "$ld/Actions/CXLLogicalDevice.$1" -H "If-Match: $(tag "$ld")" -H 'Prefer: respond-async' \
			-H 'Content-Type: application/json' --data-binary "$2"
		tries=$((tries + 1))
	done
	task=''
	[ "$status" != 202 ] || task=$(monitor)
}

# offer URI...: proposals are offered to the host.
offer() {
	ask DynamicCapacityAdd "{\"Policy\": \"Prescriptive\", \"ExtentList\": $(links "$@")}"
}

# ask_back FORCED SANITIZED URI...: the host is asked for extents.
ask_back() {
	local options="\"ForcedRemoval\": $1, \"SanitizeOnRelease\": $2"
	shift 2
	ask DynamicCapacityRelease "{\"Policy\": \"Prescriptive\", $options, \"ExtentList\": $(links "$@")}"
}

# task_state: of the Task that was asked for last.
task_state() {
	value "$(echo "$task" | sed s,TaskMonitors,Tasks,)" .TaskState
}

# extent_at OFFSET: the URI of the extent that the host has there, in MiB.
extent_at() {
	printf '%s/LD0-%016x' "$extents" $(($1 * MIB))
}

# ends NAME STATUS: what becomes of the Task.
ends() {
	finish "$task"
	if [ "$status" = "$2" ]; then
		ok "$1"
	else
		not_ok "$1" "expected $2, found $status: $(head -c 1000 "$work/body")"
	fi
}
