#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The service's log: what happened to it and what clients changed, each line with its priority
# under systemd.
. "${0%/*}/functions"
subscriptions=/redfish/v1/EventService/Subscriptions
login=/redfish/v1/Systems

# said TEXT: the log has a line with this text, and says it once.
said() {
	n=$(grep -cF -- "$1" "$scratch/err") || :
	[ "$n" -eq 1 ] || fail "'$1' is $n times in: $(cat "$scratch/err")"
}

JOURNAL_STREAM=8:1
export JOURNAL_STREAM
: >"$scratch/out"
"$daemon" --host "$hosts/normalized-7.3.tar.zst" --listen "unix:$socket" --listen http://127.0.0.1:0 \
	--push-allow 127.0.0.0/8 --task-after 600 --metrics http://127.0.0.1:0 --state "$scratch/state" --password-file "$scratch/password" \
	>"$scratch/out" 2>"$scratch/err" &
pid=$!
for _ in $tries; do
	[ "$(grep -c 'listening on ' "$scratch/out")" -lt 2 ] || break
	sleep 0.1
done

# A request without login is none; of many failed ones the first is logged, and the others counted.
url=$(sed -n 's/^<6>listening on \(http:.*\)/\1/p' "$scratch/out")
request_by_tcp 401 GET "$login"
! grep -q 'login' "$scratch/err" || fail "a request without login was logged: $(cat "$scratch/err")"
for _ in 1 2 3 4 5; do
	status=$(curl -s -o /dev/null -w '%{http_code}' --user admin:wrong-word "$url$login")
	[ "$status" -eq 401 ] || fail "a wrong password: status $status"
done
said 'a login failed, from 127.0.0.1'
! grep -q wrong-word "$scratch/err" || fail "a password is in the log"

post 201 "$subscriptions" '{"Destination":"http://127.0.0.1:9/","Protocol":"Redfish"}'
said 'subscription 1 was created for http://127.0.0.1:9/'
request 200 PATCH "$subscriptions/1" -H 'Content-Type: application/json' --data-binary '{"Context":"x"}'
said 'subscription 1 was changed'
post 204 "$subscriptions/1/Actions/EventDestination.SuspendSubscription" '{}'
said 'subscription 1 was suspended'
request 204 DELETE "$subscriptions/1"
said 'subscription 1 was removed'
request 204 POST "$system/LogServices/CXL/Actions/LogService.ClearLog"
said 'the log of all events was cleared by admin'
stop
said "version "
said 'ending: Terminated was received from process'
said '<6>ended'
! grep -v '^<[0-7]>' "$scratch/err" "$scratch/out" || fail "a line has no priority"

# Wrong usage, too.
"$daemon" --nonsense >"$scratch/out" 2>"$scratch/err" && fail "--nonsense was accepted"
! grep -v '^<3>' "$scratch/err" || fail "a line has no priority"
finish
