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

# CXL 3.2 8.2.8.4.5.1: Busy is 6, Retry Required Ah; 4200h is Get Health Info.
for code in 6 10; do
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

echo 3000 >"$(mock_of "$slow")/mbox_delay_ms"
echo 000000051e00010000000800000003000000 >"$(mock_of "$other")/health_info"
becomes "a slow device does not keep others from being read" 8 \
	value "$other_memory/MemoryMetrics" .CorrectedVolatileErrorCount
started=$(hundredths)
i=0
while [ $i -lt 20 ]; do
	get "$slow_memory" >/dev/null
	i=$((i + 1))
done
took=$(($(hundredths) - started))
check "readers are not delayed by a slow device (20 in $((took * 10)) ms)" [ $took -lt 300 ]
same "what is known of a slow device stays" 20 \
	"$(value "$slow_memory/MemoryMetrics" .CorrectedVolatileErrorCount)"
echo 0 >"$(mock_of "$slow")/mbox_delay_ms"
stop_redfishd "$socket"
