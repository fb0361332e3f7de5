#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Passwords that are guessed, accounts that are kept, and state databases that cannot be read.
own_network=yes
. "${0%/*}/functions"
state=$scratch/state
systems=/redfish/v1/Systems

start_state() {
	start normalized-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 --state "$state" "$@"
}

said() {
	n=$(grep -cF -- "$1" "$scratch/err") || :
	[ "$n" -eq 1 ] || fail "'$1' is $n times in: $(cat "$scratch/err")"
}

# The first password makes the account; another file changes nothing, and the log says so.
start_state --password-file "$scratch/password"
said "created the account 'admin'"
request_by_tcp 200 GET "$systems" --user admin:secret
stop
printf 'another\n' >"$scratch/another"
chmod 600 "$scratch/another"
start_state --password-file "$scratch/another"
said 'was the first one only'
request_by_tcp 200 GET "$systems" --user admin:secret
request_by_tcp 401 GET "$systems" --user admin:another --interface 192.0.2.9

# Failures lock out the address that makes them, and no other one.
# On a busy machine the first pauses are over before the next guess.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	request_by_tcp 401 GET "$systems" --user admin:guess --interface 192.0.2.2
	case $head in
	*Retry-After*) break ;;
	esac
done
case $head in
*Retry-After*) ;;
*) fail "no pause after failed logins: $head" ;;
esac
# The pauses are short. After this, two failures lock for longer than this test takes on any machine.
request_by_tcp 200 PATCH /redfish/v1/AccountService --user admin:secret -H 'If-Match: *' -H 'Content-Type: application/json' -d \
	'{"AccountLockoutThreshold":2,"AccountLockoutDuration":86400,"AccountLockoutCounterResetAfter":86400}'
for _ in $tries; do
	request_by_tcp 401 GET "$systems" --user admin:guess --interface 192.0.2.2
	case $head in
	*'Retry-After: 8'????*) break ;;
	esac
	sleep 0.1
done
request_by_tcp 401 GET "$systems" --user admin:secret --interface 192.0.2.2
request_by_tcp 200 GET "$systems" --user admin:secret
request_by_tcp 200 GET "$systems" --user admin:secret --interface 192.0.2.7
said 'a login failed, from 192.0.2.9'

# Each process of this machine can use all loopback addresses: they are one.
for n in 1 2 3 4 5 6 7 8; do
	request_by_tcp 401 GET "$systems" --user ops:guess --interface "127.0.0.$((n + 1))"
	case $head in
	*Retry-After*) break ;;
	esac
done
case $head in
*Retry-After*) ;;
*) fail "guesses from several loopback addresses are not counted together: $head" ;;
esac
request_by_tcp 401 GET "$systems" --user ops:guess --interface 192.0.2.3
no_header Retry-After

# Names that no account has lock none that exists.
for n in $(seq 60); do
	request_by_tcp 401 GET "$systems" --user "invented$n:guess"
done
request_by_tcp 200 GET "$systems" --user admin:secret

# Clients on the loopback interface are told apart by their users.
as_user() {
	setpriv --reuid "$1" --regid "$1" --clear-groups -- \
		curl -s -o /dev/null --max-time 180 -w '%{http_code}' --user "$2" "$url$systems"
}
if [ "$(as_user 65533 admin:secret 2>/dev/null)" = 200 ]; then
	for _ in 1 2 3 4 5 6; do
		[ "$(as_user 65534 admin:guess)" = 401 ] || fail "a guess is not answered with 401"
	done
	[ "$(as_user 65534 admin:secret)" = 401 ] || fail "the user who guesses is not locked out"
	[ "$(as_user 65533 admin:secret)" = 200 ] || fail "another user is locked out with the one who guesses"
else
	echo "programs cannot be run as other users here"
fi

# Requests that are known do not wait for passwords that are being checked.
for n in $(seq 40); do
	for host in 11 12 13 14 15; do
		curl -s -o /dev/null --max-time 180 --user "user$n:guess" --interface "192.0.2.$host" "$url$systems" &
		echo $!
	done
done >"$scratch/guesses"
for _ in 1 2 3 4 5 6 7 8 9 10; do
	request_by_tcp 200 GET "$systems" --user admin:secret
done
left=0
while read -r guess; do
	! kill -0 "$guess" 2>/dev/null || left=$((left + 1))
done <"$scratch/guesses"
echo "$left of 200 guesses were not answered when ten known requests were"
for guess in $(cat "$scratch/guesses"); do
	while kill -0 "$guess" 2>/dev/null; do sleep 0.1; done
done
request_by_tcp 200 GET "$systems" --user admin:secret
stop

# The accounts need no password file. The end does not wait for passwords that are being checked.
start_state
for n in 1 2 3 4 5 6 7 8; do
	for host in 21 22 23 24 25 26; do
		curl -s -o /dev/null --max-time 180 --user "user$n:guess" --interface "192.0.2.$host" "$url$systems" &
	done
done
stop
wait
start_state
request_by_tcp 200 GET "$systems" --user admin:secret

# A database that is removed while it is in use: its accounts stay.
mv "$state/state.db" "$scratch/kept.db"
request_by_tcp 200 GET "$systems" --user admin:secret --interface 192.0.2.8
stop
rm -f "$state"/state.db*
mv "$scratch/kept.db" "$state/state.db"

# A state database that cannot be read at the start: no password is accepted, not even the one of the file; root and
# the service's own user still get in.
cp "$state/state.db" "$scratch/kept.db"
head -c 8192 /dev/urandom >"$state/state.db"
start_state --password-file "$scratch/password"
grep -q 'the state database cannot be used.*restore the file' "$scratch/err" ||
	fail "the log does not name the database: $(cat "$scratch/err")"
request_by_tcp 503 GET "$systems" --user admin:secret
header 'Retry-After: 1'
request_by_tcp 401 GET "$systems"
request_as_is 200 GET "$systems"
# It is restored while the service runs.
cp "$scratch/kept.db" "$scratch/new.db"
mv "$scratch/new.db" "$state/state.db"
for _ in $tries; do
	[ "$(curl -s -o /dev/null -w '%{http_code}' --user admin:secret "$url$systems")" = 503 ] || break
	sleep 0.1
done
request_by_tcp 200 GET "$systems" --user admin:secret
stop

# Without a state directory the file is the password, and one that vanishes changes nothing.
start normalized-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 --password-file "$scratch/another"
reread() { # TEXT: SIGHUP, until the log has it
	kill -HUP "$pid"
	for _ in $tries; do
		! grep -q "$1" "$scratch/err" || return 0
		sleep 0.1
	done
	fail "SIGHUP: no '$1' in: $(cat "$scratch/err")"
}
request_by_tcp 200 GET "$systems" --user admin:another
printf 'a third one\n' >"$scratch/another"
reread 'the configuration was reloaded'
request_by_tcp 200 GET "$systems" --user 'admin:a third one'
request_by_tcp 401 GET "$systems" --user admin:another
rm "$scratch/another"
reread 'the configuration remains as it was: cannot read the password file'
request_by_tcp 200 GET "$systems" --user 'admin:a third one'
stop

# Without an account and without a password there is no listener on a network.
refused_start 1 'there is no account' '--password-file' -- --host "$hosts/normalized-7.3.tar.zst" \
	--listen http://127.0.0.1:0 --state "$scratch/empty"
finish
