# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The mailbox of a switch by the units: nothing is opened unless it is configured, then the helper serves it
# from its sandbox; a helper that is killed or away; what is allowed, after a reload.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

mailbox=$(mailbox_function)
switch=Fabrics/CXL/Switches/switch-0000000000005a17 # sn= of the machine
configure() {
	printf '%s\n' "listen = unix:$socket" "poll = 1" "$@" >$configuration
}

# opened: files of sysfs and devices that the helper has open or mapped, in one line.
opened() {
	local pid
	pid=$(main_pid $switch_helper)
	{
		for fd in "/proc/$pid/fd"/*; do
			readlink "$fd"
		done
		awk '{ print $6 }' "/proc/$pid/maps"
	} | grep -E '^/(sys|dev)/' | grep -vx /dev/null | xargs -r -n 1 basename | sort -u | xargs
}

logged() { # UNIT TEXT
	journalctl --sync
	journalctl --no-pager --unit "$1" | grep -qF -- "$2"
}

# ---- without the key ----
check "without switch-mailbox the socket is there" systemctl is-active $switch_helper_socket
same "and the switch's helper is not started" inactive "$(systemctl is-active $switch_helper)"
same "the switch is not shown" 404 "$(status_of "$switch")"
same "the socket has the service's group" "660 root cxl-redfish" \
	"$(stat -c '%a %U %G' /run/cxl-redfish-switch-helper/socket)"
# Another process of the service's user, that was started with the option.
mkdir -p /run/by-hand
chown cxl-redfish /run/by-hand
/usr/bin/setpriv --reuid cxl-redfish --regid cxl-redfish --clear-groups cxl-redfishd --poll 1 --switch-mailbox=auto \
	--listen unix:/run/by-hand/socket >"$RESULTS/by-hand.txt" 2>&1 &
by_hand=$!
by_hand_serves() {
	[ "$(curl -s -o /dev/null -w '%{http_code}' --unix-socket /run/by-hand/socket $root/)" = 200 ]
}
check "another process asks the helper by the socket" wait_for by_hand_serves
check "which starts it" wait_for systemctl is-active $switch_helper
check "it says that nothing is configured" wait_for logged $switch_helper "no switch is used"
same "so there is no switch" 404 \
	"$(curl -s -o /dev/null -w '%{http_code}' --unix-socket /run/by-hand/socket "$root/$switch")"
kill $by_hand
wait $by_hand
same "nothing was opened for it" "" "$(opened)"
systemctl stop $switch_helper

# ---- with it ----
identity() {
	get "$switch" | jq -r '[.SerialNumber, .Oem.CXLHost.Mailbox.VendorId, .Oem.CXLHost.Mailbox.PhysicalPorts] | join(" ")'
}
has_switch() {
	[ "$(identity)" = "0000000000005a17 0x19e5 5" ]
}
configure "switch-mailbox = auto"
check "with switch-mailbox the service starts" systemctl restart $service
pid=$(main_pid $service)
wait_for has_switch
same "the switch has its identity" "0000000000005a17 0x19e5 5" "$(identity)"
port_lines() {
	get "$switch/Ports?\$expand=*" | jq -r '.Members[] | [.Oem.CXLHost.Mailbox.PortId, .PortType, .LinkStatus,
		.CurrentSpeedGbps, .ActiveWidth] | map(if . == null then "-" else tostring end) | join(" ")' | sort -n
}
port_lines >"$RESULTS/ports.txt"
printf '%s\n' "0 UpstreamPort LinkUp 256 8" "1 DownstreamPort LinkDown - -" "2 DownstreamPort LinkDown - -" \
	"3 DownstreamPort LinkDown - -" "4 DownstreamPort LinkDown - -" >"$RESULTS/ports-expected.txt"
check "its ports have the state of the machine" same_lines "$RESULTS/ports-expected.txt" "$RESULTS/ports.txt"
same "its helper has the registers mapped, and configuration space open" "config resource0" "$(opened)"
same "the helper is not root" cxl-redfish-switch-helper "$(stat -c %U "/proc/$(main_pid $switch_helper)")"
same "no capability of it is effective, and it keeps two" "0000000000000000 0000000000200002 1 2" \
	"$(process_facts "$(main_pid $switch_helper)")"
same "the service has no device open but null" /dev/null "$(open_devices "$pid")"
figure "RSS of the switch's helper in KiB" "$(rss "$(main_pid $switch_helper)")"

# ---- what is allowed ----
# actions: those of a port.
actions() {
	get "$switch/Ports/P1" | jq -r '.Actions // {} | keys | join(" ")'
}
allowed() {
	[ -n "$(actions)" ]
}
not_allowed() {
	[ -z "$(actions)" ]
}
# reset_port FILE: what the reset of a port is answered with.
reset_port() {
	curl -s --max-time 60 -w '\n%{http_code}\n' --unix-socket $socket -H 'Content-Type: application/json' \
		-H 'If-Match: *' -d '{"ResetType": "ForceRestart"}' "$root/$switch/Ports/P1/Actions/Port.Reset" >"$1"
}
helper_pid=$(main_pid $switch_helper)
same "without allow no change is offered" "" "$(actions)"
reset_port "$RESULTS/reset-refused.txt"
contains "and a change is refused with the reason" "(--allow=fabric)" "$RESULTS/reset-refused.txt"
configure "switch-mailbox = auto" "allow = fabric"
check "a configuration with allow is loaded" systemctl reload $service
check "then changes are offered" wait_for allowed
check "the helper has read it, too" logged $switch_helper "changes are allowed"
reset_port "$RESULTS/reset-allowed.txt"
# It may take long enough to be a task.
task=$(sed -n 's,.*"@odata.id":"/redfish/v1/\(TaskService/Tasks/[0-9]*\)".*,\1,p' "$RESULTS/reset-allowed.txt")
answered() {
	[ -z "$task" ] || get "$task" >"$RESULTS/reset-allowed.txt"
	! grep -q '"TaskState":"Running"' "$RESULTS/reset-allowed.txt"
}
wait_for answered
contains "the command of a change reaches the switch, which does not know it" "(5102h): Unsupported" \
	"$RESULTS/reset-allowed.txt"
configure "switch-mailbox = auto"
check "a configuration without allow is loaded" systemctl reload $service
check "then no change is offered" wait_for not_allowed
reset_port "$RESULTS/reset-refused-again.txt"
contains "and a change is refused again" "(--allow=fabric)" "$RESULTS/reset-refused-again.txt"
same "both are the same processes" "$pid $helper_pid" "$(main_pid $service) $(main_pid $switch_helper)"
check "the switch is still served" has_switch

# ---- a helper that is killed or away ----
kill -KILL "$helper_pid"
is_back() {
	[ "$(systemctl is-active $switch_helper)" = active ] && [ "$(main_pid $switch_helper)" != "$helper_pid" ] &&
		has_switch
}
check "a helper that was killed is started again, and used" wait_for is_back
systemctl stop $switch_helper_socket $switch_helper
unreadable() {
	get "$switch" >"$RESULTS/switch-without-helper.json"
	grep -q 'cxl-redfish-switch-helper is not there' "$RESULTS/switch-without-helper.json"
}
check "without its helper the switch says so" wait_for unreadable
same "as a warning" Warning "$(jq -r .Status.Health "$RESULTS/switch-without-helper.json")"
check "the service says so in its log" wait_for logged $service "cxl-redfish-switch-helper is not there"
same "and goes on" "200 $pid" "$(status_of Systems/Host/Memory) $(main_pid $service)"
systemctl start $switch_helper_socket
check "the helper is started by its socket, and the switch is read again" wait_for is_back
same "still the same process" "$pid" "$(main_pid $service)"

rm $configuration
systemctl restart $service
same "without the key the switch is gone" 404 "$(status_of "$switch")"
