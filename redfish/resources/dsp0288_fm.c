// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/dsp0288_fm.h"

#include <string.h>

#include "common/array.h"

#define SWITCH_DEVICE  0x5100, "Identify Switch Device"
#define PORT_STATE     0x5101, "Get Physical Port State"
#define PORT_CONTROL   0x5102, "Physical Port Control"
#define LD_INFO	       0x5400, "Get LD Info"
#define LD_ALLOCATIONS 0x5401, "Get LD Allocations"
#define QOS_CONTROL    0x5403, "Get QoS Control"

#define MAILBOX	 "mailbox of a switch"
#define TUNNEL	 "mailbox of a switch, tunnel to the device on a port"
#define MLD_PORT "of an MLD, on its own port"
#define PERCENT	 "n/256 as the nearest percent; also of a logical device that the host sees"

#define ALLOWED "with --allow=fabric"

#define FLEX_BUS   "configuration space, DVSEC of the flex bus port"
#define PRIVILEGED "configuration space is shown to privileged programs only, and is in captures"

static const struct dsp0288_fm_row rows[] = {
	{1, SWITCH_DEVICE, "All", "Switch", "SwitchType", MAILBOX "; portN below a host bridge",
	 NULL},
	{2, SWITCH_DEVICE, "Number of VCSs", "Switch", "CXL/MaxVCSsSupported", MAILBOX,
	 "named CXL/MaxVCSSupported in Table 2"},
	{3, SWITCH_DEVICE, "Total Number of vPPBs", "Switch", "CXL/TotalNumbervPPBs", MAILBOX,
	 "named CXL/TotalNumervPPBs in Table 2"},
	{4, SWITCH_DEVICE, "Number of HDM Decoders", "Switch", "CXL/VCS/HDMDecoders",
	 MAILBOX "; decoderP.N below portP",
	 "deprecated, and the same as CXL/TotalHDMDecoders; also HDMDecoders of each VirtualCXLSwitch. By decoderP.N absent when one decoder may stand for none"},
	{5, PORT_STATE, "Current Port Configuration State", "Port",
	 "CXL/CurrentPortConfigurationState", MAILBOX "; uport and dportN of portN",
	 "by the latter of a switch's ports whose peer is known: USP or DSP"},
	{6, PORT_STATE, "Connected Device Mode", "Port", "CXL/ConnectedDeviceMode",
	 MAILBOX "; " FLEX_BUS ", status; PCIe flit mode",
	 "by the mailbox of DSPs; " PRIVILEGED "; RCD is known without it"},
	{7, PORT_STATE, "Connected Device Type", "Port", "CXL/ConnectedDeviceType",
	 MAILBOX "; class code of the memdev's PCI function",
	 "by the latter of root ports: behind a switch a logical device looks like a device. Type2 is absent when the device answers that it is a switch, which has the same code. QEMU reports Type3MLD for every type 3 device"},
	{8, PORT_STATE, "Supported CXL Modes", "Port", "CXL/SupportedCXLModes",
	 MAILBOX "; " FLEX_BUS ", capability; PCIe flit mode",
	 PRIVILEGED "; whether a port can RCD beside other modes is not shown by it"},
	{9, PORT_STATE, "Supported LD Count", "Port", "CXL/MaxLogicalDeviceCount", MAILBOX,
	 "the field as it is, which the schema refers to: it counts the LDs beside the first, which every port supports (CXL 3.2 table 7-19)"},
	{10, PORT_STATE, "Negotiated Link Width", "Port", "ActiveWidth",
	 MAILBOX "; current_link_width", "absent while the mailbox reports that the link is down"},
	{11, PORT_STATE, "Supported Link Speeds Vector", "Port",
	 "LinkConfiguration/0/CapableLinkSpeedGbps",
	 MAILBOX "; configuration space, Link Capabilities 2; max_link_width, or Link Capabilities",
	 "all lanes together, as MaxSpeedGbps; " PRIVILEGED},
	{12, PORT_STATE, "Max Link Speed", "Port", "MaxSpeedGbps",
	 MAILBOX "; max_link_speed, max_link_width, or configuration space, Link Capabilities",
	 "all lanes together"},
	{13, PORT_STATE, "Current Link Speed", "Port", "CurrentSpeedGbps",
	 MAILBOX "; current_link_speed, current_link_width", "all lanes together, as ActiveWidth"},
	{14, PORT_CONTROL, "Port Opcode 02h: Reset PPB", "Port", "Actions/#Port.ResetPPB/target",
	 MAILBOX, ALLOWED},
	{15, PORT_CONTROL, "Port Opcode 00h and 01h: Assert and Deassert PERST", "Port",
	 "Actions/#Port.Reset/target", MAILBOX, "ResetType ForceRestart does both; " ALLOWED},
	{16, LD_INFO, "Memory Size", "MemoryDomain", "MemorySizeMiB",
	 TUNNEL "; memN/ram/size, memN/pmem/size",
	 "of the domain in the device's chassis; by the tunnel of an MLD"},
	{17, LD_INFO, "LD Count", "PCIeDevice", "CXLDevice/MaxNumberLogicalDevices",
	 TUNNEL "; " FLEX_BUS ", capability",
	 "1 of a device that cannot be divided: below a root port, where " PRIVILEGED
	 ", or an SLD by Get Physical Port State"},
	{18, LD_INFO, "QoS Telemetry Capabilities[0]: Egress Port Congestion Supported", "Port",
	 "CXL/QoSTelemetryCapabilities/EgressPortBackpressureSupported", TUNNEL,
	 "of an MLD (comment 1), on its own port"},
	{18, LD_INFO, "QoS Telemetry Capabilities[0]: Egress Port Congestion Supported",
	 "PCIeDevice", "CXLDevice/EgressPortCongestionSupport", "ioctl IDENTIFY",
	 "of an SLD (comment 1), as Table 1 row 12"},
	{19, LD_INFO, "QoS Telemetry Capabilities[1]: Temporary Throughput Reduction Supported",
	 "PCIeDevice", "CXLDevice/TemporaryThroughputReductionSupported", TUNNEL "; ioctl IDENTIFY",
	 "of an MLD; of an SLD as Table 1 row 13"},
	{20, LD_ALLOCATIONS, "Memory Granularity", "MemoryDomain", "MemoryChunkIncrementMiB",
	 TUNNEL "; decoderP.N/interleave_ways of the root",
	 "of the domain in the chassis of an MLD; of windows by the latter"},
	{21, LD_ALLOCATIONS, "Memory Granularity, LD Allocation List", "CXLLogicalDevice",
	 "MemorySizeMiB", TUNNEL "; memN/ram/size, memN/pmem/size",
	 "of an MLD's logical devices; of those that the host sees by the latter"},
	{22, QOS_CONTROL, "QoS Telemetry Control[0]: Egress Port Congestion Enable", "Port",
	 "CXL/Congestion/CongestionTelemetryEnabled", TUNNEL, MLD_PORT},
	{23, QOS_CONTROL, "QoS Telemetry Control[1]: Temporary Throughput Reduction Enable",
	 "PCIeDevice", "CXLDevice/TemporaryThroughputReductionEnabled", TUNNEL, NULL},
	{24, QOS_CONTROL, "Egress Moderate Percentage", "Port",
	 "CXL/Congestion/EgressModeratePercentage", TUNNEL, MLD_PORT},
	{25, QOS_CONTROL, "Egress Severe Percentage", "Port",
	 "CXL/Congestion/EgressSeverePercentage", TUNNEL, MLD_PORT},
	{26, QOS_CONTROL, "Backpressure Sample Interval", "Port",
	 "CXL/Congestion/BackpressureSampleInterval", TUNNEL, MLD_PORT},
	{27, QOS_CONTROL, "ReqCmpBasis", "Port", "CXL/Congestion/MaxSustainedRequestCmpBias",
	 TUNNEL, MLD_PORT},
	{28, QOS_CONTROL, "Completion Collection Interval", "Port",
	 "CXL/Congestion/CompletionCollectionInterval", TUNNEL, MLD_PORT},
	{29, 0x5405, "Get QoS Status", "Backpressure Average Percentage", "PortMetrics",
	 "CXL/BackpressureAveragePercentage", TUNNEL, MLD_PORT},
	{30, 0x5406, "Get QoS Allocated BW", "QoS Allocation Fraction", "CXLLogicalDevice",
	 "QoS/AllocatedBandwidth", TUNNEL, PERCENT},
	{31, 0x5408, "Get QoS BW Limit", "QoS Limit Fraction", "CXLLogicalDevice",
	 "QoS/LimitPercent", TUNNEL, PERCENT},
	{32, 0x5404, "Set QoS Control",
	 "QoS Telemetry Control[1]: Temporary Throughput Reduction Enable", "PCIeDevice",
	 "CXLDevice/TemporaryThroughputReductionEnabled", TUNNEL,
	 "PATCH, as of the properties of rows 22, 24 to 28, 30 and 31; " ALLOWED},
	{33, 0x0100, "MLD Port Event Record", "All", "LogEntry", "CXLEntryType",
	 "event logs of the switch, by its mailbox",
	 "below the chassis of the switch; overflow as comment 2 has it"},
};

const struct dsp0288_fm_row *dsp0288_fm_rows(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(rows);
	return rows;
}

const char *dsp0288_fm_tested_with(const struct dsp0288_fm_row *row)
{
	if (!strstr(row->source, "mailbox"))
		return "-";
	/* cxl-switch-mailbox-cci answers no other command of table 2. */
	return row->opcode == 0x5100 || row->opcode == 0x5101 ? "QEMU" : "model";
}
