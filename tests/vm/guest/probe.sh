# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Each thing that the service must not be able to do; run by 30-sandbox.sh with the service's user and
# sandbox.
# shellcheck source=/dev/null
. /lib/vm/lib.sh

# refused NAME COMMAND...
refused() {
	local name=$1
	shift
	if "$@" >/dev/null 2>&1; then
		not_ok "refused: $name" "it was possible"
	else
		ok "refused: $name"
	fi
}

opens() { # FILE for reading
	: <"$1"
}

opens_device() { # FILE for reading and writing
	: <>"$1"
}

writes() { # FILE
	: >"$1"
}

decoder=$(find /sys/bus/cxl/devices/ -name 'decoder*.*' | head -n 1)
refused "reading the address of a decoder" cat "$decoder/start"
refused "reading an ACPI table" opens /sys/firmware/acpi/tables/CEDT
refused "reading PCI configuration space beyond its header" \
	sh -c '[ "$(head -c 4096 /sys/bus/pci/devices/0000:00:00.0/config | wc -c)" -gt 64 ]'
refused "reading a trace pipe" opens /sys/kernel/tracing/instances/cxl-redfish/per_cpu/cpu0/trace_pipe_raw
refused "changing tracing" writes /sys/kernel/tracing/instances/cxl-redfish/tracing_on
for device in /dev/mem /dev/port /dev/kmsg /dev/cxl_prm /dev/cxl/mem0 /dev/cxl/mem1 /dev/cxl/mem2 /dev/cxl/mem3 /dev/vport0p1; do
	refused "opening $device" opens_device $device
done
refused "reading /etc/shadow" opens /etc/shadow
refused "reading the password file" opens /etc/cxl-redfish/password
for file in /etc/x /usr/x /var/lib/x /var/x /run/x /sys/bus/cxl/flush /proc/sys/kernel/hostname /proc/sysrq-trigger; do
	refused "writing $file" writes $file
done
refused "mounting" mount -t tmpfs tmpfs /tmp
refused "a user namespace" unshare -U true
refused "a network namespace" unshare -n true
refused "changing the root directory" chroot / true
refused "becoming root" setuidgid root true
refused "loading a module" insmod /lib/modules/own/cxl_prm.ko
refused "setting the clock" date -s 2001-01-01
refused "setting the host's name" hostname x
refused "a signal to another process" kill -0 1
refused "rebooting" reboot -f
refused "a netlink socket" ip link show
refused "a raw socket" ping -c 1 127.0.0.1
refused "a higher priority" nice -n -5 true
refused "seeing processes of others" test -e /proc/1/status
refused "a set-user-id file" sh -c 'cd "$STATE_DIRECTORY" && : >x && chmod 4755 x'

check "its own state directory can be written" sh -c 'cd "$STATE_DIRECTORY" && : >file && rm file'
check "sysfs can be read as by any user" cat "$decoder/interleave_ways"
ok "the probe has ended"
