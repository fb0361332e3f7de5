#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# What a process in the sandboxes of the two installed units may not do, and what it must: under a
# running systemd, as root. The sandbox is the unit itself with another program.
#
#	sandbox.sh [UNIT-DIRECTORY]
set -u

units=${1:-/lib/systemd/system}
n_failed=0
fail() {
	echo "FAIL: $*"
	n_failed=$((n_failed + 1))
}

# probe UNIT SCRIPT: the output of the script in the unit's sandbox, with its state directory.
probe() {
	cat >/run/cxl-redfish-probe.sh <<-END
		#!/bin/sh
		$2
	END
	chmod 755 /run/cxl-redfish-probe.sh
	# Without what is about the life of the service, and about its own directories.
	sed -E -e '/^(Type|Exec[A-Za-z]*|WatchdogSec|Restart[A-Za-z]*|Requires|Wants|After|LoadCredential|SetCredential)=/d' \
		-e 's/^StateDirectory=.*/StateDirectory=cxl-redfish-probe/' \
		-e 's/^RuntimeDirectory=.*/RuntimeDirectory=cxl-redfish-probe/' \
		-e 's|^\[Service\]|[Service]\nType=oneshot\nExecStart=/run/cxl-redfish-probe.sh\nStandardOutput=file:/run/cxl-redfish-probe.out\nStandardError=null|' \
		"$units/$1" >/run/systemd/system/cxl-redfish-probe.service
	rm -f /run/cxl-redfish-probe.out
	systemctl daemon-reload
	systemctl start cxl-redfish-probe.service 2>/dev/null
	cat /run/cxl-redfish-probe.out 2>/dev/null
}

# refused UNIT WHAT COMMAND: the command does not succeed there.
refused() {
	case $(probe "$1" "($3) >/dev/null 2>&1 && echo succeeded || echo refused") in
	refused) ;;
	*) fail "$1: $2 is possible" ;;
	esac
}

# possible UNIT WHAT COMMAND
possible() {
	case $(probe "$1" "($3) >/dev/null 2>&1 && echo succeeded || echo refused") in
	succeeded) ;;
	*) fail "$1: $2 is not possible" ;;
	esac
}

http=cxl-redfishd.service
helper=cxl-redfish-helper.service

capabilities=$(probe $http 'grep -h ^Cap /proc/self/status | grep -v "0000000000000000$"; grep ^NoNewPrivs /proc/self/status')
[ "$(echo "$capabilities" | tr -d '[:space:]')" = NoNewPrivs:1 ] || fail "$http has $capabilities"

# The process that speaks HTTP: no device, trace, firmware table or secret, no write but to its state.
for path in /dev/cxl/mem0 /dev/cxl_prm /dev/mem /dev/kmsg /dev/sda /dev/vda; do
	refused $http "to open $path" ": <$path"
	refused $http "to open $path for writing" ": >>$path"
done
refused $http "to make a device node" "mknod /var/lib/cxl-redfish-probe/mem c 1 1"
for path in /sys/kernel/tracing /sys/kernel/tracing/instances/cxl-redfish /sys/kernel/debug \
	/sys/firmware/acpi/tables /sys/firmware; do
	refused $http "to list $path" "ls $path/."
done
refused $http "to read the ACPI tables" "cat /sys/firmware/acpi/tables/CEDT"
refused $http "to read decoders' addresses" \
	"cat /sys/bus/cxl/devices/decoder*/start | grep -q 0x || false"
refused $http "to write sysfs" "echo 1 >/sys/bus/cxl/flush"
refused $http "to write /proc/sys" "echo x >/proc/sys/kernel/hostname"
for path in /etc/shadow /etc/cxl-redfish/password /root /home; do
	refused $http "to read $path" "[ -d $path ] && [ -n \"\$(ls -A $path)\" ] || cat $path"
done
for path in /etc/x /usr/x /run/x /var/x /tmp/../var/tmp/../x /dev/shm/../x; do
	refused $http "to write $path" ": >$path"
done
possible $http "to write its state directory" ": >/var/lib/cxl-redfish-probe/x"
possible $http "to reach the helper" "[ -S /run/cxl-redfish-helper/socket ] && [ -w /run/cxl-redfish-helper/socket ]"
refused $http "to mount" "mount -t tmpfs tmpfs /tmp"
refused $http "to make a namespace" "unshare -m true"
refused $http "to see other processes" "ls /proc/1/."
refused $http "to become root" "setpriv --reuid=0 true"

# The helper: no file that it may write, no network.
for path in /etc/shadow /etc/cxl-redfish/cxl-redfishd.conf /var/lib/cxl-redfish /root; do
	refused $helper "to read $path" "[ -d $path ] && [ -n \"\$(ls -A $path)\" ] || cat $path"
done
for path in /dev/mem /dev/sda /dev/vda /dev/kmsg; do
	refused $helper "to open $path" ": <$path"
done
for path in /etc/x /usr/x /run/x /var/x /var/lib/cxl-redfish/x; do
	refused $helper "to write $path" ": >$path"
done
refused $helper "to write sysfs" "echo 1 >/sys/bus/cxl/flush"
refused $helper "to write tracefs" "echo 0 >/sys/kernel/tracing/instances/cxl-redfish/tracing_on"
refused $helper "to mount" "mount -t tmpfs tmpfs /tmp"
refused $helper "to reach a network" "curl -s --max-time 5 http://127.0.0.1:8000/redfish"
possible $helper "to read the ACPI tables" \
	"[ ! -e /sys/firmware/acpi/tables/CEDT ] || cat /sys/firmware/acpi/tables/CEDT"
possible $helper "to open memory devices" "[ ! -e /dev/cxl/mem0 ] || : <>/dev/cxl/mem0"

rm -f /run/cxl-redfish-probe* /run/systemd/system/cxl-redfish-probe.service
systemctl daemon-reload
[ $n_failed -eq 0 ] && echo "the sandboxes hold"
