// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/finding_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/names.h"
#include "common/quantity.h"

#define INTERVALS_ONLY "; addresses in it can be given as intervals only"
#define CEDT_UNKNOWN   "its interleave arithmetic is not known, because "

static const char *const formats[FINDING_CODE_COUNT] = {
	[FINDING_HOST_NO_CXL] = "no CXL on this host: %1",
	[FINDING_HOST_SUMMARY] =
		"Linux[ %1] shows %2 %2{window|windows}, %3 %3{region|regions} and %4 memory %4{device|devices}",
	[FINDING_HOST_NO_ROOT] =
		"there is no CXL root, so no memory device can be mapped: check that cxl_acpi is loaded, and look in the kernel log for a failure of its probe",
	[FINDING_HOST_NO_WINDOW] =
		"there is no window: firmware reserved no system addresses for CXL memory (no CFMWS in the ACPI table CEDT), so no memory device can be mapped",
	[FINDING_HOST_NO_MEMDEV] = "there is no memory device",
	[FINDING_HOST_FIND_MEMDEV] =
		"check that lspci shows a CXL device (class 0502) and that the driver cxl_pci is bound to it, and look for cxl_pci in the kernel log",
	[FINDING_HOST_ALL_MAPPED] = "all %1 of the devices' memory is in regions",
	[FINDING_HOST_PARTLY_MAPPED] =
		"%1 of the devices' %2 of memory is in regions that can be used",
	[FINDING_HOST_NOTHING_MAPPED] =
		"none of the devices' %1 of memory is in regions that can be used",
	[FINDING_HOST_ACCESS_DENIED] = "not readable for this user: %1",
	[FINDING_HOST_NOTE] = "%1",
	[FINDING_HOST_NOT_NORMALIZED] = "no decoder uses Normalized addressing; %1",
	[FINDING_HOST_NORMALIZED] =
		"Normalized addressing is used by: %1; their decoders hold device addresses, so the SPA of a DPA cannot be computed from what Linux shows",
	[FINDING_HOST_HANDLER_PRESENT] = "%1",
	[FINDING_HOST_HANDLER_MISSING] = "%1",
	[FINDING_HOST_TABLE_GIVEN] =
		"the ACPI table %1 is that of %2: this host does not show its own",
	[FINDING_RUN_AS_ROOT] = "run this as root",

	[FINDING_WINDOW_RANGE] = "window for CXL memory at SPA %1, %2",
	[FINDING_WINDOW_START_UNKNOWN] =
		"window for CXL memory, %1; its start address cannot be read",
	[FINDING_WINDOW_INTERLEAVE] = "interleaved over host bridges, %1-way at %2 B",
	[FINDING_WINDOW_ALLOWS] = "firmware allows in this window: %1",
	[FINDING_WINDOW_LOCKED] = "locked: firmware has fixed what is mapped in it",
	[FINDING_WINDOW_ARITHMETIC] = "interleave arithmetic: %1",
	[FINDING_WINDOW_CEDT_GIVEN] = "its interleave arithmetic is that of the CEDT in %1",
	[FINDING_WINDOW_CEDT_DENIED] =
		CEDT_UNKNOWN "the ACPI table CEDT may not be read" INTERVALS_ONLY,
	[FINDING_WINDOW_CEDT_ABSENT] = CEDT_UNKNOWN "there is no ACPI table CEDT" INTERVALS_ONLY,
	[FINDING_WINDOW_CEDT_UNREADABLE] =
		CEDT_UNKNOWN "the ACPI table CEDT cannot be read" INTERVALS_ONLY,
	[FINDING_WINDOW_NOT_IN_CEDT] =
		CEDT_UNKNOWN "the ACPI table CEDT does not describe this window" INTERVALS_ONLY,
	[FINDING_WINDOW_READ_CEDT] =
		"run this as root: only root may read the ACPI table CEDT; or give the output of acpidump with --tables",
	[FINDING_WINDOW_REGIONS] = "regions in it: %1",
	[FINDING_WINDOW_NO_REGION] = "regions in it: none",
	[FINDING_WINDOW_FULL] = "the window is full: no address range is left for another region",
	[FINDING_WINDOW_GAP] = "%1 (%2) is used by no region",
	[FINDING_WINDOW_UNKNOWN_USE] =
		"/proc/iomem entries in its range that belong to no region: %1; Linux uses these addresses, but cannot determine which memory device provides them",
	[FINDING_PORT_DECODER_RANGE] = "decoder of %1 %2 at %3",
	[FINDING_PORT_DECODER_INTERLEAVE] = "interleaved over its ports, %1-way at %2 B",
	[FINDING_DECODER_TARGETS] = "targets by position: %1",
	[FINDING_DECODER_TARGET_MISSING] =
		"its target at position %1, with id %2, does not exist: devices below it cannot be reached",

	[FINDING_DECODER_IDLE] = "idle: it decodes nothing",
	[FINDING_DECODER_IN_REGION] = "part of %1",
	[FINDING_DECODER_NO_REGION] = "committed, but in no region",
	[FINDING_DECODER_DPA] = "maps DPA %1, %2 of %3",
	[FINDING_DECODER_NORMALIZED] =
		"Normalized addressing: it decodes device addresses (%1), and only firmware knows the SPA of a DPA",
	[FINDING_DECODER_ORDINARY] = "decodes SPA %1 by HDM arithmetic",
	[FINDING_DECODER_NOT_COMMITTED] = "not committed: it decodes no system addresses yet",
	[FINDING_DECODER_MAPPING_UNKNOWN] =
		"whether it uses HDM arithmetic or Normalized addressing is not known, because its start address is not readable",
	[FINDING_DECODER_NO_DPA] = "committed, but the kernel knows no DPA range for it",
	[FINDING_DECODER_SIZE_MISMATCH] =
		"it decodes %1 bytes, which is not %2 times its %3 bytes of DPA",
	[FINDING_DECODER_DPA_RESERVED] = "its DPA range is reserved, but it is in no region",
	[FINDING_DECODER_FREE_DPA] = "to use this DPA for another region:\ncxl free-dpa -d %1 %2",
	[FINDING_DECODER_LOCKED] =
		"locked: the kernel rejects changes with EPERM ('Operation not permitted'), also by root",
	[FINDING_DECODER_KERNEL_TOO_OLD] =
		"in no region: Linux %1 does not support Normalized addressing (7.0 and later do). It interprets the device addresses %2 in this decoder as system addresses and finds no CXL window that contains them",
	[FINDING_DECODER_UPDATE_KERNEL] =
		"the memory may still be in use as ordinary RAM where firmware put it; for regions, boot Linux 7.0 or later built with CONFIG_CXL_ATL",
	[FINDING_DECODER_NORMALIZED_NO_REGION] =
		"in no region: with Normalized addressing Linux queries firmware's PRM handler for the system addresses, and builds the region from its answers; here %1",
	[FINDING_DECODER_CHECK_KERNEL] =
		"look for this decoder in the kernel log, and check that the kernel is built with CONFIG_CXL_ATL",
	[FINDING_DECODER_START_UNKNOWN] =
		"committed, but in no region; the reason is not known, because its start address is not readable",
	[FINDING_DECODER_ALONE_IN_WINDOW] =
		"it decodes addresses of window %1, but is in no region: the kernel found no other decoders that form a complete region with it",
	[FINDING_DECODER_OUTSIDE_WINDOWS] =
		"in no region: the system addresses it decodes are in no CXL window, and Linux builds regions in windows only",
	[FINDING_DECODER_CHECK_KERNEL_LOG] =
		"look for this decoder and for 'cxl region' in the kernel log",
	[FINDING_DECODER_DPA_NOT_ASCENDING] =
		"out of order: %1 maps DPA %2, which is below DPA %3 of %4; the addresses must ascend with the numbers of an endpoint's decoders",
	[FINDING_DECODER_SPA_NOT_ASCENDING] =
		"out of order: %1 decodes SPA %2, which is below SPA %3 of %4; the addresses must ascend with the numbers of an endpoint's decoders",
	[FINDING_DECODER_AFTER_IDLE] =
		"out of order: %1 is committed, but decoders with lower numbers are not: %2. Linux commits an endpoint's decoders in the order of their numbers, so these cannot be used before %1 is free again",

	[FINDING_SOURCES] = "DPAs are translated by: %1",
	[FINDING_SOURCES_PARTLY] = "some DPAs are translated by: %1",
	[FINDING_SOURCE_NONE] = "no SPA can be given for DPAs[: %1]",
	[FINDING_SOURCE_NONE_PARTLY] = "no SPA can be given for other DPAs[: %1]",
	[FINDING_SOURCE_INTERVAL] = "DPAs are answered by an interval instead of one SPA: %1",
	[FINDING_SOURCE_INTERVAL_PARTLY] =
		"other DPAs are answered by an interval instead of one SPA: %1",
	[FINDING_SOURCE_FEW_RECORDED] =
		"this capture contains the answers of firmware's PRM handler for some chunks of 256 bytes only; translate the other addresses on the machine itself",
	[FINDING_SOURCE_NOT_RECORDED] =
		"exact addresses need firmware's PRM handler, and this capture does not contain its answers for them: translate them on the machine itself",
	[FINDING_SOURCE_READ_PRMT] =
		"run this as root: ordinary users may not read the ACPI table PRMT, which names firmware's PRM handler",
	[FINDING_SOURCE_READ_ADDRESSES] =
		"run this as root: an ordinary user may not read decoder start addresses and the ACPI table CEDT",
	[FINDING_SOURCE_NEEDS_HANDLER] =
		"exact addresses need firmware's PRM handler, and %1: ask the machine's vendor for firmware that has it",
	[FINDING_SOURCE_NEEDS_FIRMWARE] = "exact addresses need firmware's PRM handler: %1",

	[FINDING_REGION_NO_ADDRESS] =
		"it has no system addresses: its size is not set, or its window[ %1] had no range left for it",
	[FINDING_REGION_CREATE_ANEW] =
		"remove it, and create it with cxl create-region:\ncxl destroy-region %1",
	[FINDING_REGION_RANGE] = "SPA %1, %2 of %3[, %4-way at %5 B][, in window %6]",
	[FINDING_REGION_MEMORY_CACHE] =
		"its first %1 is ordinary DRAM that caches the CXL memory behind it (extended linear cache): each line has two addresses",
	[FINDING_REGION_TARGETS_UNKNOWN] =
		"its number of targets is not known: interleave_ways is absent or not a valid number",
	[FINDING_REGION_TARGETS] = "targets by position: %1",
	[FINDING_REGION_KERNEL_ADDRESS] =
		"do not use the address that the kernel reports with an event of these devices (hpa): its formula does not hold for the decoders of this region, and may name a page of another device. 'cxl-spa translate' and 'cxl-spa events' follow the decoders",
	[FINDING_REGION_TARGET_MISPLACED] =
		"out of order: %1 is at position %2, but by the targets of the decoders above it, its position is %3",
	[FINDING_REGION_TARGETS_MISROUTED] =
		"out of order: the decoders above its memory devices do not route each position to the device at that position",
	[FINDING_REGION_ORDER_EFFECT] =
		"programs are not affected, because the decoders alone route their accesses; but the address that the kernel reports with an event of these devices (hpa) may be in a page of another device. Look for '%1' in the kernel log",
	[FINDING_REGION_SHARE_MISMATCH] =
		"%1 provides %2 bytes of DPA; each device of this region must provide %3 bytes",
	[FINDING_REGION_SIZE_MISMATCH] = "%1 decodes %2 bytes, the region has %3 bytes",
	[FINDING_REGION_START_MISMATCH] = "%1 starts at %2, the region's CXL memory at %3",
	[FINDING_REGION_WAYS_MISMATCH] = "%1 is %2-way, the region is %3-way",
	[FINDING_REGION_NOT_COMMITTED] =
		"complete, but not committed: its decoders are not programmed, so its memory cannot be used",
	[FINDING_REGION_INCOMPLETE] =
		"incomplete: there is no memory device[ at position %1, of 0..%2], so it is not committed, and its memory cannot be used",
	[FINDING_REGION_CHECK_KERNEL_LOG] =
		"look for the reason in the kernel log:\ndmesg | grep %1",
	[FINDING_REGION_ATTACH] =
		"attach %2 (%3[, serial %4]) at position %1:\necho %6 >/sys/bus/cxl/devices/%5/mode\necho %7 >/sys/bus/cxl/devices/%5/dpa_size\necho %5 >/sys/bus/cxl/devices/%8/target%1",
	[FINDING_REGION_ATTACH_RESERVED] =
		"attach %2 (%3[, serial %4]) at position %1:\necho %5 >/sys/bus/cxl/devices/%8/target%1",
	[FINDING_REGION_ENABLE_MEMDEV] =
		"position %1 is for a memory device below %4, and %2 (%3) is there without its driver cxl_mem; bind it, then explain this region again:\ncxl enable-memdev %2",
	[FINDING_REGION_BIND_FUNCTION] =
		"position %1 is for a memory device below %3, and %2 is there without its driver cxl_pci; bind it, then explain this region again:\necho %2 >/sys/bus/pci/drivers/cxl_pci/bind",
	[FINDING_REGION_FIND_MEMDEV] =
		"position %1 is for a memory device below %2[ with %3 of %4 that no decoder maps], and none is there; put one there and let Linux search for it, then explain this region again:\necho 1 >/sys/bus/pci/rescan",
	[FINDING_REGION_DEVICE_GONE] =
		"committed, but there is no memory device at position %1, of 0..%2: accesses to that part of its memory fail",
	[FINDING_REGION_DISABLE] = "take its memory out of use:\ncxl disable-region %1",
	[FINDING_REGION_COMMIT] =
		"commit the region and bind its driver:\necho 1 >/sys/bus/cxl/devices/%1/commit\ncxl enable-region %1",
	[FINDING_REGION_NO_DRIVER] =
		"committed, but no driver is bound to it, so its memory has no dax device",
	[FINDING_REGION_ENABLE] = "bind its driver:\ncxl enable-region %1",
	[FINDING_REGION_ENABLED] = "committed and enabled",
	[FINDING_REGION_COMMIT_UNKNOWN] = "whether it is committed cannot be read",
	[FINDING_REGION_LOCKED] =
		"locked: the kernel rejects changing or destroying it with EPERM ('Operation not permitted'), also by root; only firmware can map this memory differently, at the next boot",
	[FINDING_REGION_NORMALIZED] =
		"Normalized addressing: its endpoint decoders hold device addresses, and only firmware knows the SPA of a DPA; the kernel reports no address with its events and poison lists (hpa is all-ones)",
	[FINDING_REGION_ARITHMETIC] = "the arithmetic of its window is %1",
	[FINDING_REGION_ARITHMETIC_UNKNOWN] =
		"the arithmetic of its window is not known (see the window)",
	[FINDING_REGION_USERS_UNKNOWN] =
		"the user of its addresses is not known: /proc/iomem is absent, or shows no addresses because only root may see them",
	[FINDING_REGION_USERS] = "/proc/iomem entries in its range: %1",
	[FINDING_REGION_NO_USER] = "/proc/iomem shows no user of its addresses",
	[FINDING_REGION_DAX_DEVICE] =
		"%1 is in mode %2[, NUMA node %3]: programs use it through /dev/%1",
	[FINDING_REGION_SYSTEM_RAM] =
		"%1 is system RAM[, NUMA node %2][, %3 of %4 memory %4{block is|blocks are} online]",
	[FINDING_REGION_ONLINE_MEMORY] =
		"memory blocks that are offline hold no pages; to use them:\ndaxctl online-memory %1",
	[FINDING_REGION_NO_DAX_DEVICE] =
		"it has no dax device through which Linux or programs could use its memory",
	[FINDING_REGION_OF_ACCELERATOR] =
		"memory of an accelerator (type 2): the driver of the accelerator uses it, and Linux makes no dax device of it",
	[FINDING_REGION_CHECK_DAX_DRIVER] =
		"check that the driver dax_cxl is loaded; if another driver or firmware (Soft Reserved) has claimed the addresses, /proc/iomem shows it",
	[FINDING_REGION_NAMESPACES] =
		"its persistent memory is %1 of the nvdimm bus, with %2 %2{namespace|namespaces}",
	[FINDING_REGION_NO_NAMESPACE] =
		"its persistent memory is %1 of the nvdimm bus and has no namespace, so no program can use it",
	[FINDING_REGION_CREATE_NAMESPACE] =
		"create one (ndctl-create-namespace(1) has the modes):\nndctl create-namespace -r %1",
	[FINDING_REGION_NO_ND_REGION] =
		"its persistent memory is not on the nvdimm bus, so it can have no namespace: the driver cxl_pmem is not bound to it",
	[FINDING_REGION_LOAD_PMEM] = "load the driver:\nmodprobe cxl_pmem",

	[FINDING_MEMDEV_IDENTITY] =
		"at %1[, serial %2][, %3 of ram][, %4 of pmem][, near NUMA node %5]",
	[FINDING_MEMDEV_CONNECTED] = "connected as %1 below %2 %3",
	[FINDING_MEMDEV_NO_PORT_DRIVER] = "no driver is bound to its endpoint %1",
	[FINDING_MEMDEV_NO_ENDPOINT] =
		"it has no endpoint: Linux did not find a path of CXL ports from a root to it, so its memory cannot be mapped",
	[FINDING_MEMDEV_NO_DRIVER] =
		"the driver cxl_mem is not bound to it, so its memory cannot be mapped",
	[FINDING_MEMDEV_CHECK_KERNEL_LOG] =
		"look for %1 and 'cxl_mem' in the kernel log; these commands try again:\ncxl disable-memdev %1\ncxl enable-memdev %1",
	[FINDING_MEMDEV_ENABLE] =
		"bind the driver; the kernel log has the reason if that fails:\ncxl enable-memdev %1",
	[FINDING_MEMDEV_ENABLE_PORT] =
		"bind the driver; the kernel log has the reason if that fails:\ncxl enable-port -e %1",
	[FINDING_MEMDEV_SERIAL_ZERO] = "its serial number is 0, which means that it has none: %1",
	[FINDING_MEMDEV_SERIAL_SHARED] =
		"its serial number %1 is not unique, so it names no single device: %2",
	[FINDING_MEMDEV_NAME_BY_PLACE] =
		"name it by its PCI address instead of serial:..., and ask its vendor to set a unique serial number",
	[FINDING_MEMDEV_DECODERS] = "decoders in use: %1 of %2",
	[FINDING_CAPACITY_UNREADABLE] = "its capacity cannot be read",
	[FINDING_CAPACITY_NONE] =
		"it reports no capacity at all: the media may not be ready, or the capacity is not assigned to a partition",
	[FINDING_CAPACITY_MAPPED] = "all of its capacity is assigned to decoders",
	[FINDING_CAPACITY_UNMAPPED] =
		"DPA %1 (%2 of %3) is mapped by no decoder: it cannot be used",
	[FINDING_CAPACITY_AWAITED] =
		"DPA %1 (%2 of %3) is not in use, because %4 needs this device at its position %5 and is not complete; the commands are given at %4",
	[FINDING_CAPACITY_NORMALIZED] =
		"on a host with Normalized addressing Linux cannot create regions: only firmware can map this capacity, at the next boot",
	[FINDING_CAPACITY_DECODERS_PASSED] =
		"it cannot be mapped: its idle decoders have lower numbers than one in use, and Linux takes them in the order of their numbers",
	[FINDING_CAPACITY_DECODERS_USED] = "it cannot be mapped: all its decoders are in use",
	[FINDING_CAPACITY_NO_DECODER] =
		"it cannot be mapped: Linux shows no decoders of its endpoint",
	[FINDING_CAPACITY_TOO_SMALL] =
		"its %1 cannot be mapped: Linux maps a device from the lowest DPA upwards in pieces of 256 MiB, and none is left above the DPA already mapped",
	[FINDING_CAPACITY_CREATE_REGION] =
		"map it with, for example:\ncxl create-region -t %1 -d %2 -m %3[ -s %4M]",
	[FINDING_CAPACITY_CREATE_SHARED] =
		"map it with cxl create-region -t %1, in a window whose targets lead to this device and to the others of the region ('cxl-spa list' shows them)",
	[FINDING_CAPACITY_WINDOW_LOCKED] =
		"its %1 cannot be mapped: window %2 is locked by firmware",
	[FINDING_CAPACITY_WINDOW_FULL] = "its %1 cannot be mapped: window %2 is full",
	[FINDING_CAPACITY_WINDOW_SMALL] =
		"its %1 cannot be mapped: window %2 has free addresses, but fewer than the smallest region needs",
	[FINDING_CAPACITY_WINDOW_UNKNOWN] =
		"its %1 cannot be mapped: window %2 may have free addresses, but only root may read its start address",
	[FINDING_CAPACITY_WINDOW_UNPAIRED] =
		"its %1 cannot be mapped: window %2 interleaves over several host bridges, and not each of them has a device with free capacity below it",
	[FINDING_CAPACITY_NO_WINDOW] =
		"its %1 cannot be mapped: no window that leads to it accepts %1",

	[FINDING_PORT_PLACE] = "%1 at %2[, below %3][, at its port %4]",
	[FINDING_PORT_DISABLED] =
		"the driver cxl_port is not bound to it, so nothing below it can be mapped",
	[FINDING_PORT_ENABLE] =
		"bind the driver; the kernel log has the reason if that fails:\necho %1 >/sys/bus/cxl/drivers/cxl_port/bind",
	[FINDING_PORT_CHILDREN] = "below it: %1",
	[FINDING_PORT_NO_CHILD] = "below it: no port and no memory device",
	[FINDING_ENDPOINT_NO_MEMDEV] =
		"its memory device %1 has gone: it was unplugged, or its driver was unbound",
	[FINDING_DPORT_PLACE] = "port of %1 %2",
	[FINDING_DPORT_LEADS_NOWHERE] =
		"%1 of %2 sends accesses to this port, but no memory device is below it: it was unplugged, or Linux does not see it",
	[FINDING_PORT_RESCAN] =
		"plug it in again, and let Linux search for it:\necho 1 >/sys/bus/pci/rescan",
	[FINDING_DAX_RANGE] = "dax device at SPA %1, %2, in mode %3[, NUMA node %4][, of %5]",
	[FINDING_DAX_REGION_DEVICES] = "dax devices[ of %1]: %2",
	[FINDING_DAX_REGION_EMPTY] = "no dax device[ of %1]",
	[FINDING_FUNCTION_NO_DRIVER] =
		"a CXL memory device without its driver cxl_pci, so Linux shows no memory device for it",
	[FINDING_FUNCTION_BIND] =
		"bind the driver; the kernel log has the reason if that fails:\necho %1 >/sys/bus/pci/drivers/cxl_pci/bind",
	[FINDING_FUNCTION_LOAD_DRIVER] =
		"load the driver; if it is loaded, the second command binds it:\nmodprobe cxl_pci\necho %1 >/sys/bus/pci/drivers/cxl_pci/bind",
	[FINDING_FUNCTION_OTHER_DRIVER] =
		"a CXL memory device with the driver %1 instead of cxl_pci: it belongs to a program or a virtual machine, and is not mapped on this host",
	[FINDING_FUNCTION_NO_MEMDEV] =
		"a CXL memory device whose driver cxl_pci made no memory device of it",
	[FINDING_FUNCTION_CHECK_KERNEL_LOG] =
		"look for the reason in the kernel log:\ndmesg | grep %1",

	[FINDING_SWITCH_MAILBOX] = "switch with its mailbox at %1",
	[FINDING_SWITCH_RECORDED] = "its answers are recorded ones[, of this origin: %1]",
	[FINDING_SWITCH_UNREADABLE] = "its mailbox cannot be used[: %1]",
	[FINDING_SWITCH_NOTE] = "%1",
	[FINDING_SWITCH_PLACE] = "it is %1 of this host",
	[FINDING_SWITCH_NO_PLACE] =
		"which CXL port of this host it is, if any, is not known: no upstream bridge of a port is a function of the same PCI device",
	[FINDING_SWITCH_COUNTS] =
		"%1 physical %1{port|ports}, %2 virtual %2{switch|switches}, %3 of %4 vPPBs bound",
	[FINDING_SWITCH_PORT_PLACE] = "physical port %1[, %2][; this host sees it as %3]",
	[FINDING_SWITCH_PORT_LINK] = "its link is up: %1[; the port supports %2]",
	[FINDING_SWITCH_PORT_DEVICE] = "connected: %1[, serial %2][, %3 of this host]",
	[FINDING_SWITCH_PORT_EMPTY] = "no device is connected",
	[FINDING_SWITCH_PORT_IN_RESET] =
		"it is held in reset (PERST#), so what is connected cannot be used",
	[FINDING_SWITCH_PORT_POWER_OFF] = "its power is off, so what is connected cannot be used",
	[FINDING_SWITCH_PORT_LINK_DOWN] = "its link is down[: the LTSSM is in %1]",
	[FINDING_SWITCH_PORT_LINK_SLOW] = "its link is %1, but both ends support %2",
	[FINDING_SWITCH_PORT_UNBOUND] = "no vPPB is bound to it, so no host can use its device",
	[FINDING_SWITCH_BIND] =
		"bind it to a vPPB of the virtual switch whose host is to use it: a fabric manager does so, and cxl-redfishd with --allow=fabric",
	[FINDING_MLD_MEMORY] = "its device has %1 %1{LD|LDs} with %2 of its %3",
	[FINDING_MLD_UNALLOCATED] =
		"%1 of the %2 of its device is allocated to no LD, so no host can use it",
	[FINDING_MLD_OVERALLOCATED] =
		"the LDs of its device have %1 together, but the device has %2 only",
	[FINDING_LD_SIZE] = "LD of %1",
	[FINDING_LD_BANDWIDTH] =
		"%1/256 of the bandwidth of its device is allocated to it, at most %2/256",
	[FINDING_LD_BOUND] = "bound to %1[, %2 of this host]",
	[FINDING_LD_UNBOUND] = "no vPPB is bound to it, so no host can use its memory",
	[FINDING_VCS_STATE] =
		"virtual switch[, %1][, its upstream port is %2]; %3 of %4 vPPBs bound",
	[FINDING_VCS_OWN] = "it is the one that this host has",
	[FINDING_VPPB_STATE] = "vPPB[, %1][: %2][; this host sees it as %3]",

	[FINDING_FIRMWARE_READY] = "%1",
	[FINDING_FIRMWARE_UNAVAILABLE] = "%1",
	[FINDING_FIRMWARE_SLOW] = "%1",
	[FINDING_FIRMWARE_CALLS] =
		"the module allows %1 %1{call|calls} per second, %2 at once; since it was loaded it made %3, of which %4 failed, and delayed %5",
	[FINDING_FIRMWARE_ANSWER_REJECTED] = "firmware returned an invalid address: %1",
	[FINDING_FIRMWARE_ERROR] =
		"firmware returned errors for addresses of %1 %1{device|devices}, the first: %2",
	[FINDING_FIRMWARE_ADVICE] = "%1",

	[FINDING_EVENTS_NOT_RECORDED] = "CXL events are not recorded: %1",
	[FINDING_EVENTS_PARTLY_RECORDED] = "not all CXL events are recorded: %1",
	[FINDING_EVENTS_LOST] = "records of CXL events were lost within the last hour: %1",
	[FINDING_EVENTS_NOT_STORED] = "events cannot be stored: %1",
	[FINDING_EVENT_STORE_REPLACED] = "entries of the log may be missing: %1",
	[FINDING_EVENT_LOG_FULL] = "the log of events is full: %1",

	[FINDING_HELPER_UNAVAILABLE] = "what needs privileges is not read: %1",
	[FINDING_STATE_UNAVAILABLE] = "the state of the service cannot be stored: %1",

	[FINDING_DEVICE_NOT_ANSWERING] = "it does not respond to mailbox commands",
	[FINDING_MEDIA_NOT_READY] = "its media is not ready",
	[FINDING_WRITE_PERSISTENCY_LOST] = "it can no longer persist writes",
	[FINDING_ALL_DATA_LOST] = "all its data is lost",
	[FINDING_WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS] =
		"it will no longer persist writes after a loss of power",
	[FINDING_WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN] =
		"it will no longer persist writes after a shutdown",
	[FINDING_WRITE_PERSISTENCY_LOSS_IMMINENT] =
		"it is about to lose the ability to persist writes",
	[FINDING_ALL_DATA_LOSS_ON_POWER_LOSS] = "it will lose all data when power is lost",
	[FINDING_ALL_DATA_LOSS_ON_SHUTDOWN] = "it will lose all data when the host is shut down",
	[FINDING_ALL_DATA_LOSS_IMMINENT] = "it is about to lose all data",
	[FINDING_PERMANENT_CONDITION] = "it logged an event that is a permanent condition",
	[FINDING_MAINTENANCE_NEEDED] = "it needs maintenance",
	[FINDING_PERFORMANCE_DEGRADED] = "its performance is degraded",
	[FINDING_REPLACEMENT_NEEDED] = "it needs to be replaced",
	[FINDING_CAPACITY_DEGRADED] = "its capacity is degraded",
	[FINDING_LIFE_USED_WARNING] = "the used part of its life exceeds its warning threshold",
	[FINDING_LIFE_USED_CRITICAL] = "the used part of its life exceeds its critical threshold",
	[FINDING_TEMPERATURE_WARNING] = "its temperature is beyond a warning threshold",
	[FINDING_TEMPERATURE_CRITICAL] = "its temperature is beyond a critical threshold",
	[FINDING_CORRECTED_VOLATILE_ERRORS] =
		"its corrected errors in volatile memory exceed the warning threshold[ of %1]",
	[FINDING_CORRECTED_PERSISTENT_ERRORS] =
		"its corrected errors in persistent memory exceed the warning threshold[ of %1]",
	[FINDING_UNRESOLVED_EVENTS] =
		"%1 log %1{entry|entries} of type %2 %1{is|are} not resolved[, the newest number %3][, of %4]",
};

