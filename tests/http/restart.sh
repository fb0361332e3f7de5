#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Manager.Reset ends the service in order, with the status after which its unit starts it again.
. "${0%/*}/functions"
manager=/redfish/v1/Managers/Service
reset=$manager/Actions/Manager.Reset
program=$daemon

# A process as systemd starts it: the notifications go nowhere.
cat >"$scratch/unit" <<EOF
#!/bin/sh
SYSTEMD_EXEC_PID=\$\$ NOTIFY_SOCKET=$scratch/nobody
export SYSTEMD_EXEC_PID NOTIFY_SOCKET
exec "$program" "\$@"
EOF
chmod 755 "$scratch/unit"
daemon=$scratch/unit
start_in_unit() {
	start zen5-doc --listen "unix:$socket" --listen http://127.0.0.1:0 --state "$scratch/state" \
		--password-file "$scratch/password"
}

# A unit that would not start it again does not offer it.
unset CXL_REDFISH_RESTART_STATUS
start_in_unit
request 200 GET "$manager"
lacks Manager.Reset
post 405 "$reset" '{"ResetType":"ForceRestart"}'
has NotChangeable
stop

unit=$srcdir/daemon/cxl-redfishd.service.in
restart_status=$(sed -n 's/^Environment=CXL_REDFISH_RESTART_STATUS=//p' "$unit")
for key in RestartForceExitStatus SuccessExitStatus; do
	grep -qx "$key=$restart_status" "$unit" || fail "$key of the unit is not $restart_status"
done
CXL_REDFISH_RESTART_STATUS=$restart_status
export CXL_REDFISH_RESTART_STATUS
start_in_unit
request 200 GET "$manager"
has '"#Manager.Reset"' '"ResetType@Redfish.AllowableValues":["ForceRestart","GracefulRestart"]'

# An account that may not configure the manager may not end it.
post 201 /redfish/v1/AccountService/Accounts \
	'{"UserName":"operator","Password":"operator-secret","RoleId":"Operator"}'
credentials=operator:operator-secret
post 403 "$reset" '{"ResetType":"ForceRestart"}'
credentials=admin:secret
request 200 GET "$manager"

curl -sN --user "$credentials" "$url/redfish/v1/EventService/SSE" >"$scratch/stream" 2>&1 &
stream=$!
for _ in $tries; do
	request 200 GET /redfish/v1/EventService/Subscriptions
	case $body in
	*'"Members@odata.count":1'*) break ;;
	esac
	sleep 0.1
done
has '"Members@odata.count":1'
post 204 "$reset" '{"ResetType":"ForceRestart"}'
ended=0
wait "$pid" || ended=$?
pid=
[ "$ended" = "$restart_status" ] || fail "the service ended with status $ended"
grep -q 'ending: a client asked for a restart' "$scratch/err" || fail "the journal has no reason"
! grep -q 'exiting while\|exiting without' "$scratch/err" || fail "it did not end in order"
ended=0
wait "$stream" || ended=$?
# 18 is a stream without its last chunk.
case $ended in
0 | 18 | 56) ;;
*) fail "the stream ended with status $ended of curl" ;;
esac
[ ! -e "$socket" ] || fail "the socket is left behind"

start_in_unit
request 200 GET "$manager/LogServices/Audit/Entries"
has "$reset"
finish
