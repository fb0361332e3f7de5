# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A memory device is removed and added again while clients read. Its decoder is locked and keeps the
# setting of the firmware, Normalized addressing; the kernel queries the firmware again, but does not
# add it to its old region (EBUSY), which stays uncommitted. So this test runs late, and does not check
# the region.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
needs_program cxl-redfishd
needs_program curl
[ "$VM_RULE/$VM_FAULT" = plain/none ] || exit 0

work=$RESULTS/hotplug
mkdir -p "$work"
socket=/run/redfish
serial=0xabc3
id=$(printf 'cxl-%016x' $serial)
bdf=$(cxl_devices | awk -v serial=$serial '$1 == serial { print $2 }')
# 6.12 has no regions here: it does not query firmware for their addresses.
region=$(grep -lsx 0x310000000 /sys/bus/cxl/devices/region*/resource | cut -d / -f 6)
[ -n "$region" ] && region=$(region_id "$region") || region=none
memory=/redfish/v1/Systems/Host/Memory
chassis=/redfish/v1/Chassis

# get PATH...: the status of each, one per line. The bodies are in $work/body.
get() {
	printf 'url = "http://localhost%s"\n' "$@" >"$work/get"
	curl -s --max-time 60 --unix-socket $socket -K "$work/get" -w '\n%{http_code}\n' |
		awk -v body="$work/body" 'BEGIN { printf "" >body }
			/^[0-9]+$/ { print; next } { print >body }'
}

# unknown FILE: the lines of standard input whose path is not in the file.
unknown() {
	awk -v known="$1" 'BEGIN { while (getline <known) seen[$1] = 1 } !seen[$1]'
}

# crawl FILE: every linked resource with its status, except schemas, registries and sessions.
crawl() {
	: >"$1"
	echo /redfish/v1/ >"$work/new"
	while [ -s "$work/new" ]; do
		# shellcheck disable=SC2046 # paths have no blanks
		get $(cat "$work/new") >"$work/codes"
		paste -d ' ' "$work/new" "$work/codes" >>"$1"
		grep -o '"@odata.id": *"[^"#]*' "$work/body" | sed 's/.*"//' |
			grep -vE '/(JsonSchemas|Registries|SessionService)' | sort -u |
			unknown "$1" >"$work/next"
		mv "$work/next" "$work/new"
	done
	sort -o "$1" "$1"
}

etag() {
	curl -s --unix-socket $socket -o /dev/null -D - "http://localhost$1" | tr -d '\r' |
		awk 'tolower($1) == "etag:" { print $2 }'
}

# members COLLECTION: the count it reports, the number it lists, and whether the device is one.
members() {
	get "$1" >/dev/null
	echo "$(grep -o '"Members@odata.count": *[0-9]*' "$work/body" | grep -o '[0-9]*$')" \
		"$(grep -o "\"$1/[^\"]*\"" "$work/body" | wc -l)" \
		"$(grep -c "\"$1/$id\"" "$work/body")"
}

# reader NAME: reads while $work/reading exists, and writes the numbers of responses 200 and 404, and
# all other responses.
reader() {
	printf 'url = "http://localhost%s"\n' $memory $chassis "$memory/$id" "$chassis/$id" \
		$memory/cxl-000000000000abc0 /redfish/v1/Systems/Host/MemoryDomains >"$work/$1.config"
	while [ -e "$work/reading" ]; do
		curl -s --max-time 60 --unix-socket $socket -K "$work/$1.config" \
			-w '\n%{http_code} %{content_type}\n' || echo "curl ended with $?"
		sleep 0.3
	done | awk '
		$0 == "" { next }
		substr($0, 1, 1) == "{" && substr($0, length($0)) == "}" { body = 1; next }
		body && $1 == 200 && index($2, "application/json") == 1 { found++; body = 0; next }
		body && $1 == 404 && index($2, "application/json") == 1 { missing++; body = 0; next }
		{ other = other " " substr($0, 1, 100); body = 0 }
		END { print found + 0, missing + 0, "other:" other }' >"$work/$1"
}

# read_again CODE: the daemon waits for udevd's events, and there is no udevd here; so it gets a signal.
# Returns when the device's Memory answers CODE.
read_again() {
	local tenths=0
	kill -HUP "$redfishd"
	while [ "$(get "$memory/$id")" != "$1" ] && [ $tenths -lt 1800 ]; do
		sleep 0.1
		tenths=$((tenths + 1))
	done
}