static const char *const reasons[FINDING_REASONS] = {
	[REASON_NO_CXL_BUS] =
		"the kernel has no CXL bus (/sys/bus/cxl is absent); check that it is built with CONFIG_CXL_BUS, and that cxl_acpi and cxl_pci are loaded",
	[REASON_NO_CEDT] =
		"firmware describes no CXL memory (there is no ACPI table CEDT); check that CXL is enabled in the firmware setup",
	[REASON_EMPTY_CXL_BUS] =
		"the kernel's CXL bus is empty; check that the module cxl_acpi is loaded, and look in the kernel log for a failure of its probe",
	[REASON_HANDLER_PRESENT] = "firmware has the PRM handler that translates DPA to SPA",
	[REASON_NO_PRMT] =
		"firmware has no ACPI table PRMT, so there is no PRM handler that translates DPA to SPA",
	[REASON_PRMT_UNREADABLE] =
		"the ACPI table PRMT cannot be read, so it is unknown whether firmware has a PRM handler",
	[REASON_PRMT_DAMAGED] = "the ACPI table PRMT is damaged and is not used",
	[REASON_NO_HANDLER] =
		"the ACPI table PRMT names no handler EE41B397-25D4-452C-AD54-48C6E3480B94, the one that translates DPA to SPA",
	[REASON_HANDLER_WITHOUT_ADDRESS] =
		"the ACPI table PRMT names the handler that translates DPA to SPA, but gives 0x0 as its address, so it cannot be called",
};

