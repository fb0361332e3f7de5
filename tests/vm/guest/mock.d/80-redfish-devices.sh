# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# Changes of memory devices by Redfish: partitions, alert thresholds, poison, Enabled; with mailboxes that
# are slow or refuse. All devices are new ones.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-redfish-change-helper
needs_program cxl-redfish-trace

work=$RESULTS/redfish-devices
mkdir -p "$work/state"
cxl-test-load extra=1 >"$work/load" 2>&1
wait_for test -e /sys/bus/cxl/devices/region0/driver

memdev=$(memdev_of cxl_mem.1)
mock=$(mock_of "$memdev")
memory=$host/Memory/$(memory_id "$memdev")
used=$host/Memory/$(memory_id "$(memdev_of cxl_mem.0)") # part of a region
drivers=/sys/bus/platform/drivers/cxl_mock_mem

cxl-redfish-trace
start_redfishd "$socket" "$work/log" --state "$work/state" --allow=partitions
becomes "the helper's permission is shown" 'GET, HEAD, PATCH' allow_of "$memory"
change "what is not allowed is not a method" 405 PATCH "$memory/MemoryMetrics" '{}'
says "which is said" "--allow=alerts"
change "nor a property" 403 PATCH "$memory" '{"Enabled": false}'
says "which is said, too" "--allow=memory"
change "nor an action" 405 POST "$memory/Actions/Oem/CXLHostMemory.InjectPoison" '{"DevicePhysicalAddress": "0x0"}'
stop_redfishd "$socket"

start_redfishd "$socket" "$work/log" --state "$work/state" --allow=regions,memory,partitions,security,firmware,alerts,poison
becomes "the helper's permission is shown" 'GET, HEAD, PATCH' allow_of "$memory"

# ---- partitions
send PATCH "$memory" -H 'Content-Type: application/json' -d '{"CXL": {"StagedVolatileSizeMiB": 1536}}'
same "without If-Match nothing is changed" 428 "$status"
send PATCH "$memory" -H 'If-Match: "old"' -H 'Content-Type: application/json' -d '{"CXL": {"StagedVolatileSizeMiB": 1536}}'
same "nor with an old one" 412 "$status"
change "partitions are staged" 200 PATCH "$memory" '{"CXL": {"StagedVolatileSizeMiB": 1536}}'
same "the answer has them" "[1536,512]" \
	"$(jq -c '[.CXL.StagedVolatileSizeMiB, .CXL.StagedNonVolatileSizeMiB]' "$work/body")"
change "more than there is is refused" 400 PATCH "$memory" '{"CXL": {"StagedVolatileSizeMiB": 4096}}'
says "with the capacity" "2048 MiB"
change "what is no multiple is refused" 400 PATCH "$memory" '{"CXL": {"StagedVolatileSizeMiB": 100}}'
says "with the alignment" "steps of 256 MiB"
change "those of a device in a region are refused" 409 PATCH "$used" '{"CXL": {"StagedVolatileSizeMiB": 0}}'
says "with the region" "region0"
shows "nothing else was staged" "[1536,512]" "$memory" '[.CXL.StagedVolatileSizeMiB, .CXL.StagedNonVolatileSizeMiB]'
echo cxl_mem.1 >$drivers/unbind
echo cxl_mem.1 >$drivers/bind
# In place of udevd's events.
kill -HUP "$redfishd"
becomes "they are in force after the device was reset" "[1536,512]" value "$memory" \
	'[.VolatileSizeLimitMiB, .NonVolatileSizeLimitMiB]'
memdev=$(memdev_of cxl_mem.1)
same "and the kernel has them" "$((1536 << 20))" "$(($(cat "/sys/bus/cxl/devices/$memdev/ram/size")))"

# ---- alerts
alerts=.Oem.CXLHost.Alerts
metrics=$memory/MemoryMetrics
change "thresholds are set" 200 PATCH "$metrics" '{"Oem": {"CXLHost": {"Alerts": {"OverTemperatureCelsius":
	{"WarningThreshold": 60}, "UnderTemperatureCelsius": {"WarningThreshold": -5}, "LifeUsedPercent": {"WarningThreshold": 70}}}}}'
