#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The topology is read again and again while clients read and translate: each gets its response.
# Then the configuration: reload.py, test by test.
. "${0%/*}/functions"
needs_python
start_usual

memory=$system/Memory/cxl-000000000000abc0
ask() {
	curl -s --max-time 180 --unix-socket "$socket" --user admin:secret -w '%{http_code}' "$@"
}

client() {
	while [ ! -e "$scratch/enough" ]; do
		for path in "$system" "$memory" /redfish/v1/Fabrics; do
			status=$(ask "http://localhost$path" -o "$scratch/answer.$1")
			[ "$status" = 200 ] || [ "$status" = 503 ] || echo "$path: $status" # a slow machine has no time for it
		done
		status=$(ask "http://localhost$memory/Actions/Oem/CXLHostMemory.TranslateDPA" -o "$scratch/answer.$1" \
			-H 'Content-Type: application/json' --data '{"DevicePhysicalAddress":"0x1000"}')
		grep -q '"Exact":true' "$scratch/answer.$1" || [ "$status" = 503 ] || echo "TranslateDPA: $status"
	done >"$scratch/wrong.$1"
}

clients=
for i in 1 2 3 4; do
	client $i &
	clients="$clients $!"
done
# Signals while it is read are one request to read it again.
for i in $tries; do
	kill -HUP "$pid"
	sleep 0.1
	[ "$i" -lt 20 ] || [ "$(grep -c 'topology was read again' "$scratch/err")" -lt 2 ] || break
done
: >"$scratch/enough"
# shellcheck disable=SC2086 # the numbers are separate arguments
wait $clients
for i in 1 2 3 4; do
	[ ! -s "$scratch/wrong.$i" ] || fail "$(head -n 3 "$scratch/wrong.$i")"
done
n=$(grep -c 'topology was read again' "$scratch/err")
[ "$n" -ge 2 ] || fail "the topology was read again $n times"
stop
python3 "$srcdir/tests/http/reload.py" "$daemon" "$hosts/idle-7.3.tar.zst" "$scratch" "$@" ||
	fail "reload.py"
finish
