# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for systemd.d/*.sh.
# shellcheck disable=SC2034 # for the tests
service=cxl-redfishd.service
helper=cxl-redfish-helper.service
helper_socket=cxl-redfish-helper.socket
switch_helper=cxl-redfish-switch-helper.service
switch_helper_socket=cxl-redfish-switch-helper.socket
change_helper=cxl-redfish-change-helper.service
change_helper_socket=cxl-redfish-change-helper.socket
configuration=/etc/cxl-redfish/cxl-redfishd.conf
socket=/run/cxl-redfish/redfish.sock
root=http://localhost/redfish/v1

main_pid() {
	systemctl show --property MainPID --value "$1"
}

get() {
	curl -s --max-time 20 --unix-socket $socket "$root/$1"
}

status_of() {
	curl -s --max-time 20 -o /dev/null -w '%{http_code}' --unix-socket $socket "$root/$1"
}

# mailbox_function: the address of the function with the mailbox of the switch.
mailbox_function() {
	basename "$(dirname "$(grep -l '^0x0c0b' /sys/bus/pci/devices/*/class)")"
}

# tcp_status_of NAME:PASSWORD RESOURCE [URL CURL-OPTION...]
tcp_status_of() {
	local login=$1 resource=$2 url=${3:-http://127.0.0.1:8000}
	shift 2
	[ $# -eq 0 ] || shift
	curl -s --max-time 60 ${login:+-u "$login"} -o /dev/null -w '%{http_code}' "$@" "$url/redfish/v1/$resource"
}

# process_facts PID: its effective and bounding capabilities, no_new_privs, and its seccomp mode.
process_facts() {
	awk '$1 == "CapEff:" || $1 == "CapBnd:" || $1 == "NoNewPrivs:" || $1 == "Seccomp:" { printf "%s%s", n++ ? " " : "", $2 }' \
		"/proc/$1/status"
}

# open_devices PID
open_devices() {
	local fd
	for fd in "/proc/$1/fd"/*; do
		readlink "$fd"
	done | grep ^/dev/ | sort -u
}

rss() {
	awk '$1 == "VmRSS:" { print $2 }' "/proc/$1/status"
}
