# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Physical Port Control. QEMU makes these resets, but reports PERST as asserted before, between and after
# them; a bridge that was reset has no bus numbers, so the device below is last.
# shellcheck source=/dev/null
. /lib/vm/dynamic.sh

# perst PORT: by Get Physical Port State.
perst() {
	value "$ports/$1" .Oem.CXLHost.Mailbox.PERSTAsserted
}

# The bus numbers of the bridge of port 1.
buses() {
	od -An -tx1 -j 24 -N 3 /sys/bus/pci/devices/0000:0e:00.0/config | tr -d ' '
}

start_manager
wait_for switch_is_named
same "QEMU reports PERST of all ports as asserted" "true true true" "$(perst P3) $(perst P4) $(perst D1)"
change "the bridge of an empty port is reset" 204 POST "$ports/P3/Actions/Port.ResetPPB" '{}'
change "an empty port is reset, which the port does not confirm" 409 POST "$ports/P4/Actions/Port.Reset" \
	'{"ResetType": "ForceRestart"}'
says "the reason is that it still reports PERST" "PERST of port 4 is asserted, reset the port again"
change "PERST was deasserted: QEMU asserts it again" 409 POST "$ports/P4/Actions/Port.Reset" \
	'{"ResetType": "ForceRestart"}'
says "neither command was refused" "PERST of port 4 is asserted, reset the port again"
change "the upstream port is not reset" 409 POST "$ports/U1/Actions/Port.Reset" '{"ResetType": "ForceRestart"}'
says "because it is not known who uses it" "which host is connected to port 0 is not known"
same "the bridge of the other device has its bus numbers" 0e0f0f "$(buses)"
change "a port with a device that is not in use is reset" 204 POST "$ports/D1/Actions/Port.ResetPPB" '{}'
same "the reset was made: its bridge has none" 000000 "$(buses)"
stop_redfishd "$socket"
