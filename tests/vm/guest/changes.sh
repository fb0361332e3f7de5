# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for changes.d/*.sh, in addition to lib.sh: the machine without firmware, on which regions are
# made and taken down. Its devices have 512 MiB of volatile and 512 MiB of persistent memory each, and
# the serial numbers 0xabc0 to 0xabc3; two of them are below each host bridge. The window "both" is
# interleaved over the bridges, 256 bytes each; "first" and "second" are of one bridge each.
# shellcheck source=/dev/null
. /lib/vm/lib.sh

# shellcheck disable=SC2034 # for the tests
SHARE=$((512 << 20))

# window both|first|second: its root decoder.
window() {
	local start
	case $1 in
	both) start=0x110000000 ;;
	first) start=0x210000000 ;;
	second) start=0x310000000 ;;
	esac
	basename "$(dirname "$(grep -lx $start /sys/bus/cxl/devices/decoder0.*/start)")"
}

# memdev N: the name of the device 0xabcN in this boot.
memdev() {
	basename "$(dirname "$(grep -lx "0xabc$1" /sys/bus/cxl/devices/mem*/serial)")"
}

# memdevs N...: several, with a blank between two.
memdevs() {
	local n
	for n in "$@"; do
		memdev "$n"
	done | xargs
}

# regions: the names of all that there are.
regions() {
	local region
	for region in /sys/bus/cxl/devices/region*; do
		[ ! -e "$region" ] || basename "$region"
	done
}

# dax_of REGION: waits for its dax device, and sets $dax.
dax_of() {
	wait_for ls -d "/sys/bus/cxl/devices/$1"/dax_region*/dax*.*
	dax=$(basename "$(ls -d "/sys/bus/cxl/devices/$1"/dax_region*/dax*.*)")
	wait_for test -e "/sys/bus/dax/devices/$dax/driver"
}

driver_of() {
	basename "$(readlink -f "/sys/bus/dax/devices/$1/driver")"
}

# block_size: of memory blocks, in bytes.
block_size() {
	echo $((0x$(cat /sys/devices/system/memory/block_size_bytes)))
}

# blocks_of DAX: the directories of its memory blocks that exist.
blocks_of() {
	local first number
	first=$(($(cat "/sys/bus/dax/devices/$1/resource") / $(block_size)))
	number=$(($(cat "/sys/bus/dax/devices/$1/size") / $(block_size)))
	ls -d $(seq "$first" $((first + number - 1)) | sed "s,^,/sys/devices/system/memory/memory,") 2>/dev/null
}

# zones_of DAX: how many of its blocks are in which zone, or offline: "4 Movable"
zones_of() {
	local block
	for block in $(blocks_of "$1"); do
		if [ "$(cat "$block/state")" = online ]; then
			cat "$block/valid_zones"
		else
			cat "$block/state"
		fi
	done | sort | uniq -c | xargs
}

# ---- pages of memory, by /proc/kpageflags: 8 bytes for each page --------------------------------

# shellcheck disable=SC2034 # for the tests
LRU=5 SLAB=7 BUDDY=10 ANON=12 HWPOISON=19 PGTABLE=26

# frame_has PFN FLAG: 1 or 0.
frame_has() {
	local low
	low=$(dd if=/proc/kpageflags bs=8 skip="$1" count=1 2>/dev/null | hexdump -v -n 4 -e '1/4 "%u"')
	echo $((low >> $2 & 1))
}

# frames_with FLAG DAX N: the numbers of the first N pages of the memory of a dax device that have it.
frames_with() {
	local block first
	block=$(($(block_size) / 4096))
	first=$(($(cat "/sys/bus/dax/devices/$2/resource") / 4096))
	dd if=/proc/kpageflags bs=$((block * 8)) skip=$((first / block)) \
		count=$(($(cat "/sys/bus/dax/devices/$2/size") / 4096 / block)) 2>/dev/null |
		hexdump -v -e '1/4 "%u " 1/4 "%u\n"' |
		awk -v first="$first" -v flag="$((1 << $1))" -v n="$3" \
			'int($1 / flag) % 2 { print first + NR - 1; if (++found == n) exit }'
}

# frame PFN: as an operand.
frame() {
	printf 'pfn:0x%x' "$1"
}

# page "show|offline|offline --hard|online" PFN...: "OUTCOME KIND" of each; the answer is in $work/page.
page() {
	local verb=$1 pfn
	shift
	# shellcheck disable=SC2086 # the verb has an option
	for pfn in "$@"; do
		frame "$pfn"
		echo
	done | cxl-spa page $verb --json --state "${state:-/run/pages-state}" - >"$work/page" 2>"$work/page.err"
	jq -r '.[] | "\(.outcome) \(.kind)"' "$work/page"
}

# why FILTER: of the last page.
why() {
	jq -r ".[0].$1" "$work/page"
}

