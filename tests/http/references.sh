#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every reference leads to something, everything is led to, and links have their counterparts.
. "${0%/*}/functions"
. "${0%/*}/odd_hosts"
need_odd_hosts

follow() {
	start_with_log "$1"
	echo "$(basename "$1"):"
	./dump_redfish "$host" >"$scratch/listing" || fail "dump_redfish $host"
	python3 "$srcdir/tests/http/walk_redfish.py" "$socket" "$scratch/listing" || fail "$1"
}

for archive in "$hosts"/*.tar.zst; do
	follow "$(basename "$archive" .tar.zst)"
	stop
done
for name in $odd_hosts; do
	make_odd "$name"
	follow "$scratch/$name"
	stop
	rm -rf "${scratch:?}/$name"
done
finish
