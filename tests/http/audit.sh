#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# The audit log: who did what, from where, with which result; never a secret; over restarts, on a
# full disk and with a damaged database.
. "${0%/*}/functions"
audit=/redfish/v1/Managers/Service/LogServices/Audit
subscriptions=/redfish/v1/EventService/Subscriptions
json='Content-Type: application/json'
here="uid $(id -u)"

# entries WORD...: reads all entries into $body, which each word is in: a slow disk has the newest ones later.
entries() {
	for _ in $tries; do
		request 200 GET "$audit/Entries?\$top=1000"
		for word; do
			case $body in
			*"$word"*) ;;
			*) sleep 0.1 && continue 2 ;;
			esac
		done
		break
	done
	has "$@"
}

start normalized-7.3 --listen "unix:$socket" --listen http://127.0.0.1:0 --password-file "$scratch/password" \
	--state "$scratch/state"

# It is found from the manager, and is not for clients without login.
request 200 GET /redfish/v1/Managers/Service
has '"LogServices":{"@odata.id":"/redfish/v1/Managers/Service/LogServices"}'
request 200 GET /redfish/v1/Managers/Service/LogServices
has "$audit"
request 200 GET "$audit"
has '"OverWritePolicy":"WrapsWhenFull"' '"MaxNumberOfRecords":10000' '"Persistency":true' '"Health":"OK"'
[ "$(curl -s -o /dev/null -w "%{http_code}" "$url$audit/Entries")" = 401 ] || fail "the entries are shown without login"

# Changes with their results; a read and a translation are none.
post 201 "$subscriptions" '{"Destination":"http://127.0.0.1:9/","Protocol":"Redfish","Context":"body-secret"}'
request 401 PATCH "$subscriptions/1" -H "$json" -H "X-Auth-Token: token-secret" -d '{"Context":"x"}'
request 200 PATCH "$subscriptions/1" -H "$json" -d '{"Context":"body-secret-2"}'
request 400 PATCH "$subscriptions/1" -H "$json" -d '{"hidden-name":"x"}'
request 204 DELETE "$subscriptions/1"
request 404 DELETE "$subscriptions/9"
request 405 DELETE "$system"
request 400 DELETE "$subscriptions/%0aaudit:%20forged%22"
post 200 "$system/Memory/cxl-000000000000abc0/Actions/Oem/CXLHostMemory.TranslateDPA" '{"DevicePhysicalAddress":"0x0"}'
entries "%0Aaudit:%20forged%22"
has "POST of $subscriptions by admin from $here: 201 $subscriptions/1." \
	"PATCH of $subscriptions/1 by admin from $here: 200." \
	"PATCH of $subscriptions/1 by admin from $here was rejected: 400 Base.1.22.PropertyUnknown." \
	"DELETE of $subscriptions/1 by admin from $here: 204." \
	"DELETE of $system by admin from $here was rejected: 405 Base.1.22.OperationNotAllowed." \
	"%0Aaudit:%20forged%22" '"MessageId":"CXLHost.1.0.LoggedIn"' '"OriginatorType":"Client"' '"Username":"admin"' \
	"\"Links\":{\"OriginOfCondition\":{\"@odata.id\":\"$system\"}}" '"OriginOfConditionUnavailable":true'
lacks TranslateDPA body-secret token-secret hidden-name secret
[ "$(echo "$body" | grep -o CXLHost.1.0.LoggedIn | wc -l)" -eq 1 ] || fail "each request is a login: $body"

# A connection with the requests of several accounts has the login of each, once.
post 201 /redfish/v1/AccountService/Accounts '{"UserName":"other","Password":"password","RoleId":"ReadOnly"}'
curl -s -v --user admin:secret "$url$system" --next -s -v --user other:password "$url$system" \
	--next -s -v --user admin:secret "$url$system" --next -s -v --user other:password "$url$system" \
	>/dev/null 2>"$scratch/curl"
[ "$(grep -c 'Re-using existing connection' "$scratch/curl")" -eq 3 ] || fail "several connections: $(cat "$scratch/curl")"
entries '"MessageArgs":["other","127.0.0.1"'
for user in admin other; do
	[ "$(echo "$body" | grep -o "\"MessageArgs\":\[\"$user\",\"127.0.0.1\"" | wc -l)" -eq 1 ] ||
		fail "no login of $user on the connection, or several: $body"
