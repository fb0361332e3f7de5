#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A storm of 100,000 records: all of them are stored, in bounded memory, and others are served.
. "${0%/*}/functions"
entries=$system/LogServices/CXL/Entries
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
[ -x ./make_ring ] || skip "make_ring was not built: Check is missing"

mkdir "$scratch/host"
zstd -dc "$hosts/plain-7.3.tar.zst" | tar -x -C "$scratch/host"
chmod -R u+w "$scratch/host"
./make_ring "$scratch/host" 100000 || fail "make_ring"

# Freed memory is not kept, as the sanitizer would.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}quarantine_size_mb=8
export ASAN_OPTIONS
start "$scratch/host" --listen "unix:$socket" --state "$scratch/state" --max-events 200000
count=0
for _ in $tries; do
	request_as_is 200 GET "$system/Memory"
	request_as_is 200 GET "$entries?\$top=1"
	count=$(echo "$body" | sed 's/.*"Members@odata.count":\([0-9]*\).*/\1/')
	[ "$count" -lt 100000 ] || break
	sleep 0.1
done
[ "$count" -eq 100000 ] || fail "$count entries instead of 100000"
highest=$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status")
[ "$highest" -lt 200000 ] || fail "$highest KiB of memory were used"
request_as_is 200 GET "$system/LogServices/CXL"
lacks '"queue"'
stop

# In the middle of it, the end comes as fast as ever, and what was read is there.
rm -r "$scratch/state"
start "$scratch/host" --listen "unix:$socket" --state "$scratch/state" --max-events 200000
stop
! grep -q 'could not be stored and are lost' "$scratch/err" || fail "events were lost at the end"
finish
