#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A listener without encryption answers only requests for a name of this host (DNS rebinding).
. "${0%/*}/functions"

# status URL HOST: the status of a request for that host
status() {
	curl -s -m 60 -o "$scratch/body" -w '%{http_code}' -H "Host: $2" "$1"
}

# expect STATUS URL HOST
expect() {
	said=$(status "$2" "$3")
	[ "$said" = "$1" ] || fail "a request for '$3' is answered with $said instead of $1"
}

refused_start 2 "is no host name" -- --listen "unix:$socket" --host-name cxl.example:8000

conf=$scratch/conf
echo 'host-name = cxl.example' >"$conf"
start normalized-7.3 --config "$conf" --listen "unix:$socket" --listen http://127.0.0.1:0 \
	--password-file "$scratch/password" --metrics http://127.0.0.1:0
metrics=$(sed -n 's/^metrics on //p' "$scratch/out")
own=$(uname -n)
for at in "$url/redfish" "$metrics"; do
	for host in localhost LOCALHOST:1 localhost. 127.0.0.1:9 192.0.2.7 '[::1]' '[2001:db8::1]:80' "$own" "${own%%.*}:8000" \
		cxl.example CXL.example.:443; do
		expect 200 "$at" "$host"
	done
	for host in rebound.example rebound.example:8000 localhost.rebound.example 127.0.0.1.example '[::1' 0x7f000001 localhost:65536 \
		cxl.example:x xcxl.example; do
		expect 421 "$at" "$host"
	done
done
grep -q 'host-name' "$scratch/body" || fail "421 does not say what to do: $(cat "$scratch/body")"
# Not even what changes something, and with a login.
said=$(curl -s -m 60 -o /dev/null -w '%{http_code}' -u admin:secret -H 'Host: rebound.example' -d '{}' \
	-H 'Content-Type: application/json' "$url/redfish/v1/SessionService/Sessions")
[ "$said" = 421 ] || fail "a login for another host is answered with $said"
said=$(curl -s -m 60 -o /dev/null -w '%{http_code}' --request-target http://rebound.example/redfish "$url/redfish")
[ "$said" = 421 ] || fail "a target with the name of another host is answered with $said"
said=$(curl -s -m 60 -o /dev/null -w '%{http_code}' --unix-socket "$socket" http://any.example/redfish)
[ "$said" = 200 ] || fail "a name on the Unix socket is answered with $said"

echo 'host-name = other.example' >"$conf"
kill -HUP "$pid"
for _ in $tries; do
	[ "$(status "$url/redfish" other.example)" != 200 ] || break
	sleep 0.1
done
expect 200 "$url/redfish" other.example
expect 421 "$url/redfish" cxl.example
stop

finish
