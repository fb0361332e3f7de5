#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The command line, what is refused, and what is left behind.
. "${0%/*}/functions"

"$daemon" --version | grep -q '^cxl-redfishd [0-9]' || fail "--version"
"$daemon" --help | grep -q -- '--password-file FILE' || fail "--help"

refused_start 2 "--listen" --
refused_start 2 "unknown option '--nonsense'" -- --nonsense
refused_start 2 "unexpected argument 'x'" -- --listen "unix:$socket" x
refused_start 2 "expected http://ADDRESS:PORT" -- --listen localhost:80
refused_start 2 "expected http://ADDRESS:PORT" -- --listen http://localhost:80 \
	--password-file "$scratch/password"

# TCP without a password, also beside a socket, and on the loopback address.
refused_start 2 "http://127.0.0.1:0 is refused without a password" "--password-file" -- \
	--listen http://127.0.0.1:0
refused_start 2 "refused without a password" -- --listen "unix:$socket" --listen 'http://[::1]:0'
[ ! -e "$socket" ] || fail "a refused start leaves its socket"

zen5=$hosts/zen5-doc.tar.zst
refused_start 1 "cannot read the password file" "No such file" -- --host "$zen5" \
	--listen http://127.0.0.1:0 --password-file "$scratch/none"
: >"$scratch/empty"
refused_start 1 "first line is empty" -- --host "$zen5" --listen http://127.0.0.1:0 \
	--password-file "$scratch/empty"
refused_start 1 "$scratch/none" -- --host "$scratch/none" --listen "unix:$socket"
refused_start 1 "$scratch/empty: contains none of the ACPI tables" -- --host "$zen5" \
	--tables "$scratch/empty" --listen "unix:$socket"
echo precious >"$scratch/file"
refused_start 1 "not a socket" -- --host "$zen5" --listen "unix:$scratch/file"
[ "$(cat "$scratch/file")" = precious ] || fail "a file was overwritten"
refused_start 1 "cannot listen" -- --host "$zen5" --listen "unix:$scratch/no/where"

# The directory for state is made private, and is not taken from others.
refused_start 1 "cannot create the state directory" -- --host "$zen5" --listen "unix:$socket" \
	--state "$scratch/no/where"
mkdir -m 777 "$scratch/open"
refused_start 1 "can be written by other users" -- --host "$zen5" --listen "unix:$socket" \
	--state "$scratch/open"
refused_start 1 "cannot" -- --host "$zen5" --listen "unix:$socket" --state "$scratch/file"

start zen5-doc --listen "unix:$socket" --state "$scratch/state"
[ "$(stat -c %a "$scratch/state")" = 700 ] || fail "the state directory is not private"
[ "$(stat -c %a "$socket")" = 660 ] || fail "the socket is not for owner and group"
# The user of the socket is the login here.
request_as_is 200 GET "$system"

# The first one goes on when a second one wants its socket.
refused_start 1 "in use" -- --host "$zen5" --listen "unix:$socket"
request_as_is 200 GET "$system"

# The number of the reading of the topology by which an address is translated.
generation() {
	request_as_is 200 POST "$system/Actions/Oem/CXLHostComputerSystem.TranslateSPA" \
		-H 'Content-Type: application/json' --data '{"SystemPhysicalAddress": "0x850001000"}'
	generation=$(printf %s "$body" | sed -n 's/.*"TopologyGeneration":\([0-9]*\).*/\1/p')
}

generation
before=$generation
kill -HUP "$pid"
for _ in $tries; do
	! grep -q 'topology was read again' "$scratch/err" || break
	sleep 0.1
done
grep -q 'topology was read again' "$scratch/err" || fail "SIGHUP: the topology was not read again"
request_as_is 200 GET "$system/Memory"
has '"Members@odata.count":4'
generation
[ "${generation:-0}" -gt "${before:-0}" ] ||
	fail "an answer after SIGHUP is of generation '$generation', the one before of '$before'"

stop
[ ! -e "$socket" ] || fail "the socket is left behind"

# The UUID of the service is the same after each start, and not the id of the machine.
uuid_of() { # HOST
	start "$1" --listen "unix:$socket"
	request_as_is 200 GET /redfish/v1/
	uuid=$(echo "$body" | sed -n 's/.*"UUID":"\([0-9a-f-]*\)".*/\1/p')
	request_as_is 200 GET /redfish/v1/Managers/Service
	has "\"ServiceEntryPointUUID\":\"$uuid\""
	stop
	echo "$uuid" | grep -qE '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' || fail "$1: UUID '$uuid'"
}
hosts_to_identify="zen5-doc plain-7.3"
[ ! -s /etc/machine-id ] || hosts_to_identify="$hosts_to_identify live"
known=
for name in $hosts_to_identify; do
	uuid_of "$name"
	before=$uuid
	uuid_of "$name"
	[ "$uuid" = "$before" ] || fail "$name: the UUID was $before and is $uuid"
	case $known in
	*"$uuid"*) fail "$name has the UUID of another host" ;;
	esac
	known="$known $uuid"
done
! tr -d - <<-EOF | grep -qiF "$(cat /etc/machine-id 2>/dev/null || echo none)" || fail "the machine id is shown"
	$known
EOF

# A socket that a crash left is replaced.
start zen5-doc --listen "unix:$socket"
kill -KILL "$pid"
wait "$pid" 2>/dev/null
pid=
[ -S "$socket" ] || fail "no socket is left by a kill"
start zen5-doc --listen "unix:$socket"
request_as_is 200 GET /redfish
stop INT
finish
