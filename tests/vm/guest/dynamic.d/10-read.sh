# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Redfish shows policies, regions and limits as the FM-owned LD of the device reports them; the host's own answer
# of the device is the witness.
# shellcheck source=/dev/null
. /lib/vm/dynamic.sh

# Get Dynamic Capacity Configuration, of eight regions from the first on.
config=$(command_of_host 4800 512 0800)
same "the device has two regions" "2 2" "$(number "$(part "$config" 0 1)") $(number "$(part "$config" 1 1)")"

# region_of_host N: base and size, and the size of its blocks, in MiB.
region_of_host() {
	local at=$((8 + 40 * $1))
	echo "$(($(number "$(part "$config" $at 8)") / MIB))+$(($(number "$(part "$config" $((at + 16)) 8)") / MIB))" \
		"$(($(number "$(part "$config" $((at + 24)) 8)") / MIB))"
}
same "region 0 is behind the memory that is not dynamic" "256+512 2" "$(region_of_host 0)"
same "region 1 is behind it" "768+512 2" "$(region_of_host 1)"
supported=$(number "$(part "$config" $((8 + 80)) 4)")

start_manager
get "$device" >"$work/device.json"
compare '.CXLDevice.DynamicCapacity | [
	["two regions", 2, .MaxDynamicCapacityRegions], ["one host", 1, .MaxHosts],
	["1 GiB", 1024, .TotalDynamicCapacityMiB],
	["capacity is added by lists", ["Prescriptive"], .AddCapacityPoliciesSupported],
	["capacity is released by lists", ["Prescriptive"], .ReleaseCapacityPoliciesSupported],
	["blocks of 2 MiB", [[0, [2]], [1, [2]]],
		[.MemoryBlockSizesSupported[] | [.RegionNumber, .BlockSizeMiB]]],
	["nothing is sanitized", [false, false],
		[.SanitizationOnReleaseSupport[].SanitizationOnReleaseSupported]]] | .[]' "$work/device.json"
shows "the host has no extents" 0 "$extents" '.["Members@odata.count"]'
shows "as many extents are supported as the host reads" "$supported $supported" "$ld" \
	'"\(.TotalSupportedExtents) \(.AvailableExtents)"'
for n in 0 1; do
	shows "region $n is that of the host" "$(region_of_host $n)" "$ld/MemoryRegions/dc$n" \
		'"\(.RegionBaseOffsetMiB)+\(.RegionSizeMiB) \(.BlockSizeMiB)"'
done
shows "both actions are offered" "DynamicCapacityAdd DynamicCapacityRelease" "$ld" \
	'.Actions | keys | map(ltrimstr("#CXLLogicalDevice.")) | join(" ")'
stop_redfishd "$socket"

start_redfishd "$socket" "$work/log" --poll 1 --switch-mailbox=auto
wait_for extents_are_read
shows "without --allow=fabric there are no actions" null "$ld" .Actions
stop_redfishd "$socket"
