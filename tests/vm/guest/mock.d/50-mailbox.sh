# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# A device whose mailbox is slow or refuses: others are read meanwhile, readers are not delayed, and
# what is known stays.
# shellcheck source=/dev/null
. /lib/vm/mock.sh

work=$RESULTS/mailbox
mkdir -p "$work"
slow=$(memdev_of cxl_mem.6)
other=$(memdev_of cxl_mem.7)
slow_memory=$host/Memory/$(memory_id "$slow")
other_memory=$host/Memory/$(memory_id "$other")
start_redfishd "$socket" "$work/log" --poll 1
becomes "the device is read at first" 20 value "$slow_memory/MemoryMetrics" .CorrectedVolatileErrorCount

# CXL 3.2 table 8-44: Busy is 6, Retry Required 5; 4200h is Get Health Info.
for code in 6 5; do
	health=$(value "$slow_memory" .Status.Health)
	conditions=$(value "$slow_memory" '.Status.Conditions | length')
	echo "0x4200 $code" >"$(mock_of "$slow")/mbox_fail"
	sleep 4
	same "return code $code leaves Health as it was" "$health" "$(value "$slow_memory" .Status.Health)"
	same "return code $code leaves the conditions" "$conditions" \
		"$(value "$slow_memory" '.Status.Conditions | length')"
	same "return code $code leaves the metrics" 20 \
		"$(value "$slow_memory/MemoryMetrics" .CorrectedVolatileErrorCount)"
	echo "0 0" >"$(mock_of "$slow")/mbox_fail"
	sleep 2
done

# quickest_get: of ten requests, in 1/100 s.
quickest_get() {
	local started took i=0 quickest=1000000
	while [ $i -lt 10 ]; do
		started=$(hundredths)
		get "$slow_memory" >/dev/null
		took=$(($(hundredths) - started))
		[ $took -ge $quickest ] || quickest=$took
		i=$((i + 1))
	done
	echo $quickest
}

delay_ms=3000
echo $delay_ms >"$(mock_of "$slow")/mbox_delay_ms"
echo 000000051e00010000000800000003000000 >"$(mock_of "$other")/health_info"
becomes "a slow device does not keep others from being read" 8 \
	value "$other_memory/MemoryMetrics" .CorrectedVolatileErrorCount
# A reader that waited for the device would take as long as the device does, on any host.
took=$(quickest_get)
check "readers are not delayed by a slow device ($took hundredths of a second)" [ "$took" -lt $((delay_ms / 10)) ]
becomes "a device that exceeds the time limit is reported" true value "$slow_memory" \
	'any(.Status.Conditions[]?; .MessageId | endswith(".DeviceNotAnswering"))'
same "what is known of it stays" 20 \
	"$(value "$slow_memory/MemoryMetrics" .CorrectedVolatileErrorCount)"
echo 0 >"$(mock_of "$slow")/mbox_delay_ms"
stop_redfishd "$socket"
