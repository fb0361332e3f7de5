# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# All event types of the mock devices, overflow and poison, from the kernel's trace ring to the log.
# shellcheck source=/dev/null
. /lib/vm/mock.sh
needs_program cxl-redfish-trace

work=$RESULTS/events
mkdir -p "$work/state"
log=$host/LogServices/CXL
n=0

start_redfishd "$socket" "$work/log-without" --state "$work/state"
becomes "without the trace instance it is said that events are not recorded" true \
	value /redfish/v1/Managers/Service \
	'any(.Status.Conditions[]?; .MessageId | endswith(".EventsNotRecorded"))'
stop_redfishd "$socket"

check "cxl-redfish-trace" cxl-redfish-trace
start_redfishd "$socket" "$work/log" --state "$work/state"
becomes "with it there is no such condition" false value /redfish/v1/Managers/Service \
	'any(.Status.Conditions[]?; .MessageId | endswith(".EventsNotRecorded"))'

# Each device has 21 records, one of them for an overflow.
trace_before=$(grep -c ': cxl_' /sys/kernel/tracing/instances/cxl-redfish/trace)
for mock in /sys/bus/platform/devices/cxl_mem.* /sys/bus/platform/devices/cxl_rcd.*; do
	echo 1 >"$mock/event_trigger"
	n=$((n + 21))
done
becomes "all events of all devices are in the log" "$n" value "$log/Entries" '."Members@odata.count"'
get "$log/Entries" >"$work/page.json"
next=$(jq -r '."Members@odata.nextLink" // empty' "$work/page.json")
jq -c '.Members[]' "$work/page.json" >"$work/entries.json"
while [ -n "$next" ]; do
	get "$next" >"$work/page.json"
	jq -c '.Members[]' "$work/page.json" >>"$work/entries.json"
	next=$(jq -r '."Members@odata.nextLink" // empty' "$work/page.json")
done
same "the pages have every entry once" "$n" "$(jq -r .Id "$work/entries.json" | sort -u | wc -l)"
for one in cxl_general_media cxl_dram cxl_memory_module cxl_generic_event cxl_overflow; do
	devices=$(jq -r "select(.Oem.CXLHost.EventName == \"$one\") | .Oem.CXLHost.KernelName" \
		"$work/entries.json" | sort -u | wc -l)
	same "$one of every device" $((n / 21)) "$devices"
done
same "only CXL event records have the EntryType CXL" "" \
	"$(jq -r 'select((.EntryType == "CXL") != (.CXLEntryType != null)) | .Id' "$work/entries.json")"
same "the overflow entries have the count of lost records" "2" \
	"$(jq -r 'select(.Oem.CXLHost.EventName == "cxl_overflow") | .OverflowErrorCount // .MessageArgs[-1]' \
		"$work/entries.json" | sort -u)"
same "the log says that it has an overflow" true "$(value "$log" .Overflow)"
same "no kernel address disagrees" 0 \
	"$(jq -r 'select(.Oem.CXLHost.KernelAddressDisagrees == true) | .Id' "$work/entries.json" | wc -l)"

# Poison, by the kernel's own debugfs files.
memdev=$(memdev_of cxl_mem.5)
memory=$host/Memory/$(memory_id "$memdev")
poison=/sys/kernel/debug/cxl/$memdev
before=$(value "$log/Entries" '."Members@odata.count"')
echo 0x2000 >"$poison/inject_poison"
becomes "injected poison is an entry" $((before + 1)) value "$log/Entries" '."Members@odata.count"'
echo 1 >"/sys/bus/cxl/devices/$memdev/trigger_poison_list"
becomes "listed poison is an entry" $((before + 2)) value "$log/Entries" '."Members@odata.count"'
echo 0x2000 >"$poison/clear_poison"
becomes "cleared poison is an entry" $((before + 3)) value "$log/Entries" '."Members@odata.count"'
get "$log/Entries?\$skip=$before" | jq '{first: .Members[0], last: .Members[2]}' >"$work/poison.json"
same "the entry of cleared poison is PoisonCleared" PoisonCleared \
	"$(jq -r '.last.MessageId | split(".")[-1]' "$work/poison.json")"
same "clearing resolves the entry of the injection" true "$(jq -r .first.Resolved "$work/poison.json")"

stop_redfishd "$socket"
start_redfishd "$socket" "$work/log-again" --state "$work/state"
becomes "all entries are there after a restart" $((before + 3)) value "$log/Entries" '."Members@odata.count"'
stop_redfishd "$socket"
