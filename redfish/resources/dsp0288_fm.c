// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/dsp0288_fm.h"

#include "common/array.h"

#define PORT_STATE 0x5101, "Get Physical Port State"
#define LD_INFO	   0x5400, "Get LD Info"

#define FLEX_BUS   "configuration space, DVSEC of the flex bus port"
#define PRIVILEGED "configuration space is shown to privileged programs only, and is in captures"

static const struct dsp0288_fm_row rows[] = {
	{1, 0x5100, "Identify Switch Device", "All", "Switch", "SwitchType",
	 "portN below a host bridge", NULL},
	{4, 0x5100, "Identify Switch Device", "Number of HDM Decoders", "Switch",
	 "CXL/TotalHDMDecoders", "decoderP.N below portP",
	 "CXL/VCS/HDMDecoders in Table 2, which is deprecated; absent when one decoder may stand "
	 "for none"},
	{5, PORT_STATE, "Current Port Configuration State", "Port",
	 "CXL/CurrentPortConfigurationState", "uport and dportN of portN",
	 "of a switch's ports whose peer is known: USP or DSP"},
	{6, PORT_STATE, "Connected Device Mode", "Port", "CXL/ConnectedDeviceMode",
	 FLEX_BUS ", status; PCIe flit mode", PRIVILEGED "; RCD is known without it"},
	{7, PORT_STATE, "Connected Device Type", "Port", "CXL/ConnectedDeviceType",
	 "class code of the memdev's PCI function",
	 "of root ports: behind a switch a logical device looks like a device"},
	{8, PORT_STATE, "Supported CXL Modes", "Port", "CXL/SupportedCXLModes",
	 FLEX_BUS ", capability; PCIe flit mode",
	 PRIVILEGED "; whether a port can RCD beside other modes is not shown by it"},
	{10, PORT_STATE, "Negotiated Link Width", "Port", "ActiveWidth", "current_link_width",
	 NULL},
	{11, PORT_STATE, "Supported Link Speeds Vector", "Port",
	 "LinkConfiguration/0/CapableLinkSpeedGbps",
	 "configuration space, Link Capabilities 2; max_link_width, or Link Capabilities",
	 "all lanes together, as MaxSpeedGbps; " PRIVILEGED},
	{12, PORT_STATE, "Max Link Speed", "Port", "MaxSpeedGbps",
	 "max_link_speed, max_link_width, or configuration space, Link Capabilities",
	 "all lanes together"},
	{13, PORT_STATE, "Current Link Speed", "Port", "CurrentSpeedGbps",
	 "current_link_speed, current_link_width", "all lanes together"},
	{16, LD_INFO, "Memory Size", "MemoryDomain", "MemorySizeMiB",
	 "memN/ram/size, memN/pmem/size", "of the domain in the device's chassis"},
	{17, LD_INFO, "LD Count", "PCIeDevice", "CXLDevice/MaxNumberLogicalDevices",
	 FLEX_BUS ", capability",
	 "1 of a device below a root port that cannot be divided, else absent; " PRIVILEGED},
	{18, LD_INFO, "QoS Telemetry Capabilities[0]: Egress Port Congestion Supported",
	 "PCIeDevice", "CXLDevice/EgressPortCongestionSupport", "ioctl IDENTIFY",
	 "of an SLD (comment 1), as Table 1 row 12"},
	{19, LD_INFO, "QoS Telemetry Capabilities[1]: Temporary Throughput Reduction Supported",
	 "PCIeDevice", "CXLDevice/TemporaryThroughputReductionSupported", "ioctl IDENTIFY",
	 "as Table 1 row 13"},
	{21, 0x5401, "Get LD Allocations", "Memory Granularity, LD Allocation List",
	 "CXLLogicalDevice", "MemorySizeMiB", "memN/ram/size, memN/pmem/size", NULL},
};

const struct dsp0288_fm_row *dsp0288_fm_rows(size_t *ret_n)
{
	*ret_n = ARRAY_SIZE(rows);
	return rows;
}
