# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The service as an ordinary user: with a helper that was started with privileges it has the switch, and without
# one it says why it has none.
# shellcheck source=/dev/null
. /lib/vm/switch.sh
needs_program cxl-redfish-switch-helper
[ -x /usr/bin/setpriv ] || exit 0

user=1000
mkdir -p /run/user-socket
chown $user /run/user-socket
socket=/run/user-socket/redfish

mailbox_ports() {
	value "$fabric/Switches/$switch" .Oem.CXLHost.Mailbox.PhysicalPorts
}

# start_as_user LOG OPTION...: options of setpriv. Sets $redfishd.
start_as_user() {
	local log=$1 tenths=0
	shift
	/usr/bin/setpriv --reuid $user --regid $user --clear-groups "$@" cxl-redfishd --listen "unix:$socket" \
		--poll 1 --switch-mailbox=auto >"$log" 2>&1 &
	redfishd=$!
	while ! grep -qs "^listening on" "$log" && [ $tenths -lt 1800 ]; do
		sleep 0.1
		tenths=$((tenths + 1))
	done
}

needed=+dac_read_search,+dac_override,+sys_admin
start_as_user "$work/user.log" --inh-caps $needed --ambient-caps $needed
same "the service has an ordinary user and no privileges" "$user 0000000000000000 0000000000000000" \
	"$(awk '$1 == "Uid:" { user = $2 } $1 == "CapPrm:" || $1 == "CapEff:" { caps = caps " " $2 }
		END { print user caps }' "/proc/$redfishd/status")"
becomes "its helper reads the mailbox" 5 mailbox_ports
stop_redfishd "$socket"

start_as_user "$work/alone.log"
same "without a helper there is no mailbox" null "$(mailbox_ports)"
contains "the reason is in the log" "cxl-redfish-switch-helper" "$work/alone.log"
stop_redfishd "$socket"
