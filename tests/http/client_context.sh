#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A client reads the log by clientcontext: over a restart, by its account, and not as the user of the socket.
. "${0%/*}/functions"
log=$system/LogServices/CXL/Entries

# expect_next: the number of the entry that the next read begins with.
expect_next() {
	has '"@Redfish.ClientContext":"ticket 7"' '"@Redfish.ClientContextStatus":"Applied"'
	next=$(echo "$body" | sed -n 's/.*"@Redfish.NextEntry":"\([0-9]*\)".*/\1/p')
}

# first_id: the first entry of the page.
first_id() {
	echo "$body" | sed -n 's/.*"Members":\[{"@odata.id":"[^"]*\/\([0-9]*\)".*/\1/p'
}

start_with_log plain-7.3 --listen http://127.0.0.1:0 --password-file "$scratch/password"
case $body in
*'"Members@odata.count":0'*) skip "the daemon does not read the captured host's events" ;;
esac
request_as_is 200 GET /redfish/v1
has '"ClientContextQuery":true'
request 200 GET "$log?clientcontext=ticket%207&\$top=5"
expect_next
[ "$(first_id)" -eq 1 ] || fail "the first page begins with $(first_id)"
[ "$next" -eq 6 ] || fail "a page of 5 leads to $next"
has "\"Members@odata.nextLink\":\"$log?clientcontext=ticket%207&\$top=5\""
request 200 HEAD "$log?clientcontext=ticket%207"
stop

start plain-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 --state "$scratch/log" --password-file "$scratch/password"
request 200 GET "$log?clientcontext=ticket%207&\$top=1"
[ "$(first_id)" -eq "$next" ] || fail "after a restart the page begins with $(first_id), not with $next"
expect_next
# The user of the socket has no account.
request_as_is 200 GET "$log?clientcontext=ticket%207&\$top=1"
has '"@Redfish.ClientContextStatus":"Unsupported"'
[ "$(first_id)" -eq 1 ] || fail "without an account the page begins with $(first_id)"
request 200 GET "$system/Memory?clientcontext=a"
has '"@Redfish.ClientContextStatus":"Unsupported"'
request 400 GET "$log?clientcontext=a&\$skip=1"
has QueryCombinationInvalid
request 400 GET "$log?clientcontext="
stop
finish
