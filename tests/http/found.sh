#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A finding is an incident while it is there: it opens, outlives kill -9 and an acknowledgement, is one condition, closes when the
# topology is read again without it, and is another incident when it comes again.
. "${0%/*}/functions"
needs_python
incidents=$system/LogServices/Incidents/Entries
json='Content-Type: application/json'
of_configuration="$incidents?\$filter=Oem/CXLHost/Incident/Kind%20eq%20'configuration'"

mkdir "$scratch/host"
tar -C "$scratch/host" -xf "$hosts/switch-7.3.tar.zst" || skip "the captured host cannot be unpacked"
driver=$(find "$scratch/host/sys/devices" -path '*/region0/driver' | head -n 1)
[ -L "$driver" ] || fail "the captured region has no driver"

start_it() {
	start "$scratch/host" --listen "unix:$socket" --state "$scratch/log"
}

# wait_for_n N: as many incidents of the configuration are there, also ended ones; $id is the number of the newest.
wait_for_n() {
	for _ in $tries; do
		request_as_is any GET "$of_configuration"
		n=$(printf %s "$body" | grep -o '"Code":"REGION_NO_DRIVER"' | wc -l)
		[ "$n" -ne "$1" ] || break
		sleep 0.1
	done
	[ "$n" -eq "$1" ] || fail "$n incidents of the configuration instead of $1: $body"
	id=$(printf %s "$body" | grep -o '"Id":"[0-9]*"' | tail -n 1 | tr -cd 0-9)
}

# wait_for TEXT [URI]: the incident $id, or the resource, has it.
wait_for() {
	for _ in $tries; do
		request_as_is any GET "${2:-$incidents/$id}"
		case $body in *"$1"*) return ;; esac
		sleep 0.1
	done
	fail "${2:-incident $id} does not have $1: $body"
}

# A region without driver: an incident of the region, which has no device.
mv "$driver" "$scratch/driver"
start_it
wait_for_n 1
first=$id
request_as_is 200 GET "$incidents/$id"
has '"State":"open"' '"Severity":"Warning"' '"Device":null' '"ObjectName":"region0"' '"Act":"change-configuration"' \
	'"NextStep":"' 'cxl enable-region region0' '"RelatedLogEntries":[]'
told 1 IncidentOpened

# It is the condition that the finding is, once, and no other one of the host.
region=$(request_as_is 200 GET "$system" && printf %s "$body" |
	grep -o '"OriginOfCondition":{"@odata.id":"[^"]*MemoryChunks/spa-0000000110000000"' | head -n 1 | sed 's/.*"\(\/[^"]*\)"/\1/')
[ -n "$region" ] || fail "the host does not refer to its region"
wait_for "\"LogEntry\":{\"@odata.id\":\"$incidents/$id\"}" "$region"
[ "$(printf %s "$body" | grep -o RegionNoDriver | wc -l)" -eq "$(printf %s "$body" | grep -o '"MessageId":"CXLHost.1.0.RegionNoDriver"' | wc -l)" ] ||
	fail "not one condition: $body"
lacks OpenIncident
request_as_is 200 GET "$system"
lacks OpenIncident

# The command shows the same.
./cxl-spa --host "$scratch/host" triage >"$scratch/triage" && fail "triage says that nothing is open"
grep -q 'region0: ' "$scratch/triage" || fail "triage does not name the region: $(cat "$scratch/triage")"

request_as_is 200 PATCH "$incidents/$id" -H "$json" \
	--data-binary '{"Oem":{"CXLHost":{"Acknowledged":true,"Note":"being enabled"}}}'
has '"State":"acknowledged"'

# kill -9: the same incident, and nothing is said twice.
kill -KILL "$pid"
wait "$pid" 2>/dev/null
start_it
wait_for '"State":"acknowledged"'
wait_for_n 1
[ "$id" = "$first" ] || fail "incident $first is now $id"
has '"Note":"being enabled"'
told 1 IncidentOpened

# The finding goes, and so does its incident; it comes again, and is another one.
mv "$scratch/driver" "$driver"
kill -HUP "$pid"
wait_for '"State":"closed"'
has '"EndReason":"not found any more"' '"Resolved":true' '"Act":"none"'
told 1 IncidentClosed
./cxl-spa --host "$scratch/host" triage >"$scratch/triage" || fail "triage says that something is open: $(cat "$scratch/triage")"
mv "$driver" "$scratch/driver"
kill -HUP "$pid"
wait_for_n 2
[ "$id" -gt "$first" ] || fail "a number was given twice"
request_as_is 200 GET "$incidents/$id"
has '"State":"open"' "\"Previous\":\"$first\""

# An incident that is resolved while its finding is there begins anew.
request_as_is 200 PATCH "$incidents/$id" -H "$json" --data-binary '{"Resolved":true}'
wait_for_n 3
request_as_is 200 GET "$incidents/$id"
has '"State":"open"'

# A log that is damaged beyond reading is replaced, and the finding is found again.
stop
for file in "$scratch"/log/events.db*; do
	case $file in *.lock) ;; *) echo damage >"$file" ;; esac
done
start_it
wait_for_n 1
request_as_is 200 GET "$incidents/$id"
has '"State":"open"' '"Code":"REGION_NO_DRIVER"'
stop
finish
