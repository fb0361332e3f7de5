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
mkdir -p /etc/cxl-redfish
(umask 077 && echo vm-password >/etc/cxl-redfish/password)
check "the service starts" systemctl start $service
systemctl status --no-pager --full $service $helper >"$RESULTS/status.txt" 2>&1
same "it is active" active "$(systemctl is-active $service)"
same "its helper, too, which its socket started" active "$(systemctl is-active $helper)"
same "root is served on the Unix socket without a password" 200 "$(status_of Systems/Host/Memory)"
same "the service holds no capability" "0000000000000000 0000000000000000 1 2" \
	"$(process_facts "$(main_pid $service)")"
same "the service is not root" cxl-redfish "$(stat -c %U "/proc/$(main_pid $service)")"
same "there are four devices" 4 "$(get Systems/Host/Memory | grep -o '"@odata.id":"[^"]*/Memory/cxl-' | wc -l)"
figure "RSS of the service in KiB" "$(rss "$(main_pid $service)")"
figure "RSS of the helper in KiB" "$(rss "$(main_pid $helper)")"
