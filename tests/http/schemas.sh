#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every resource of every bundled host against DMTF's schemas and our own. The schemas are not
# ours to distribute: REDFISH_SCHEMAS names the folder that has them (csdl/, json-schema/).
. "${0%/*}/functions"
needs_python

schemas=${REDFISH_SCHEMAS:-$srcdir/../shared/redfish-schemas}
[ -d "$schemas/json-schema" ] || skip "no schemas in $schemas, set REDFISH_SCHEMAS"
for python in python3 /usr/bin/python3; do
	! "$python" -c 'import jsonschema' 2>/dev/null || break
	python=
done
[ -n "$python" ] || skip "jsonschema is missing (Debian package: python3-jsonschema)"

validate() {
	start "$1" --listen "unix:$socket"
	echo "$(basename "$1"):"
	"$python" "$srcdir/tests/validate_redfish.py" "$socket" "$schemas" "$srcdir/redfish/schemas" ||
		fail "$1"
}

for host in "$hosts"/*.tar.zst; do
	validate "$(basename "$host" .tar.zst)"
	stop
done

# What no bundled host has: a known socket, devices near it, serial numbers that name nobody, and
# text that no attribute should hold.
command -v zstd >/dev/null || skip "zstd is missing (Debian package: zstd)"
altered=$scratch/altered
mkdir "$altered"
zstd -dc "$hosts/plain-7.3.tar.zst" | tar -x -C "$altered"
chmod -R u+w "$altered"
mkdir -p "$altered/sys/devices/system/cpu/cpu0/topology"
echo 0 >"$altered/sys/devices/system/cpu/cpu0/topology/physical_package_id"
echo 0 >"$altered/sys/devices/system/node/node0/cpulist"
set_attribute() { # MEMDEV NAME VALUE
	find "$altered/sys/devices" -path "*/$1/$2" | while read -r file; do
		printf "$3\n" >"$file"
	done
}
for memdev in mem0 mem1 mem2 mem3; do
	set_attribute "$memdev" numa_node 0
done
set_attribute mem0 serial 0x0
set_attribute mem1 serial 0x1234
set_attribute mem2 serial 0x1234
set_attribute mem3 firmware_version 'a"\\\\b\\001\\377'
validate "$altered"
request_as_is 200 GET "$system/Processors/CPU0"
has '"Memory@odata.count":4'
request_as_is 200 GET "$system/Memory"
lacks cxl-0000000000000000 cxl-0000000000001234
stop

# Two switches in a row, sockets known and not, a restricted device, a region with a gap.
odd=$scratch/odd
python3 -B "$srcdir/tests/http/odd_fabric.py" "$srcdir/scripts/generate-host" "$odd" || exit 99
validate "$odd"
fabric=/redfish/v1/Fabrics/CXL
request_as_is 200 GET "$fabric/Endpoints"
has I-CPU0 I-CPU1 I-pci0002-00 I-pci0003-00 T-cxl-0000000000100005
request_as_is 200 GET "$fabric/Switches/switch4/Ports/U1"
has "$fabric/Switches/switch2/Ports/D1" InterswitchPort
request_as_is 200 GET "$system/FabricAdapters/pci0002-00/Ports/pci0002-00"
has '"RCD"' /redfish/v1/Chassis/cxl-0000000000100003/FabricAdapters/1/Ports/1
request_as_is 200 GET "$system/Processors/CPU0/Ports/0000-00-01.0"
has "$fabric/Switches/switch2/Ports/U1" '"CurrentSpeedGbps":512' '"KernelName":"pci0000:00"'
request_as_is 200 GET "$fabric/Connections/region0"
has I-CPU0 T-cxl-0000000000100001
stop

# Devices that answer every command, well, badly, and with nonsense.
"$srcdir/tests/make-mailbox-host" "$hosts/plain-7.3.tar.zst" "$scratch/answering"
validate "$scratch/answering"
stop
finish