const char *finding_reason_text(enum finding_reason reason)
{
	return reasons[reason];
}

const char *finding_format(enum finding_code code)
{
	return formats[code];
}

/* ---- formatting --------------------------------------------------------------------------------
 */

struct sentence {
	char *text; /* FINDING_TEXT_MAX bytes */
	size_t n;
	const struct finding *finding;
};

static void sentence_add_bytes(struct sentence *s, const char *bytes, size_t n)
{
	size_t left = FINDING_TEXT_MAX - 1 - s->n;

	n = n < left ? n : left;
	memcpy(s->text + s->n, bytes, n);
	s->n += n;
	s->text[s->n] = '\0';
}

/* Text of an argument. */
static void sentence_add(struct sentence *s, const char *text)
{
	size_t start = s->n;

	sentence_add_bytes(s, text, strlen(text));
	for (char *p = s->text + start; *p; p++)
		if (*p == '\n')
			*p = '?';
}

static void sentence_add_number(struct sentence *s, const char *prefix, uint64_t n, bool hex)
{
	char text[24];

	(void)snprintf(text, sizeof(text), hex ? "%" PRIx64 : "%" PRIu64, n);
	sentence_add(s, prefix);
	sentence_add(s, text);
}

/* "2 mem1 (decoder5.0) 0x1000-0x1fff", as far as the item has that. */
static void names_add_item(struct names *names, const struct finding_item *i)
{
	char position[24] = "", detail[64] = "", range[RANGE_TEXT_MAX + 1] = "";

	if (i->position.present)
		(void)snprintf(position, sizeof(position), "%" PRIu64 " ", i->position.value);
	if (i->detail)
		(void)snprintf(detail, sizeof(detail), " (%s)", i->detail);
	if (i->start.present) {
		range[0] = ' ';
		(void)range_text(i->start, i->size, range + 1);
	}
	if (!i->name && position[0])
		position[strlen(position) - 1] = '\0';
	names_add(names, "%s%s%s%s", position, i->name ? i->name : "", detail, range);
}

