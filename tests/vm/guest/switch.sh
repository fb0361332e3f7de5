# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Functions for switch.d/*.sh, in addition to lib.sh and to get, value and becomes of mock.sh.
# shellcheck disable=SC2034 # for the tests
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-spa

work=$RESULTS/switch
mkdir -p "$work"

# The machine as tests/vm/run asked for it.
mailbox=0000:0d:00.1
upstream=0000:0d:00.0

# The kernel's port of the switch, and the Id of the switch.
for one in /sys/bus/cxl/devices/port*; do
	[ "$(basename "$(readlink -f "$one/uport")")" != $upstream ] || port=$(basename "$one")
done
switch=switch-0000000000005a17 # sn= of the machine
fabric=/redfish/v1/Fabrics/CXL
ports=$fabric/Switches/$switch/Ports

# memdev_with SERIAL: its name.
memdev_with() {
	local memdev
	for memdev in /sys/bus/cxl/devices/mem*; do
		[ "$(cat "$memdev/serial" 2>/dev/null)" != "$1" ] || basename "$memdev"
	done
}

# has_memdevs N: waits until there are so many.
has_memdevs() {
	local tenths=0 found=''
	while [ $tenths -lt 1800 ]; do
		found=$(find /sys/bus/cxl/devices -name 'mem*' | wc -l)
		[ "$found" -ne "$1" ] || return 0
		sleep 0.5
		tenths=$((tenths + 5))
	done
	echo "$found memory devices instead of $1"
	return 1
}
