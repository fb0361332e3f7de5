#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# State directories: one of an older version, which kept subscriptions in the event log, and ones
# in which a file is missing or damaged.
. "${0%/*}/functions"
needs_python
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
log=$system/LogServices/CXL
subscriptions=/redfish/v1/EventService/Subscriptions
fixture=$srcdir/tests/events/state-7ac4bf2
state=$scratch/state
# Nothing is delivered, so the health of a subscription does not change during the test.
CXL_REDFISH_PUSH=$scratch/none
export CXL_REDFISH_PUSH

start_state() {
	start normalized-7.3 --listen "unix:$socket" --state "$state"
}

# expect_same NAME: the last answer is NAME of the fixture, apart from texts for people and what this
# version derives in another way from what is stored: types of entries, header flags, poison.
expect_same() {
	echo "$body" >"$scratch/answer"
	python3 - "$fixture.json" "$1" "$scratch/answer" <<-'END' || fail "$1 is not as it was"
		import json, sys
		TEXTS = ("@odata.etag", "Message", "Resolution", "Name", "EntryType", "OemRecordFormat",
		         "RecordSeverity", "RecordFlags", "Uncorrectable")
		ADDED = ("Extents", "PageRanges", "Decoded", "Slot") # properties that the older version did not have
		# How many arguments these messages had; the words came later.
		ARGS = {"GeneralMediaEvent": 4, "DRAMEvent": 4, "MemoryModuleEvent": 2, "MemorySparingEvent": 2,
		        "CorrectableError": 2, "UncorrectableError": 2, "PortCorrectableError": 2,
		        "PortUncorrectableError": 2}
		def strip(value):
		    if isinstance(value, dict):
		        n = ARGS.get(value.get("MessageId", "").rsplit(".", 1)[-1])
		        if n:
		            value = {**value, "MessageArgs": value["MessageArgs"][:n]}
		        if "Poison" in value.get("MessageId", ""):
		            value = {**value, "MessageId": None, "MessageArgs": value["MessageArgs"][:3]}
		        if "MessageArgs" in value: # the device has also the names of the kernel
		            args = [a.split(" (")[0] for a in value["MessageArgs"]]
		            value = {**value, "MessageArgs": args}
		        if "Fields" in value: # byte arrays were not in it
		            fields = [f for f in value["Fields"].split() if not f.startswith(("cor_mask=", "header_log="))]
		            value = {**value, "Fields": fields}
		        return {k: strip(v) for k, v in value.items() if k not in TEXTS + ADDED}
		    if isinstance(value, str) and value.startswith("CXLHost.1."):
		        return "CXLHost.1." + value.rsplit(".", 1)[1] # the version grows
		    return [strip(v) for v in value] if isinstance(value, list) else value
		expected = json.load(open(sys.argv[1]))
		for key in sys.argv[2].split("/"):
		    expected = expected[int(key) if key.isdigit() else key]
		found = json.load(open(sys.argv[3]))
		if strip(found) != strip(expected):
		    print("expected", strip(expected), "found", strip(found), sep="\n")
		    sys.exit(1)
	END
}

expect_subscriptions() {
	request_as_is 200 GET "$subscriptions"
	has '"Members@odata.count":2'
	for i in 1 2; do
		request_as_is 200 GET "$subscriptions/$i"
		expect_same "subscriptions/$((i - 1))"
	done
}

expect_entries() {
	request_as_is 200 GET "$log/Entries"
	has '"Extents":[{"DevicePhysicalAddress":"0x4000","DevicePhysicalAddressLast":"0x403f"'
	expect_same entries
	has '"CXLHost.1.2.PoisonCleared"'
}

unpack() {
	rm -rf "$state"
	mkdir -m 700 "$state"
	zstd -dcq "$fixture.tar.zst" | tar -xf - -C "$state" || exit 99
}

# Everything of the older version is there, at the first start and later.
unpack
for _ in 1 2; do
	start_state
	expect_entries
	expect_subscriptions
	stop
done
grep -q 'were moved' "$scratch/err" && fail "subscriptions were moved twice"
for file in events.db state.db; do
	[ "$(stat -c %a "$state/$file")" = 600 ] || fail "$file is not for its owner alone"
done

# Changes from now on are kept in the new file.
start_state
request_as_is 204 DELETE "$subscriptions/2"
stop
start_state
request_as_is 404 GET "$subscriptions/2"
request_as_is 200 GET "$subscriptions/1"
stop

# Without the event log, and with one that is damaged, subscriptions are as they were.
unpack
start_state
stop
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

# A damaged log of the older version gives its subscriptions up to the new files.
unpack
dd if=/dev/zero of="$state/events.db" bs=1 seek=18 count=1 conv=notrunc 2>/dev/null
printf '\003' | dd of="$state/events.db" bs=1 seek=18 count=1 conv=notrunc 2>/dev/null
start_state
expect_subscriptions
stop

# A damaged state database is refused and kept; the log is served all the same.
cp "$state/state.db" "$scratch/good.db"
printf 'no database at all, however long it is' >"$state/state.db"
cp "$state/state.db" "$scratch/bad.db"
start_state
request_as_is 200 GET "$log/Entries"
request_as_is 503 POST "$subscriptions" -H 'Content-Type: application/json' \
	-d '{"Destination":"http://127.0.0.1:9/","Protocol":"Redfish"}'
# Which subscriptions there are is not known: that there are none would be wrong.
request_as_is 503 GET "$subscriptions"
header 'Retry-After: 30'
has 'Retry in 30 seconds.'
for method in GET PATCH DELETE; do
	request_as_is 503 "$method" "$subscriptions/1" -H 'Content-Type: application/json' \
		-d '{"Context":"x"}'
done
request_as_is 404 GET "$subscriptions/SSE-1"
grep -q "state database cannot be used: .*$state/state.db.*restore the file" "$scratch/err" ||
	fail "the log does not say what is wrong with state.db"
cmp -s "$state/state.db" "$scratch/bad.db" || fail "a damaged state.db was changed"
# It is used again when it was repaired, without a restart.
cp "$scratch/good.db" "$state/state.db.new"
mv "$state/state.db.new" "$state/state.db"
for _ in $(seq 50); do
	status=$(curl -s --unix-socket "$socket" -o /dev/null -w '%{http_code}' \
		"http://localhost$subscriptions") || :
	[ "$status" = 503 ] || break
	sleep 0.1
done
expect_subscriptions
stop

# A cursor above all numbers of the log, which was replaced by an older copy, is lowered.
sql() {
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(*[row[0] for row in db.execute(sys.argv[2])])
db.commit()' "$state/state.db" "$1"
}
sql 'UPDATE subscriptions SET cursor = 4000000000000000000'
start_state
stop
[ "$(sql 'SELECT count(*) FROM subscriptions WHERE cursor < 3000000000000000000')" = 2 ] ||
	fail "cursors are above all numbers: $(sql 'SELECT cursor FROM subscriptions')"

# While another process has the event log, subscriptions are shown all the same.
python3 -c 'import fcntl, sys, time
lock = open(sys.argv[1])
fcntl.flock(lock, fcntl.LOCK_EX)
print("locked", flush=True)
time.sleep(60)' "$state/events.db.lock" >"$scratch/locked" &
locker=$!
for _ in $(seq 100); do
	[ ! -s "$scratch/locked" ] || break
	sleep 0.1
done
start_state
expect_subscriptions
stop
kill "$locker"

# An empty directory gets both files.
rm -rf "$state"
start_state
stop
[ -s "$state/events.db" ] && [ -s "$state/state.db" ] || fail "a new directory lacks a file"
finish
