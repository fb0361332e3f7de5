#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
#
# One physical thing is one resource: the captured switch with an MLD of which the host sees an LD,
# as it is, and with each fact changed that makes it certain.
srcdir=${srcdir:-.}
command -v python3 >/dev/null || {
	echo "SKIP: python3 is missing (Debian package: python3)"
	exit 77
}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failures=0
mld=3d10000000000001

# A new copy of the captured host in $host.
copy() {
	host=$work/$1
	mkdir "$host"
	zstd -dc "$srcdir/tests/hosts/switch-model-7.3.tar.zst" | tar -x -C "$host"
	chmod -R u+w "$host"
	mailbox=$host/mbox/switch-0000:0d:00.1
}

# serial MEMDEV NUMBER
serial() {
	echo "0x$2" >"$host/sys/bus/cxl/devices/$1/serial"
}

# shows MIB PORTS CHASSIS [REASON]: the sum of the sizes of all devices, the number of the switch's
# Ports, the Chassis of mem0, and why the Conditions of the Switch say that it is not certain.
shows() {
	./dump_redfish "$host" >"$host.listing"
	status=$?
	if [ $status -eq 77 ]; then
		echo "SKIP: captured hosts cannot be entered here"
		exit 77
	fi
	[ $status -eq 0 ] && python3 -B "$srcdir/tests/redfish/identity.py" "$host.listing" "$@" &&
		python3 -B "$srcdir/tests/redfish/invariants.py" "$host.listing" >"$host.violations" && return
	cat "$host.violations" 2>/dev/null
	echo "FAIL: $(basename "$host")"
	failures=1
}

copy as-it-is
shows 1280 6 dev-$mld

copy serial-0
serial mem0 0
shows 1536 6 0000-0f-00.0 'this host reads no serial number of it'

copy serial-0-of-ld
head -c 8 /dev/zero | dd of="$mailbox/port1/ld0/0001.bin" bs=1 seek=8 conv=notrunc status=none
shows 1536 6 cxl-000000000000abc0 'no serial number was read through the switch'

copy doubled-here
serial mem1 abc0
shows 1536 6 0000-0f-00.0 'other memory devices of this host have the same serial number' \
	'they are at one port, but their serial numbers differ' \
	'they have the same serial number, but are at different ports'

copy doubled-there
cp "$mailbox/port1/ld0/0001.bin" "$mailbox/port2/0001.bin"
shows 1536 6 cxl-000000000000abc0 'several devices behind switches have the same serial number' \
	'they have the same serial number, but are at different ports' \
	'they are at one port, but their serial numbers differ'

copy other-port
serial mem0 abc1
serial mem1 abc0
shows 1536 6 cxl-000000000000abc1 'they are at one port, but their serial numbers differ' \
	'they have the same serial number, but are at different ports'

# The LDs cannot be read, and have the number of their device.
copy no-ld-id
rm "$mailbox/port1"/5401-*
serial mem0 $mld
shows 1280 6 dev-$mld

# LD 1 is bound to the second vPPB of this host, in place of the SLD and of the other host's.
copy two-lds
printf '\003\001\001\000' | dd of="$mailbox/5200-00ff0100.bin" bs=1 seek=16 conv=notrunc status=none
printf '\000\000\377\000' | dd of="$mailbox/5200-00ff0101.bin" bs=1 seek=12 conv=notrunc status=none
serial mem1 3d10000000000201
shows 1024 6 dev-$mld

# No bridge is known to be a port.
copy no-virtual-switches
rm "$mailbox"/5200-*
shows 1536 7 cxl-000000000000abc0 'no port of the switch has the port number and the lanes of the bridge' \
	'they are at one port, but their serial numbers differ' \
	'they have the same serial number, but whether they are at the same port is not known' \
	'they have the same serial number, but are at different ports'

exit $failures
