# SPDX-License-Identifier: LGPL-2.1-or-later
# shellcheck shell=dash
#
# The rows of DSP0288 Table 1 that the mock devices answer, for each memory device: what cxl-redfishd
# shows is what `cxl list`, sysfs and the files of the mock device say.
# shellcheck source=/dev/null
. /lib/vm/mock.sh

work=$RESULTS/rows
mkdir -p "$work"
start_redfishd "$socket" "$work/log" --poll 1
cxl list -M -vvv >"$work/list.json"

# Additional Status and Media Status have one value each in Get Health Info, several flags in cxl list.
# shellcheck disable=SC2016 # jq's variables
rows='
def mib: if . == null then null else . / 1048576 end;
def hex: if . == null then null else ltrimstr("0x") | explode | reduce .[] as $c
	(0; . * 16 + (if $c > 96 then $c - 87 else $c - 48 end)) end;
def celsius: if . >= 32768 then . - 65536 else . end;
def given: if . == 0 then null else . end;
.cxl as $c | .memory as $m | .metrics as $t | .environment as $e | .pcie as $p | .log as $l |
$t.Oem.CXLHost.Alerts as $a | $c.alert_config as $k | $c.health as $h |
# The mock of a restricted CXL device answers Identify with zeros, and no Get Partition Info.
($c.host | startswith("cxl_rcd")) as $rcd |
def row(n; expected; actual): [$m.Name + ": row \(n)", expected, actual];
row("6, firmware slots"; $c.firmware | [.slot_1_version, .slot_2_version, .slot_3_version];
	[$p.Oem.CXLHost.FirmwareSlots[]?.Revision]),
row("10, poison list maximum"; if $rcd then 0 else 1024 end; $m.PoisonListMaxMediaErrorRecords),
row("12, egress port congestion"; $rcd | not; $p.CXLDevice.EgressPortCongestionSupport),
row("13, temporary throughput reduction"; $rcd | not; $p.CXLDevice.TemporaryThroughputReductionSupported),
row("14, label storage"; .sysfs.label_storage_size; $m.CXL.LabelStorageSizeBytes),
row("17, active volatile capacity"; $c.partition_info.active_volatile_size // $c.ram_size | mib; $m.VolatileSizeLimitMiB),
row("17, active persistent capacity"; $c.partition_info.active_persistent_size // 0 | mib;
	$m.NonVolatileSizeLimitMiB // 0),
row("18, next volatile capacity"; $c.partition_info.next_volatile_size | mib | given;
	$m.CXL.StagedVolatileSizeMiB),
row("19, next persistent capacity"; $c.partition_info.next_persistent_size | mib | given;
	$m.CXL.StagedNonVolatileSizeMiB),
row("22, maintenance needed"; $h.maintenance_needed;
	any($m.Status.Conditions[]; .MessageId | endswith("MaintenanceNeeded"))),
row("22, performance degraded"; $h.performance_degraded;
	any($m.Status.Conditions[]; .MessageId | endswith("PerformanceDegraded"))),
row("22, replacement needed"; $h.hw_replacement_needed;
	any($m.Status.Conditions[]; .MessageId | endswith("ReplacementNeeded"))),
row("22, data lost"; $h.media_data_lost; any($m.Status.Conditions[]; .MessageId | endswith("AllDataLost"))),
row("22, temperature"; $h.ext_temperature;
	if any($m.Status.Conditions[]; .MessageId | endswith("TemperatureCritical")) then "critical"
	else "normal" end),
row("23, life used"; $h.life_used_percent; $t.CapacityUtilizationPercent),
row("24, corrected volatile errors"; $h.volatile_errors; $t.CorrectedVolatileErrorCount),
row("25, corrected persistent errors"; $h.pmem_errors; $t.CorrectedPersistentErrorCount),
row("28, dirty shutdowns"; $h.dirty_shutdowns; $t.DirtyShutdownCount),
row("22, temperature reading"; $h.temperature; $e.TemperatureCelsius.Reading),
row("29, life used"; [$k.life_used_prog_warn_threshold_valid, $k.life_used_crit_alert_threshold,
	$k.life_used_prog_warn_threshold];
	$a.LifeUsedPercent | [.Valid, .CriticalThreshold, .WarningThreshold]),
row("29, over temperature"; [$k.dev_over_temperature_prog_warn_threshold_valid,
	($k.dev_over_temperature_crit_alert_threshold | celsius),
	($k.dev_over_temperature_prog_warn_threshold | celsius)];
	$a.OverTemperatureCelsius | [.Valid, .CriticalThreshold, .WarningThreshold]),
row("29, under temperature"; [$k.dev_under_temperature_prog_warn_threshold_valid,
	($k.dev_under_temperature_crit_alert_threshold | celsius),
	($k.dev_under_temperature_prog_warn_threshold | celsius)];
	$a.UnderTemperatureCelsius | [.Valid, .CriticalThreshold, .WarningThreshold]),
row("serial number"; .sysfs.serial | hex; $m.SerialNumber | ascii_downcase | hex),
row("volatile size"; .sysfs.ram_size | hex; $m.Oem.CXLHost.VolatileSizeBytes | hex),
row("persistent size"; .sysfs.pmem_size | hex; $m.Oem.CXLHost.PersistentSizeBytes // "0x0" | hex),
row("partition alignment"; $c.partition_info.partition_alignment_size;
	$m.Oem.CXLHost.PartitionAlignmentBytes | hex),
row("QoS classes"; [$c.ram_qos_class, $c.pmem_qos_class] | map(values);
	[$m.Oem.CXLHost.VolatileQoSClass, $m.Oem.CXLHost.PersistentQoSClass] | map(values)),
row("firmware revision"; $c.firmware_version | rtrimstr(" "); $m.FirmwareRevision)'

for device in /sys/bus/cxl/devices/mem*; do
	memdev=$(basename "$device")
	id=$(memory_id "$memdev")
	chassis=/redfish/v1/Chassis/$id
	jq -n --slurpfile list "$work/list.json" --arg memdev "$memdev" \
		--arg serial "$(cat "$device/serial")" \
		--arg ram "$(cat "$device/ram/size")" --arg pmem "$(cat "$device/pmem/size" 2>/dev/null || echo 0x0)" \
		--arg lsa "$(cat "$device/label_storage_size")" \
		--argjson memory "$(get "$host/Memory/$id")" \
		--argjson metrics "$(get "$host/Memory/$id/MemoryMetrics")" \
		--argjson environment "$(get "$host/Memory/$id/EnvironmentMetrics")" \
		--argjson log "$(get "$host/Memory/$id/DeviceLog")" \
		--argjson pcie "$(get "$chassis/PCIeDevices/1")" \
		'{cxl: ([$list[0] | .. | objects | select(.memdev? == $memdev)][0]),
		  sysfs: {serial: $serial, ram_size: $ram, pmem_size: $pmem, label_storage_size: ($lsa | tonumber)},
		  memory: $memory, metrics: $metrics, environment: $environment, log: $log, pcie: $pcie}' \
		>"$work/$memdev.json"
	compare "$rows" "$work/$memdev.json"
done

stop_redfishd "$socket"
