// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/dsp0288.h"

#include <string.h>

#include "common/array.h"
#include "common/strutil.h"

#define NUMBER(member) .kind = DSP0288_NUMBER, .offset = offsetof(struct mailbox, member)
#define FLAG(member)   .kind = DSP0288_FLAG, .offset = offsetof(struct mailbox, member)

#define LOG_CAPS       0x0402, "Get Log Capabilities"
#define EVENT_RECORDS  0x0100, "Get Event Records"
#define IDENTIFY       0x4000, "Identify Memory Device"
#define PARTITION_INFO 0x4100, "Get Partition Info"
#define HEALTH_INFO    0x4200, "Get Health Info"

/* CXL_MEM_SEND_COMMAND with CXL_MEM_COMMAND_ID_… */
#define BY(id) "ioctl " id

#define OVERFLOW_EVENT "trace event cxl_overflow"
#define NO_QOS                                                                                     \
	"the kernel has no command id for it, and distributions' kernels do not allow raw "        \
	"commands"
#define ALLOWED(name) "where --allow=" name " is given; see the document changes-devices.md"
#define PASSPHRASE    "nmemN/security of libnvdimm, where persistent memory is bound to cxl_pmem"

static const struct dsp0288_row rows[] = {
	{1, LOG_CAPS, "Parameter Flags[3]: Persistent across cold reset", "LogService",
	 "Oem/CXLHost/Device/Persistency", DSP0288_SHOWN, BY("GET_LOG_CAPS"),
	 .note = "named Persistence in Table 1; of the logs vendor debug and component state dump. In Oem, because Persistency is that of the entries that are served, which the service stores",
	 FLAG(log_persistent)},
	{2, EVENT_RECORDS, "Flags[0]: Overflow", "LogService", "Overflow", DSP0288_SHOWN,
	 OVERFLOW_EVENT,
	 "true until ClearLog when the device's log has overflowed, because then its records are missing among the entries, too"},
	{3, EVENT_RECORDS, "Overflow Error Count", "LogEntry", "OverflowErrorCount", DSP0288_SHOWN,
	 OVERFLOW_EVENT " count",
	 "in the device's last entry before the overflow (comment 1); the overflow has its own entry, too"},
	{4, EVENT_RECORDS, "First Overflow Event Timestamp", "LogEntry", "FirstOverflowTimestamp",
	 DSP0288_SHOWN, OVERFLOW_EVENT " first_ts",
	 "as row 3; absent when the device's timestamp is not set"},
	{5, EVENT_RECORDS, "Last Overflow Event Timestamp", "LogEntry", "LastOverflowTimestamp",
	 DSP0288_SHOWN, OVERFLOW_EVENT " last_ts", "as row 4"},
	{6, 0x0200, "Get FW Info", "FW Slot Info", "PCIeDevice", "StagedVersion", DSP0288_SHOWN,
	 BY("GET_FW_INFO"), "absent when no slot is staged"},
	{7, 0x0300, "Get Timestamp", "Timestamp", "PCIeDevice", "CXLDevice/Timestamp",
	 DSP0288_SHOWN, BY("GET_TIMESTAMP"),
	 "read-only; absent when it is not set. It advances from the moment when it was read, which is Oem/CXLHost/TimestampRead"},
	{8, 0x0301, "Set Timestamp", "Timestamp", "PCIeDevice", "CXLDevice/Timestamp",
	 DSP0288_REFUSED,
	 "the kernel sets it when it binds the device, and has no command id for it"},
	{9, IDENTIFY, "Informational, Warning, Failure, and Fatal Event Log Size", "LogService",
	 "Oem/CXLHost/Device/MaxNumberOfRecords", DSP0288_SHOWN, BY("IDENTIFY"),
	 .note = "the sum of the four (comment 2). In Oem, because MaxNumberOfRecords is that of the entries that are served: the limit of the service's log",
	 NUMBER(event_records)},
	{10, IDENTIFY, "Poison List Maximum Media Error Records", "Memory",
	 "PoisonListMaxMediaErrorRecords", DSP0288_SHOWN, BY("IDENTIFY"), .note = "read-only",
	 NUMBER(poison_list_records)},
	{11, IDENTIFY, "Poison Handling Capabilities", "Memory",
	 "Oem/CXLHost/PoisonHandlingCapabilities", DSP0288_SHOWN, BY("IDENTIFY"),
	 "no published schema has PoisonHandlingCapabilities: an OEM object of two booleans"},
	{12, IDENTIFY, "QoS Telemetry Capabilities[0]: Egress Port Congestion Supported",
	 "PCIeDevice", "CXLDevice/EgressPortCongestionSupport", DSP0288_SHOWN, BY("IDENTIFY"),
	 .note = "named PCIDevice, EgressPortCongestionSupported in Table 1",
	 FLAG(egress_port_congestion)},
	{13, IDENTIFY, "QoS Telemetry Capabilities[1]: Temporary Throughput Reduction Supported",
	 "PCIeDevice", "CXLDevice/TemporaryThroughputReductionSupported", DSP0288_SHOWN,
	 BY("IDENTIFY"), .note = "named PCIDevice in Table 1",
	 FLAG(temporary_throughput_reduction)},
	{14, IDENTIFY, "LSA Size", "Memory", "CXL/LabelStorageSizeBytes", DSP0288_SHOWN,
	 "memN/label_storage_size, or " BY("IDENTIFY"), "without CXL/ in Table 1"},
	{15, 0x4700, "Get SLD QoS Control",
	 "QoS Telemetry Control[1]: Temporary Throughput Reduction Enable", "PCIeDevice",
	 "CXLDevice/TemporaryThroughputReductionEnabled", DSP0288_REFUSED, NO_QOS},
	{16, 0x4701, "Set SLD QoS Control",
	 "QoS Telemetry Control[1]: Temporary Throughput Reduction Enable", "PCIeDevice",
	 "CXLDevice/TemporaryThroughputReductionEnabled", DSP0288_REFUSED, NO_QOS},
	{17, PARTITION_INFO, "Active Volatile Capacity", "Memory", "VolatileSizeLimitMiB",
	 DSP0288_SHOWN, BY("GET_PARTITION_INFO") ", or memN/ram/size",
	 "read-only; NonVolatileSizeLimitMiB is shown, too. Where the device contradicts Identify, they are the kernel's, and Oem/CXLHost/PartitionInfo has the device's and the reason"},
	{18, PARTITION_INFO, "Next Volatile Capacity", "Memory", "CXL/StagedVolatileSizeMiB",
	 DSP0288_SHOWN, BY("GET_PARTITION_INFO"),
	 "without CXL/ in Table 1; absent when no change is staged"},
	{19, PARTITION_INFO, "Next Persistent Capacity", "Memory", "CXL/StagedNonVolatileSizeMiB",
	 DSP0288_SHOWN, BY("GET_PARTITION_INFO"),
	 "named StagedPersistentSizeMiB in Table 1; absent when no change is staged"},
	{20, 0x4101, "Set Partition Info", "Next Volatile Capacity", "Memory",
	 "CXL/StagedVolatileSizeMiB", DSP0288_SHOWN, BY("SET_PARTITION_INFO"),
	 "PATCH " ALLOWED(
		 "partitions") ". The size of the whole device, with the memory that is always volatile; the persistent size follows, and is compared when it is given, too. In force after the next reset, until when rows 18 and 19 show it"},
	{21, 0x4101, "Set Partition Info", "Next Persistent Capacity", "Memory",
	 "CXL/StagedNonVolatileSizeMiB", DSP0288_SHOWN, BY("SET_PARTITION_INFO"), "as row 20"},
	{22, HEALTH_INFO, "Health Status", "Memory", "Status", DSP0288_SHOWN, BY("GET_HEALTH_INFO"),
	 "the resource is \"Many\" in Table 1: Status of Memory, PCIeDevice, CXLLogicalDevice, and HealthRollup of Chassis, FabricAdapter, Fabric, MemoryChunks, MemoryDomain and ComputerSystem, which combine them; Conditions have the reason (comment 3). Health has the unresolved entries of the log, too; what the device reports alone is Memory Oem/CXLHost/ReportedHealth"},
	{23, HEALTH_INFO, "Life Used", "MemoryMetrics", "CapacityUtilizationPercent", DSP0288_SHOWN,
	 BY("GET_HEALTH_INFO"), "the remaining life is HealthData/PredictedMediaLifeLeftPercent",
	 NUMBER(life_used_percent)},
	{24, HEALTH_INFO, "Corrected Volatile Error Count", "MemoryMetrics",
	 "CorrectedVolatileErrorCount", DSP0288_SHOWN, BY("GET_HEALTH_INFO"),
	 NUMBER(corrected_volatile_errors)},
	{25, HEALTH_INFO, "Corrected Persistent Error Count", "MemoryMetrics",
	 "CorrectedPersistentErrorCount", DSP0288_SHOWN, BY("GET_HEALTH_INFO"),
	 NUMBER(corrected_persistent_errors)},
	{26, HEALTH_INFO, "Additional Status[4]: Corrected Volatile Error Count", "Memory",
	 "Status/Conditions", DSP0288_SHOWN, BY("GET_HEALTH_INFO"),
	 "a condition while the flag is set (comment 4): ResourceEvent.ResourceWarningThresholdExceeded, or CXLHost.CorrectedErrorsWarning when the threshold is not known"},
	{27, HEALTH_INFO, "Additional Status[5]: Corrected Persistent Error Count", "Memory",
	 "Status/Conditions", DSP0288_SHOWN, BY("GET_HEALTH_INFO"), "as row 26"},
	{28, HEALTH_INFO, "Dirty Shutdown Count", "MemoryMetrics", "DirtyShutdownCount",
	 DSP0288_SHOWN, BY("GET_HEALTH_INFO"),
	 "HealthData/LastShutdownSuccess is absent, because the device reports the state for the next shutdown; that is an OEM property",
	 NUMBER(dirty_shutdowns)},
	{29, 0x4201, "Get Alert Configuration", "Valid Alerts and Programmable Alerts",
	 "MemoryMetrics", "CXL/AlertCapabilities", DSP0288_SHOWN, BY("GET_ALERT_CONFIG"),
	 "true when an alert is valid or programmable; Oem/CXLHost/Alerts distinguishes both. Life Used is SpareBlock; UncorrectableECCError is absent, because CXL has no such alert; the thresholds are an OEM object, whose WarningThreshold and Valid can be set (PATCH " ALLOWED(
		 "alerts") ") for alerts that are programmable, by " BY("SET_ALERT_CONFIG")},
	{30, 0x4304, "Scan Media", "N/A", "Memory", "Actions/#Memory.ScanMedia", DSP0288_REFUSED,
	 "the kernel does not offer the command to programs, also not as a raw command; not advertised"},
	{31, 0x4500, "Get Security State", "Security State", "Memory", "SecurityStates",
	 DSP0288_SHOWN, "memN/security/state",
	 "shown when the kernel's state is locked or unlocked: its state frozen includes a reached attempt count, and disabled is reported before the count is checked; SecurityState is the kernel's state, read with the mailbox, but absent for disabled while pmemN is not bound, because only the nvdimm driver reads it from the device"},
	{32, 0x4501, "Set Passphrase", "Passphrase Type 00h: Master Passphrase", "Memory",
	 "Actions/#Memory.SetMasterPassphrase", DSP0288_SHOWN, PASSPHRASE,
	 "as row 33, of the master passphrase"},
	{33, 0x4501, "Set Passphrase", "Passphrase Type 01h: User Passphrase", "Memory",
	 "Actions/#Memory.SetPassphrase", DSP0288_SHOWN, PASSPHRASE,
	 "shown " ALLOWED(
		 "security") ". RegionId is pmem; a passphrase is replaced with Oem/CXLHost/OldPassphrase"},
	{34, 0x4502, "Disable Passphrase", "Passphrase Type 00h: Master Passphrase", "Memory",
	 "Actions/#Memory.DisableMasterPassphrase", DSP0288_SHOWN, PASSPHRASE, "as row 33"},
	{35, 0x4502, "Disable Passphrase", "Passphrase Type 01h: User Passphrase", "Memory",
	 "Actions/#Memory.DisablePassphrase", DSP0288_SHOWN, PASSPHRASE, "as row 33"},
	{36, 0x4504, "Freeze Security State", "N/A", "Memory",
	 "Actions/#Memory.FreezeSecurityState", DSP0288_SHOWN, PASSPHRASE,
	 "as row 33; a PATCH of SecurityState with Frozen does the same"},
	{37, 0x4505, "Passphrase Secure Erase", "All", "Memory", "Actions/#Memory.SecureEraseUnit",
	 DSP0288_SHOWN, PASSPHRASE,
	 "as row 33; with RegionId all and no passphrase it is Secure Erase (4401h) of the whole device, by memN/security/erase"},
};

const struct dsp0288_row *dsp0288_rows(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(rows);
	return rows;
}

const char *dsp0288_state_name(enum dsp0288_state state)
{
	static const char *const names[] = {"shown", "refused"};

	return names[state];
}

/* Return: the name of the row's property within the object; NULL when it is not in that object. */
static const char *name_within(const struct dsp0288_row *row, const char *object)
{
	const char *name = row->property;

	if (object)
		name = str_after_prefix(name, object);
	if (object && name)
		name = str_after_prefix(name, "/");
	return name && !strchr(name, '/') ? name : NULL;
}

static void put_value(struct json_writer *w, const char *name, const struct dsp0288_row *row,
		      const struct mailbox *mb)
{
	const char *at = (const char *)mb + row->offset;

	if (row->kind == DSP0288_NUMBER)
		put_opt_number(w, name, *(const struct opt_u64 *)at);
	else if (row->kind == DSP0288_FLAG)
		put_opt_bool(w, name, *(const struct opt_bool *)at);
}

void put_dsp0288(struct json_writer *w, const char *resource, const char *object,
		 const struct mailbox *mb)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *name = name_within(&rows[i], object);

		if (name && str_equal(rows[i].resource, resource))
			put_value(w, name, &rows[i], mb);
	}
}
