#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Incidents over HTTP: what a person says of them is kept, also when the event log is lost; subscribers are told of each
# once; and those of a device that was exchanged close.
. "${0%/*}/functions"
needs_python
incidents=$system/LogServices/Incidents/Entries
json='Content-Type: application/json'

# incident KIND: $id is the number of the newest one of that kind of the first device.
incident() {
	request_as_is 200 GET "$incidents?\$filter=Oem/CXLHost/Incident/Kind%20eq%20'$1'%20and%20Oem/CXLHost/Incident/Device%20eq%20'cxl-000000000000abc0'"
	id=$(echo "$body" | grep -o '"Id":"[0-9]*"' | tail -n 1 | tr -cd 0-9)
	[ -n "$id" ] || fail "no incident of the kind $1: $body"
}

# wait_for TEXT: the incident $id has it.
wait_for() {
	for _ in $tries; do
		request_as_is any GET "$incidents/$id"
		case $body in *"$1"*) return ;; esac
		sleep 0.1
	done
	fail "incident $id does not become $1: $body"
}

start_with_log plain-7.3
incident media-uncorrectable
told 1 IncidentOpened
request_as_is 200 PATCH "$incidents/$id" -H "$json" \
	--data-binary '{"Oem":{"CXLHost":{"Acknowledged":true,"Note":"DIMM ordered"}}}'
has '"Acknowledged":true' '"Note":"DIMM ordered"' "\"ChangedBy\":\"uid $(id -u)\"" '"State":"acknowledged"' \
	'"Act":"offline-page"' '"ActText":"take page 0x110040000 out of use (cxl-spa page offline --hard mem2 0x10000)"'
grep -q "audit: PATCH $incidents/$id by - from uid $(id -u): 200" "$scratch/err" || fail "it is not audited"
incident link
request_as_is 200 PATCH "$incidents/$id" -H "$json" --data-binary '{"Resolved":true}'
has '"Resolved":true'
told 1 IncidentClosed
link=$id
stop

# Nothing is said twice, and what was said stays.
start plain-7.3 --listen "unix:$socket" --state "$scratch/log"
request_as_is 200 GET "$incidents/$link"
has '"State":"resolved"'
incident media-uncorrectable
wait_for '"Note":"DIMM ordered"'
told 1 IncidentOpened
id=$link
told 1 IncidentClosed
stop

# Subscribers who were told less are told that it is worse, once.
python3 - "$scratch/log/events.db" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
changed = db.execute("""UPDATE messages SET body = replace(body, '"MessageSeverity":"Critical"', '"MessageSeverity":"Warning"')
    WHERE body LIKE '%IncidentOpened%1 uncorrectable media error%'""").rowcount
db.commit()
sys.exit(changed != 1)
END
[ $? -eq 0 ] || fail "the message of the store was not changed"
start plain-7.3 --listen "unix:$socket" --state "$scratch/log"
incident media-uncorrectable
told 1 IncidentWorsened
told 1 IncidentOpened
stop

# A new event log: the incident is recorded anew, and is acknowledged again.
rm "$scratch"/log/events.db*
start_keeping() {
	start "$1" --listen "unix:$socket" --state "$scratch/log"
	for _ in $tries; do
		request_as_is 200 GET "$incidents"
		case $body in *media-uncorrectable*) return ;; esac
		sleep 0.1
	done
	fail "there is no incident in a new log"
}
start_keeping plain-7.3
incident media-uncorrectable
wait_for '"State":"acknowledged"'
has '"Note":"DIMM ordered"'
stop

# Another device in the slot.
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
mkdir "$scratch/host"
zstd -dc "$hosts/plain-7.3.tar.zst" | tar -x -C "$scratch/host"
chmod -R u+w "$scratch/host"
rm -rf "$scratch/host/events" # those of the former device come again otherwise
for file in $(find "$scratch/host" -path '*/mem*/serial'); do
	[ "$(cat "$file")" != 0xabc0 ] || echo 0xabcf >"$file"
done
start "$scratch/host" --listen "unix:$socket" --state "$scratch/log"
wait_for '"EndReason":"device replaced"'
has '"State":"closed"' '"OriginOfConditionUnavailable":true' '"PagesNow":[]' '"Slot":null'
told 1 IncidentClosed
request_as_is 200 GET "$incidents?\$filter=Oem/CXLHost/Incident/EndReason%20eq%20'device%20replaced'%20and%20Oem/CXLHost/Incident/Device%20ne%20'cxl-000000000000abc0'"
has '"Members@odata.count":0'
request_as_is 204 POST "${incidents%/Entries}/Actions/LogService.ClearLog" -H "$json" --data-binary '{}'
request_as_is 404 GET "$incidents/$id"
stop
finish
