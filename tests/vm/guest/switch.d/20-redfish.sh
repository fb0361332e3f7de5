# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The Redfish tree has the switch of the machine that was asked for, and follows it when devices are removed
# and added.
# shellcheck source=/dev/null
. /lib/vm/switch.sh
needs_program cxl-redfish-switch-helper

# One line for each physical port: Id, kind, state of the link, speed in Gbit/s, lanes.
port_lines() {
	get "$ports?\$expand=*" | jq -r '.Members[] | select(.Oem.CXLHost.Mailbox) |
		[.Oem.CXLHost.Mailbox.PortId, .PortType, .LinkStatus, .CurrentSpeedGbps, .ActiveWidth]
		| map(if . == null then "-" else tostring end) | join(" ")' | sort -n
}

# line_of ID: that of one port.
line_of() {
	port_lines | grep "^$1 "
}

# device_on ID: the chassis of the device on that port, "" without. The name of the port's resource depends
# on what the kernel sees.
device_on() {
	get "$ports?\$expand=*" | jq -r --argjson id "$1" '.Members[] |
		select(.Oem.CXLHost.Mailbox.PortId == $id) |
		[.Links.ConnectedPorts[]? | ."@odata.id" | split("/")[4]] | join(" ")'
}

# The number of ports by the mailbox, null without it.
mailbox_ports() {
	value "$fabric/Switches/$switch" .Oem.CXLHost.Mailbox.PhysicalPorts
}

start_redfishd "$socket" "$work/log" --poll 1
same "without --switch-mailbox nothing of it is shown" "null 0" \
	"$(mailbox_ports) $(port_lines | wc -l)"
stop_redfishd "$socket"

start_redfishd "$socket" "$work/log" --poll 1 --switch-mailbox=auto
becomes "the mailbox is read" 5 mailbox_ports
same "the switch has its identity" "0000000000005a17 0x19e5" \
	"$(value "$fabric/Switches/$switch" '.SerialNumber + " " + .Oem.CXLHost.Mailbox.VendorId')"
cat >"$work/expected" <<-END
	0 UpstreamPort LinkUp 256 8
	1 DownstreamPort LinkUp 256 8
	2 DownstreamPort LinkUp 64 4
	3 DownstreamPort LinkDown - -
	4 DownstreamPort LinkDown - -
END
port_lines >"$work/ports"
check "ports have the links of the machine" same_lines "$work/expected" "$work/ports"
same "each device is the host's own" "cxl-000000000000abc1 cxl-000000000000abc2" \
	"$(device_on 1) $(device_on 2)"

# ---- a device is removed, and another one is added ----
# QEMU's downstream ports have no power controller, so the guest's driver never switches a slot off, and QEMU
# would keep the device: the test writes that to Slot Control of the bridge.
slot_off() {
	printf '\361\007' | dd of=/sys/bus/pci/devices/0000:0e:01.0/config bs=2 seek=$((0xa8 / 2)) \
		count=1 conv=notrunc 2>/dev/null
}

qmp_open
check "device_del" qmp device_del '"id": "device2"'
check "the kernel removes it" has_memdevs 1
check "its slot is switched off" slot_off
# There is no udevd, for whose events the service waits.
kill -HUP "$redfishd"
becomes "the port of the removed device has no link" "2 DownstreamPort LinkDown - -" line_of 2
same "nothing is connected with it" "" "$(device_on 2)"
check "object-add" qmp object-add '"qom-type": "memory-backend-ram", "id": "memory5", "size": 268435456'
check "device_add" qmp device_add "$(printf '%s' '"driver": "cxl-type3", "bus": "down3", "id": "device5", ' \
	'"volatile-memdev": "memory5", "sn": 43973, "x-speed": "8", "x-width": "2"')"
becomes "the port of the added device has its link" "3 DownstreamPort LinkUp 16 2" line_of 3
check "the kernel adds it" has_memdevs 2
kill -HUP "$redfishd"
becomes "the added device is the host's own" "cxl-000000000000abc5" device_on 3
qmp_close
get "$ports?\$expand=*" >"$work/ports.json"
stop_redfishd "$socket"
