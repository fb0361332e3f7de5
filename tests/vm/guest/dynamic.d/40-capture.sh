# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A capture has what the switch reports of dynamic capacity, and Redfish shows it from there as from the machine.
# shellcheck source=/dev/null
. /lib/vm/dynamic.sh

facts() {
	get "$device" | jq -S .CXLDevice.DynamicCapacity
	shown
	get "$ld/MemoryRegions?\$expand=." | jq -S '[.Members[] | select(.RegionType == "Dynamic")] | map(del(.["@odata.etag"]))'
}

start_manager
facts >"$work/live"
stop_redfishd "$socket"
same "three extents are there" 3 "$(grep -c Enabled$ "$work/live")"
check "cxl-spa captures the switch" cxl-spa capture --switch-mailbox=auto "$RESULTS/dynamic.tar.zst"
start_redfishd "$socket" "$work/log" --host "$RESULTS/dynamic.tar.zst"
wait_for extents_are_read
facts >"$work/replayed"
check "the capture shows the same" same_lines "$work/live" "$work/replayed"
shows "recorded answers take no changes" null "$ld" .Actions
stop_redfishd "$socket"
