#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-or-later
# Every resource of every bundled host against DMTF's schemas and our own. The schemas are not
# ours to distribute: REDFISH_SCHEMAS names the directory that has them (csdl/, json-schema/).
. "${0%/*}/functions"
. "${0%/*}/odd_hosts"
need_odd_hosts

needs_schemas

validate() {
	start_with_log "$1"
	echo "$(basename "$1"):"
	"$python" "$srcdir/tests/http/validate_redfish.py" "$socket" "$schemas" "$srcdir/redfish/schemas" ||
		fail "$1"
}

for host in "$hosts"/*.tar.zst; do
	validate "$(basename "$host" .tar.zst)"
	stop
done

# Events of every type, those that no captured host has, too.
rm -rf "$scratch/log"
mkdir "$scratch/log"
./make_log "$scratch/log/events.db" || fail "make_log"
start plain-7.3 --listen "unix:$socket" --state "$scratch/log"
echo "events of all types:"
request_as_is 201 POST /redfish/v1/EventService/Subscriptions -H 'Content-Type: application/json' \
	--data-binary '{"Destination":"http://127.0.0.1:9/","Protocol":"Redfish","Context":"c",
	"HttpHeaders":[{"X":"y"}],"RegistryPrefixes":["CXLHost"],"ExcludeMessageIds":["a.b"],
	"Severities":["OK"],"ResourceTypes":["Memory"],"SubordinateResources":true,
	"OriginResources":[{"@odata.id":"/redfish/v1/Systems/Host"}],"EventTypes":["Alert"],
	"IncludeOriginOfCondition":true,"DeliveryRetryPolicy":"RetryForever"}'
# Captures, of a type of the standard and of an OEM type.
for type in '"OS"' '"OEM","OEMDiagnosticDataType":"CXLHostCaptureMasked"'; do
	request_as_is 202 POST "$system/LogServices/Captures/Actions/LogService.CollectDiagnosticData" \
		-H 'Content-Type: application/json' --data-binary "{\"DiagnosticDataType\":$type}"
	for _ in $tries; do
		request_as_is 200 GET "$system/LogServices/Captures/Entries"
		case $body in
		*"\"DiagnosticDataType\":${type%%,*}"*) break ;;
		esac
		sleep 0.1
	done
	has "\"DiagnosticDataType\":$type"
done
# The history has the readings of the start.
reports=/redfish/v1/TelemetryService/MetricReports
request_as_is 200 GET "$reports"
report=$reports/${body#*"$reports/"}
for _ in $tries; do
	request_as_is 200 GET "${report%%\"*}"
	case $body in
	*'"MetricValue":'*) break ;;
	esac
	sleep 0.1
done
has '"MetricId":"LinkWidth"'
"$python" "$srcdir/tests/http/validate_redfish.py" "$socket" "$schemas" "$srcdir/redfish/schemas" ||
	fail "events of all types"
"$python" "$srcdir/tests/http/validate_events.py" "$socket" "$schemas" || fail "validation of the events"
request_as_is 200 GET "$system/LogServices/CXL/Entries"
case $body in
*'"Members@odata.count":0'*) ;; # the daemon has no store
*) has cxl_to_come PortUncorrectableError '"LostRecords":17' cxl_memory_sparing ;;
esac
stop

for name in $odd_hosts; do
	make_odd "$name"
	validate "$scratch/$name"
	case $name in
	near)
		request_as_is 200 GET "$system/Processors/CPU0"
		has '"Memory@odata.count":4'
		request_as_is 200 GET "$system/Memory"
		lacks cxl-0000000000000000 cxl-0000000000001234
		;;
	serials)
		request_as_is 200 GET "$system/Memory"
		lacks cxl-0000000000000000
		has '"Members@odata.count":4'
		;;
	names)
		for what in '"mem0 "x"' '"region1%2f"' '"decoder0.0?#"'; do
			grep -qF "$what: left out" "$scratch/err" || fail "$what is not in the log"
		done
		request_as_is 200 GET "$system/Memory"
		has '"Members@odata.count":3'
		;;
	fabric)
		fabric=/redfish/v1/Fabrics/CXL
		request_as_is 200 GET "$fabric/Endpoints"
		has I-CPU0 I-CPU1 I-pci0002-00 I-pci0003-00 T-cxl-0000000000100005
		request_as_is 200 GET "$fabric/Switches/switch-0000-04-00.0/Ports/U1"
		has "$fabric/Switches/switch-0000-01-00.0/Ports/D1" InterswitchPort
		request_as_is 200 GET "$system/FabricAdapters/pci0002-00/Ports/pci0002-00"
		has '"RCD"' /redfish/v1/Chassis/cxl-0000000000100003/FabricAdapters/1/Ports/1
		request_as_is 200 GET "$system/Processors/CPU0/Ports/0000-00-01.0"
		has "$fabric/Switches/switch-0000-01-00.0/Ports/U1" '"CurrentSpeedGbps":512' \
			'"KernelName":"pci0000:00"'
		request_as_is 200 GET "$fabric/Connections/spa-0000001000000000"
		has I-CPU0 T-cxl-0000000000100001
		;;
	esac
	stop
	rm -rf "${scratch:?}/$name"
done
finish
