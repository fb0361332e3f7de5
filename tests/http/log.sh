#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The log of events over HTTP: pages, filters, what is resolved and what is cleared.
. "${0%/*}/functions"
log=$system/LogServices/CXL
device=$system/Memory/cxl-000000000000abc0
json='Content-Type: application/json'

# expect_count N: what the last answer says of the collection.
expect_count() {
	has "\"Members@odata.count\":$1"
}

# wait_for_count N: the log has as many entries.
wait_for_count() {
	for _ in $tries; do
		request_as_is 200 GET "$log/Entries"
		case $body in *"\"Members@odata.count\":$1,"* | *"\"Members@odata.count\":$1}"*) return ;; esac
		sleep 0.1
	done
	fail "the log does not get $1 entries"
}

# filter STATUS EXPRESSION: the entries that match.
filter() {
	request_as_is "$1" GET "$log/Entries?\$filter=$(printf %s "$2" | sed "s/ /%20/g")"
}

# expect_links: each condition of the device refers to entries that exist and are not resolved; right after a change, not some time later.
expect_links() {
	request_as_is 200 GET "$device"
	for entry in $(echo "$body" | grep -o '"LogEntry":{"@odata.id":"[^"]*"' | sed 's/.*:"//; s/"//'); do
		request_as_is 200 GET "$entry"
		lacks '"Resolved":true'
	done
	request_as_is 200 GET "$device"
}

start_with_log plain-7.3
request_as_is 200 GET "$log/Entries"
case $body in
*'"Members@odata.count":0'*) skip "the daemon does not read the captured host's events" ;;
esac
expect_count 17
header "Allow: GET, HEAD"

# Page by page, each entry once.
next="$log/Entries?\$top=5"
: >"$scratch/ids"
while [ -n "$next" ]; do
	request_as_is 200 GET "$next"
	expect_count 17
	echo "$body" | grep -o '"@odata.id":"[^"]*/Entries/[0-9]*","@odata.type"' >>"$scratch/ids"
	next=$(echo "$body" | sed -n 's/.*"Members@odata.nextLink":"\([^"]*\)".*/\1/p')
done
[ "$(sort -u "$scratch/ids" | wc -l)" -eq 17 ] && [ "$(wc -l <"$scratch/ids")" -eq 17 ] ||
	fail "pages of 5 have $(cat "$scratch/ids")"

filter 200 "Severity eq 'OK' or Severity ne 'OK'"
expect_count 17
filter 200 "MessageId eq 'CXLHost.1.0.DRAMEvent'"
has CXLHost.1.0.DRAMEvent
lacks CXLHost.1.0.GeneralMediaEvent
# As an earlier version of the registry named it.
filter 200 "MessageId eq 'CXLHost.1.0.DRAMEvent'"
has CXLHost.1.0.DRAMEvent
lacks CXLHost.1.0.GeneralMediaEvent
filter 200 "Oem/CXLHost/SystemPhysicalAddress ge '0x110040000' and Oem/CXLHost/SystemPhysicalAddress lt '0x110041000'"
has '"SystemPhysicalAddress":"0x110040000"'
lacks '"SystemPhysicalAddress":"0x110004000"'
filter 200 "Created lt '2001-01-01T00:00:00%2B01:00'"
expect_count 0
filter 501 "Message eq 'x'"
has QueryParameterUnsupported
filter 400 "Severity eq"
has QueryParameterValueFormatError
request_as_is 400 GET "$log/Entries?\$top=%00"
request_as_is 501 GET "$log/Entries?\$orderby=Id"

# An entry: conditional reads, and the one thing that may be changed.
request_as_is 200 GET "$log/Entries/2"
etag=$(echo "$head" | sed -n 's/^[Ee][Tt]ag: //p')
header "Allow: GET, HEAD, PATCH"
request_as_is 304 GET "$log/Entries/2" -H "If-None-Match: $etag"
request_as_is 200 HEAD "$log/Entries/2"
request_as_is 200 PATCH "$log/Entries/2" -H "$json" -H "If-Match: $etag" -d '{"Resolved":true}'
has '"Resolved":true'
request_as_is 412 PATCH "$log/Entries/2" -H "$json" -H "If-Match: $etag" -d '{"Resolved":false}'
request_as_is 412 PATCH "$log/Entries/2" -H "$json" -H "If-Match: W/$etag" -d '{"Resolved":false}'
request_as_is 400 PATCH "$log/Entries/2" -H "$json" -d '{"Severity":"OK"}'
has PropertyNotWritable '#/Severity'
request_as_is 415 PATCH "$log/Entries/2" -H "Content-Type: text/plain" -d '{"Resolved":false}'
request_as_is 404 PATCH "$log/Entries/99" -H "$json" -d '{"Resolved":true}'
request_as_is 405 DELETE "$log/Entries/2"
header "Allow: GET, HEAD, PATCH"
request_as_is 405 DELETE "$log"
request_as_is 404 GET "$log/Entries/018"
request_as_is 404 GET "$log/Entries/%32x"

# A change is shown when it is answered.
expect_links
has CXLHost.1.0.OpenIncident
while :; do
	expect_links
	entry=$(echo "$body" | sed -n 's/.*"LogEntry":{"@odata.id":"\([^"]*\)".*/\1/p')
	[ -n "$entry" ] || break
	entry_of_device=$entry
	request_as_is 200 PATCH "$entry" -H "$json" -d '{"Resolved":true}'
done
request_as_is 200 PATCH "$entry_of_device" -H "$json" -d '{"Resolved":false}'
expect_links
has CXLHost.1.0.OpenIncident

# Each device has its own entries, and clears them alone.
request_as_is 200 GET "$device/DeviceLog/Entries"
own=$(echo "$body" | sed 's/.*"Members@odata.count":\([0-9]*\).*/\1/')
[ "$own" -gt 0 ] && [ "$own" -lt 17 ] || fail "the device has $own of 17 entries"
request_as_is 204 POST "$device/DeviceLog/Actions/LogService.ClearLog" -H "$json" -d '{}'
[ -z "$body" ] || fail "204 with a body"
expect_links
lacks CXLHost.1.0.OpenIncident '"LogEntry"'
request_as_is 200 GET "$device/DeviceLog/Entries"
expect_count 0
request_as_is 200 GET "$log/Entries"
expect_count $((17 - own))
request_as_is 428 POST "$log/Actions/LogService.ClearLog" -H "$json" \
	-d '{"LogEntriesETag":"\"0\""}'
request_as_is 204 POST "$log/Actions/LogService.ClearLog" -H "$json" -d '{}'
request_as_is 200 GET "$log/Entries"
expect_count 0
stop

# Entries that were cleared do not come back; without its file, the log is read again.
start plain-7.3 --listen "unix:$socket" --state "$scratch/log"
request_as_is 200 GET "$log/Entries"
expect_count 0
stop
rm "$scratch"/log/events.db*
start plain-7.3 --listen "unix:$socket" --state "$scratch/log"
wait_for_count 17
stop

# With a password nothing is said without it, not even what is not there.
start normalized-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 \
	--password-file "$scratch/password" --state "$scratch/log"
request_by_tcp 401 GET "$log/Entries/1"
request_by_tcp 401 GET "$log/Entries/nothing"
request_by_tcp 401 PATCH "$log/Entries/1" -H "$json" -d '{"Resolved":true}'
request 404 GET "$log/Entries/nothing"
finish
