#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# State directories with a file of other tables, and ones in which a file is missing or damaged.
. "${0%/*}/functions"
needs_python
log=$system/LogServices/CXL
subscriptions=/redfish/v1/EventService/Subscriptions
state=$scratch/state

start_state() {
	start normalized-7.3 --listen "unix:$socket" --state "$state"
}

# sql FILE STATEMENTS
sql() {
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for statement in sys.argv[2].split(";"):
    print(*[row[0] for row in db.execute(statement)], end="")
db.commit()' "$state/$1" "$2"
}

expect_subscriptions() {
	request_as_is 200 GET "$subscriptions"
	has '"Members@odata.count":2'
	for i in 1 2; do
		request_as_is 200 GET "$subscriptions/$i"
		has "\"Context\":\"context $i\""
	done
}

expect_refusal_of_state() {
	request_as_is 200 GET "$log/Entries"
	request_as_is 503 POST "$subscriptions" -H 'Content-Type: application/json' \
		-d '{"Destination":"http://127.0.0.1:9/","Protocol":"Redfish"}'
	# The subscriptions are not known: an answer that there are none would be wrong.
	request_as_is 503 GET "$subscriptions"
	header 'Retry-After: 30'
	has 'Retry in 30 seconds.'
	for method in GET PATCH DELETE; do
		request_as_is 503 "$method" "$subscriptions/1" -H 'Content-Type: application/json' \
			-d '{"Context":"x"}'
	done
	request_as_is 404 GET "$subscriptions/SSE-1"
}

# An empty directory gets both files.
start_state
for i in 1 2 3; do
	request_as_is 201 POST "$subscriptions" -H 'Content-Type: application/json' \
		-d "{\"Destination\":\"http://127.0.0.1:9/\",\"Protocol\":\"Redfish\",\"Context\":\"context $i\"}"
done
request_as_is 204 DELETE "$subscriptions/3"
stop
for file in events.db state.db; do
	[ "$(stat -c %a "$state/$file")" = 600 ] || fail "$file is not for its owner alone"
done
# Nothing is delivered, so the health of a subscription does not change during the test.
CXL_REDFISH_PUSH=$scratch/none
export CXL_REDFISH_PUSH
start_state
expect_subscriptions
request_as_is 404 GET "$subscriptions/3"
stop

# Without the event log, and with one that is damaged, subscriptions are as they were.
rm "$state"/events.db*
start_state
expect_subscriptions
request_as_is 200 GET "$log/Entries"
lacks "/Entries/1\""
stop
printf 'no database at all, however long it is' >"$state/events.db"
start_state
expect_subscriptions
ls "$state"/events.db.damaged-* >/dev/null || fail "the damaged event log is gone"
stop

# Both files with other tables than those of this program: each is refused and left alone.
cp -r "$state" "$scratch/good"
sql events.db "UPDATE meta SET schema = '0123456789abcdef'"
sql state.db "PRAGMA application_id = 0x43584c53"
cp -r "$state" "$scratch/other"
start_state
expect_refusal_of_state
grep -q "state/state.db was written by .* before its first release, .*; .* move the file away" "$scratch/err" ||
	fail "the log does not say what is wrong with state.db"
grep -q "state/events.db was written by another version of cxl-redfish, .*; the file is not changed, .*move that file away or delete it" \
	"$scratch/err" || fail "the log does not say what is wrong with events.db"
stop
for file in events.db state.db; do
	cmp -s "$state/$file" "$scratch/other/$file" || fail "$file was changed"
done
ls "$state"/events.db.schema-* >/dev/null || fail "there is no event log for these tables"
# As the log says: moved away, new files are begun.
mv "$state/state.db" "$state/events.db" "$scratch"
start_state
request_as_is 200 GET "$subscriptions"
has '"Members@odata.count":0'
[ -s "$state/events.db" ] || fail "no new event log was begun"
stop
rm -r "$state"
mv "$scratch/good" "$state"

# A damaged state database is refused and kept; the log is served all the same.
cp "$state/state.db" "$scratch/good.db"
printf 'no database at all, however long it is' >"$state/state.db"
cp "$state/state.db" "$scratch/bad.db"
start_state
expect_refusal_of_state
grep -q "state database cannot be used: .*$state/state.db.*restore the file" "$scratch/err" ||
	fail "the log does not say what is wrong with state.db"
cmp -s "$state/state.db" "$scratch/bad.db" || fail "a damaged state.db was changed"
# It is used again when it was repaired, without a restart.
cp "$scratch/good.db" "$state/state.db.new"
mv "$state/state.db.new" "$state/state.db"
for _ in $tries; do
	status=$(curl -s --unix-socket "$socket" -o /dev/null -w '%{http_code}' \
		"http://localhost$subscriptions") || :
	[ "$status" = 503 ] || break
	sleep 0.1
done
expect_subscriptions
stop

# A cursor above all numbers of the log, which was replaced by an older copy, is lowered.
sql state.db 'UPDATE subscriptions SET cursor = 4000000000000000000'
start_state
stop
[ "$(sql state.db 'SELECT count(*) FROM subscriptions WHERE cursor < 3000000000000000000')" = 2 ] ||
	fail "cursors are above all numbers: $(sql state.db 'SELECT cursor FROM subscriptions')"

# While another process has the event log, subscriptions are shown all the same.
python3 -c 'import fcntl, sys, time
lock = open(sys.argv[1])
fcntl.flock(lock, fcntl.LOCK_EX)
print("locked", flush=True)
time.sleep(600)' "$state/events.db.lock" >"$scratch/locked" &
locker=$!
for _ in $tries; do
	[ ! -s "$scratch/locked" ] || break
	sleep 0.1
done
start_state
expect_subscriptions
stop
kill "$locker"
finish
