# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Each thing that a process of the units must not be able to do, and what it must; run by 30-sandbox.sh
# with the user and the sandbox of the unit. "outside" is root without a sandbox, who may do what is
# refused to all: so it is not refused for another reason.
#
#	probe.sh service|helper|switch-helper|outside
# shellcheck disable=SC2016 # variables of the commands
# shellcheck source=/dev/null
. /lib/vm/lib.sh
who=$1

# refused NAME COMMAND...
refused() {
	local name=$1
	shift
	if [ "$who" = outside ]; then
		possible "$name" "$@"
	elif "$@" >/dev/null 2>&1; then
		not_ok "$who, refused: $name" "it was possible"
	else
		ok "$who, refused: $name"
	fi
}

# possible NAME COMMAND...
possible() {
	local name=$1
	shift
	check "$who, possible: $name" "$@"
}

# An inaccessible file is an empty one for the helper.
reads() {
	[ -n "$(cat "$1")" ]
}

# The redirections are those of other processes: one that fails ends a shell.
opens() {
	sh -c ': <>"$1"' sh "$1"
}

writes() {
	sh -c ': >"$1"' sh "$1"
}

# Likewise a directory.
lists() {
	[ -n "$(ls -A "$1/" 2>/dev/null)" ]
}

capabilities() {
	awk '$1 ~ /^Cap/ { printf "%s ", $2 }' /proc/self/status
}

whole_config() {
	[ "$(head -c 4096 "/sys/bus/pci/devices/$VM_BDF/config" | wc -c)" -gt 64 ]
}

decoder=$(find /sys/bus/cxl/devices/ -name 'decoder*.*' | head -n 1)
instance=/sys/kernel/tracing/instances/cxl-redfish
none=0000000000000000

# Operations that no unit may do. Only the device policy keeps the helpers, which may read all files, from /dev/ttyS0.
# The reading helper alone may read the kernel's log, and not write to it.
for device in /dev/mem /dev/port /dev/kmsg /dev/ttyS0; do
	refused "opening $device" opens $device
	[ "$who $device" = "helper /dev/kmsg" ] || refused "reading $device" sh -c ": <$device"
done
for file in /etc/shadow /etc/cxl-redfish/password; do
	refused "reading $file" reads $file
done
for directory in /root /home; do
	refused "listing $directory" lists $directory
done
for file in /etc/x /usr/x /var/lib/x /var/x /run/x /var/lib/cxl-redfish/x \
	/sys/devices/system/cpu/cpu1/online /sys/devices/virtual/workqueue/cpumask \
	/proc/sys/kernel/hostname /proc/sysrq-trigger $instance/tracing_on; do
	refused "writing $file" writes $file
done
[ "$who" = change-helper ] || refused "writing /sys/bus/cxl/flush" writes /sys/bus/cxl/flush
refused "a device node" mknod /tmp/node c 1 1
refused "mounting" sh -c 'mount -t tmpfs tmpfs /tmp && umount /tmp'
for flag in -U -m -n -p -i -u; do
	refused "a namespace: unshare $flag" unshare $flag true
done
refused "changing the root directory" chroot / true
refused "becoming another user" /usr/bin/setpriv --reuid=1 true
refused "setting the host's name" hostname "$(hostname)"
refused "a signal to another process" kill -0 1
refused "a raw socket" ping -c 1 127.0.0.1
refused "a higher priority" renice -n -5 -p $$
# The helper looks for those that use a dax device. With the capability that it has for this it could also
# read their memory, see SECURITY.md.
if [ "$who" = helper ]; then
	possible "seeing processes of others" test -e /proc/1/status
	refused "writing a process's memory" sh -c ': >>/proc/1/mem'
else
	refused "seeing processes of others" test -e /proc/1/status
	refused "a process's memory" sh -c ': </proc/1/mem'
fi
refused "a set-user-id file" sh -c ': >/tmp/x && chmod 4755 /tmp/x'
if [ "$who" = outside ]; then
	rm -f /etc/x /usr/x /var/lib/x /var/x /run/x /var/lib/cxl-redfish/x /tmp/node /tmp/x
else
	refused "loading a module" insmod /lib/modules/own/lock_device.ko
	refused "setting the clock" sh -c 'date -s 2001-01-01; [ "$(date +%Y)" = 2001 ]'
	refused "rebooting" reboot -f
fi

case $who in
service)
	same "$who: it has no capability" "$none $none $none $none $none " "$(capabilities)"
	refused "reading the address of a decoder" reads "$decoder/start"
	refused "listing firmware's tables" lists /sys/firmware
	refused "reading an ACPI table" reads /sys/firmware/acpi/tables/CEDT
	refused "reading PCI configuration space beyond its header" whole_config
	refused "listing tracefs" lists /sys/kernel/tracing
	refused "reading a trace pipe" reads $instance/per_cpu/cpu0/trace_pipe_raw
	refused "listing debugfs" lists /sys/kernel/debug
	for device in /dev/cxl_prm /dev/cxl/mem0 /dev/cxl/mem1 /dev/cxl/mem2 /dev/cxl/mem3; do
		refused "opening $device" opens $device
	done
	refused "a netlink socket" ip link show
	possible "writing its state directory" sh -c 'cd "$STATE_DIRECTORY" && : >file && rm file'
	possible "reading sysfs as any user" reads "$decoder/interleave_ways"
	possible "the helper's socket" test -w /run/cxl-redfish-helper/socket
	possible "its password" sh -c '[ "$(cat "$CREDENTIALS_DIRECTORY/password")" = vm-password ]'
	;;
