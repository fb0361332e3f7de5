#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Logins by session: what begins and ends one, and the limits.
. "${0%/*}/functions"
needs_python

start zen5-doc --listen "unix:$socket" --state "$scratch/state" --password-file "$scratch/password"
python3 "$srcdir/tests/http/sessions.py" "$socket" >"$scratch/said" || fail "$(cat "$scratch/said")"

# A token is nowhere to be seen, and is not kept.
request_as_is 201 POST /redfish/v1/SessionService/Sessions -H 'Content-Type: application/json' \
	--data '{"UserName":"admin","Password":"secret"}'
token=$(echo "$head" | sed -n 's/^X-Auth-Token: //p')
request_as_is 200 GET "$system" -H "X-Auth-Token: $token"
stop
! grep -aqr "$token" "$scratch/state" "$scratch/err" || fail "a token is in a file"

# The timeout outlives a restart, sessions do not.
start zen5-doc --listen "unix:$socket" --state "$scratch/state" --password-file "$scratch/password"
request_as_is 401 GET "$system" -H "X-Auth-Token: $token"
request 200 GET /redfish/v1/SessionService
has '"SessionTimeout":600' '"ServiceEnabled":true'
finish