# while_walking COMMAND...: makes the daemon read the host repeatedly during the command.
while_walking() {
	local pid
	"$@" &
	pid=$!
	while kill -HUP "$redfishd" && kill -0 $pid 2>/dev/null; do
		sleep 0.3
	done
	wait $pid
}

write_one() {
	echo 1 >"$1"
}

# Waits until the device is bound to its driver again. The driver has then created an endpoint.
is_back() {
	local tenths=0 memdev
	while [ $tenths -lt 1800 ]; do
		for memdev in /sys/bus/cxl/devices/mem*; do
			[ "$(cat "$memdev/serial" 2>/dev/null)" = $serial ] || continue
			[ -L "$memdev/driver" ] && return
		done
		sleep 0.1
		tenths=$((tenths + 1))
	done
	echo "no memory device $serial with a driver:" /sys/bus/cxl/devices/*
	return 1
}

is_found() {
	[ "$(get "$1")" = 200 ]
}

mkdir -p /run/state-hotplug
start_redfishd $socket "$work/log" --poll 1 --state /run/state-hotplug
curl -sN --unix-socket $socket http://localhost/redfish/v1/EventService/SSE >"$work/stream" &
stream=$!
crawl "$work/before"
same "all resources are found" "" "$(grep -v ' 200$' "$work/before")"
same "$id is found" 2 "$(grep -cE "($memory|$chassis)/$id 200$" "$work/before")"
members_before="$(members $memory) $(members $chassis)"
etags_before="$(etag $memory) $(etag $chassis)"
: >"$work/reading"
reader one &
one=$!
reader two &
two=$!

check "a device is removed" while_walking write_one "/sys/bus/pci/devices/$bdf/remove"
read_again 404
crawl "$work/gone"
same "the removed device is not found" "404 404" \
	"$(get "$memory/$id" "$chassis/$id" | xargs)"
same "the collections have one member less" "3 3 0 4 4 0" "$(members $memory) $(members $chassis)"
same "as they had before" "4 4 1 5 5 1" "$members_before"
# shellcheck disable=SC2016,SC2086 # split at blanks; sh expands
check "the collections have other ETags" sh -c '[ "$1" != "$3" ] && [ "$2" != "$4" ]' sh \
	$etags_before "$(etag $memory)" "$(etag $chassis)"
same "no link points to the removed device" "" "$(grep -v ' 200$' "$work/gone")"
same "all other resources are still found" "" \
	"$(unknown "$work/gone" <"$work/before" | grep -vE "/(T-)?${id}(-([0-9]+|Day))?[ /]|/$region ")"

check "the bus is scanned again" while_walking write_one /sys/bus/pci/rescan
check "the device is back" is_back
read_again 200
# Its slots are known when its mailbox was read.
check "its firmware is found again" wait_for is_found "/redfish/v1/UpdateService/FirmwareInventory/$id-1"
crawl "$work/after"
grep -s . /sys/bus/cxl/devices/decoder*.0/* /sys/bus/cxl/devices/region*/* >"$work/decoders"
same "the device has the same URIs" "200 200" \
	"$(get "$memory/$id" "$chassis/$id" | xargs)"
same "the collections list it again" "4 4 1 5 5 1" "$(members $memory) $(members $chassis)"
same "no link is dangling" "" "$(grep -v ' 200$' "$work/after")"
same "all resources except the region are found again" "" \
	"$(unknown "$work/after" <"$work/before" | grep -v "/$region ")"

rm "$work/reading"
wait $one
wait $two
for reader in one two; do
	read -r found missing other <"$work/$reader"
	check "reader $reader got the device ($found answers), not found ($missing), and nothing else" \
		sh -c "[ $found -gt 0 ] && [ $missing -gt 0 ] && [ '$other' = other: ] ||
			{ head -c 400 $work/$reader; false; }"
done
# n_sent EVENT: the number of these resource events for the device's Memory in the stream.
n_sent() {
	grep '^data:' "$work/stream" | grep -F "ResourceEvent.1.4.$1\"" |
		grep -cE "$memory/$id\""
}
same "the stream has one event for the removal and one for the return" "1 1" \
	"$(n_sent ResourceRemoved) $(n_sent ResourceCreated)"
kill $stream
check "cxl-redfishd is still running" kill -0 "$redfishd"
stop_redfishd $socket
