# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Regions of the mock windows by Redfish: volatile ones, and persistent ones with namespaces of ndctl on
# them, which are in use then.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-redfish-change-helper
needs_program ndctl

work=$RESULTS/redfish-regions
mkdir -p "$work/state"
start_redfishd "$socket" "$work/log" --state "$work/state" --allow=regions,memory

# window pmem|ram: the last window over several bridges that can have such regions.
window() {
	local decoder found=
	for decoder in $(cxl list -D -d root -b cxl_test | jq -r '.[] | select(.nr_targets > 1) | .decoder'); do
		[ "$(cat "/sys/bus/cxl/devices/$decoder/cap_$1")" != 1 ] || found=$decoder
	done
	echo "$found"
}

# regions: the names of all.
regions() {
	find /sys/bus/cxl/devices -maxdepth 1 -name 'region*' -exec basename {} \; | sort | xargs
}

# translated SPA: the region in which it is found, and whether it has a DPA.
translated() {
	send POST "$host/Actions/Oem/CXLHostComputerSystem.TranslateSPA" -H 'Content-Type: application/json' \
		-d "{\"SystemPhysicalAddress\": \"$1\"}"
	jq -c '[.MemoryChunks."@odata.id", has("DevicePhysicalAddress")]' "$work/body"
}

before=$(regions)
persistent=$host/MemoryDomains/$(window_id "$(window pmem)")/MemoryChunks
volatile=$host/MemoryDomains/$(window_id "$(window ram)")/MemoryChunks
becomes "regions can be created" 'GET, HEAD, POST' allow_of "$persistent"

