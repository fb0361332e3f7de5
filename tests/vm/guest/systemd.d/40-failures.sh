# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A helper that is away, a service that hangs, a reload: each ends with everything as before.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

serves() {
	[ "$(status_of Systems/Host/Memory)" = 200 ]
}

devices=$RESULTS/devices.txt
bdf=$(awk '$1 == "0xabc0" { print $2 }' "$devices")
right=$(echo "$bdf 0x4c0" | rule plain spa "$devices" | awk '{ print $3 }')
memory=Systems/Host/Memory/cxl-000000000000abc0

# translated TEXT: whether the answer for a DPA contains it.
translated() {
	curl -s --max-time 20 --unix-socket $socket -H 'Content-Type: application/json' \
		-d '{"DevicePhysicalAddress": "0x4c0"}' "$root/$memory/Actions/Oem/CXLHostMemory.TranslateDPA" |
		grep -qF "$1"
}

pid=$(main_pid $service)
check "with its helper an address is exact" translated "\"SystemPhysicalAddress\":\"$right\""
# A helper that ends by itself, or is killed, is started again.
kill -KILL "$(main_pid $helper)"
helper_is_back() {
	[ "$(systemctl is-active $helper)" = active ] && translated "\"SystemPhysicalAddress\":\"$right\""
}
check "a helper that was killed is started again, and used" wait_for helper_is_back

systemctl stop $helper_socket $helper
same "without its helper the service goes on" 200 "$(status_of $memory)"
same "it is the same process" "$pid" "$(main_pid $service)"
says_so() {
	journalctl --no-pager --unit $service | grep -q 'cxl-redfish-helper cannot be used: '
}
check "it says so in its log" wait_for says_so
check "and in the answer for an address, which is an interval" wait_for translated '"Exact":false'
get $memory >"$RESULTS/memory-without-helper.json"
contains "and in the state of firmware's handler" '"State":"no-permission"' "$RESULTS/memory-without-helper.json"
manager_names_it() {
	get Managers/Service >"$RESULTS/manager-without-helper.json"
	grep -q '"MessageId":"CXLHost[^"]*\.HelperUnavailable"' "$RESULTS/manager-without-helper.json"
}
check "and in a condition of the manager" wait_for manager_names_it
# The socket alone: the service's connection starts the helper.
systemctl start $helper_socket
check "the helper is started by its socket, and addresses are exact again" wait_for helper_is_back
same "still the same process" "$pid" "$(main_pid $service)"
# The data of the mailbox.
has_mailbox() {
	get $memory >"$RESULTS/memory.json"
	grep -q '"PoisonListMaxMediaErrorRecords":256' "$RESULTS/memory.json"
}
check "its readings of the mailbox are there again" wait_for has_mailbox

check "the service is reloaded" systemctl reload $service
same "in the same process" "$pid" "$(main_pid $service)"

mkdir -p /run/systemd/system/$service.d
printf '[Service]\nWatchdogSec=5\n' >/run/systemd/system/$service.d/watchdog.conf
systemctl daemon-reload
systemctl restart $service
pid=$(main_pid $service)
kill -STOP "$pid"
restarted() {
	[ "$(main_pid $service)" != "$pid" ] && serves
}
check "a service that hangs is restarted by the watchdog" wait_for restarted

systemctl stop $service
same "it stops" inactive "$(systemctl is-active $service)"
same "the socket is gone" no "$([ -e $socket ] && echo yes || echo no)"
systemctl start $service
has_entries() {
	get Systems/Host/LogServices/CXL/Entries | grep -q SystemPhysicalAddress
}
check "and starts again with its log" wait_for has_entries
journalctl --no-pager >"$RESULTS/journal.txt" 2>&1
systemctl list-units --failed --no-pager >"$RESULTS/failed.txt"
same "no unit has failed" 0 "$(systemctl list-units --failed --no-legend | wc -l)"
