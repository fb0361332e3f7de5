#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# A captured host with the mailbox of a switch: all of it is shown, and nothing can be changed, which
# each request is answered with.
. "${0%/*}/functions"
fabric=/redfish/v1/Fabrics/CXL
mld=/redfish/v1/Chassis/dev-3d10000000000001
vppb=$fabric/Switches/switch-00000000000004d2/VCSs/0/VPPBs/1

# refused METHOD PATH [JSON]: 405 with the name of the switch, whether or not If-Match is right.
refused() {
	method=$1 path=$2
	shift 2
	for match in '' 'If-Match: *'; do
		request 405 "$method" "$path" ${match:+-H "$match"} \
			${1:+-H 'Content-Type: application/json' --data-binary "$1"}
		has NotChangeable 'are recorded'
		case $head in
		*POST* | *PATCH* | *DELETE*) fail "$what: $head" ;;
		esac
	done
}

for allow in '' --allow=fabric; do
	start switch-model-7.3 --listen "unix:$socket" $allow
	request 200 GET "$vppb"
	has '"BindingStatus":"BoundLD"'
	lacks '"Actions"'
	request 200 GET "$fabric/Connections/switch-00000000000004d2-VCS0-vPPB1"
	has '"ConnectionType":"Memory"' "$mld/MemoryDomains/1/MemoryChunks/LD0" "$vppb"
	request 200 GET "$mld/MemoryDomains/1"
	has '"AllowsMemoryChunkCreation":false'
	request 200 GET "$fabric/Switches/switch-00000000000004d2/Ports/P3"
	lacks '"Actions"'
	refused PATCH "$mld/FabricAdapters/1/Ports/1" '{"CXL":{"Congestion":{"EgressSeverePercentage":9}}}'
	refused PATCH "$mld/PCIeDevices/1" '{"CXLDevice":{"TemporaryThroughputReductionEnabled":true}}'
	refused PATCH "$mld/PCIeDevices/1/CXLLogicalDevices/2" '{"QoS":{"LimitPercent":9}}'
	refused PATCH "$vppb" '{"Links":{"Port":null},"Oem":{"CXLHost":{"Force":true}}}'
	refused POST "$vppb/Actions/Oem/CXLHostVirtualPCI2PCIBridge.GenerateAEREvent" \
		'{"Severity":"Correctable","ErrorBit":0}'
	refused POST "$fabric/Switches/switch-00000000000004d2/Ports/P3/Actions/Port.Reset" '{}'
	refused POST "$fabric/Switches/switch-00000000000004d2/Ports/P3/Actions/Port.ResetPPB" '{}'
	refused POST "$fabric/Connections" '{}'
	refused DELETE "$fabric/Connections/switch-00000000000004d2-VCS0-vPPB1"
	refused POST "$mld/MemoryDomains/1/MemoryChunks" '{}'
	refused DELETE "$mld/MemoryDomains/1/MemoryChunks/LD2"
	stop
done

finish