# change_memory online-movable|online-kernel|offline|devdax REGION [force]: the outcome and how many blocks, then the
# reason in a line of its own.
change_memory() {
	local kind zone=
	case $1 in
	online-*) kind="bring memory online" zone=${1#online-} ;;
	offline) kind="take memory offline" ;;
	devdax) kind="take memory back to devdax" ;;
	esac
	{
		printf 'kind %s\nobject %s\n' "$kind" "$2"
		[ -z "$zone" ] || echo "zone $zone"
		[ -z "${3:-}" ] || echo force
	} | run_change | awk '
		$1 == "progress" { blocks = $2 "/" $3 " " $4 }
		$1 == "outcome" { outcome = $2 }
		sub(/^text /, "") { reason = $0 }
		END { print outcome " " blocks; print reason }'
}

# memory ...: the outcome and how many blocks.
memory() {
	change_memory "$@" | head -n 1
}

# predict REGION: whether it can be released.
predict() {
	cxl-spa --json explain "$1" | jq -r '.release | "\(.verdict) online=\(.online_bytes) movable=\(.movable_bytes) " +
		"pinned=\(.pinned_bytes)" + ([.holders[] | " holder=\(.pid),\(.name)"] | add // "")'
}

# create WINDOW ram|pmem WAYS [MEMDEV...]: by our program, of all the memory that the devices have. Prints the
# region, or the reason that there is none.
create() {
	local window=$1 mode=$2 ways=$3
	shift 3
	if cxl-spa region create "$window" --mode "$mode" --ways "$ways" "$@" >/run/created 2>&1; then
		sed -n '1s/[ :].*//p' /run/created
	else
		cat /run/created
		return 1
	fi
}

# destroy REGION [--force]
destroy() {
	cxl-spa region destroy "$@"
}

# cxl_create WINDOW ram|pmem WAYS MEMDEV...: the same by cxl. Prints the region.
cxl_create() {
	local window=$1 mode=$2 ways=$3
	shift 3
	cxl create-region -m -t "$mode" -w "$ways" -d "$window" "$@" 2>/dev/null |
		sed -n 's/^ *"region":"\(region[0-9]*\)".*/\1/p'
}

# cxl_destroy REGION
cxl_destroy() {
	cxl destroy-region -f "$1"
}

# members WAYS: the devices of the regions that are made in the window "both" (4), "first" (2) or
# "second" (1), in position order.
members() {
	case $1 in
	1) memdevs 2 ;;
	2) memdevs 0 1 ;;
	4) memdevs 0 2 1 3 ;;
	esac
}
window_of() {
	case $1 in
	1) window second ;;
	2) window first ;;
	4) window both ;;
	esac
}

# allocated: decoders that have memory or a region, and ports with committed decoders. After a region of one
# device the kernel shows the size of a bridge's decoder still.
allocated() {
	local directory
	cd /sys/bus/cxl/devices || return
	for directory in decoder[1-9]*; do
		[ ! -e "$directory/dpa_size" ] || [ $(($(cat "$directory/dpa_size"))) -eq 0 ] ||
			echo "$directory has $(cat "$directory/dpa_size")"
		[ -z "$(cat "$directory/region" 2>/dev/null)" ] || echo "$directory is in $(cat "$directory/region")"
	done
	for directory in port* endpoint*; do
		[ "$(cat "$directory/decoders_committed")" = 0 ] || echo "$directory has committed decoders"
	done
}

# half_made: regions that are called enabled without being complete.
half_made() {
	local region target
	for region in /sys/bus/cxl/devices/region*; do
		[ -e "$region/driver" ] || continue
		[ "$(cat "$region/commit")" = 1 ] || echo "$(basename "$region") is enabled, not committed"
		for target in "$region"/target*; do
			[ -n "$(cat "$target")" ] || echo "$(basename "$region") is enabled without $(basename "$target")"
		done
	done
}

# nothing NAME: no region, and no memory that a decoder has.
nothing() {
	same "$1" "" "$(regions)$(allocated)"
}

# writes FILE: how many writes to the kernel a program made, by FAIL_WRITE_LOG of fail_write.so.
writes() {
	wc -l <"$1"
}

# failing N kill|EIO COMMAND...: its write N fails, or kills it. Prints the exit status; the output is in
# $work/out.
failing() {
	local n=$1 by=$2
	shift 2
	# shellcheck disable=SC2154 # set by the test
	FAIL_WRITE=$n FAIL_WRITE_BY=$by LD_PRELOAD=/usr/bin/fail_write.so "$@" >"$work/out" 2>&1
	echo $?
}

# ---- through cxl-redfishd -----------------------------------------------------------------------
# They use $work, a directory, and the socket /run/redfish.

SYSTEM=/redfish/v1/Systems/Host

# needs_redfish: all of its programs.
needs_redfish() {
	local program
	for program in cxl-redfishd cxl-redfish-change-helper curl jq; do
		needs_program $program
	done
}

