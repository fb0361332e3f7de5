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
# The socket's mode is the login here.
request_as_is 200 GET "$system"

# The first one goes on when a second one wants its socket.
refused_start 1 "in use" -- --host "$zen5" --listen "unix:$socket"
request_as_is 200 GET "$system"

kill -HUP "$pid"
for _ in $(seq 50); do
	! grep -q 'read again' "$scratch/err" || break
	sleep 0.1
done
grep -q 'read again' "$scratch/err" || fail "SIGHUP: the topology was not read again"
request_as_is 200 GET "$system/Memory"
has '"Members@odata.count":4'

stop
[ ! -e "$socket" ] || fail "the socket is left behind"

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