helper)
	same "$who: CAP_DAC_READ_SEARCH, CAP_SYS_ADMIN, CAP_SYS_PTRACE and CAP_SYSLOG, and no other" \
		"0000000400280004 0000000400280004 0000000400280004 0000000400280004 0000000400280004 " "$(capabilities)"
	refused "listing the service's state" lists /var/lib/cxl-redfish
	refused "reading the configuration" lists /etc/cxl-redfish
	refused "an internet socket" curl -s --max-time 5 http://127.0.0.1:8000/redfish
	possible "reading the address of a decoder" reads "$decoder/start"
	possible "reading an ACPI table" reads /sys/firmware/acpi/tables/CEDT
	possible "reading the kernel's log" sh -c ': </dev/kmsg'
	possible "reading tracefs" reads $instance/trace_clock
	possible "reading PCI configuration space beyond its header" whole_config
	for device in /dev/cxl_prm /dev/cxl/mem0 /dev/cxl/mem1 /dev/cxl/mem2 /dev/cxl/mem3; do
		possible "opening $device" opens $device
	done
	;;
switch-helper)
	same "$who: CAP_DAC_OVERRIDE and CAP_SYS_ADMIN, and no other" \
		"0000000000200002 0000000000200002 0000000000200002 0000000000200002 0000000000200002 " "$(capabilities)"
	refused "listing the service's state" lists /var/lib/cxl-redfish
	for file in /run/systemd/x /dev/shm/x; do
		refused "writing $file" writes $file
	done
	refused "finding the socket of another process" test -e /run/cxl-redfish-helper/socket
	refused "writing the configuration" opens /etc/cxl-redfish/cxl-redfishd.conf
	refused "listing firmware's tables" lists /sys/firmware
	refused "listing tracefs" lists /sys/kernel/tracing
	refused "listing debugfs" lists /sys/kernel/debug
	for device in /dev/cxl_prm /dev/cxl/mem0 /dev/cxl/mem1 /dev/cxl/mem2 /dev/cxl/mem3; do
		refused "opening $device" opens $device
	done
	refused "a netlink socket" ip link show
	refused "an internet socket" curl -s --max-time 5 http://127.0.0.1:8000/redfish
	possible "reading the configuration" test -r /etc/cxl-redfish/cxl-redfishd.conf
	possible "reading PCI configuration space beyond its header" whole_config
	possible "opening the registers of the switch" opens "/sys/bus/pci/devices/$VM_MAILBOX/resource0"
	;;
change-helper)
	same "$who: CAP_DAC_OVERRIDE and CAP_SYS_RAWIO, and no other" \
		"0000000000020002 0000000000020002 0000000000020002 0000000000020002 0000000000020002 " "$(capabilities)"
	refused "listing the service's state" lists /var/lib/cxl-redfish
	for file in /run/systemd/x /dev/shm/x /sys/module/kernel/parameters/panic /sys/power/state \
		/sys/devices/system/node/x /sys/fs/cgroup/cgroup.procs; do
		refused "writing $file" writes $file
	done
	refused "finding the socket of another process" test -e /run/cxl-redfish-switch-helper/socket
	possible "finding the socket of the reading helper" test -S /run/cxl-redfish-helper/socket
	refused "writing the configuration" opens /etc/cxl-redfish/cxl-redfishd.conf
	refused "listing tracefs" lists /sys/kernel/tracing
	refused "finding other files of debugfs" test -e /sys/kernel/debug/sched
	refused "finding other files of /sys/kernel" test -e /sys/kernel/uevent_seqnum
	refused "opening /dev/cxl_prm" opens /dev/cxl_prm
	refused "a netlink socket" ip link show
	refused "an internet socket" curl -s --max-time 5 http://127.0.0.1:8000/redfish
	possible "reading the configuration" test -r /etc/cxl-redfish/cxl-redfishd.conf
	possible "reading the address of a decoder" reads "$decoder/start"
	possible "writing /sys/bus/cxl/flush" writes /sys/bus/cxl/flush
	possible "opening the state of a memory block for writing" opens /sys/devices/system/memory/memory0/state
	possible "opening the address of a decoder for writing" opens "$(ls /sys/bus/cxl/devices/decoder*/dpa_size | head -n 1)"
	possible "binding drivers" writes /sys/bus/cxl/drivers/cxl_mem/bind
	possible "writing its state directory" sh -c 'cd "$STATE_DIRECTORY" && : >file && rm file'
	possible "writing the directory of the lock" sh -c 'cd "$RUNTIME_DIRECTORY" && : >file && rm file'
	for device in /dev/cxl/mem0 /dev/cxl/mem1 /dev/cxl/mem2 /dev/cxl/mem3; do
		possible "opening $device" opens $device
	done
	;;
esac
ok "$who: the probe has ended"