# ask METHOD URI [CURL_OPTION...]: prints the status; $work/headers and $work/body have the rest.
ask() {
	local method=$1 uri=$2
	shift 2
	curl -s --max-time 120 --unix-socket /run/redfish -X "$method" -D "$work/headers" -o "$work/body" \
		-w '%{http_code}' "$@" "http://localhost$uri"
}

# header NAME: of the last answer.
header() {
	tr -d '\r' <"$work/headers" | sed -n "s/^$1: //Ip"
}

# answer FILTER: what jq finds in the last body.
answer() {
	jq -r "$1" "$work/body" 2>&1
}

# finish STATUS: follows the task of a request that was answered with 202, and prints the status of its end.
finish() {
	local status=$1 monitor tries=0
	monitor=$(header Location)
	while [ "$status" = 202 ] && [ $tries -lt 1800 ]; do
		sleep 0.1
		status=$(ask GET "$monitor")
		tries=$((tries + 1))
	done
	echo "$status"
}

# change METHOD URI [BODY]: with the entity tag that the resource has now; prints the status of the end. The resource may
# change between the two requests, as when a driver finds the dax device of a new region: then it is read again.
change() {
	local method=$1 uri=$2 body=${3:-} tag status=412 tries=0
	while [ "$status" = 412 ] && [ $tries -lt 5 ]; do
		ask GET "$uri" >/dev/null
		tag=$(header ETag)
		set --
		[ -z "$tag" ] || set -- -H "If-Match: $tag"
		[ -z "$body" ] || set -- "$@" -H 'Content-Type: application/json' -d "$body"
		status=$(finish "$(ask "$method" "$uri" "$@")")
		tries=$((tries + 1))
	done
	echo "$status"
}

# chunks WINDOW, chunk WINDOW REGION: URIs of objects by their names.
chunks() {
	echo "$SYSTEM/MemoryDomains/$(window_id "$1")/MemoryChunks"
}
chunk() {
	echo "$(chunks "$1")/$(region_id "$2")"
}

# memory_of N: the URI of the device 0xabcN.
memory_of() {
	echo "$SYSTEM/Memory/cxl-000000000000abc$1"
}

# identities: the URIs of windows, regions, memory devices and what is made of these, each with what makes it the same object at another
# boot: its UUID, its serial number, or its first address.
identities() {
	local collection uri
	for collection in "$SYSTEM/Memory" /redfish/v1/Chassis "$SYSTEM/MemoryDomains" \
		$(members_of_collection "$SYSTEM/MemoryDomains" | sed 's,$,/MemoryChunks,') /redfish/v1/Fabrics/CXL/Switches; do
		members_of_collection "$collection" | while read -r uri; do
			ask GET "$uri" >/dev/null
			answer "\"$uri \" + ([.Oem.CXLHost.RegionUUID, .SerialNumber, .Oem.CXLHost.BaseAddress] | map(strings) | first // empty)"
		done
	done | sort
}

# members_of_collection COLLECTION: the URIs of its members.
members_of_collection() {
	ask GET "$1" >/dev/null
	answer '.Members[]?."@odata.id"'
}

# sets N...: InterleaveSets of these devices.
sets() {
	local n comma=
	for n in "$@"; do
		printf '%s{"Memory": {"@odata.id": "%s"}}' "$comma" "$(memory_of "$n")"
		comma=', '
	done
}

# body_of Volatile|PMEM MIB N...: of a POST that creates a region of these devices.
body_of() {
	local type=$1 size=$2
	shift 2
	printf '{"AddressRangeType": "%s", "MemoryChunkSizeMiB": %s, "InterleaveSets": [%s]}' \
		"$type" "$size" "$(sets "$@")"
}

# positions WAYS: the devices that members() names.
positions() {
	case $1 in
	1) echo 2 ;;
	2) echo 0 1 ;;
	4) echo 0 2 1 3 ;;
	esac
}

# exact_spa MEMORY DPA: by TranslateDPA; nothing without an exact answer.
exact_spa() {
	ask POST "$1/Actions/Oem/CXLHostMemory.TranslateDPA" \
		-H 'Content-Type: application/json' \
		-d "{\"DevicePhysicalAddress\": \"$2\"}" >/dev/null
	jq -r '.. | objects | select(.Exact == true) | .SystemPhysicalAddress' "$work/body" 2>/dev/null
}

# exact_dpa SPA: by TranslateSPA.
exact_dpa() {
	ask POST "$SYSTEM/Actions/Oem/CXLHostComputerSystem.TranslateSPA" \
		-H 'Content-Type: application/json' -d "{\"SystemPhysicalAddress\": \"$1\"}" >/dev/null
	jq -r '.. | objects | select(.Exact == true) | .DevicePhysicalAddress' "$work/body" 2>/dev/null
}
