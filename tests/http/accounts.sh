#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Accounts, roles and the policy of the AccountService: each kind of change and of error.
. "${0%/*}/functions"
needs_python

start zen5-doc --listen "unix:$socket" --listen http://127.0.0.1:0 --state "$scratch/state" \
	--password-file "$scratch/password"
python3 "$srcdir/tests/http/accounts.py" "$socket" "${url##*:}" >"$scratch/said" || fail "$(cat "$scratch/said")"
! grep -q "password 2\|long password\|new password" "$scratch/err" || fail "a password is in the log"
! grep -aq "long password" "$scratch"/state/* || fail "a password is in the state directory"
stop

# Accounts and their policy are kept.
start zen5-doc --listen "unix:$socket" --state "$scratch/state" --password-file "$scratch/password"
request 200 GET /redfish/v1/AccountService
has '"MinPasswordLength":12' '"AccountLockoutThreshold":2'
request_as_is 200 GET "$system" --user "reader:password"
request_as_is 403 DELETE /redfish/v1/AccountService/Accounts/1 --user "reader:password"
has InsufficientPrivilege
stop

# Without a state directory nothing can be kept: changes are refused, and the reason is given.
start zen5-doc --listen "unix:$socket" --password-file "$scratch/password"
json='Content-Type: application/json'
post 403 /redfish/v1/AccountService/Accounts '{"UserName":"x","Password":"password","RoleId":"Operator"}'
has AccountsNotWritable "--state DIRECTORY"
request 403 PATCH /redfish/v1/AccountService/Accounts/1 -H "$json" --data '{"Password":"password"}'
has AccountsNotWritable
request 403 PATCH /redfish/v1/AccountService -H "$json" -H 'If-Match: *' --data '{"MinPasswordLength":9}'
has AccountsNotWritable
request 403 PATCH /redfish/v1/SessionService -H "$json" --data '{"SessionTimeout":60}'
has AccountsNotWritable
request 403 DELETE /redfish/v1/AccountService/Accounts/1
has AccountsNotWritable
stop

# Without a first password, as after the installation: root creates the first account.
start zen5-doc --listen "unix:$socket" --listen http://127.0.0.1:0 --state "$scratch/empty"
grep -q "there is no account: until root creates one on unix:$socket" "$scratch/err" || fail "no warning: $(cat "$scratch/err")"
[ "$(curl -s -o /dev/null -w '%{http_code}' "$url$system")" = 401 ] || fail "served without a login"
[ "$(curl -s -o /dev/null -w '%{http_code}' -u admin: "$url$system")" = 401 ] || fail "an empty password is accepted"
post 201 /redfish/v1/AccountService/Accounts '{"UserName":"first","Password":"first password","RoleId":"Administrator"}'
[ "$(curl -s -o /dev/null -w '%{http_code}' -u "first:first password" "$url$system")" = 200 ] || fail "the first account"
stop
refused_start 1 "there is no account and no password" "--password-file" -- \
	--listen http://127.0.0.1:0 --state "$scratch/empty2" --host "$hosts/zen5-doc.tar.zst"
finish