static void sentence_add_list(struct sentence *s, const struct finding_item *list)
{
	struct names names = {0};

	for (; list; list = list->next)
		names_add_item(&names, list);
	sentence_add(s, names_end(&names));
}

static void sentence_add_time(struct sentence *s, uint64_t ns)
{
	time_t seconds = (time_t)(ns / 1000000000);
	char text[32] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	sentence_add(s, text);
}

static void sentence_add_arg(struct sentence *s, const struct finding_arg *a)
{
	char size[SIZE_TEXT_MAX], range[RANGE_TEXT_MAX];

	switch (a->type) {
	case FINDING_ARG_NONE:
		return;
	case FINDING_ARG_NAME:
	case FINDING_ARG_TEXT:
		sentence_add(s, a->text);
		return;
	case FINDING_ARG_REASON:
		sentence_add(s, finding_reason_text(a->reason));
		return;
	case FINDING_ARG_NUMBER:
		sentence_add_number(s, "", a->number, false);
		return;
	case FINDING_ARG_HEX:
		sentence_add_number(s, "0x", a->number, true);
		return;
	case FINDING_ARG_SIZE:
		sentence_add(s, size_text(a->range.size, size));
		return;
	case FINDING_ARG_RANGE:
		sentence_add(s, range_text(a->range.start, a->range.size, range));
		return;
	case FINDING_ARG_LIST:
		sentence_add_list(s, a->list);
		return;
	case FINDING_ARG_EVENT_TYPE:
		sentence_add(s, event_type_name(a->event_type));
		return;
	case FINDING_ARG_TIME:
		sentence_add_time(s, a->number);
		return;
	}
}

