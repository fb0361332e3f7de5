# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Regions and their memory, changed by the service and its helper in their sandboxes: the same as
# changes.d does without.
# shellcheck disable=SC2154 # of the files below
# shellcheck source=/dev/null
. /lib/vm/changes.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh
# shellcheck source=/dev/null
. /lib/vm/units-change.sh

start_units "allow = regions,memory,partitions,security,firmware,alerts,poison"
same "kmem is loaded" yes "$([ -d /sys/bus/dax/drivers/kmem ] && echo yes)"
chunks=$host/MemoryDomains/$(window_id "$(window both)")/MemoryChunks
sets=$(for n in 0 2; do
	echo "{\"Memory\": {\"@odata.id\": \"$(memory_of "$(memdev $n)")\"}}"
done | paste -s -d ,)

# ---- created
answers "a region is created" 201 POST "$chunks" "{\"AddressRangeType\": \"Volatile\", \"InterleaveSets\": [$sets]}"
region=$(regions)
chunk=$chunks/$region
same "it is Enabled" Enabled "$(value "$chunk" .Status.State)"
same "its lock is the helper's" "cxl-redfish-change-helper 700" "$(stat -c '%U %a' /run/cxl-redfish-change)"
cxl list -R >"$work/list"
dax_of "$region"
n=$((2 * SHARE / $(block_size)))

# ---- its memory
answers "its memory is brought online" 200 PATCH "$chunk" '{"RequestedOperationalState": "Online"}'
same "all blocks are movable" "$n Movable" "$(zones_of "$dax")"
same "it is releasable" "[\"Releasable\",$((2 * SHARE))]" \
	"$(value "$chunk" '.Oem.CXLHost.Releasable | [.Verdict, .OnlineBytes]')"
memory_user fill "$(cat "/sys/bus/dax/devices/$dax/target_node")" 16 >/tmp/fill &
filler=$!
check "a program has memory there" wait_for grep -q ready /tmp/fill
answers "its memory is taken offline" 200 PATCH "$chunk" '{"RequestedOperationalState": "Offline"}'
same "all blocks are offline" "$n offline" "$(zones_of "$dax")"
kill $filler
wait $filler
same "the program lost nothing" 0 $?
answers "it is given back to devdax" 200 PATCH "$chunk" '{"Oem": {"CXLHost": {"DAXMode": "devdax"}}}'
same "device_dax is its driver" device_dax "$(driver_of "$dax")"

# ---- a process of another user
chmod 0666 "/dev/$dax"
/usr/bin/setpriv --reuid=65534 --regid=65534 --clear-groups memory_user open "/dev/$dax" >/tmp/open &
holder=$!
check "a process of another user has the device open" wait_for grep -q ready /tmp/open
becomes "it is named" "[\"NotReleasable\",$holder,\"memory_user\"]" \
	value "$chunk" '.Oem.CXLHost.Releasable | [.Verdict, .Holders[0].ProcessId, .Holders[0].Name]'
answers_after use_is_not_seen "the region is not removed then" 409 DELETE "$chunk"
because "because of that process" "memory_user"
answers_after use_is_not_seen "nor brought online" 409 PATCH "$chunk" '{"RequestedOperationalState": "Online"}'
because "for the same reason" "memory_user"
same "device_dax is still its driver" device_dax "$(driver_of "$dax")"
kill $holder
wait $holder
becomes "without it, it is releasable" Releasable value "$chunk" .Oem.CXLHost.Releasable.Verdict

# ---- cxl-spa, run by root, has the same lock
check "cxl-spa brings it online" cxl-spa online "$region"
becomes "the service shows that" Online value "$chunk" .RequestedOperationalState
check "and offline" cxl-spa offline "$region"
becomes "and this" Offline value "$chunk" .RequestedOperationalState
same "the lock is the helper's still" "cxl-redfish-change-helper 700" "$(stat -c '%U %a' /run/cxl-redfish-change)"
exec 8<>/run/cxl-redfish-change/lock
ls -ln /run/cxl-redfish-change >"$work/lock"
exec 8>&-

# ---- removed
answers "its memory is brought online once more" 200 PATCH "$chunk" '{"RequestedOperationalState": "Online"}'
answers "the region is removed with it" 204 DELETE "$chunk"
nothing "nothing is left of it"
check "cxl-spa creates one" sh -c "cxl-spa region create $(window first) --mode ram --ways 2 >$work/created"
region=$(regions)
chunk=$host/MemoryDomains/$(window_id "$(window first)")/MemoryChunks/$(region_id "$region")
check "the service shows it" wait_for is_answered 200 "$chunk"
answers "and removes it" 204 DELETE "$chunk"
nothing "nothing is left of that"
answers "a persistent region is created" 201 POST "$chunks" "{\"AddressRangeType\": \"PMEM\", \"InterleaveSets\": [$sets]}"
region=$(regions)
answers "and removed" 204 DELETE "$chunks/$(region_id "$region")"
nothing "nothing is left of that one"
