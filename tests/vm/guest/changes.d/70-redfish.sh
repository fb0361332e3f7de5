# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The life of regions through cxl-redfishd and cxl-redfish-change-helper: created, online, filled, offline,
# destroyed; what is refused; and translations, which end with their region.
# shellcheck source=/dev/null
. /lib/vm/changes.sh
needs_redfish

work=$RESULTS/redfish
mkdir -p "$work" /run/redfish-state
[ ! -x /usr/bin/cxl-redfish-trace ] || check "cxl-redfish-trace creates the trace instance" cxl-redfish-trace
start_redfishd /run/redfish "$work/log" --allow=regions,memory --state /run/redfish-state

# ---- created and destroyed ----
for mode in ram pmem; do
	type=Volatile
	[ $mode = ram ] || type=PMEM
	for ways in 1 2 4; do
		window=$(window_of $ways)
		# shellcheck disable=SC2046 # names have no blanks
		body=$(body_of $type $((ways * 512)) $(positions $ways))
		same "$mode, $ways: POST creates it" 201 "$(change POST "$(chunks "$window")" "$body")"
		cp "$work/body" "$work/created-$mode-$ways"
		uri=$(header Location)
		region=$(regions)
		same "$mode, $ways: Location is its MemoryChunks" "$(chunk "$window" "$region")" "$uri"
		same "$mode, $ways: the answer is it, Enabled" "$uri Enabled $type $((ways * 512)) $ways" \
			"$(answer '"\(."@odata.id") \(.Status.State) \(.AddressRangeType) \(.MemoryChunkSizeMiB) \(.InterleaveSets | length)"')"
		same "$mode, $ways: the kernel has committed it" "1 $mode $ways" \
			"$(cd "/sys/bus/cxl/devices/$region" && cat commit mode interleave_ways | xargs)"
		same "$mode, $ways: cxl list shows it" "commit" "$(cxl list -r "$region" | jq -r '.[0].decode_state')"
		same "$mode, $ways: DELETE takes it down" 204 "$(change DELETE "$uri")"
		same "$mode, $ways: and then it is not found" 404 "$(ask GET "$uri")"
		nothing "$mode, $ways: nothing is left"
	done
done

# ---- refused ----
# refused NAME STATUS WINDOW BODY TEXT: nothing is changed, and the answer says why.
refused() {
	same "$1: refused" "$2" "$(change POST "$(chunks "$3")" "$4")"
	answer '[.error."@Message.ExtendedInfo"[].Message] | join(" ")' >"$work/refused"
	contains "$1: the reason" "$5" "$work/refused"
	cat "$work/refused" >>"$work/all-refused"
}
first=$(window first)
refused "a size of 0" 400 "$first" "$(body_of Volatile 0 0 1)" MemoryChunkSizeMiB
refused "a size beyond the devices" 507 "$first" "$(body_of Volatile 8192 0 1)" free
refused "a size beyond all numbers" 400 "$first" "$(body_of Volatile 9223372036854775807 0 1)" MemoryChunkSizeMiB
refused "a size that is not aligned" 400 "$first" "$(body_of Volatile 100 0 1)" "256 MiB"
refused "a device twice" 400 "$first" "$(body_of Volatile 512 0 0)" "$(memdev 0)"
refused "a device of another window" 400 "$first" "$(body_of Volatile 1024 0 3)" "$(memdev 3)"
refused "a device that is absent" 400 "$first" "$(body_of Volatile 1024 0 9)" abc9
refused "positions that cannot be routed" 400 "$(window both)" "$(body_of Volatile 2048 0 1 2 3)" position
nothing "nothing was changed by these"