# ---- what cannot be
change "more than the window has is refused" 507 POST "$persistent" '{"AddressRangeType": "PMEM", "MemoryChunkSizeMiB": 1048576}'
says "with how much" "of free addresses in one piece, and the region needs 1024 GiB"
change "a size that cannot be divided is refused" 400 POST "$persistent" '{"AddressRangeType": "PMEM", "MemoryChunkSizeMiB": 100}'
change "a wrong type is refused" 400 POST "$persistent" '{"AddressRangeType": "Block", "MemoryChunkSizeMiB": 1024}'
change "a device twice is refused" 400 POST "$persistent" "{\"AddressRangeType\": \"PMEM\", \"InterleaveSets\": [
	{\"Memory\": {\"@odata.id\": \"$host/Memory/$(memory_id "$(memdev_of cxl_mem.1)")\"}},
	{\"Memory\": {\"@odata.id\": \"$host/Memory/$(memory_id "$(memdev_of cxl_mem.1)")\"}}]}"
same "nothing was created" "$before" "$(regions)"

# ---- a volatile region, first: of the volatile memory that a persistent region leaves out, the mock devices
# have none any more when that is removed ("exceeds available ram capacity: 0"); devices of QEMU have it.
change "a volatile region is created" 201 POST "$volatile" '{"AddressRangeType": "Volatile", "MemoryChunkSizeMiB": 512}'
chunk=$(monitor)
shows "it is Enabled" "Volatile Enabled" "$chunk" '"\(.AddressRangeType) \(.Status.State)"'
used=$(value "$chunk" '.InterleaveSets[0].Memory."@odata.id"')
change "a device that is part of it is not disabled" 409 PATCH "$used" '{"Enabled": false}'
# It may be part of region0, too.
says "because of its memory" "its memory is part of region"
base=$(cat "/sys/bus/cxl/devices/$(value "$chunk" .Oem.CXLHost.KernelName)/resource")
same "its addresses are translated" "[\"$chunk\",true]" "$(translated "$base")"
change "it is removed" 204 DELETE "$chunk"
same "nothing is left" "$before" "$(regions)"
same "its addresses are translated no more" "[null,false]" "$(translated "$base")"

# ---- a persistent region
uuid=6a1fd2b8-3cde-4d0a-9b1f-0123456789ab
change "a persistent region is created" 201 POST "$persistent" \
	"{\"AddressRangeType\": \"PMEM\", \"MemoryChunkSizeMiB\": 512, \"Oem\": {\"CXLHost\": {\"InterleaveWays\": 2, \"RegionUUID\": \"$uuid\"}}}"
chunk=$(monitor)
region=$(value "$chunk" .Oem.CXLHost.KernelName)
same "the answer has it" "[\"PMEM\",\"Enabled\",512,\"$uuid\",2]" "$(jq -c '[.AddressRangeType, .Status.State,
	.MemoryChunkSizeMiB, .Oem.CXLHost.RegionUUID, .Oem.CXLHost.InterleaveWays]' "$work/body")"
same "cxl list has it, too" "[\"pmem\",2,$((512 << 20)),\"commit\"]" \
	"$(cxl list -R -r "$region" | jq -c '.[0] | [.type, .interleave_ways, .size, .decode_state]')"
same "the kernel has its UUID" "$uuid" "$(cat "/sys/bus/cxl/devices/$region/uuid")"
shows "it can be released" Releasable "$chunk" .Oem.CXLHost.Releasable.Verdict
change "another one with its UUID is refused" 409 POST "$persistent" \
	"{\"AddressRangeType\": \"PMEM\", \"MemoryChunkSizeMiB\": 512, \"Oem\": {\"CXLHost\": {\"InterleaveWays\": 2, \"RegionUUID\": \"$uuid\"}}}"
says "with the reason" "another region has this UUID"
change "it has no state that is changed" 405 PATCH "$chunk" '{"RequestedOperationalState": "Online"}'

# ---- with a namespace
# The nvdimm region of a CXL region has its number (cxl_pmem_region_probe() of drivers/cxl/pmem.c).
ndctl create-namespace -b cxl_test -r "$region" -m raw -f >"$work/namespace.json" 2>"$work/namespace.err"
contains "ndctl makes a namespace of it" '"dev":"namespace' "$work/namespace.json"
namespace=$(jq -r .dev "$work/namespace.json")
kill -HUP "$redfishd"
becomes "it cannot be released then" NotReleasable value "$chunk" .Oem.CXLHost.Releasable.Verdict
becomes "because of the namespace" true value "$chunk" ".Oem.CXLHost.Releasable | tostring | contains(\"$namespace\")"
change "it is not removed" 409 DELETE "$chunk"
says "because of it, with the remedy" "ndctl destroy-namespace"
same "it is there" "$before $region" "$(regions)"
ndctl destroy-namespace -f "$namespace" >>"$work/namespace.err" 2>&1
kill -HUP "$redfishd"
becomes "without it the region can be released" Releasable value "$chunk" .Oem.CXLHost.Releasable.Verdict
change "and is removed" 204 DELETE "$chunk"
same "it is gone" "$before" "$(regions)"
same "for clients, too" 404 "$(status_of "$chunk")"
change "to remove it again finds nothing" 404 DELETE "$chunk"

# ---- several clients at once want the same memory
clients=
for n in 1 2 3; do
	curl -s --max-time 120 --unix-socket "$socket" -o "$work/body-$n" -w '%{http_code}\n' -H 'If-Match: *' \
		-H 'Content-Type: application/json' "http://localhost$persistent" \
		-d '{"AddressRangeType": "PMEM", "MemoryChunkSizeMiB": 512}' >"$work/status-$n" &
	clients="$clients $!"
done
# shellcheck disable=SC2086 # one word each
wait $clients
same "one of three creates at once is made, the others are refused" "201 409 409" "$(cat "$work"/status-? | sort | xargs)"
chunk=$persistent/$(regions | tr ' ' '\n' | grep -vx "$before" | head -n 1)
change "that is removed" 204 DELETE "$chunk"
same "nothing is left" "$before" "$(regions)"
stop_redfishd "$socket"
