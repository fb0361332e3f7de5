#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A user who makes a subscription can change and remove it, and only administrators those of others.
. "${0%/*}/functions"
subscriptions=/redfish/v1/EventService/Subscriptions
json='Content-Type: application/json'
new='{"Destination":"http://127.0.0.1:9/","Protocol":"Redfish"}'

# as USER STATUS METHOD PATH [CURL-OPTION]...
as() {
	user=$1
	shift
	request_as_is "$@" --user "$user:password of $user"
}

start normalized-7.3 --listen "unix:$socket" --state "$scratch/state" --password-file "$scratch/password"
for user in one two; do
	post 201 /redfish/v1/AccountService/Accounts \
		"{\"UserName\":\"$user\",\"Password\":\"password of $user\",\"RoleId\":\"Operator\"}"
done
as one 201 POST "$subscriptions" -H "$json" -d "$new"
post 201 "$subscriptions" "$new"
as one 200 PATCH "$subscriptions/1" -H "$json" -d '{"Context":"x"}'
as one 204 POST "$subscriptions/1/Actions/EventDestination.SuspendSubscription"
as two 403 PATCH "$subscriptions/1" -H "$json" -d '{"Context":"x"}'
as two 403 DELETE "$subscriptions/1"
as one 403 DELETE "$subscriptions/2"
as one 403 POST "$subscriptions/2/Actions/EventDestination.SuspendSubscription"
stop

# After changes and a restart it has the same owner.
start normalized-7.3 --listen "unix:$socket" --state "$scratch/state" --password-file "$scratch/password"
as two 403 DELETE "$subscriptions/1"
as one 204 DELETE "$subscriptions/1"
request 204 DELETE "$subscriptions/2"
finish
