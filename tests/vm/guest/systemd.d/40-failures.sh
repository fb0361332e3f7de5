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

pid=$(main_pid $service)
systemctl stop $helper_socket $helper
sleep 2
same "without its helper the service goes on" 200 "$(status_of Systems/Host/Memory)"
same "it is the same process" "$pid" "$(main_pid $service)"
check "and says so in its log" wait_for 50 sh -c "journalctl --no-pager -u $service | grep -q helper"
systemctl start $helper_socket
helper_is_back() {
	[ "$(systemctl is-active $helper)" = active ]
}
check "it is connected to again when it is back" wait_for 400 helper_is_back
same "still the same process" "$pid" "$(main_pid $service)"

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
check "a service that hangs is restarted by the watchdog" wait_for 400 restarted

systemctl stop $service
same "it stops" inactive "$(systemctl is-active $service)"
same "the socket is gone" no "$([ -e $socket ] && echo yes || echo no)"
systemctl start $service
check "and starts again with its log" sh -c "
	curl -s --max-time 20 --unix-socket $socket $root/Systems/Host/LogServices/CXL/Entries | grep -q SystemPhysicalAddress"
journalctl --no-pager >"$RESULTS/journal.txt" 2>&1
systemctl list-units --failed --no-pager >"$RESULTS/failed.txt"
same "no unit has failed" 0 "$(systemctl list-units --failed --no-legend | wc -l)"
