#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Changes of the files of the state directory by others, while the service runs and between two runs:
# each is reported.
. "${0%/*}/functions"
log=$system/LogServices/CXL
subscriptions=/redfish/v1/EventService/Subscriptions
json='Content-Type: application/json'
state=$scratch/log

subscribe() {
	request_as_is "$1" POST "$subscriptions" -H "$json" \
		-d '{"Destination":"http://127.0.0.1:9/","Protocol":"Redfish"}'
}

# wait_for WORD PATH: until the resource has it.
wait_for() {
	for _ in $tries; do
		request_as_is 200 GET "$2"
		case $body in
		*"$1"*) return ;;
		esac
		sleep 0.1
	done
	fail "'$1' does not come up in $2: $body"
}

said() {
	grep -qF -- "$1" "$scratch/err" || fail "'$1' is not in: $(cat "$scratch/err")"
}

# A directory that others can write to is no place for secrets.
for mode in 770 707 777; do
	mkdir -m "$mode" "$scratch/open"
	refused_start 1 "can be written by other users" "$scratch/open" -- \
		--host "$hosts/plain-7.3.tar.zst" --listen "unix:$socket" --state "$scratch/open"
	rmdir "$scratch/open"
done

# The file is removed: said, and it is a condition; a change is not made in nothing.
start_with_log plain-7.3
subscribe 201
request_as_is 200 GET "$log/Entries"
has '"Members@odata.count":17'
rm "$state/events.db"
status=$(curl -s -o /dev/null -w '%{http_code}' --unix-socket "$socket" -X PATCH -H "$json" \
	-d '{"Resolved":true}' "http://localhost$log/Entries/2")
[ "$status" = 503 ] || [ "$status" = 404 ] || fail "a change in nothing has status $status"
wait_for EventStoreReplaced /redfish/v1/Managers/Service
has 'events.db was removed or replaced' '"Health":"Warning"'
said 'events.db was removed or replaced while it was in use'

# So is the state database: no subscription is made in nothing.
mv "$state/state.db" "$state/kept"
subscribe 503
said 'state.db was removed or replaced while it was in use'
wait_for StateUnavailable /redfish/v1/Managers/Service
has 'state.db was removed or replaced' '"Health":"Critical"'
mv "$state/kept" "$state/state.db"
sleep 1.1
subscribe 201
for _ in $tries; do
	request_as_is 200 GET /redfish/v1/Managers/Service
	case $body in *StateUnavailable*) sleep 0.1 ;; *) break ;; esac
done
lacks StateUnavailable
stop

# Emptied and truncated event files: the subscriptions stay, and what happened is said.
for size in 0 20000; do
	truncate -s "$size" "$state/events.db"
	rm -f "$state/events.db-wal" "$state/events.db-shm"
	start plain-7.3 --listen "unix:$socket" --state "$state"
	wait_for EventStoreReplaced /redfish/v1/Managers/Service
	said events.db.damaged-
	request_as_is 200 GET "$subscriptions"
	has '"Members@odata.count":2'
	stop
	rm -f "$state"/events.db.damaged-*
done

# An emptied state database: named, and no new subscriptions in its place.
truncate -s 0 "$state/state.db"
start plain-7.3 --listen "unix:$socket" --state "$state"
said 'state.db is empty, although it had been written'
subscribe 503
stop
rm "$state/state.db"

# A truncated -shm file ends the process, which names it; then all is there.
start_with_log plain-7.3
truncate -s 0 "$state/events.db-shm"
for _ in $tries; do
	kill -0 "$pid" 2>/dev/null || break
	curl -s --max-time 180 --unix-socket "$socket" "http://localhost$log/Entries" >/dev/null || :
	curl -s --max-time 180 --unix-socket "$socket" -X PATCH -H "$json" -d '{"Resolved":true}' \
		"http://localhost$log/Entries/2" >/dev/null || :
	sleep 0.1
done
ended=0
wait "$pid" || ended=$?
pid=
[ "$ended" -eq 135 ] || fail "status $ended instead of that of SIGBUS"
said 'events.db-shm was truncated by another program'
start plain-7.3 --listen "unix:$socket" --state "$state"
request_as_is 200 GET "$log/Entries"
has '"Members@odata.count":17'
stop
finish
