# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Capacity is proposed, offered, accepted, shown and released: the service through the switch, the test as the host. A
# host that keeps silent, or says no, has nothing.
# shellcheck source=/dev/null
. /lib/vm/dynamic.sh

tag=5be13bce-ae34-4a77-b6c3-16df975fcf1a
bytes=$(echo $tag | tr -d -)
none=00000000000000000000000000000000

last_records() {
	records | tail -n "$1" | paste -sd ' '
}
offsets_of_extents() {
	shown | grep Enabled | cut -d ' ' -f 1 | paste -sd ' '
}

start_manager --dc-timeout 600
before=$(records)
propose 256 128 $tag
same "a proposal is shown, and the device knows nothing of it" "256+128 $tag StandbyOffline/$before" "$(shown)/$(records)"
offer "$proposal"
same "an offer is a Task" 202 "$status"
becomes "the extent is pending" Starting value "$proposal" .Status.State
becomes "the device has told its host, with the tag" "0 256+128 $bytes" last_records 1
same "the host has none yet" "" "$(extents_of_host)"
shows "its region has it as pending" "true $proposal" "$ld/MemoryRegions/dc0" \
	'.MemoryExtents[0] | "\(.Pending) \(.ExtentLink["@odata.id"])"'
check "the host accepts it" host_answers 4802 256 128
ends "the Task is completed" 204
same "its state says so" Completed "$(task_state)"
same "the host has it; QEMU keeps no tag" "256+128 $none" "$(extents_of_host)"
same "Redfish shows it, without the tag that the device does not report" "256+128 null Enabled" "$(shown)"
same "the proposal is gone" 404 "$(status_of "$proposal")"
change "an accepted extent is not deleted" 409 DELETE "$(extent_at 256)"

# ---- the device refuses ----
propose 320 64
overlapping=$proposal
offer "$overlapping"
finish
same "what overlaps an accepted extent is refused by the device" 409 "$status"
says "its return code is in the answer" "Initiate Dynamic Capacity Add (5604h): Invalid Extent List"
shows "the proposal stays" StandbyOffline "$overlapping" .Status.State
change "it is withdrawn" 204 DELETE "$overlapping"

# ---- several at once, in both regions ----
propose 400 16
first=$proposal
propose 768 256 $tag
offer "$first" "$proposal"
becomes "both are told" "0 400+16 $none 0 768+256 $bytes" last_records 2
check "the host accepts both" host_answers 4802 400 16 768 256
ends "the Task is completed" 204
becomes "Redfish shows three" "256+128 400+16 768+256" offsets_of_extents
shows "region 1 has one" 1 "$ld/MemoryRegions/dc1" .ExtentsCount
stop_redfishd "$socket"

# ---- a host that does not answer ----
start_manager --dc-timeout 1
same "after a restart the extents are those of the device" 3 "$(shown | wc -l)"
propose 1024 32
offer "$proposal"
finish
same "an offer that is not answered in time is an error" 500 "$status"
says "the time is named" "has not accepted all of it within 1 s; it is pending"
same "its Task ended so" Exception "$(task_state)"
shows "it is pending" Starting "$proposal" .Status.State
check "the host accepts it later" host_answers 4802 1024 32
becomes "then it is an extent as others" "256+128 400+16 768+256 1024+32" offsets_of_extents
same "and no proposal" 404 "$(status_of "$proposal")"

propose 1056 32
offer "$proposal"
finish
check "a host says no" host_answers 4802
shows "which no command reads: it stays pending" Starting "$proposal" .Status.State
change "its record is deleted" 204 DELETE "$proposal"

ask_back false false "$(extent_at 1024)"
finish
same "a release that is not answered in time is an error" 500 "$status"
says "the host keeps it" "has not released all of it within 1 s; it keeps it until it does"
same "and it does" 1 "$(extents_of_host | grep -c '^1024+32 ')"
ask_back true true "$(extent_at 1024)"
finish
same "QEMU does not take it by force, nor sanitizes it" 500 "$status"
says "which is not called done" "has not released all of it within 1 s"
same "it asks the host as before" "1 1024+32 $none" "$(last_records 1)"
same "who has it" 1 "$(extents_of_host | grep -c '^1024+32 ')"
ask DynamicCapacityAdd "{\"Policy\": \"Free\", \"RegionNumber\": 0, \"Length\": 2097152, \"Tag\": \"$tag\"}"
same "a policy that the device does not report is refused" 400 "$status"
says "by name" ActionParameterNotSupported
stop_redfishd "$socket"

# ---- release ----
start_manager --dc-timeout 600
ask_back false false "$(extent_at 1024)"
becomes "the device asks its host" "1 1024+32 $none" last_records 1
same "the host has it until it answers" "1024+32 null Enabled" "$(shown | tail -n 1)"
check "the host releases it" host_answers 4803 1024 32
ends "the Task is completed" 204
same "the extent is gone" 404 "$(status_of "$(extent_at 1024)")"
same "host and Redfish agree" "$(extents_of_host | cut -d ' ' -f 1)" "$(shown | cut -d ' ' -f 1)"
stop_redfishd "$socket"