done

# failures: the numbers of the records of $body about failed logins with a name of no account. One is made at once,
# then one a minute: there is a second one where six logins take longer.
failures() {
	echo "$body" | sed 's/"MessageArgs":\["-","127.0.0.1","/\n&/g' | sed -n 's/^"MessageArgs":\["-","127.0.0.1","\([0-9]*\)".*/\1/p'
}

# Failed logins are merged, and what was sent as a name is not kept.
for _ in 1 2 3 4 5 6; do
	curl -s -o /dev/null --user my-password:wrong "$url/redfish/v1/Systems"
done
entries '"MessageArgs":["-","127.0.0.1","1"]'
[ "$(failures | wc -l)" -lt 6 ] || fail "failed logins are not merged: $body"
lacks my-password

# The name of an account is known, by either means; and so is its lockout, for that address.
for _ in 1 2 3 4 5 6; do
	curl -s -o /dev/null -H "$json" -d '{"UserName":"admin","Password":"wrong"}' "$url/redfish/v1/SessionService/Sessions"
	curl -s -o /dev/null --user admin:wrong "$url/redfish/v1/Systems"
	sleep 1
done
entries '"MessageArgs":["admin","127.0.0.1","1"]'

# A session is no origin of a condition: another one may have its number after a restart.
request 201 POST /redfish/v1/SessionService/Sessions -H "$json" -d '{"UserName":"admin","Password":"secret"}'
request 204 DELETE /redfish/v1/SessionService/Sessions/1
entries 'DELETE of /redfish/v1/SessionService/Sessions/1 by admin'
lacks '"OriginOfCondition":{"@odata.id":"/redfish/v1/SessionService/Sessions/1"}'

# Reading the configuration again.
kill -HUP "$pid"
for _ in $tries; do
	entries
	case $body in
	*'configuration'*) break ;;
	esac
	sleep 0.1
done
has 'it is in force'

# The same in the service's log, one line each.
grep -q "audit: POST $subscriptions by admin from $here: 201 $subscriptions/1" "$scratch/err" ||
	fail "no line about the subscription in: $(cat "$scratch/err")"
grep -q 'audit: DELETE .*%0Aaudit:%20forged%22 by admin' "$scratch/err" || fail "no line of the forged request"
! grep -q '^audit: forged\|my-password\|body-secret\|token-secret' "$scratch/err" ||
	fail "a line is forged or has a secret: $(cat "$scratch/err")"

# Pages, and one entry.
request 200 GET "$audit/Entries?\$top=2"
next=$(echo "$body" | sed -n 's/.*"Members@odata.nextLink":"\([^"]*\)".*/\1/p')
[ "$next" = "$audit/Entries?\$skiptoken=2&\$top=2" ] || fail "the next page is '$next'"
request 200 GET "$next"
has "\"@odata.id\":\"$audit/Entries/3\"" "\"@odata.id\":\"$audit/Entries/4\""
request 200 GET "$audit/Entries?\$skip=1&\$top=1"
has "\"@odata.id\":\"$audit/Entries/2\""
request 200 GET "$audit/Entries/2"
has '"Id":"2"'

# A filter is for the whole log, and its pages have what it matches.
for _ in $(seq 60); do
	request 405 PATCH "$audit"
	request 404 DELETE /redfish/v1/nothing
done
for _ in $tries; do
	request 200 GET "$audit/Entries?\$filter=MessageArgs%20eq%20'/redfish/v1/nothing'"
	case $body in
	*'"Members@odata.count":60'*) break ;;
	esac
	sleep 0.1
done
has '"Members@odata.count":60'
lacks Members@odata.nextLink
request 200 GET "$audit/Entries?\$filter=MessageArgs%20eq%20'/redfish/v1/nothing'&\$top=20&\$skip=15&\$select=Message"
n=0 seen=0
while :; do
	n=$((n + 1))
	has '"Members@odata.count":60'
	lacks '"MessageArgs"'
	seen=$((seen + $(echo "$body" | grep -o '"Message":"' | wc -l)))
	next=$(echo "$body" | sed -n 's/.*"Members@odata.nextLink":"\([^"]*\)".*/\1/p')
	[ -n "$next" ] && [ "$n" -lt 9 ] || break
	request 200 GET "$next"