/* @p: behind '%'. Return: behind the reference to the argument. */
static const char *sentence_add_reference(struct sentence *s, const char *p)
{
	const struct finding_arg *a = &s->finding->args[*p++ - '1'];
	const char *bar, *end;

	if (*p != '{') {
		sentence_add_arg(s, a);
		return p;
	}
	bar = strchr(p, '|');
	end = strchr(bar, '}');
	if (a->number == 1)
		sentence_add_bytes(s, p + 1, (size_t)(bar - p - 1));
	else
		sentence_add_bytes(s, bar + 1, (size_t)(end - bar - 1));
	return end + 1;
}

/* Return: whether no argument between @p and @end is absent. */
static bool has_arguments(const struct finding *f, const char *p, const char *end)
{
	for (; p < end; p++)
		if (*p == '%' && f->args[p[1] - '1'].type == FINDING_ARG_NONE)
			return false;
	return true;
}

const char *finding_sentence(const struct finding *f, char text[static FINDING_TEXT_MAX])
{
	struct sentence s = {.text = text, .finding = f};
	const char *p = formats[f->code];

	text[0] = '\0';
	while (*p) {
		size_t plain = strcspn(p, "%[]");

		sentence_add_bytes(&s, p, plain);
		p += plain;
		if (*p == '%')
			p = sentence_add_reference(&s, p + 1);
		else if (*p == '[' && !has_arguments(f, p, strchr(p, ']')))
			p = strchr(p, ']') + 1;
		else if (*p)
			p++;
	}
	return text;
}

const char *finding_next_step(const struct finding *f, const struct finding *end,
			      char text[static FINDING_NEXT_MAX])
{
	char sentence[FINDING_TEXT_MAX];
	size_t used = 0;

	for (f++; f < end && finding_severity(f->code) == FINDING_ADVICE; f++)
		if (used < FINDING_NEXT_MAX)
			used += (size_t)snprintf(text + used, FINDING_NEXT_MAX - used, "%s%s",
						 used ? "\n" : "", finding_sentence(f, sentence));
	return used ? text : NULL;
}
