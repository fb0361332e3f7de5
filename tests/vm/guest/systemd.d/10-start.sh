# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The units as they are installed: the service starts, with its helper, and root is served.
# shellcheck source=/dev/null
. /lib/vm/lib.sh
# shellcheck source=/dev/null
. /lib/vm/units.sh

check "cxl_prm loads" load_cxl_prm
check "the users are made" systemd-sysusers
udevadm control --reload
udevadm trigger --subsystem-match=cxl --subsystem-match=misc --action=change
udevadm settle --timeout=30
same "the device nodes have the group of the helper's user" 4 \
	"$(find /dev/cxl -name 'mem*' -group cxl -perm 0660 | wc -l)"

# Without a password file there is no password, and the peers of the Unix socket need none.
check "without a password file the service starts" systemctl start $service
systemctl status --no-pager --full $service $helper >"$RESULTS/status.txt" 2>&1
same "it is active" active "$(systemctl is-active $service)"
same "its helper, too" active "$(systemctl is-active $helper)"
same "root is served on the Unix socket without a password" 200 "$(status_of Systems/Host/Memory)"
same "there are four devices" 4 "$(get Systems/Host/Memory | grep -o '"@odata.id":"[^"]*/Memory/cxl-' | wc -l)"
identified() {
	[ "$(journalctl --no-pager --unit $service | grep -c 'mem[0-3]: Identify Memory Device')" -ge 4 ]
}
check "their mailboxes are read through the helper" wait_for identified
same "no client is served on the loopback interface" "401 401" \
	"$(tcp_status_of '' Systems/Host/Memory) $(tcp_status_of admin: Systems/Host/Memory)"
same "the service holds no capability" "0000000000000000 0000000000000000 1 2" \
	"$(process_facts "$(main_pid $service)")"
same "the service is not root" cxl-redfish "$(stat -c %U "/proc/$(main_pid $service)")"
same "nor is the helper" cxl-redfish-helper "$(stat -c %U "/proc/$(main_pid $helper)")"
# CAP_SYS_ADMIN, CAP_SYS_PTRACE and CAP_SYSLOG are effective for single requests only.
same "which may read every file, and nothing else" "0000000000000004 0000000400280004 1 2" \
	"$(process_facts "$(main_pid $helper)")"
same "the service has no device open but null" "/dev/null" \
	"$(open_devices "$(main_pid $service)")"

# The password is the unit's credential.
mkdir -p /etc/cxl-redfish
(umask 077 && echo vm-password >/etc/cxl-redfish/password)
check "with a password file it starts" systemctl restart $service
same "the password is accepted on the loopback interface" 200 "$(tcp_status_of admin:vm-password Systems/Host/Memory)"
same "and another one is not" 401 "$(tcp_status_of admin:other-password Systems/Host/Memory)"
check "it is in no environment and no argument" sh -c "
	! grep -qa vm-password /proc/$(main_pid $service)/environ /proc/$(main_pid $service)/cmdline"
curl -s --max-time 60 -D "$RESULTS/session.txt" -o /dev/null -H 'Content-Type: application/json' \
	-d '{"UserName": "admin", "Password": "vm-password"}' http://127.0.0.1:8000/redfish/v1/SessionService/Sessions
token=$(sed -n 's/^X-Auth-Token: \([0-9A-Za-z]*\).*/\1/p' "$RESULTS/session.txt")
same "a session is served" 200 "$(curl -s --max-time 20 -o /dev/null -w '%{http_code}' \
	-H "X-Auth-Token: $token" http://127.0.0.1:8000/redfish/v1/Systems/Host/Memory)"
sed -i '/^X-Auth-Token/d' "$RESULTS/session.txt"
figure "RSS of the service in KiB" "$(rss "$(main_pid $service)")"
figure "RSS of the helper in KiB" "$(rss "$(main_pid $helper)")"
