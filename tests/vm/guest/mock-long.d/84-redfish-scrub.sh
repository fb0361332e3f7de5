# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Patrol scrub and error check scrub by Redfish and cxl-spa, with the kernel's EDAC files as the witness. All devices are new ones.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-spa
needs_program cxl-redfish-change-helper
needs_program cxl-redfish-trace

work=$RESULTS/redfish-scrub
mkdir -p "$work/state"
cxl-test-load extra=1 >"$work/load" 2>&1
wait_for test -e /sys/bus/cxl/devices/region0/driver

first=$(memdev_of cxl_mem.0) # the members of region0
second=$(memdev_of cxl_mem.4)
other=$(memdev_of cxl_mem.1)
wait_for test -e /sys/bus/edac/devices/cxl_region0/scrub0
memory=$host/Memory/$(memory_id "$first")

# edac OBJECT FILE: the kernel's own answer.
edac() {
	cat "/sys/bus/edac/devices/cxl_$1/$2"
}

cycle=scrub0/current_cycle_duration
patrol=.Oem.CXLHost.PatrolScrub
ecs=.Oem.CXLHost.ErrorCheckScrub

# set_patrol MEMBERS, set_ecs MEMBERS: bodies of a PATCH.
set_patrol() {
	echo "{\"Oem\": {\"CXLHost\": {\"PatrolScrub\": {$1}}}}"
}
set_ecs() {
	echo "{\"Oem\": {\"CXLHost\": {\"ErrorCheckScrub\": {$1}}}}"
}

cxl-redfish-trace
start_redfishd "$socket" "$work/log" --state "$work/state" --allow=memory --task-after 600
becomes "the helper's permission is shown" 'GET, HEAD, PATCH' allow_of "$memory"
change "without its permission scrub is not set" 403 PATCH "$memory" "$(set_patrol '"CycleSeconds": 36000')"
says "which is said" "--allow=scrub"
stop_redfishd "$socket"

start_redfishd "$socket" "$work/log" --state "$work/state" --allow=scrub --task-after 600
becomes "the helper's permission is shown" 'GET, HEAD, PATCH' allow_of "$memory"
becomes "the cycle is shown" "$(edac "$first" $cycle)" value "$memory" "$patrol.CycleSeconds"
shows "and the thresholds of both FRUs" "[$(edac "$first" ecs_fru0/threshold),$(edac "$first" ecs_fru1/threshold)]" "$memory" \
	"[$ecs.FRUs[].ThresholdPerGibit]"
region=$(get "$memory" | jq -r '[.Oem.CXLHost.Decoders[].MemoryChunks | select(.) | .["@odata.id"]][0]')

change "a cycle is set" 200 PATCH "$memory" "$(set_patrol '"CycleSeconds": 40000')"
same "it is cut to hours, and the answer has what was read back" 39600 "$(jq "$patrol.CycleSeconds" "$work/body")"
same "the kernel agrees" 39600 "$(edac "$first" $cycle)"
contains "the answer has who set it, and what was before" 'before: on, 12 h' "$work/body"
change "one below the shortest is refused" 400 PATCH "$memory" "$(set_patrol '"CycleSeconds": 3599')"
change "it is switched off" 200 PATCH "$memory" "$(set_patrol '"Enabled": false')"
same "the kernel agrees" 0 "$(edac "$first" scrub0/enable_background)"
change "and on" 200 PATCH "$memory" "$(set_patrol '"Enabled": true')"
same "the kernel agrees" 1 "$(edac "$first" scrub0/enable_background)"

shows "the devices of the region differ" true "$region" "$patrol.MembersDiffer"
change "the rate of the region is set" 200 PATCH "$region" "$(set_patrol '"CycleSeconds": 72000')"
same "the answer has it" '[72000,false]' "$(jq -c "[$patrol.CycleSeconds, $patrol.MembersDiffer]" "$work/body")"
contains "and what it overwrote" "$first: on, 11 h" "$work/body"
contains "of both" "$second: on, 12 h" "$work/body"
same "the kernel agrees" "72000 72000" "$(edac "$first" $cycle) $(edac "$second" $cycle)"
same "no other device is changed" 43200 "$(edac "$other" $cycle)"
shows "the device says so, too" true "$memory" "$patrol.LastSet.Text | contains(\"overwritten\")"
grep -q "set patrol scrub of region region0: done; region0: on, 20 h; overwritten" "$work/log"
same "the audit log has it" 0 $?

change "error check scrub is set" 200 PATCH "$memory" "$(set_ecs '"ThresholdPerGibit": 256, "CountMode": "Codewords", "LogEntryType": "FRU"')"
same "the answer has it" '[256,"Codewords","FRU"]' "$(jq -c "[$ecs.ThresholdPerGibit, $ecs.CountMode, $ecs.LogEntryType]" "$work/body")"
for fru in 0 1; do
	same "the kernel agrees about FRU $fru" "256 1 1" \
		"$(edac "$first" ecs_fru$fru/threshold) $(edac "$first" ecs_fru$fru/mode) $(edac "$first" ecs_fru$fru/log_entry_type)"
done
change "another threshold is refused" 400 PATCH "$memory" "$(set_ecs '"ThresholdPerGibit": 512')"

# Set Feature is refused for one member: Linux has written the other one.
fails=$(mock_of "$second")
echo "0x502 0x4" >"$fails/mbox_fail"
change "a member that refuses makes the change fail" '500' PATCH "$region" "$(set_patrol '"CycleSeconds": 7200')"
says "with the reason" "$cycle"
echo "0 0" >"$fails/mbox_fail"
same "the members have the values of before again" "72000 72000" "$(edac "$first" $cycle) $(edac "$second" $cycle)"

check "cxl-spa list --scrub" sh -c "cxl-spa list --scrub >$work/list"
contains "it shows the device" "$first  patrol scrub on, 20 h" "$work/list"
contains "and the region" "region0  patrol scrub on, 20 h" "$work/list"
contains "and the FRUs" "$first  error check scrub of 2 FRUs  threshold 256, mode codewords, entries for each FRU" "$work/list"
stop_redfishd "$socket"
