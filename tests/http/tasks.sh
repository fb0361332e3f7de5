#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Tasks: a request that takes long is answered with 202 and goes on; it is seen, cancelled, removed,
# and after the end of the process it says what was done.
. "${0%/*}/functions"
needs_python
tasks=/redfish/v1/TaskService/Tasks
monitors=/redfish/v1/TaskService/TaskMonitors
log=$system/LogServices/CXL
clear=$log/Actions/LogService.ClearLog
json='Content-Type: application/json'
after=1

# begin N: a daemon whose log has N entries, and is not expired while they are removed.
begin() {
	rm -rf "$scratch/state"
	mkdir -m 700 "$scratch/state"
	./make_log "$scratch/state/events.db" "$1" || fail "make_log"
	again
	# The 17 records of the captured host.
	for _ in $tries; do
		request 200 GET "$log/Entries?\$top=1"
		case $body in
		*"\"Members@odata.count\":$(($1 + 17))"*) return ;;
		esac
		sleep 0.1
	done
	fail "not all records are in the log"
}

again() {
	start normalized-7.3 --listen "unix:$socket" --password-file "$scratch/password" \
		--state "$scratch/state" --max-events 1000000 --task-after "$after"
}

# wait_state ID STATE: until the task has that state.
wait_state() {
	for _ in $tries; do
		request 200 GET "$tasks/$1"
		case $body in
		*"\"TaskState\":\"$2\""*) return ;;
		esac
		sleep 0.1
	done
	fail "task $1 is not $2: $body"
}

# wait_progress ID: until the task says how far it is.
wait_progress() {
	for _ in $tries; do
		request 200 GET "$tasks/$1"
		case $body in
		*TaskProgress*) return ;;
		esac
		sleep 0.1
	done
	fail "task $1 makes no progress: $body"
}

begin 200000
request 200 GET /redfish/v1/
has '"Tasks":{"@odata.id":"/redfish/v1/TaskService"}'
request 200 GET /redfish/v1/TaskService
has '"CompletedTaskOverWritePolicy":"Oldest"' '"LifeCycleEventOnTaskStateChange":true' \
	"\"Tasks\":{\"@odata.id\":\"$tasks\"}"
request 200 GET "$tasks"
has '"Members@odata.count":0'

# listen: what is sent to those who subscribe to events of tasks, in $scratch/stream; $stream is the process.
listen() {
	: >"$scratch/connected"
	curl -sN -D "$scratch/connected" --unix-socket "$socket" --user admin:secret \
		"http://x/redfish/v1/EventService/SSE?\$filter=RegistryPrefix%20eq%20TaskEvent" >"$scratch/stream" &
	stream=$!
	for _ in $tries; do # earlier events are not shown
		! grep -q '^HTTP/1.1 200' "$scratch/connected" || break
		sleep 0.1
	done
}
listen

# A large log takes long: 202, and the task goes on. An entry that is added meanwhile stays.
request 202 POST "$clear" -H "$json" -d '{}'
header "Location: $monitors/1"
header "Retry-After: 1"
has "\"@odata.id\":\"$tasks/1\"" '"TaskState":"Running"' "\"TargetUri\":\"$clear\"" '"HttpOperation":"POST"'
lacks JsonBody
request 202 GET "$monitors/1"
has '"TaskState":"Running"'
# Other changes do not wait for it.
post 201 /redfish/v1/EventService/Subscriptions '{"Destination":"http://127.0.0.1:9/","Protocol":"Redfish"}'

# The process is killed: the task says what was done, and what may not have been.
wait_progress 1
has '"PercentComplete":'
for _ in $tries; do
	! grep -q TaskProgressChanged "$scratch/stream" || break
	sleep 0.1
done
kill -KILL "$pid"
wait "$pid" 2>/dev/null || :
wait "$stream" || :
grep -q 'TaskEvent.1.0.TaskStarted' "$scratch/stream" || fail "no TaskStarted in: $(cat "$scratch/stream")"
grep -q 'TaskEvent.1.0.TaskProgressChanged' "$scratch/stream" || fail "no progress in: $(cat "$scratch/stream")"
again
request 200 GET "$tasks/1"
has '"TaskState":"Interrupted"' CXLHost.1.0.TaskInterrupted 'entries were processed, and the others may not have been'
request 500 GET "$monitors/1"
has TaskResultUnknown
request 200 GET "$log/Entries?\$top=1"
left=$(echo "$body" | sed 's/.*"Members@odata.count":\([0-9]*\).*/\1/')
[ "$left" -gt 0 ] && [ "$left" -lt 200000 ] || fail "$left of 200000 entries are left"
request 204 DELETE "$tasks/1"
request 404 GET "$tasks/1"

# Cancelled while it runs: the rest of the entries stays.
request 202 POST "$clear" -H "$json" -d '{}'
has "\"@odata.id\":\"$tasks/2\""
wait_progress 2
request 204 DELETE "$tasks/2"
wait_state 2 Cancelled
has TaskEvent.1.0.TaskCancelled TaskProgress '"EndTime":"'
request 410 GET "$monitors/2"
request 200 GET "$log/Entries?\$top=1"
lacks '"Members@odata.count":0'
request 204 DELETE "$monitors/2"
request 404 GET "$tasks/2"
stop

# After the next start the log has the records of the captured host again.
empty() {
	request 200 GET "$log/Entries?\$top=1"
	has '"Members@odata.count":0'
}

# To its end, with all events, and kept over a restart with its answer.
begin 15000
listen
status=$(curl -s -o "$scratch/body" -w '%{http_code}' --unix-socket "$socket" --user admin:secret \
	-X POST "http://x$clear" -H "$json" -d '{}')
case $status in
202)
	wait_state 1 Completed
	has '"PercentComplete":100' TaskEvent.1.0.TaskCompletedOK '15017 of 15017 entries were processed.' '"TaskStatus":"OK"'
	request 204 GET "$monitors/1"
	empty
	request 200 GET /redfish/v1/Managers/Service/LogServices/Audit/Entries
	has "202 $monitors/1" "POST of $clear by admin from uid $(id -u): 204."
	stop
	wait "$stream" || :
	grep -q 'TaskEvent.1.0.TaskCompletedOK' "$scratch/stream" || fail "no end in: $(cat "$scratch/stream")"
	again
	request 200 GET "$tasks/1"
	has '"TaskState":"Completed"' TaskCompletedOK
	request 204 GET "$monitors/1"
	;;
204) # a fast disk
	kill "$stream"
	empty
	;;
*) fail "ClearLog: status $status: $(cat "$scratch/body")" ;;
esac
stop

# For clients that do not follow tasks, the answer is that of the whole work.
after=600
begin 100000
request 204 POST "$clear" -H "$json" -d '{}'
empty
request 200 GET "$tasks"
has '"Members@odata.count":0'
finish