done
[ "$n $seen" = "3 45" ] || fail "$seen entries on $n pages"
request 200 GET "$audit/Entries?\$filter=Id%20eq%20'0'"
has '"Members":[]' '"Members@odata.count":0'
request 400 GET "$audit/Entries?\$filter=Id"
request 404 GET "$audit/Entries/02"
request 404 GET "$audit/Entries/9999"
request 405 DELETE "$audit/Entries/2"

# Kept over a restart, with the number of merged logins.
stop
start normalized-7.3 --listen "unix:$socket" --password-file "$scratch/password" --state "$scratch/state"
entries
[ "$(failures | awk '{ n += $1 } END { print n }')" = 6 ] || fail "not six failed logins: $body"
has "DELETE of $subscriptions/1 by admin from $here: 204."

# Clearing is recorded; numbers are not given twice.
request 428 POST "$audit/Actions/LogService.ClearLog" -H "$json" -d '{"LogEntriesETag":"\"0\""}'
request 400 POST "$audit/Actions/LogService.ClearLog" -H "$json" -d '{"x":1}'
request 204 POST "$audit/Actions/LogService.ClearLog" -H "$json" -d '{}'
entries "POST of $audit/Actions/LogService.ClearLog by admin from $here: 204."
has '"Members@odata.count":1'
lacks "\"Id\":\"1\""
stop

# A database that is damaged: changes go on, and the log says that it has no records.
printf 'this is no database, but it is longer than the header of one would be, by some bytes, so that it is read: %0200d' 0 \
	>"$scratch/state/state.db"
rm -f "$scratch/state/state.db-wal" "$scratch/state/state.db-shm"
start normalized-7.3 --listen "unix:$socket" --password-file "$scratch/password" --state "$scratch/state"
: >"$scratch/connected"
curl -sN -D "$scratch/connected" --unix-socket "$socket" \
	"http://x/redfish/v1/EventService/SSE?\$filter=ResourceType%20eq%20LogService" >"$scratch/stream" &
for _ in $tries; do # earlier events are not shown
	! grep -q '^HTTP/1.1 200' "$scratch/connected" || break
	sleep 0.1
done
request_as_is 204 POST "$system/LogServices/CXL/Actions/LogService.ClearLog"
for _ in $tries; do
	request_as_is 200 GET "$audit"
	case $body in
	*AuditLogUnavailable*) break ;;
	esac
	sleep 0.1
done
has '"Health":"Critical"' '"MessageId":"CXLHost.1.0.AuditLogUnavailable"'
for _ in $tries; do
	! grep -q "The health of resource '$audit' has changed to Critical" "$scratch/stream" || break
	sleep 0.1
done
grep -q "ResourceStatusChangedCritical" "$scratch/stream" || fail "subscribers are not told: $(cat "$scratch/stream")"
request_as_is 503 GET "$audit/Entries"
grep -q 'audit: POST .*LogService.ClearLog by -' "$scratch/err" || fail "the change is in no log"
grep -q 'audit records cannot be stored' "$scratch/err" || fail "the log does not say that records are not stored"
request_as_is 200 GET /redfish/v1/Managers/Service
has '"Health":"Critical"' '"MessageId":"CXLHost.1.0.StateUnavailable"' "$scratch/state/state.db"
stop

# Without a state directory: in memory, which it says.
start normalized-7.3 --listen "unix:$socket"
request_as_is 204 POST "$audit/Actions/LogService.ClearLog" -H "$json" -d '{}'
request_as_is 200 GET "$audit"
has '"Persistency":false' '"MaxNumberOfRecords":500' 'since the service was started'
request_as_is 200 GET "$audit/Entries"
has "POST of $audit/Actions/LogService.ClearLog by - from $here: 204."
grep -q 'the audit log is kept in memory only' "$scratch/err" || fail "the log does not say that it is kept in memory only"
finish
