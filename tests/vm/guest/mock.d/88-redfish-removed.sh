# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A memory device that is removed while poison is injected into it. Linux 7.3 waits then until the write to debugfs ends,
# see change/timed_write.h.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-redfish-change-helper

work=$RESULTS/redfish-removed
mkdir -p "$work/state"
memdev=$(memdev_of cxl_mem.1)
mock=$(mock_of "$memdev")
memory=$host/Memory/$(memory_id "$memdev")
poison=$memory/Actions/Oem/CXLHostMemory
drivers=/sys/bus/platform/drivers/cxl_mock_mem
metrics=$memory/MemoryMetrics
life='{"Oem": {"CXLHost": {"Alerts": {"LifeUsedPercent": {"WarningThreshold": 71}}}}}'
start_redfishd "$socket" "$work/log" --state "$work/state" --allow=memory,alerts,poison
becomes "the helper's permission is shown" 'GET, HEAD, PATCH' allow_of "$memory"

# ---- removed meanwhile: 64 commands, of which some are made
echo 128 >$drivers/poison_inject_max
echo 300 >"$mock/mbox_delay_ms"
begin POST "$poison.InjectPoison" '{"DevicePhysicalAddress": "0x0", "LengthBytes": 4096}'
same "a change is being made" 202 "$status"
interrupted=$(monitor)
echo cxl_mem.1 >$drivers/unbind
kill -HUP "$redfishd"
finish "$interrupted"
same "a change of a device that is removed meanwhile fails" 500 "$status"
says "and what was made of it is said" "poison was injected from DPA 0x0 to 0x"
contains "the audit log has the device, though it is gone" \
	"POST $poison.InjectPoison by - from uid 0: 500 CXLHost.1.0.ChangeIncomplete" "$work/log"
becomes "the device is gone" 404 status_of "$memory"
change "what is gone is not changed" 404 PATCH "$memory" '{"Enabled": false}'
echo cxl_mem.1 >$drivers/bind
kill -HUP "$redfishd"
becomes "it comes back" 200 status_of "$memory"
memdev=$(memdev_of cxl_mem.1)
echo 0 >"$(mock_of "$memdev")/mbox_delay_ms"
becomes "its alerts are read again" 'GET, HEAD, PATCH' allow_of "$metrics"
change "and is changed again" 200 PATCH "$metrics" "$life"
same "the service is the same process" yes "$(kill -0 "$redfishd" && echo yes)"
stop_redfishd "$socket"
