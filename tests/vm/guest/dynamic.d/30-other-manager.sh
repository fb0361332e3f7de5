# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Another fabric manager, which is QEMU's monitor here, adds and releases capacity of the same host.
# shellcheck source=/dev/null
. /lib/vm/dynamic.sh

# other COMMAND REGION OFFSET SIZE [MEMBER]: add or release, with an offset in the region, in MiB.
other() {
	qmp "cxl-$1-dynamic-capacity" "\"path\": \"/machine/peripheral/device2\", \"host-id\": 0, \"region\": $2${5:+, $5},
		\"extents\": [{\"offset\": $(($3 * MIB)), \"len\": $(($4 * MIB))}]"
}

last_extent() {
	shown | grep Enabled | tail -n 1
}
extents_shown() {
	shown | wc -l
}

start_manager --dc-timeout 600
qmp_open
before=$(extents_shown)
check "the other one offers" other add 1 320 64 '"selection-policy": "prescriptive"'
propose 1088 64
same "the device is read again; capacity that is pending for another is not shown" $((before + 1)) "$(extents_shown)"
offer "$proposal"
finish
same "the device does not offer the same twice" 409 "$status"
says "its return code is in the answer" "Initiate Dynamic Capacity Add (5604h): Invalid Extent List"
shows "the proposal stays" StandbyOffline "$proposal" .Status.State
check "the host accepts the other's" host_answers 4802 1088 64
becomes "it is shown as any extent" "1088+64 null Enabled" last_extent
offer "$proposal"
finish
same "nor what the host has by the other" 409 "$status"
change "the proposal is withdrawn" 204 DELETE "$proposal"

check "the other one asks back" other release 1 320 64 '"removal-policy": "prescriptive"'
check "the host releases it" host_answers 4803 1088 64
becomes "it is gone here, too" "$before" extents_shown
ask_back false false "$(extent_at 1088)"
finish
same "what the host has no more is not asked back" 400 "$status"
qmp_close
stop_redfishd "$socket"