same "the answer has them" "[60,-5,70]" "$(jq -c "[$alerts.OverTemperatureCelsius.WarningThreshold,
	$alerts.UnderTemperatureCelsius.WarningThreshold, $alerts.LifeUsedPercent.WarningThreshold]" "$work/body")"
same "cxl list agrees" "[60,$((-5 & 0xffff)),70]" "$(cxl list -m "$memdev" -A | jq -c '.[0].alert_config |
	[.dev_over_temperature_prog_warn_threshold, .dev_under_temperature_prog_warn_threshold, .life_used_prog_warn_threshold]')"
change "an alert is ended" 200 PATCH "$metrics" '{"Oem": {"CXLHost": {"Alerts": {"OverTemperatureCelsius": {"Valid": false}}}}}'
same "the answer has that" "[false,true]" \
	"$(jq -c "[$alerts.OverTemperatureCelsius.Valid, $alerts.LifeUsedPercent.Valid]" "$work/body")"
change "one beyond the critical one is refused" 400 PATCH "$metrics" \
	'{"Oem": {"CXLHost": {"Alerts": {"OverTemperatureCelsius": {"WarningThreshold": 3000}}}}}'
says "with both" "critical threshold of"
change "so is one that is no number" 400 PATCH "$metrics" \
	'{"Oem": {"CXLHost": {"Alerts": {"LifeUsedPercent": {"WarningThreshold": "70"}}}}}'

# ---- mailboxes that refuse and are slow
life='{"Oem": {"CXLHost": {"Alerts": {"LifeUsedPercent": {"WarningThreshold": 71}}}}}'
mock=$(mock_of "$memdev")
echo "0x4202 2" >"$mock/mbox_fail"
change "what the device refuses is refused" 400 PATCH "$metrics" "$life"
says "with its return code" "Invalid Input"
echo "0x4202 6" >"$mock/mbox_fail"
change "a device that is busy is said to be" 409 PATCH "$metrics" "$life"
says "with its return code and the remedy" "returned Busy; repeat the request"
echo "0x4101 4" >"$mock/mbox_fail"
change "an internal error of the device is one" 500 PATCH "$memory" '{"CXL": {"StagedVolatileSizeMiB": 1024}}'
says "with its return code" "Internal Error"
echo "0 0" >"$mock/mbox_fail"
echo 1500 >"$mock/mbox_delay_ms"
begin PATCH "$metrics" "$life"
same "a slow device makes it a Task" 202 "$status"
first=$(monitor)
send PATCH "$metrics" -H 'If-Match: *' -H 'Content-Type: application/json' -d "$life"
same "another change of the device meanwhile is refused" 409 "$status"
says "with the reason" "ChangeInProgress"
check "another device is read" get "$used"
send GET "$first"
figure "status of the change of a slow device when another was read; 202 is under way" "$status"
echo 0 >"$mock/mbox_delay_ms"
finish "$first"
same "it is done when the device has answered" 200 "$status"
shows "with its effect" 71 "$metrics" "$alerts.LifeUsedPercent.WarningThreshold"

