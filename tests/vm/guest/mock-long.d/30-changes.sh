# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# cxl-redfishd shows changes of a device without a restart: health, alerts, partitions,
# firmware slots, security, sanitize. Most of it causes no uevent.
# shellcheck source=/dev/null
. /lib/vm/mock.sh

work=$RESULTS/changes
mkdir -p "$work"
memdev=$(memdev_of cxl_mem.1)
mock=$(mock_of "$memdev")
memory=$host/Memory/$(memory_id "$memdev")
pcie=/redfish/v1/Chassis/$(memory_id "$memdev")/PCIeDevices/1
start_redfishd "$socket" "$work/log" --poll 1
echo Y >/sys/kernel/debug/cxl/mbox/raw_allow_all

# Health Status, Media Status, Additional Status, Life Used (1 byte each), Device Temperature (2),
# Dirty Shutdown, Corrected Volatile and Persistent Error Count (4 each).
echo 000000051e00010000000200000003000000 >"$mock/health_info"
becomes "a device that becomes healthy is OK" OK value "$memory" .Status.Health
becomes "the new counts are shown" "[5,1,2,3]" value "$memory/MemoryMetrics" \
	'[.CapacityUtilizationPercent, .DirtyShutdownCount, .CorrectedVolatileErrorCount,
	.CorrectedPersistentErrorCount]'
becomes "the new temperature is shown" 30 value "$memory/EnvironmentMetrics" .TemperatureCelsius.Reading
same "cxl list agrees" "5 30" "$(cxl list -m "$memdev" -H | jq -r '.[0].health | "\(.life_used_percent) \(.temperature)"')"
echo 000000641e00010000000200000003000000 >"$mock/health_info"
becomes "a life used of 100 % is shown" 100 value "$memory/MemoryMetrics" .CapacityUtilizationPercent
echo 010000051e00010000000200000003000000 >"$mock/health_info"
becomes "maintenance needed is a condition" true value "$memory" \
	'any(.Status.Conditions[]?; .MessageId | endswith(".MaintenanceNeeded"))'
echo 000300051e00010000000200000003000000 >"$mock/health_info"
becomes "lost data is Critical" Critical value "$memory" .Status.Health
echo 000000051e00010000000200000003000000 >"$mock/health_info"
becomes "and OK again when the device says so" OK value "$memory" .Status.Health

check "cxl set-alert-config" cxl set-alert-config "$memdev" --over-temperature-threshold=70 --over-temperature-alert=on
becomes "a new warning threshold is shown" 70 value "$memory/MemoryMetrics" \
	.Oem.CXLHost.Alerts.OverTemperatureCelsius.WarningThreshold
check "cxl set-alert-config switches an alert off" cxl set-alert-config "$memdev" --over-temperature-alert=off
becomes "an alert that is off is not valid" false value "$memory/MemoryMetrics" \
	.Oem.CXLHost.Alerts.OverTemperatureCelsius.Valid

# Half of the persistent memory becomes volatile at the next reset: 1.5 GiB in units of 256 MiB.
check "Set Partition Info is staged" mailbox_raw "$memdev" 4101 0 060000000000000000
becomes "the staged partitions are shown" "[1536,512]" value "$memory" \
	'[.CXL.StagedVolatileSizeMiB, .CXL.StagedNonVolatileSizeMiB]'

dd if=/dev/urandom of="$work/firmware" bs=1k count=16 2>/dev/null
check "cxl update-firmware" cxl update-firmware -w -F "$work/firmware" "$memdev"
cxl list -m "$memdev" -F >"$work/slots.json"
becomes "the staged firmware is shown" \
	"$(jq -r '.[0].firmware | .["slot_\(.staged_slot // 0)_version"]' "$work/slots.json")" \
	value "$pcie" .StagedVersion

# polled: the driver does not see commands that others send; on this kernel (CONFIG_NVDIMM_SECURITY_TEST) it reads the state
# of the device with this file.
polled() {
	cat "$(dirname "$(dirname "$(grep -lx "p$memdev" /sys/bus/nd/devices/nmem*/cxl/provider)")")/security" >/dev/null
}

becomes "security is disabled at first" Disabled value "$memory" .SecurityState
# A user passphrase (type 1) of 32 bytes, no old one.
new=$(printf '%064d' 0 | tr 0 a)
check "Set Passphrase" mailbox_raw "$memdev" 4501 0 "01$(printf '%062d' 0)$(printf '%064d' 0)$new"
polled
becomes "an enabled passphrase is shown" true value "$memory" \
	'any(.Regions[]; .PassphraseEnabled)'
echo 1 >"$mock/security_lock"
polled
becomes "a locked device is shown" Locked value "$memory" .SecurityState
check "Unlock" mailbox_raw "$memdev" 4503 0 "$new"
polled
becomes "an unlocked device is shown" Enabled value "$memory" .SecurityState
check "Disable Passphrase" mailbox_raw "$memdev" 4502 0 "01$(printf '%062d' 0)$new"
polled
becomes "security is disabled again" Disabled value "$memory" .SecurityState

# The device works in the background for as long as sanitize_timeout.
idle=$(memdev_of cxl_mem.3)
sanitized=$host/Memory/$(memory_id "$idle")
echo 15000 >"$(mock_of "$idle")/sanitize_timeout"
check "sanitize starts" sh -c "echo 1 >/sys/bus/cxl/devices/$idle/security/sanitize"
becomes "a device that sanitizes says so" true value "$sanitized" \
	'any(.Status.Conditions[]?; .MessageId | endswith(".Sanitizing"))'
becomes "and no longer when it is done" false value "$sanitized" \
	'any(.Status.Conditions[]?; .MessageId | endswith(".Sanitizing"))'

stop_redfishd "$socket"
