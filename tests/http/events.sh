#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A captured host's events come into the log, once, whatever happens to the service.
. "${0%/*}/functions"
needs_python
entries=$system/LogServices/CXL/Entries
state=$scratch/state

# count_entries: $count is their number.
count_entries() {
	request_as_is 200 GET "$entries?\$top=1"
	count=$(echo "$body" | sed 's/.*"Members@odata.count":\([0-9]*\).*/\1/')
}

# expect_entries N TEXT: there are N soon, and not more.
expect_entries() {
	for _ in $tries; do
		count_entries
		[ "$count" -lt "$1" ] || break
		sleep 0.1
	done
	sleep 0.2
	count_entries
	[ "$count" -eq "$1" ] || fail "$2: $count entries instead of $1"
}

# Numbers and addresses of all entries, one a line.
list_entries() {
	request_as_is 200 GET "$entries"
	echo "$body" | python3 -c '
import json, sys
for entry in json.load(sys.stdin)["Members"]:
    own = entry["Oem"]["CXLHost"]
    print(entry["Id"], own.get("DevicePhysicalAddress"), own.get("SystemPhysicalAddress"),
          own.get("TranslationSource"))'
}

for name in plain-7.3 plain-6.12 normalized-7.3 normalized-6.12; do
	start "$name" --listen "unix:$socket" --state "$state-$name"
	expect_entries 17 "$name"
	list_entries >"$scratch/before"
	[ "$(grep -c 0x "$scratch/before")" -eq 13 ] || {
		fail "$name: not 13 addresses"
		cat "$scratch/before"
	}
	stop
	start "$name" --listen "unix:$socket" --state "$state-$name"
	expect_entries 17 "$name, started again"
	list_entries >"$scratch/after"
	cmp -s "$scratch/before" "$scratch/after" || fail "$name: other entries after a restart"
	stop
done

# The kernel's hpa, and what the firmware's rule makes of a device address.
grep -q '^[0-9]* 0x1000 0x210002000 \(recorded\|emulated\)$' "$scratch/before" ||
	fail "normalized-6.12: where DPA 0x1000 is"

# Killed at any moment, nothing that was stored is lost or there twice. The last records come with
# a ring that grows from kill to kill.
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
mkdir "$scratch/host"
zstd -dc "$hosts/plain-7.3.tar.zst" | tar -x -C "$scratch/host"
chmod -R u+w "$scratch/host"
seen=0
for i in $(seq 20); do
	./make_ring "$scratch/host" $((i * 500)) || fail "make_ring"
	start "$scratch/host" --listen "unix:$socket" --state "$state-killed"
	sleep "0.$((i % 5))"
	request_as_is 200 GET "$entries?\$top=1"
	count=$(echo "$body" | sed 's/.*"Members@odata.count":\([0-9]*\).*/\1/')
	[ "$count" -ge "$seen" ] || fail "$count entries after kill $i, $seen before"
	seen=$count
	kill -KILL "$pid"
	wait "$pid" 2>/dev/null
	pid=
done
start "$scratch/host" --listen "unix:$socket" --state "$state-killed"
expect_entries 10000 "killed 20 times"
! grep -q damaged "$scratch/err" || fail "the store was damaged"
stop

# A store that is damaged, and one of a newer version, do not keep the service from its work.
state=$state-damaged
start plain-7.3 --listen "unix:$socket" --state "$state"
expect_entries 17 "before the damage"
stop
dd if=/dev/urandom of="$state/events.db" bs=4096 count=4 conv=notrunc 2>/dev/null
start plain-7.3 --listen "unix:$socket" --state "$state"
expect_entries 17 "after the damage"
for _ in $tries; do
	request_as_is 200 GET /redfish/v1/Managers/Service
	case $body in *EventStoreReplaced*) break ;; esac
	sleep 0.1
done
has EventStoreReplaced events.db.damaged-
grep -q 'damaged' "$scratch/err" || fail "nothing in the log about the damage"
rm "$state"/events.db.damaged-*
for _ in $tries; do
	request_as_is 200 GET /redfish/v1/Managers/Service
	case $body in *EventStoreReplaced*) ;; *) break ;; esac
	sleep 0.1
done
lacks EventStoreReplaced
stop

# A log that is full and must not be overwritten says so; otherwise the oldest make room.
start plain-7.3 --listen "unix:$socket" --state "$state-full" --max-events 5 --never-overwrite
expect_entries 5 "a full log"
for _ in $tries; do
	request_as_is 200 GET /redfish/v1/Managers/Service
	case $body in *EventLogFull*EventsLost* | *EventsLost*EventLogFull*) break ;; esac
	sleep 0.1
done
has EventLogFull EventsLost
stop
start plain-7.3 --listen "unix:$socket" --state "$state-wraps" --max-events 5
expect_entries 5 "a log that wraps"
list_entries >"$scratch/after"
grep -q '^17 ' "$scratch/after" || fail "the newest entry is not kept"
stop

# A full disk is a condition: others are served, and what waited is stored when there is room.
cat >"$scratch/limited" <<EOF
#!/bin/sh
ulimit -f 400
exec "$daemon" "\$@"
EOF
chmod +x "$scratch/limited"
unlimited=$daemon
daemon=$scratch/limited
start "$scratch/host" --listen "unix:$socket" --state "$scratch/small"
for _ in $tries; do
	request_as_is 200 GET /redfish/v1/Managers/Service
	case $body in *EventsNotStored*) break ;; esac
	sleep 0.1
done
has EventsNotStored "cannot be stored"
for log in "$system/LogServices/CXL" "$system/Memory/cxl-000000000000abc0/DeviceLog"; do
	request_as_is 200 GET "$log"
	has UnavailableOffline EventsNotStored '"Health":"Critical"'
done
request_as_is 200 GET "$system/Memory"
stop
daemon=$unlimited
start "$scratch/host" --listen "unix:$socket" --state "$scratch/small"
expect_entries 10000 "after a full disk"
stop

# Without a state directory there is no log.
start plain-7.3 --listen "unix:$socket"
request_as_is 200 GET "$system/LogServices/CXL"
has '"ServiceEnabled":false'
refused_start 2 "--max-events requires a number from 1 to 10000000, not '0'" -- \
	--listen "unix:$socket" --max-events 0
refused_start 2 "--max-event-age requires a number from 1 to 36500" -- --listen "unix:$socket" --max-event-age x
finish