# ---- poison
poison=$memory/Actions/Oem/CXLHostMemory
listed() {
	jq -c '[.Entries[] | [.DevicePhysicalAddress, .DevicePhysicalAddressLast, .Source]]' "$work/body"
}
change "poison is injected into two lines" 204 POST "$poison.InjectPoison" '{"DevicePhysicalAddress": "0x1000", "LengthBytes": 128}'
change "the list is read" 200 POST "$poison.GetPoisonList"
same "it has both" '[["0x1000","0x103f","Injected"],["0x1040","0x107f","Injected"]]' "$(listed)"
change "one line is cleared" 204 POST "$poison.ClearPoison" '{"DevicePhysicalAddress": "0x1000"}'
change "the list is read" 200 POST "$poison.GetPoisonList"
same "it has the other" '[["0x1040","0x107f","Injected"]]' "$(listed)"
change "that is cleared" 204 POST "$poison.ClearPoison" '{"DevicePhysicalAddress": "0x1040"}'
change "the list is read" 200 POST "$poison.GetPoisonList"
same "it is empty" '[]' "$(listed)"
change "a part of a line is refused" 400 POST "$poison.InjectPoison" '{"DevicePhysicalAddress": "0x1020"}'
change "what is beyond the end is refused" 400 POST "$poison.InjectPoison" '{"DevicePhysicalAddress": "0x80000000"}'
says "with the capacity" "0x80000000"
persistent=$memory/Actions/Memory.InjectPersistentPoison
change "volatile memory is not persistent" 400 POST "$persistent" '{"PhysicalAddress": "0x0"}'
change "persistent memory is poisoned" 204 POST "$persistent" '{"PhysicalAddress": "0x60000000"}'
change "and cleared" 204 POST "$poison.ClearPoison" '{"DevicePhysicalAddress": "0x60000000"}'

# By SPA: the second chunk of the region is of the second device.
base=$(cat /sys/bus/cxl/devices/region0/resource)
cxl-spa translate --json "$base" >"$work/spa.json"
target=$host/Memory/$(memory_id "$(jq -r '.[0].memdev' "$work/spa.json")")
if [ "$(jq -r '.[0].exact' "$work/spa.json")" = true ]; then
	change "poison is injected by SPA" 204 POST "$target/Actions/Oem/CXLHostMemory.InjectPoison" "{\"SystemPhysicalAddress\": \"$base\"}"
	change "the list is read" 200 POST "$target/Actions/Oem/CXLHostMemory.GetPoisonList"
	same "it has the SPA and its DPA" "$(jq -c '[[.[0].dpa, .[0].spa]]' "$work/spa.json")" \
		"$(jq -c '[.Entries[] | [.DevicePhysicalAddress, .SystemPhysicalAddress]]' "$work/body")"
	change "by SPA" 200 POST "$target/Actions/Oem/CXLHostMemory.GetPoisonList" "{\"SystemPhysicalAddress\": \"$base\"}"
	same "it has it, too" 1 "$(jq '.Entries | length' "$work/body")"
	change "before it" 200 POST "$target/Actions/Oem/CXLHostMemory.GetPoisonList" '{"SystemPhysicalAddress": "0", "LengthBytes": 4096}'
	same "there is none" '[0,0]' "$(jq -c '[(.Entries | length), .EntriesWithoutSystemPhysicalAddress]' "$work/body")"
	change "it is cleared by SPA" 204 POST "$target/Actions/Oem/CXLHostMemory.ClearPoison" "{\"SystemPhysicalAddress\": \"$base\"}"
	change "not by that of another device" 400 POST "$poison.ClearPoison" "{\"SystemPhysicalAddress\": \"$base\"}"
	says "which is named" "is in mem"
else
	change "an SPA without exact DPA is refused" 409 POST "$target/Actions/Oem/CXLHostMemory.InjectPoison" "{\"SystemPhysicalAddress\": \"$base\"}"
fi

# ---- Enabled
change "a device is disabled" 200 PATCH "$memory" '{"Enabled": false}'
same "the answer has that" "[false,\"Disabled\"]" "$(jq -c '[.Enabled, .Status.State]' "$work/body")"
same "its driver is gone" no "$([ -e "/sys/bus/cxl/devices/$memdev/driver" ] && echo yes || echo no)"
change "several properties are changed in an order that works" 200 PATCH "$memory" \
	'{"CXL": {"StagedVolatileSizeMiB": 1024}, "Enabled": true}'
same "the answer has all" "[true,\"Enabled\",1024]" "$(jq -c '[.Enabled, .Status.State, .CXL.StagedVolatileSizeMiB]' "$work/body")"
change "one in a region is not disabled" 409 PATCH "$used" '{"Enabled": false}'
says "because of the region" "region0"

same "the service is the same process" yes "$(kill -0 "$redfishd" && echo yes)"
stop_redfishd "$socket"