# Two for the same space at the same time: one is created, and the other one is refused.
body=$(body_of Volatile 1024 0 1)
one_of_two() {
	local work=$work/concurrent-$1
	mkdir -p "$work"
	change POST "$(chunks "$first")" "$body" >"$work/status"
}
one_of_two 1 &
other=$!
one_of_two 2
wait $other
sort "$work/concurrent-1/status" "$work/concurrent-2/status" | xargs >"$work/concurrent"
same "of two for the same space one is created" 201 "$(cut -d ' ' -f 1 "$work/concurrent")"
check "and the other one refused: $(cut -d ' ' -f 2 "$work/concurrent")" \
	grep -qE '^201 (409|507)$' "$work/concurrent"
same "so there is one" 1 "$(regions | wc -l)"
uri=$(chunk "$first" "$(regions)")

# ---- translations, and events with them ----
# entry_spa: of the newest log entry with a DPA.
entry_spa() {
	ask GET "$SYSTEM/LogServices/CXL/Entries?\$top=100" >/dev/null
	jq -r '[.Members[].Oem.CXLHost | select(.DevicePhysicalAddress != null)][-1].SystemPhysicalAddress' "$work/body"
}
has_entry() {
	[ "$(entry_spa)" != null ]
}
memory=$(memory_of 0)
spa=$(exact_spa "$memory" 0x4000)
check "a DPA of the region has an exact SPA: $spa" test -n "$spa"
same "and the SPA has that DPA" 0x4000 "$(exact_dpa "$spa")"
if [ -x /usr/bin/cxl-redfish-trace ]; then
	echo 0x4000 >"/sys/kernel/debug/cxl/$(memdev 0)/inject_poison"
	check "an event is a log entry" wait_for has_entry
	same "with that SPA" "$spa" "$(entry_spa)"
	echo 0x4000 >"/sys/kernel/debug/cxl/$(memdev 0)/clear_poison"
fi

# ---- its memory ----
# state: "RequestedOperationalState Verdict OnlineBytes" of the region.
state() {
	ask GET "$uri" >/dev/null
	answer '"\(.RequestedOperationalState) \(.Oem.CXLHost.Releasable.Verdict) \(.Oem.CXLHost.Releasable.OnlineBytes)"'
}
dax_of "$(regions)"
node=$(cat "/sys/bus/dax/devices/$dax/target_node")
size=$((2 * SHARE))
blocks=$((size / $(block_size)))
same "PATCH brings it online" 200 "$(change PATCH "$uri" '{"RequestedOperationalState": "Online"}')"
same "the answer has its own effect" Online "$(answer .RequestedOperationalState)"
same "all blocks are movable" "$blocks Movable" "$(zones_of "$dax")"
same "and it is shown" "Online Releasable $size" "$(state)"
if [ -x /usr/bin/memory_user ]; then
	memory_user fill "$node" 16 >/tmp/fill &
	filler=$!
	check "a program has memory there" wait_for grep -q ready /tmp/fill
fi
same "PATCH takes it offline" 200 "$(change PATCH "$uri" '{"RequestedOperationalState": "Offline"}')"
same "all blocks are offline" "$blocks offline" "$(zones_of "$dax")"
same "it is shown" "Offline Releasable 0" "$(state)"
if [ -x /usr/bin/memory_user ]; then
	kill "$filler"
	wait "$filler"
	same "the program lost nothing" 0 $?
fi
old=$(exact_spa "$memory" 0x4000)
same "its translation was the same all the time" "$spa" "$old"
same "PATCH brings it online again" 200 "$(change PATCH "$uri" '{"RequestedOperationalState": "Online"}')"
same "DELETE takes it offline and down" 204 "$(change DELETE "$uri")"
same "at once there is no exact SPA of that DPA" "" "$(exact_spa "$memory" 0x4000)"
same "and no exact DPA of that SPA" "" "$(exact_dpa "$spa")"
[ ! -x /usr/bin/cxl-redfish-trace ] || same "the log entry has the SPA of that time" "$spa" "$(entry_spa)"
nothing "nothing is left"

contains "the log says who changed what" "DELETE $uri by - from uid 0: 204" "$work/log"
stop_redfishd /run/redfish
