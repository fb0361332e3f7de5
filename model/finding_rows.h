/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* clang-format off */
/*
 * All findings, one row each. This file is included twice and has no guard: finding.h makes the
 * enumeration of the codes of it, finding_table.c the table.
 *
 *	FACT(code, text, arguments...)
 *	ADVICE(code, text, arguments...)
 *	PROBLEM(code, severity, text, arguments...)
 *	FINDING(code, members of struct finding_row...)		a row with a Redfish message
 *
 * An argument is ARG(type, what it is), or OPTIONAL(type, what it is) when it may be absent.
 * finding_text.h describes the references of a text to them. Numbers of codes are not stored
 * anywhere and may change; their names are stable: cxl-spa explain --json prints them, and
 * cxl-spa-explain(1) lists them.
 */

/* The host. */
PROBLEM(HOST_NO_CXL, HEALTH_WARNING, "no CXL on this host: %1",
	ARG(REASON, "reason"))
FACT(HOST_SUMMARY,
	"Linux[ %1] shows %2 %2{window|windows}, %3 %3{region|regions} and %4 memory %4{device|devices}",
	OPTIONAL(NAME, "kernel"), ARG(NUMBER, "windows"), ARG(NUMBER, "regions"),
	ARG(NUMBER, "memory devices"))
PROBLEM(HOST_NO_ROOT, HEALTH_WARNING,
	"there is no CXL root, so no memory device can be mapped: check that cxl_acpi is loaded, and look in the kernel log for a failure of its probe")
PROBLEM(HOST_NO_WINDOW, HEALTH_WARNING,
	"there is no window: firmware reserved no system addresses for CXL memory (no CFMWS in the ACPI table CEDT), so no memory device can be mapped")
PROBLEM(HOST_NO_WINDOW_SHOWN, HEALTH_WARNING,
	"Linux shows no window, so no memory device can be mapped; whether firmware reserved system addresses for CXL memory is not known, because %1",
	ARG(REASON, "reason: state of the ACPI table CEDT"))
PROBLEM(HOST_WINDOWS_MISSING, HEALTH_WARNING,
	"the ACPI table CEDT has %1 %1{window|windows}, and Linux shows %2; missing: %3. Memory of these addresses cannot be mapped[. %4][. The kernel's log says: %5]",
	ARG(NUMBER, "windows in the table"), ARG(NUMBER, "windows that Linux shows"),
	ARG(LIST, "list of ranges"),
	OPTIONAL(TEXT, "what Linux expects of the first that is wrong, and what is there"),
	OPTIONAL(TEXT, "line of the kernel's log"))
ADVICE(HOST_CHECK_WINDOWS,
	"look for the reason in the kernel log, and ask the machine's vendor for firmware with a correct table:\n"
	"dmesg | grep -i -e cfmws -e cxl_acpi")
PROBLEM(HOST_NO_MEMDEV, HEALTH_WARNING, "there is no memory device")
ADVICE(HOST_FIND_MEMDEV,
	"check that lspci shows a CXL device (class 0502) and that the driver cxl_pci is bound to it, and look for cxl_pci in the kernel log")
FACT(HOST_ALL_MAPPED, "all %1 of the devices' memory is in regions",
	ARG(SIZE, "capacity"))
FACT(HOST_PARTLY_MAPPED, "%1 of the devices' %2 of memory is in regions that can be used",
	ARG(SIZE, "capacity in regions"), ARG(SIZE, "capacity"))
FACT(HOST_NOTHING_MAPPED, "none of the devices' %1 of memory is in regions that can be used",
	ARG(SIZE, "capacity"))
FACT(HOST_DECODERS_MAP,
	"committed decoders map %1 of the devices' %2 of memory without a region of Linux",
	ARG(SIZE, "capacity that they map"), ARG(SIZE, "capacity"))
PROBLEM(HOST_ACCESS_DENIED, HEALTH_WARNING, "not readable for this user: %1",
	ARG(LIST, "list of files"))
PROBLEM(HOST_NOTE, HEALTH_WARNING, "%1",
	ARG(TEXT, "what could not be read or was refused"))
FACT(HOST_NOT_NORMALIZED, "no decoder uses Normalized addressing; %1",
	ARG(REASON, "reason: state of the PRM handler"))
FACT(HOST_NORMALIZED,
	"Normalized addressing is used by: %1; their decoders hold device addresses, so the SPA of a DPA cannot be computed from what Linux shows",
	ARG(LIST, "list of memory devices"))
FACT(HOST_HANDLER_PRESENT, "%1",
	ARG(REASON, "reason: state of the PRM handler"))
PROBLEM(HOST_HANDLER_MISSING, HEALTH_WARNING, "%1",
	ARG(REASON, "reason: state of the PRM handler"))
FACT(HOST_TABLE_GIVEN, "the ACPI table %1 is that of %2: this host does not show its own",
	ARG(NAME, "table"), ARG(NAME, "file that it was handed in with"))
ADVICE(RUN_AS_ROOT, "run this as root")

/* Windows (root decoders) and the decoders of ports. */
FACT(WINDOW_RANGE, "window for CXL memory at SPA %1, %2",
	ARG(RANGE, "range"), ARG(SIZE, "size"))
PROBLEM(WINDOW_START_UNKNOWN, HEALTH_WARNING,
	"window for CXL memory, %1; its start address cannot be read",
	ARG(SIZE, "size"))
FACT(WINDOW_INTERLEAVE, "interleaved over host bridges, %1-way at %2 B",
	ARG(NUMBER, "ways"), ARG(NUMBER, "granularity"))
FACT(WINDOW_ALLOWS, "firmware allows in this window: %1",
	ARG(LIST, "list of kinds of memory"))
FACT(WINDOW_LOCKED, "locked: firmware has fixed what is mapped in it")
FACT(WINDOW_ARITHMETIC, "interleave arithmetic: %1",
	ARG(NAME, "name of the arithmetic"))
PROBLEM(WINDOW_XOR_AMBIGUOUS, HEALTH_WARNING,
	"the XOR maps that the CEDT has for it are not one to one: no system address reaches some addresses of its devices, and several reach others")
ADVICE(WINDOW_UPDATE_FIRMWARE,
	"update the firmware of the machine, and report to its vendor that the CXIMS of the CEDT is wrong")
FACT(WINDOW_CEDT_GIVEN, "its interleave arithmetic is that of the CEDT in %1",
	ARG(NAME, "file that the table was handed in with"))
PROBLEM(WINDOW_CEDT_OTHER, HEALTH_WARNING,
	"the CEDT in %1 is that of another machine, because it does not have the windows that Linux shows here: its interleave arithmetic is not used",
	ARG(NAME, "file that the table was handed in with"))
PROBLEM(WINDOW_CEDT_DENIED, HEALTH_WARNING,
	"its interleave arithmetic is not known, because the ACPI table CEDT may not be read; addresses in it can be given as intervals only")
PROBLEM(WINDOW_CEDT_ABSENT, HEALTH_WARNING,
	"its interleave arithmetic is not known, because there is no ACPI table CEDT; addresses in it can be given as intervals only")
PROBLEM(WINDOW_CEDT_UNREADABLE, HEALTH_WARNING,
	"its interleave arithmetic is not known, because the ACPI table CEDT cannot be read; addresses in it can be given as intervals only")
PROBLEM(WINDOW_NOT_IN_CEDT, HEALTH_WARNING,
	"its interleave arithmetic is not known, because the ACPI table CEDT does not describe this window; addresses in it can be given as intervals only")
ADVICE(WINDOW_READ_CEDT,
	"run this as root: only root may read the ACPI table CEDT; or give the output of acpidump with --tables")
FACT(WINDOW_REGIONS, "regions in it: %1",
	ARG(LIST, "list of regions"))
FACT(WINDOW_NO_REGION, "regions in it: none")
FACT(WINDOW_MAPPINGS, "mapped by committed decoders, without a region: %1",
	ARG(LIST, "list of mappings"))
FACT(WINDOW_FULL, "the window is full: no address range is left for another region")
FACT(WINDOW_ROOM,
	"a region of at most %1 has room in it[; whether its addresses are in use otherwise is %2]",
	ARG(SIZE, "size"), OPTIONAL(TEXT, "why that is not known"))
FACT(WINDOW_NO_ROOM, "no region can be made in it: %1",
	ARG(TEXT, "why, as the plan of a region says it"))
FACT(WINDOW_GAP, "%1 (%2) is used by no region and by nothing else: it is free",
	ARG(RANGE, "range"), ARG(SIZE, "size"))
FACT(WINDOW_GAP_UNKNOWN, "%1 (%2) is used by no region; whether it is in use otherwise is %3",
	ARG(RANGE, "range"), ARG(SIZE, "size"), ARG(TEXT, "why that is not known"))
FACT(WINDOW_SOFT_RESERVED_AROUND,
	"firmware marks %1 as Soft Reserved, memory for a special use: regions can be made in the window",
	ARG(RANGE, "range"))
PROBLEM(WINDOW_SYSTEM_RAM, HEALTH_WARNING,
	"%1 is in use as System RAM[ of %2], and in no region: no region can be made of these addresses while Linux uses them",
	ARG(RANGE, "range"), OPTIONAL(NAME, "dax device"))
PROBLEM(WINDOW_RESERVED, HEALTH_WARNING,
	"%1 is Reserved in firmware's memory map, so no region can be made there: firmware must not list addresses of a window as Reserved, ask the machine's vendor for an update",
	ARG(RANGE, "range"))
PROBLEM(WINDOW_SOFT_RESERVED, HEALTH_WARNING,
	"%1 is Soft Reserved inside of the window, and Linux keeps these addresses until the next boot: no region can be made there before",
	ARG(RANGE, "range"))
PROBLEM(WINDOW_PCI, HEALTH_WARNING,
	"addresses of PCI devices are in the window: %1; this is an error of firmware, no region can be made there, and accesses may reach the wrong device: ask the machine's vendor for an update",
	ARG(LIST, "list of ranges in /proc/iomem"))
FACT(WINDOW_DECODED,
	"%1 is mapped by %2, and no region has it: no region can be made there",
	ARG(RANGE, "range"), ARG(LIST, "list of decoders"))
PROBLEM(WINDOW_DAX_DEVICE, HEALTH_WARNING,
	"%1 is memory of %2, which belongs to no region: no region can be made there",
	ARG(RANGE, "range"), ARG(NAME, "dax device"))
PROBLEM(WINDOW_OVERLAP, HEALTH_WARNING,
	"%1 is in the window %2, too: this is an error of firmware, no region can be made there: ask the machine's vendor for an update",
	ARG(RANGE, "range"), ARG(NAME, "window"))
PROBLEM(WINDOW_UNREAD, HEALTH_WARNING,
	"who uses %1 is %2; no region is planned there",
	ARG(RANGE, "range"), ARG(TEXT, "why that is not known"))
PROBLEM(WINDOW_UNKNOWN_USE, HEALTH_WARNING,
	"%1 is in use by '%2', and in no region of the window: no region can be made there",
	ARG(RANGE, "range"), ARG(NAME, "user, as /proc/iomem has it"))
FACT(PORT_DECODER_RANGE, "decoder of %1 %2 at %3",
	ARG(NAME, "kind of port"), ARG(NAME, "port"), ARG(RANGE, "range"))
FACT(PORT_DECODER_INTERLEAVE, "interleaved over its ports, %1-way at %2 B",
	ARG(NUMBER, "ways"), ARG(NUMBER, "granularity"))
FACT(DECODER_TARGETS, "targets by position: %1",
	ARG(LIST, "list of targets"))
PROBLEM(DECODER_TARGET_MISSING, HEALTH_WARNING,
	"its target at position %1, with id %2, does not exist: devices below it cannot be reached",
	ARG(NUMBER, "position"), ARG(NUMBER, "id"))

/* Endpoint decoders. */
FACT(DECODER_IDLE, "idle: it decodes nothing")
FACT(DECODER_IN_REGION, "part of %1",
	ARG(NAME, "region, or mapping of decoders"))
PROBLEM(DECODER_NO_REGION, HEALTH_WARNING, "committed, but in no region")
FACT(DECODER_DPA, "maps DPA %1, %2 of %3",
	ARG(RANGE, "range"), ARG(SIZE, "size"), ARG(NAME, "mode"))
FACT(DECODER_NORMALIZED,
	"Normalized addressing: it decodes device addresses (%1), and only firmware knows the SPA of a DPA",
	ARG(RANGE, "range"))
FACT(DECODER_ORDINARY, "decodes SPA %1 by HDM arithmetic",
	ARG(RANGE, "range"))
PROBLEM(DECODER_NOT_COMMITTED, HEALTH_WARNING, "not committed: it decodes no system addresses yet")
PROBLEM(DECODER_MAPPING_UNKNOWN, HEALTH_WARNING,
	"whether it uses HDM arithmetic or Normalized addressing is not known, because its start address is not readable")
PROBLEM(DECODER_NO_DPA, HEALTH_WARNING, "committed, but the kernel knows no DPA range for it")
PROBLEM(DECODER_SIZE_MISMATCH, HEALTH_WARNING,
	"it decodes %1 bytes, which is not %2 times its %3 bytes of DPA",
	ARG(HEX, "bytes"), ARG(NUMBER, "ways"), ARG(HEX, "bytes of DPA"))
FINDING(DECODER_DPA_RESERVED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "%1 bytes of the device's memory are reserved, from decoder %2 on, and no region has them",
	.args = {ARG(NUMBER, "how many bytes"), ARG(NAME, "the first decoder with such memory")},
	.message = {
		.key = "DecoderDPAReserved",
		.description = "Indicates that the creation or the removal of a region was interrupted and has left memory of a device reserved.",
		.resolution = "Create a region with the device, which releases that memory first.  " EXPLAIN,
	})
ADVICE(DECODER_FREE_DPA,
	"to use this DPA for another region:\n"
	"cxl free-dpa -d %1 %2",
	ARG(NAME, "decoder"), ARG(NAME, "memory device"))
FACT(DECODER_LOCKED,
	"locked: the kernel rejects changes with EPERM ('Operation not permitted'), also by root")
PROBLEM(DECODER_KERNEL_TOO_OLD, HEALTH_WARNING,
	"in no region: Linux %1 does not support Normalized addressing (7.0 and later do). It interprets the device addresses %2 in this decoder as system addresses and finds no CXL window that contains them",
	ARG(NAME, "kernel"), ARG(RANGE, "range"))
ADVICE(DECODER_UPDATE_KERNEL,
	"the memory may still be in use as ordinary RAM where firmware put it; for regions, boot Linux 7.0 or later built with CONFIG_CXL_ATL")
PROBLEM(DECODER_NORMALIZED_NO_REGION, HEALTH_WARNING,
	"in no region: with Normalized addressing Linux queries firmware's PRM handler for the system addresses, and builds the region from its answers; here %1",
	ARG(REASON, "reason: state of the PRM handler"))
ADVICE(DECODER_CHECK_KERNEL,
	"look for this decoder in the kernel log, and check that the kernel is built with CONFIG_CXL_ATL")
PROBLEM(DECODER_START_UNKNOWN, HEALTH_WARNING,
	"committed, but in no region; the reason is not known, because its start address is not readable")
PROBLEM(DECODER_UNMAPPED, HEALTH_WARNING,
	"committed, but in no region, and no address of it is exact: %1",
	ARG(TEXT, "reason"))
PROBLEM(DECODER_ALONE_IN_WINDOW, HEALTH_WARNING,
	"it decodes addresses of window %1, but is in no region: the kernel found no other decoders that form a complete region with it",
	ARG(NAME, "window"))
PROBLEM(DECODER_OUTSIDE_WINDOWS, HEALTH_WARNING,
	"in no region: the system addresses it decodes are in no CXL window, and Linux builds regions in windows only")
ADVICE(DECODER_CHECK_KERNEL_LOG, "look for this decoder and for 'cxl region' in the kernel log[, which says: %1]",
	OPTIONAL(TEXT, "line of the kernel's log"))
PROBLEM(DECODER_DPA_NOT_ASCENDING, HEALTH_WARNING,
	"out of order: %1 maps DPA %2, which is below DPA %3 of %4; the addresses must ascend with the numbers of an endpoint's decoders",
	ARG(NAME, "decoder"), ARG(RANGE, "range"), ARG(RANGE, "range"), ARG(NAME, "decoder below"))
PROBLEM(DECODER_SPA_NOT_ASCENDING, HEALTH_WARNING,
	"out of order: %1 decodes SPA %2, which is below SPA %3 of %4; the addresses must ascend with the numbers of an endpoint's decoders",
	ARG(NAME, "decoder"), ARG(RANGE, "range"), ARG(RANGE, "range"), ARG(NAME, "decoder below"))
PROBLEM(DECODER_AFTER_IDLE, HEALTH_WARNING,
	"out of order: %1 is committed, but decoders with lower numbers are not: %2. Linux commits an endpoint's decoders in the order of their numbers, so these cannot be used before %1 is free again",
	ARG(NAME, "decoder"), ARG(LIST, "list of idle decoders"))

/* Translators of an endpoint decoder's DPAs. */
FACT(SOURCES, "DPAs are translated by: %1",
	ARG(LIST, "list of sources"))
FACT(SOURCES_PARTLY, "some DPAs are translated by: %1",
	ARG(LIST, "list of sources"))
PROBLEM(SOURCE_NONE, HEALTH_WARNING, "no SPA can be given for DPAs[: %1]",
	OPTIONAL(TEXT, "reason of the translator"))
PROBLEM(SOURCE_NONE_PARTLY, HEALTH_WARNING, "no SPA can be given for other DPAs[: %1]",
	OPTIONAL(TEXT, "reason of the translator"))
PROBLEM(SOURCE_INTERVAL, HEALTH_WARNING, "DPAs are answered by an interval instead of one SPA: %1",
	ARG(TEXT, "reason of the translator"))
PROBLEM(SOURCE_INTERVAL_PARTLY, HEALTH_WARNING,
	"other DPAs are answered by an interval instead of one SPA: %1",
	ARG(TEXT, "reason of the translator"))
ADVICE(SOURCE_FEW_RECORDED,
	"this capture contains the answers of firmware's PRM handler for some chunks of 256 bytes only; translate the other addresses on the machine itself")
ADVICE(SOURCE_NOT_RECORDED,
	"exact addresses need firmware's PRM handler, and this capture does not contain its answers for them: translate them on the machine itself")
ADVICE(SOURCE_READ_PRMT,
	"run this as root: ordinary users may not read the ACPI table PRMT, which names firmware's PRM handler")
ADVICE(SOURCE_READ_ADDRESSES,
	"run this as root: an ordinary user may not read decoder start addresses and the ACPI table CEDT")
ADVICE(SOURCE_NEEDS_HANDLER,
	"exact addresses need firmware's PRM handler, and %1: ask the machine's vendor for firmware that has it",
	ARG(REASON, "reason: state of the PRM handler"))
ADVICE(SOURCE_NEEDS_FIRMWARE, "exact addresses need firmware's PRM handler: %1",
	ARG(TEXT, "what to do"))

/* Regions. */
FINDING(REGION_NO_ADDRESS,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the region has no system addresses: its size is not set, or no range was left for it in its window[, %1]",
	.args = {OPTIONAL(NAME, "the window of the region")},
	.message = {
		.key = "RegionNoAddress",
		.description = "Indicates a region whose size is not set, or whose window had no range left for it.",
		.resolution = "Set the size of the region, or destroy it.",
	})
ADVICE(REGION_CREATE_ANEW,
	"remove it, and create it with cxl create-region:\n"
	"cxl destroy-region %1",
	ARG(NAME, "region"))
FACT(REGION_RANGE, "SPA %1, %2 of %3[, %4-way at %5 B][, in window %6]",
	ARG(RANGE, "range"), ARG(SIZE, "size"), ARG(NAME, "mode"), OPTIONAL(NUMBER, "ways"),
	OPTIONAL(NUMBER, "granularity"), OPTIONAL(NAME, "window"))
FACT(REGION_MEMORY_CACHE,
	"its first %1 is ordinary DRAM that caches the CXL memory behind it (extended linear cache): each line has two addresses",
	ARG(SIZE, "size"))
FACT(REGION_EXTENTS,
	"it is of dynamic capacity: memory is at %1 of it, in %2 %2{extent|extents}, and at none of its other addresses",
	ARG(SIZE, "bytes of its extents"), ARG(NUMBER, "extents"))
FACT(REGION_NO_EXTENT,
	"it is of dynamic capacity, and the device has given it no extent: there is no memory at its addresses")
PROBLEM(REGION_EXTENTS_UNKNOWN, HEALTH_WARNING,
	"it is of dynamic capacity, and not all its extents are known, so neither is at which of its addresses memory is: %1",
	ARG(TEXT, "reason"))
FINDING(REGION_TARGETS_UNKNOWN,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the number of the region's targets is not known: interleave_ways is absent or not a valid number",
	.message = {
		.key = "RegionTargetsUnknown",
		.description = "Indicates a region whose interleave ways are not set or invalid.",
		.resolution = EXPLAIN,
	})
FACT(REGION_TARGETS, "targets by position: %1",
	ARG(LIST, "list of targets"))
PROBLEM(REGION_KERNEL_ADDRESS, HEALTH_WARNING,
	"do not use the address that the kernel reports with an event of these devices (hpa): its formula does not hold for the decoders of this region, and may name a page of another device. 'cxl-spa translate' and 'cxl-spa events' follow the decoders")
PROBLEM(REGION_TARGET_MISPLACED, HEALTH_WARNING,
	"out of order: %1 is at position %2, but by the targets of the decoders above it, its position is %3",
	ARG(NAME, "memory device"), ARG(NUMBER, "position"), ARG(NUMBER, "expected position"))
PROBLEM(REGION_TARGETS_MISROUTED, HEALTH_WARNING,
	"out of order: the decoders above its memory devices do not route each position to the device at that position")
ADVICE(REGION_ORDER_EFFECT,
	"programs are not affected, because the decoders alone route their accesses; but the address that the kernel reports with an event of these devices (hpa) may be in a page of another device. Look for '%1' in the kernel log",
	ARG(NAME, "region"))
PROBLEM(REGION_SHARE_MISMATCH, HEALTH_WARNING,
	"%1 provides %2 bytes of DPA; each device of this region must provide %3 bytes",
	ARG(NAME, "decoder"), ARG(HEX, "bytes"), ARG(HEX, "expected bytes"))
PROBLEM(REGION_SIZE_MISMATCH, HEALTH_WARNING, "%1 decodes %2 bytes, the region has %3 bytes",
	ARG(NAME, "decoder"), ARG(HEX, "bytes"), ARG(HEX, "expected bytes"))
PROBLEM(REGION_START_MISMATCH, HEALTH_WARNING, "%1 starts at %2, the region's CXL memory at %3",
	ARG(NAME, "decoder"), ARG(HEX, "address"), ARG(HEX, "expected address"))
PROBLEM(REGION_WAYS_MISMATCH, HEALTH_WARNING, "%1 is %2-way, the region is %3-way",
	ARG(NAME, "decoder"), ARG(NUMBER, "ways"), ARG(NUMBER, "expected ways"))
FINDING(REGION_NOT_COMMITTED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the region is complete, but not committed: its decoders are not programmed, so its memory cannot be used",
	.message = {
		.key = "RegionNotCommitted",
		.description = "Indicates a region that is not committed.",
		.resolution = EXPLAIN,
	})
FINDING(REGION_INCOMPLETE,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the region is incomplete: there is no memory device[ at position %1, of 0..%2], so it is not committed, and %3",
	.args = {OPTIONAL(LIST, "the first position without memory device"),
		OPTIONAL(NUMBER, "the last position"), ARG(REASON, "what follows for its memory")},
	.message = {
		.key = "RegionIncomplete",
		.description = "Indicates a region in which a memory device is missing.",
		.resolution = EXPLAIN,
	})
ADVICE(REGION_ATTACH,
	"attach %2 (%3[, serial %4]) at position %1:\n"
	"echo %6 >/sys/bus/cxl/devices/%5/mode\n"
	"echo %7 >/sys/bus/cxl/devices/%5/dpa_size\n"
	"echo %5 >/sys/bus/cxl/devices/%8/target%1",
	ARG(NUMBER, "position"), ARG(NAME, "memory device"), ARG(NAME, "place"),
	OPTIONAL(HEX, "serial"), ARG(NAME, "decoder"), ARG(NAME, "mode"), ARG(HEX, "bytes"),
	ARG(NAME, "region"))
ADVICE(REGION_ATTACH_RESERVED,
	"attach %2 (%3[, serial %4]) at position %1:\n"
	"echo %5 >/sys/bus/cxl/devices/%8/target%1",
	ARG(NUMBER, "position"), ARG(NAME, "memory device"), ARG(NAME, "place"),
	OPTIONAL(HEX, "serial"), ARG(NAME, "decoder"), ARG(NAME, "mode"), ARG(HEX, "bytes"),
	ARG(NAME, "region"))
PROBLEM(REGION_ATTACH_REFUSED, HEALTH_WARNING,
	"Linux attaches decoders that are committed for these addresses by itself, and did not attach %1: it refuses them by hand, too",
	ARG(LIST, "list of decoders"))
PROBLEM(REGION_DECODER_EMULATED, HEALTH_WARNING,
	"%1: Linux made %2 of the DVSEC ranges of its device, as it does when a device is disabled and enabled again, and a route to it is missing[. The kernel's log says: %3]",
	ARG(TEXT, "what Linux expects at the first level that differs, and what is there"),
	ARG(NAME, "decoder"), OPTIONAL(TEXT, "line of the kernel's log"))
ADVICE(REGION_REBOOT,
	"reboot, so that firmware programs all decoders again, and do not disable the device while it is mapped; kernels in which that is fixed keep its decoders")
PROBLEM(REGION_DECODER_UNEXPECTED, HEALTH_WARNING,
	"what Linux refuses: %1[. The kernel's log says: %2]",
	ARG(TEXT, "what Linux expects at the first level that differs, and what is there"),
	OPTIONAL(TEXT, "line of the kernel's log"))
PROBLEM(KERNEL_REFUSED, HEALTH_WARNING, "Linux refuses it: %1",
	ARG(TEXT, "what Linux expects, and what its log says"))
ADVICE(KERNEL_REFUSED_NEXT, "%1", ARG(TEXT, "the way out"))
ADVICE(REGION_CHANGE_FIRMWARE,
	"firmware must program the decoders as Linux expects them, or a kernel is needed that accepts them: ask the machine's vendor")
ADVICE(BOOT_NEWER_KERNEL, "boot %1", ARG(TEXT, "version of Linux"))
ADVICE(REGION_ENABLE_MEMDEV,
	"position %1 is for a memory device below %4, and %2 (%3) is there without its driver cxl_mem; bind it, then explain this region again:\n"
	"cxl enable-memdev %2",
	ARG(NUMBER, "position"), ARG(NAME, "memory device"), ARG(NAME, "place"), ARG(NAME, "port"))
ADVICE(REGION_BIND_FUNCTION,
	"position %1 is for a memory device below %3, and %2 is there without its driver cxl_pci; bind it, then explain this region again:\n"
	"echo %2 >/sys/bus/pci/drivers/cxl_pci/bind",
	ARG(NUMBER, "position"), ARG(NAME, "PCI function"), ARG(NAME, "port"))
ADVICE(REGION_FIND_MEMDEV,
	"position %1 is for a memory device below %2[ with %3 of %4 that no decoder maps], and none is there; put one there and let Linux search for it, then explain this region again:\n"
	"echo 1 >/sys/bus/pci/rescan",
	ARG(NUMBER, "position"), ARG(NAME, "port"), OPTIONAL(SIZE, "size"), OPTIONAL(NAME, "mode"))
FACT(REGION_DECODED,
	"decoders that are committed map its addresses all the same, see %1: they are translated as these map them",
	ARG(NAME, "mapping of decoders"))
PROBLEM(MAPPING_NO_REGION, HEALTH_WARNING,
	"committed decoders map these addresses, and Linux has no region for them: accesses reach its devices, but Linux cannot manage or report the memory; the kernel gives no system address with events of these devices, commands for regions do not know it, and no region can be made there")
PROBLEM(MAPPING_INCOMPLETE, HEALTH_WARNING,
	"Linux shows no device at position %1, of 0..%2: what has that part of the addresses is not known; those of the other devices are",
	ARG(LIST, "the first position without memory device"), ARG(NUMBER, "last position"))
ADVICE(MAPPING_UPDATE_KERNEL,
	"this kernel[, %2,] makes no region of memory that firmware has mapped: boot %1",
	ARG(TEXT, "what is needed"), OPTIONAL(NAME, "kernel"))
ADVICE(MAPPING_CHECK_KERNEL_LOG,
	"this kernel can make regions of memory that firmware has mapped; look in its log for the reason why it made none[; it says: %1]:\n"
	"dmesg | grep -i cxl",
	OPTIONAL(TEXT, "line of the kernel's log"))
FACT(MAPPING_OF_REGION,
	"committed decoders map these addresses, which %1 of Linux has without being complete: its problem and the next step are given there",
	ARG(NAME, "region"))
PROBLEM(MAPPING_CONTRADICTED, HEALTH_WARNING,
	"no address in it is exact, because decoders contradict each other, or a region of Linux: %1",
	ARG(TEXT, "reason of the translator"))
FACT(REGION_LOW_MEMORY_HOLE,
	"its window ends before its decoders, as where a low memory hole for device registers follows: they decode %1 bytes and the window has %2, so %3 of DPA of its devices has no system address. That is a documented convention, and no memory is missing",
	ARG(HEX, "bytes that are decoded"), ARG(HEX, "bytes of the window"), ARG(SIZE, "size"))
ADVICE(REGION_CHECK_KERNEL_LOG,
	"look for the reason in the kernel log[, which says: %2]:\n"
	"dmesg | grep %1",
	ARG(NAME, "region"), OPTIONAL(TEXT, "line of the kernel's log"))
FINDING(REGION_DEVICE_GONE,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the region is committed, but there is no memory device at position %1, of 0..%2: accesses to that part of its memory fail",
	.args = {ARG(LIST, "the first position without memory device"),
		ARG(NUMBER, "the last position")},
	.message = {
		.key = "RegionDeviceGone",
		.description = "Indicates a committed region, a memory device of which is gone.",
		.resolution = EXPLAIN,
	})
ADVICE(REGION_DISABLE,
	"take its memory out of use:\n"
	"cxl disable-region %1",
	ARG(NAME, "region"))
ADVICE(REGION_COMMIT,
	"commit the region and bind its driver:\n"
	"echo 1 >/sys/bus/cxl/devices/%1/commit\n"
	"cxl enable-region %1",
	ARG(NAME, "region"))
FINDING(REGION_NO_DRIVER,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the region is committed, but no driver is bound to it, so its memory has no dax device",
	.message = {
		.key = "RegionNoDriver",
		.description = "Indicates a region that is committed, but not enabled.",
		.resolution = EXPLAIN,
	})
ADVICE(REGION_ENABLE,
	"bind its driver:\n"
	"cxl enable-region %1",
	ARG(NAME, "region"))
FACT(REGION_ENABLED, "committed and enabled")
FACT(REGION_COMMIT_UNKNOWN, "whether it is committed cannot be read")
FACT(REGION_LOCKED,
	"locked: the kernel rejects changing or destroying it with EPERM ('Operation not permitted'), also by root; only firmware can map this memory differently, at the next boot")
FACT(REGION_NORMALIZED,
	"Normalized addressing: its endpoint decoders hold device addresses, and only firmware knows the SPA of a DPA; the kernel reports no address with its events and poison lists (hpa is all-ones)")
FACT(REGION_ARITHMETIC, "the arithmetic of its window is %1",
	ARG(NAME, "name of the arithmetic"))
FACT(REGION_ARITHMETIC_UNKNOWN, "the arithmetic of its window is not known (see the window)")
FACT(REGION_USERS_UNKNOWN, "the user of its addresses is %1",
	ARG(TEXT, "why that is not known"))
FACT(REGION_USERS, "/proc/iomem entries in its range: %1",
	ARG(LIST, "list of ranges in /proc/iomem"))
FACT(REGION_SOFT_RESERVED,
	"firmware's memory map marks %1 as Soft Reserved, inside of the window: once the region is destroyed, Linux keeps these addresses, and no other region can be made of them before a reboot",
	ARG(RANGE, "range"))
PROBLEM(REGION_NO_USER, HEALTH_WARNING, "/proc/iomem shows no user of its addresses")
FACT(REGION_DAX_DEVICE, "%1 is in mode %2[, NUMA node %3]: programs use it through /dev/%1",
	ARG(NAME, "dax device"), ARG(NAME, "mode"), OPTIONAL(NUMBER, "NUMA node"))
FACT(REGION_SYSTEM_RAM,
	"%1 is system RAM[, NUMA node %2][, %3 of %4 memory %4{block is|blocks are} online]",
	ARG(NAME, "dax device"), OPTIONAL(NUMBER, "NUMA node"), OPTIONAL(NUMBER, "online"),
	OPTIONAL(NUMBER, "memory blocks"))
ADVICE(REGION_ONLINE_MEMORY,
	"memory blocks that are offline hold no pages; to use them:\n"
	"daxctl online-memory %1",
	ARG(NAME, "dax device"))
FINDING(REGION_NO_DAX_DEVICE,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the region has no dax device through which Linux or programs could use its memory",
	.message = {
		.key = "RegionNoDAXDevice",
		.description = "Indicates a region that is enabled, but whose memory has no user.",
		.resolution = EXPLAIN,
	})
FACT(REGION_OF_ACCELERATOR,
	"memory of an accelerator (type 2): the driver of the accelerator uses it, and Linux makes no dax device of it")
ADVICE(REGION_CHECK_DAX_DRIVER,
	"check that the driver dax_cxl is loaded; if another driver or firmware (Soft Reserved) has claimed the addresses, /proc/iomem shows it")
FACT(REGION_NAMESPACES,
	"its persistent memory is %1 of the nvdimm bus, with %2 %2{namespace|namespaces}",
	ARG(NAME, "region of the nvdimm bus"), ARG(NUMBER, "namespaces"))
PROBLEM(REGION_NO_NAMESPACE, HEALTH_WARNING,
	"its persistent memory is %1 of the nvdimm bus and has no namespace, so no program can use it",
	ARG(NAME, "region of the nvdimm bus"))
ADVICE(REGION_CREATE_NAMESPACE,
	"create one (ndctl-create-namespace(1) has the modes):\n"
	"ndctl create-namespace -r %1",
	ARG(NAME, "region of the nvdimm bus"))
PROBLEM(REGION_NO_ND_REGION, HEALTH_WARNING,
	"its persistent memory is not on the nvdimm bus, so it can have no namespace: the driver cxl_pmem is not bound to it")
ADVICE(REGION_LOAD_PMEM,
	"load the driver:\n"
	"modprobe cxl_pmem")

/* Memory devices and their capacity. */
FACT(MEMDEV_IDENTITY, "at %1[, serial %2][, %3 of ram][, %4 of pmem][, near NUMA node %5]",
	ARG(NAME, "place"), OPTIONAL(HEX, "serial"), OPTIONAL(SIZE, "ram"), OPTIONAL(SIZE, "pmem"),
	OPTIONAL(NUMBER, "NUMA node"))
FACT(MEMDEV_CONNECTED, "connected as %1 below %2 %3",
	ARG(NAME, "endpoint"), ARG(NAME, "kind of port"), ARG(NAME, "port"))
PROBLEM(MEMDEV_NO_PORT_DRIVER, HEALTH_WARNING, "no driver is bound to its endpoint %1",
	ARG(NAME, "endpoint"))
PROBLEM(MEMDEV_NO_ENDPOINT, HEALTH_WARNING,
	"it has no endpoint: Linux did not find a path of CXL ports from a root to it, so its memory cannot be mapped")
PROBLEM(MEMDEV_NO_DRIVER, HEALTH_WARNING,
	"the driver cxl_mem is not bound to it, so its memory cannot be mapped")
ADVICE(MEMDEV_CHECK_KERNEL_LOG,
	"look for %1 and 'cxl_mem' in the kernel log[, which says: %2]; these commands try again:\n"
	"cxl disable-memdev %1\n"
	"cxl enable-memdev %1",
	ARG(NAME, "memory device"), OPTIONAL(TEXT, "line of the kernel's log"))
ADVICE(MEMDEV_ENABLE,
	"bind the driver; the kernel log has the reason if that fails:\n"
	"cxl enable-memdev %1",
	ARG(NAME, "memory device"))
ADVICE(MEMDEV_ENABLE_PORT,
	"bind the driver; the kernel log has the reason if that fails:\n"
	"cxl enable-port -e %1",
	ARG(NAME, "endpoint"))
PROBLEM(MEMDEV_SERIAL_ZERO, HEALTH_WARNING,
	"its serial number is 0, which means that it has none: %1",
	ARG(LIST, "list of memory devices"))
PROBLEM(MEMDEV_SERIAL_SHARED, HEALTH_WARNING,
	"its serial number %1 is not unique, so it names no single device: %2",
	ARG(HEX, "serial"), ARG(LIST, "list of memory devices"))
ADVICE(MEMDEV_NAME_BY_PLACE,
	"name it by its PCI address instead of serial:..., and ask its vendor to set a unique serial number")
FACT(MEMDEV_DECODERS, "decoders in use: %1 of %2",
	ARG(NUMBER, "decoders in use"), ARG(NUMBER, "decoders"))
FACT(MEMDEV_REPAIRS, "places in it that Linux can repair: %1",
	ARG(TEXT, "types of repair, and when each is possible"))
FACT(MEMDEV_NO_REPAIRS, "places in it cannot be repaired: %1",
	ARG(TEXT, "why Linux offers no repair"))
FACT(MEMDEV_WORKLIST,
	"%1 %1{place|places} of it %1{is|are} in the worklist of repairs; the device asked for %2",
	ARG(NUMBER, "entries that are not done"), ARG(NUMBER, "those that it asked for"))
ADVICE(MEMDEV_LIST_REPAIRS,
	"what would repair them, and whether that is possible now: cxl-spa repair --list")
FACT(MEMDEV_PAGES,
	"%1 %1{page|pages} of its memory %1{is|are} to stay out of use, and %2 %2{is|are}",
	ARG(NUMBER, "remembered pages"), ARG(NUMBER, "those that are out of use"))
ADVICE(MEMDEV_LIST_PAGES,
	"the pages that are out, and why others are not: cxl-spa page list")
PROBLEM(CAPACITY_UNREADABLE, HEALTH_WARNING, "its capacity cannot be read")
PROBLEM(CAPACITY_NONE, HEALTH_WARNING,
	"it reports no capacity at all: the media may not be ready, or the capacity is not assigned to a partition")
FACT(CAPACITY_NAMED,
	"its partition %1 has[ %2 of] memory[ from DPA %3 on]; decoders have %4 of it[, QoS class %5]",
	ARG(NAME, "partition"), OPTIONAL(SIZE, "size"), OPTIONAL(HEX, "first DPA"),
	ARG(SIZE, "capacity in decoders"), OPTIONAL(NUMBER, "QoS class"))
FACT(CAPACITY_BASE_UNKNOWN,
	"where its partition %1 begins is not known: Linux does not show it, and no decoder maps the partition",
	ARG(NAME, "partition"))
PROBLEM(CAPACITY_BASE_CONTRADICTED, HEALTH_WARNING,
	"where its partition %1 begins is not known: %2",
	ARG(NAME, "partition"), ARG(TEXT, "how the witnesses contradict each other"))
FACT(CAPACITY_MAPPED, "all of its capacity is assigned to decoders")
PROBLEM(CAPACITY_UNMAPPED, HEALTH_WARNING,
	"DPA %1 (%2 of %3) is mapped by no decoder: it cannot be used",
	ARG(RANGE, "range"), ARG(SIZE, "size"), ARG(NAME, "partition"))
FACT(CAPACITY_AWAITED,
	"DPA %1 (%2 of %3) is not in use, because %4 needs this device at its position %5 and is not complete; the next step is given at %4",
	ARG(RANGE, "range"), ARG(SIZE, "size"), ARG(NAME, "partition"), ARG(NAME, "region"),
	ARG(NUMBER, "position"))
ADVICE(CAPACITY_NORMALIZED,
	"on a host with Normalized addressing Linux cannot create regions: only firmware can map this capacity, at the next boot")
PROBLEM(CAPACITY_DECODERS_PASSED, HEALTH_WARNING,
	"it cannot be mapped: its idle decoders have lower numbers than one in use, and Linux takes them in the order of their numbers")
PROBLEM(CAPACITY_DECODERS_USED, HEALTH_WARNING, "it cannot be mapped: all its decoders are in use")
PROBLEM(CAPACITY_NO_DECODER, HEALTH_WARNING,
	"it cannot be mapped: Linux shows no decoders of its endpoint")
PROBLEM(CAPACITY_TOO_SMALL, HEALTH_WARNING,
	"its %1 cannot be mapped: Linux maps a device from the lowest DPA upwards in pieces of 256 MiB, and none is left above the DPA already mapped",
	ARG(NAME, "partition"))
ADVICE(CAPACITY_CREATE_REGION,
	"map it with, for example:\n"
	"cxl create-region -t %1 -d %2 -m %3[ -s %4M]",
	ARG(NAME, "partition"), ARG(NAME, "window"), ARG(NAME, "memory device"),
	OPTIONAL(NUMBER, "MiB"))
ADVICE(CAPACITY_CREATE_SHARED,
	"map it together with others, for example:\n"
	"cxl create-region -m -t %1 -d %2 -w %3 -g %4 -s %5M %6",
	ARG(NAME, "partition"), ARG(NAME, "window"), ARG(NUMBER, "ways"), ARG(NUMBER, "granularity"),
	ARG(NUMBER, "MiB"), ARG(NAME, "memory devices, in position order"))
ADVICE(CAPACITY_CREATE_CHECKED,
	"whether addresses of the window are free is not known, because /proc/iomem is absent or shows none; as root this command looks before it writes:\n"
	"cxl-spa region create %2[ %3] --mode %1",
	ARG(NAME, "partition"), ARG(NAME, "window"), OPTIONAL(NAME, "memory device"))
PROBLEM(CAPACITY_REFUSED, HEALTH_WARNING, "its %1 cannot be mapped: %2",
	ARG(NAME, "partition"), ARG(TEXT, "why no region is possible"))
PROBLEM(CAPACITY_LEFT_OUT, HEALTH_WARNING,
	"its %1 cannot be mapped now: a region in window %2 is possible without this device only",
	ARG(NAME, "partition"), ARG(NAME, "window"))
PROBLEM(CAPACITY_NO_WINDOW, HEALTH_WARNING,
	"its %1 cannot be mapped: Linux shows no window that leads to it and accepts %1",
	ARG(NAME, "partition"))

/* Ports, dax devices, and PCI functions that no memory device was made of. */
FACT(PORT_PLACE, "%1[ at %2][, below %3][, at its port %4]",
	ARG(NAME, "kind of port"), OPTIONAL(NAME, "host"), OPTIONAL(NAME, "parent"),
	OPTIONAL(NAME, "its dport"))
PROBLEM(PORT_DISABLED, HEALTH_WARNING,
	"the driver cxl_port is not bound to it, so nothing below it can be mapped")
ADVICE(PORT_ENABLE,
	"bind the driver; the kernel log has the reason if that fails:\n"
	"echo %1 >/sys/bus/cxl/drivers/cxl_port/bind",
	ARG(NAME, "port"))
FACT(PORT_CHILDREN, "below it: %1",
	ARG(LIST, "list of ports and memory devices"))
FACT(PORT_NO_CHILD, "below it: no port and no memory device")
PROBLEM(ENDPOINT_NO_MEMDEV, HEALTH_WARNING,
	"its memory device[ %1] has gone: it was unplugged, or its driver was unbound",
	OPTIONAL(NAME, "memory device"))
FACT(DPORT_PLACE, "port of %1 %2",
	ARG(NAME, "kind of port"), ARG(NAME, "port"))
PROBLEM(DPORT_LEADS_NOWHERE, HEALTH_WARNING,
	"%1 of %2 sends accesses to this port, but no memory device is below it: it was unplugged, or Linux does not see it",
	ARG(NAME, "decoder"), ARG(NAME, "port"))
ADVICE(PORT_RESCAN,
	"plug it in again, and let Linux search for it:\n"
	"echo 1 >/sys/bus/pci/rescan")
FACT(DAX_RANGE, "dax device at SPA %1, %2, in mode %3[, NUMA node %4][, of %5]",
	ARG(RANGE, "range"), ARG(SIZE, "size"), ARG(NAME, "mode"), OPTIONAL(NUMBER, "NUMA node"),
	OPTIONAL(NAME, "region"))
FACT(DAX_REGION_DEVICES, "dax devices[ of %1]: %2",
	OPTIONAL(NAME, "region"), ARG(LIST, "list of dax devices"))
FACT(DAX_REGION_EMPTY, "no dax device[ of %1]",
	OPTIONAL(NAME, "region"))
PROBLEM(FUNCTION_NO_DRIVER, HEALTH_WARNING,
	"a CXL memory device without its driver cxl_pci, so Linux shows no memory device for it")
ADVICE(FUNCTION_BIND,
	"bind the driver; the kernel log has the reason if that fails:\n"
	"echo %1 >/sys/bus/pci/drivers/cxl_pci/bind",
	ARG(NAME, "PCI function"))
ADVICE(FUNCTION_LOAD_DRIVER,
	"load the driver; if it is loaded, the second command binds it:\n"
	"modprobe cxl_pci\n"
	"echo %1 >/sys/bus/pci/drivers/cxl_pci/bind",
	ARG(NAME, "PCI function"))
FACT(FUNCTION_OTHER_DRIVER,
	"a CXL memory device with the driver %1 instead of cxl_pci: it belongs to a program or a virtual machine, and is not mapped on this host",
	ARG(NAME, "driver"))
PROBLEM(FUNCTION_NO_MEMDEV, HEALTH_WARNING,
	"a CXL memory device whose driver cxl_pci made no memory device of it")
ADVICE(FUNCTION_CHECK_KERNEL_LOG,
	"look for the reason in the kernel log[, which says: %2]:\n"
	"dmesg | grep %1",
	ARG(NAME, "PCI function"), OPTIONAL(TEXT, "line of the kernel's log"))

/* Switches by their mailboxes, their ports, and the devices behind them. */
FACT(SWITCH_MAILBOX, "switch with its mailbox at %1",
	ARG(NAME, "PCI function"))
FACT(SWITCH_RECORDED, "its answers are recorded ones[, of this origin: %1]",
	OPTIONAL(NAME, "what gave them"))
FINDING(SWITCH_UNREADABLE,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the switch's mailbox cannot be used[: %1]",
	.args = {OPTIONAL(TEXT, "why it cannot be used")},
	.message = {
		.key = "SwitchUnreadable",
		.description = "Indicates that the mailbox of a switch cannot be used, so that nothing of what the switch reports is known.",
		.resolution = RESOLVE_CAUSE,
	})
FINDING(SWITCH_NOTE,
	.level = FINDING_FACT,
	.severity = HEALTH_OK,
	.text = "not all that the switch reports can be shown: %1",
	.args = {ARG(TEXT, "what is not shown, and why")},
	.message = {
		.key = "SwitchNote",
		.description = "Indicates that a command to the mailbox of a switch failed, or that its answers contradict each other, so that what it reports is not known.",
		.resolution = "" RESOLVE_CAUSE "  A command that the switch does not support needs no action.",
	})
FINDING(SWITCH_DOUBT,
	.level = FINDING_FACT,
	.severity = HEALTH_OK,
	.text = "the switch may show %1 of this host once more, as %2: both are shown, because %3",
	.args = {ARG(NAME, "memory device or bridge of the host"),
		ARG(TEXT, "the device at a port, or a port of the switch"),
		ARG(TEXT, "why that is not certain")},
	.message = {
		.key = "SwitchDoubt",
		.description = "Indicates that an object of the host and one that the mailbox of a switch reports may be the same, and are shown as two.",
		.resolution = "Do not add the sizes of both.  Compare the serial numbers that Linux and the switch show.  If a device has none or that of another one, ask its vendor to correct it.",
	})
FACT(SWITCH_PLACE, "it is %1 of this host",
	ARG(NAME, "port of the host"))
FACT(SWITCH_NO_PLACE,
	"which CXL port of this host it is, if any, is not known: no upstream bridge of a port is a function of the same PCI device")
FACT(SWITCH_COUNTS,
	"%1 physical %1{port|ports}, %2 virtual %2{switch|switches}, %3 of %4 vPPBs bound",
	ARG(NUMBER, "ports"), ARG(NUMBER, "VCSs"), ARG(NUMBER, "bound vPPBs"), ARG(NUMBER, "vPPBs"))
FACT(SWITCH_PORT_PLACE, "physical port %1[, %2][; this host sees it as %3]",
	ARG(NUMBER, "Id"), OPTIONAL(NAME, "configuration"), OPTIONAL(NAME, "function of the host"))
FACT(SWITCH_PORT_LINK, "its link is up: %1[; the port supports %2]",
	ARG(TEXT, "speed and lanes"), OPTIONAL(TEXT, "those that the port supports"))
FACT(SWITCH_PORT_DEVICE, "connected: %1[, serial %2][, %3 of this host]",
	ARG(NAME, "kind"), OPTIONAL(HEX, "serial"), OPTIONAL(NAME, "memory device"))
FACT(SWITCH_PORT_EMPTY, "no device is connected")
FINDING(SWITCH_PORT_IN_RESET,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "it is held in reset (PERST#), so what is connected cannot be used",
	.message = {
		.key = "SwitchPortInReset",
		.description = "Indicates that a switch holds what is connected to a port in reset.",
		.resolution = "Release the reset by the fabric manager, or reset the port (Port.Reset).",
	})
FINDING(SWITCH_PORT_POWER_OFF,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "its power is off, so what is connected cannot be used",
	.message = {
		.key = "SwitchPortPowerOff",
		.description = "Indicates that the power of a port of a switch is off.",
		.resolution = "Switch the power of the slot on.",
	})
FINDING(SWITCH_PORT_LINK_DOWN,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "its link is down[: the LTSSM is in %1]",
	.args = {OPTIONAL(NAME, "state of the link")},
	.message = {
		.key = "SwitchPortLinkDown",
		.description = "Indicates that something is connected to a port of a switch, but the link is down.",
		.resolution = "Seat the device or its cable again, and reset the port (Port.Reset).",
	})
FINDING(SWITCH_PORT_LINK_SLOW,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "its link is %1, but both ends support %2",
	.args = {ARG(TEXT, "speed and lanes"), ARG(TEXT, "those that both ends support")},
	.message = {
		.key = "SwitchPortLinkSlow",
		.description = "Indicates that the link of a port of a switch has fewer lanes or less speed than both of its ends support.",
		.resolution = "Seat the device or its cable again, and reset the port (Port.Reset); then have the slot and the device checked.",
	})
PROBLEM(SWITCH_PORT_UNBOUND, HEALTH_WARNING,
	"no vPPB is bound to it, so no host can use its device")
ADVICE(SWITCH_BIND,
	"bind it to a vPPB of the virtual switch whose host is to use it: a fabric manager does so, and cxl-redfishd with --allow=fabric")
FACT(MLD_MEMORY, "its device has %1 %1{LD|LDs} with %2 of its %3",
	ARG(NUMBER, "LDs"), ARG(SIZE, "size of the LDs"), ARG(SIZE, "size of the device"))
PROBLEM(MLD_UNALLOCATED, HEALTH_WARNING,
	"%1 of the %2 of its device is allocated to no LD, so no host can use it",
	ARG(SIZE, "size"), ARG(SIZE, "size of the device"))
PROBLEM(MLD_OVERALLOCATED, HEALTH_WARNING,
	"the LDs of its device have %1 together, but the device has %2 only",
	ARG(SIZE, "size of the LDs"), ARG(SIZE, "size of the device"))
FACT(LD_SIZE, "LD of %1",
	ARG(SIZE, "size"))
FACT(LD_BANDWIDTH, "%1/256 of the bandwidth of its device is allocated to it, at most %2/256",
	ARG(NUMBER, "allocated"), ARG(NUMBER, "limit"))
FACT(LD_BOUND, "bound to %1[, %2 of this host]",
	ARG(NAME, "vPPB"), OPTIONAL(NAME, "memory device"))
PROBLEM(LD_UNBOUND, HEALTH_WARNING, "no vPPB is bound to it, so no host can use its memory")
FACT(VCS_STATE, "virtual switch[, %1][, its upstream port is %2]; %3 of %4 vPPBs bound",
	OPTIONAL(NAME, "state"), OPTIONAL(NAME, "upstream port"), ARG(NUMBER, "bound vPPBs"),
	ARG(NUMBER, "vPPBs"))
FACT(VCS_OWN, "it is the one that this host has")
FACT(VPPB_STATE, "vPPB[, %1][: %2][; this host sees it as %3]",
	OPTIONAL(NAME, "binding"), OPTIONAL(NAME, "what it is bound to"),
	OPTIONAL(NAME, "function of the host"))

/* The path to firmware's PRM handler: service_health.h. */
FACT(FIRMWARE_READY, "%1",
	ARG(TEXT, "text of the state"))
FINDING(FIRMWARE_UNAVAILABLE,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "addresses have no exact translation: %1",
	.args = {ARG(TEXT, "why firmware cannot be queried")},
	.message = {
		.key = "FirmwareUnavailable",
		.description = "Indicates that the host's firmware is needed to translate addresses and cannot be queried.",
		.resolution = RESOLVE_CAUSE,
	})
FINDING(FIRMWARE_SLOW,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "addresses may have no exact translation: %1",
	.args = {ARG(TEXT, "what takes long, and how long")},
	.next = ASK_VENDOR,
	.message = {
		.key = "FirmwareSlow",
		.description = "Indicates that the host's firmware takes long to translate addresses.",
	})
FACT(FIRMWARE_CALLS,
	"the module allows %1 %1{call|calls} per second, %2 at once; since it was loaded it made %3, of which %4 failed, and delayed %5",
	ARG(NUMBER, "rate"), ARG(NUMBER, "burst"), ARG(NUMBER, "calls"), ARG(NUMBER, "errors"),
	ARG(NUMBER, "throttled"))
FINDING(FIRMWARE_ANSWER_REJECTED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "firmware returned an invalid address: %1",
	.args = {ARG(TEXT, "the first invalid answer")},
	.next = ASK_VENDOR,
	.message = {
		.key = "FirmwareAnswerRejected",
		.description = "Indicates that the host's firmware translated an address to one that the device cannot have.",
	})
FINDING(FIRMWARE_ERROR,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "firmware returned errors for addresses; number of affected devices: %1; the first error: %2",
	.args = {ARG(NUMBER, "the number of devices"),
		ARG(TEXT, "the first device, the address and the error")},
	.message = {
		.key = "FirmwareError",
		.description = "Indicates that the host's firmware could not translate an address that a memory device has.",
		.resolution = "See the Oem property Firmware of each Memory for the affected devices.",
	})
ADVICE(FIRMWARE_ADVICE, "%1",
	ARG(TEXT, "what to do"))

/* The recording of events, in the order of enum recording_fault: service_health.h. */
FINDING(EVENTS_NOT_RECORDED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "CXL events are not recorded: %1",
	.args = {ARG(TEXT, "why events do not reach the service")},
	.message = {
		.key = "EventsNotRecorded",
		.description = "Indicates that events of CXL devices do not reach the service.",
		.resolution = RESOLVE_CAUSE,
	})
FINDING(EVENTS_NOT_IN_KERNEL,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "errors of CXL memory are not recorded: %1",
	.args = {ARG(TEXT, "why the kernel has no events")},
	.next = "Run Linux 6.3 or newer, with the module cxl_core.",
	.message = {
		.key = "EventsNotInKernel",
		.description = "Indicates that the kernel of this host has no events of CXL devices.",
	})
FINDING(EVENTS_PARTLY_RECORDED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "not all CXL events are recorded: %1",
	.args = {ARG(TEXT, "why events do not reach the service")},
	.message = {
		.key = "EventsPartlyRecorded",
		.description = "Indicates that some events of CXL devices do not reach the service, or reach it late.",
		.resolution = RESOLVE_CAUSE,
	})
FINDING(EVENTS_LOST,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "records of CXL events were lost within the last hour: %1",
	.args = {ARG(TEXT, "the number of records, and where they were lost")},
	.next = "Check the entries around the time of the loss, and their devices.",
	.message = {
		.key = "EventsLost",
		.description = "Indicates that records of events were lost before they could be stored.",
	})
FINDING(EVENTS_LOST_AT_END,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "records of CXL events were lost when the service ended: %1",
	.args = {ARG(TEXT, "the number of records of each CPU, and the entries that say so")},
	.next = "Look for the reason of the end in the service's log, and for the records in other logs of that time.  Then set Resolved of these entries.",
	.message = {
		.key = "EventsLostAtEnd",
		.description = "Indicates that the service ended before it had stored records that it had read, and that the entries about it are not resolved.",
	})
FINDING(EVENTS_NOT_STORED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "events cannot be stored: %1",
	.args = {ARG(TEXT, "why the log cannot be written")},
	.message = {
		.key = "EventsNotStored",
		.description = "Indicates that the log of events cannot be written.",
		.resolution = "" RESOLVE_CAUSE "  Until then, events are queued in memory, up to a limit.",
	})
FINDING(EVENT_STORE_REPLACED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "entries of the log may be missing: %1",
	.args = {ARG(TEXT, "the file, and why it cannot be used")},
	.next = "If the message names a file that was set aside, delete that one when it is no longer needed.  If another program removed the log, find out which, and restart cxl-redfishd.",
	.message = {
		.key = "EventStoreReplaced",
		.description = "Indicates that the file of the log could not be used and was replaced by a new one, with what could be read of it, or that another program removed or replaced it.",
	})
FINDING(EVENT_LOG_FULL,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the log of events is full: %1",
	.args = {ARG(TEXT, "the number of entries")},
	.next = "Clear the log.",
	.message = {
		.key = "EventLogFull",
		.description = "Indicates that new events are rejected.",
	})

/* Faults of parts that the service depends on, in the order of enum service_fault: service_health.h. */
FINDING(HELPER_UNAVAILABLE,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "only what every user may read is shown, because cxl-redfish-helper cannot be used: %1",
	.args = {ARG(TEXT, "why it cannot be used")},
	.next = "Start cxl-redfish-helper.socket.  If it runs, look for the reason in the log of cxl-redfish-helper.",
	.message = {
		.key = "HelperUnavailable",
		.description = "Indicates that device mailboxes, firmware tables, addresses of decoders and CXL events are not read.",
	})
FINDING(STATE_UNAVAILABLE,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "accounts, subscriptions, tasks and the audit log cannot be stored: %1",
	.args = {ARG(TEXT, "why the state database cannot be used")},
	.next = "Make space on the disk, or restore the file from a copy, as the message and the log of the service say.",
	.message = {
		.key = "StateUnavailable",
		.description = "Indicates that the state database is damaged, or cannot be written.",
	})
FINDING(CONFIG_REFUSED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the configuration was refused when it was last reloaded; the former one is in use, and the service will not start again with this one: %1",
	.args = {ARG(TEXT, "where the reason is")},
	.next = "Run cxl-redfishd --check-config, correct what it names, and reload the service.",
	.message = {
		.key = "ConfigRefused",
		.description = "Indicates that the files of the configuration have a mistake and are not in use.",
	})
FINDING(CXL_MISSING,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "this host has no CXL memory, which expect-cxl of the configuration says it should have: %1",
	.args = {ARG(TEXT, "why Linux shows none")},
	.next = "Run cxl-spa explain.  Remove expect-cxl from the configuration if no CXL memory is expected.",
	.message = {
		.key = "CXLMissing",
		.description = "Indicates that a host that is to have CXL memory has none.",
	})
FINDING(PAGE_POLICY_IDLE,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "page-policy is on, and takes no page out of use: %1",
	.args = {ARG(TEXT, "why errors are no reason for it")},
	.next = "Write boot to trace_clock of the trace instance cxl-redfish, which empties it.  For the next boot, have cxl-redfish-trace make the instance, and remove trace_instance= from the kernel's command line.",
	.message = {
		.key = "PagePolicyIdle",
		.description = "Indicates that the page policy cannot tell when errors happened, so that none is a reason to take a page out of use.",
	})
FINDING(COLLECTOR_BLOCKED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the OpenTelemetry collector accepts no events, which are kept: %1",
	.args = {ARG(TEXT, "why it accepts none")},
	.next = "Correct the keys of the configuration that the message names, or the collector, and reload the service.  It is tried every 5 minutes.",
	.message = {
		.key = "CollectorBlocked",
		.description = "Indicates that events wait for an OpenTelemetry collector that does not accept them.",
	})


/* enum mailbox_media, and a critical level follows its warning. */
FINDING(DEVICE_NOT_ANSWERING,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device does not respond to mailbox commands",
	.next = "Check the kernel's log for errors of the device.  If there are none, reset the device.",
	.message = {
		.key = "DeviceNotAnswering",
		.description = "Indicates that a memory device does not respond to mailbox commands, so that its health is not known.",
	})
FINDING(MEDIA_NOT_READY,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the device's media is not ready",
	.next = "Reset the device.  If that does not help, replace it.",
	.message = {
		.key = "MediaNotReady",
		.description = "Indicates that the media of a memory device is not ready for use.",
	})
FINDING(WRITE_PERSISTENCY_LOST,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the device can no longer persist writes",
	.next = EVENT_ADVICE_REPLACE,
	.message = {
		.key = "WritePersistencyLost",
		.description = "Indicates that a memory device can no longer persist what is written to it.  What was persisted is kept.",
	})
FINDING(ALL_DATA_LOST,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "all data in the device is lost",
	.next = "Restore the data from a backup, and replace the device.",
	.message = {
		.key = "AllDataLost",
		.description = "Indicates that all data in a memory device is lost.",
	})
FINDING(WRITE_PERSISTENCY_LOSS_ON_POWER_LOSS,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device will no longer persist writes after a loss of power",
	.next = SAVE_DATA,
	.message = {
		.key = "WritePersistencyLossOnPowerLoss",
		.description = "Indicates that a memory device will lose the ability to persist writes when power is lost.",
	})
FINDING(WRITE_PERSISTENCY_LOSS_ON_SHUTDOWN,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device will no longer persist writes after a shutdown",
	.next = SAVE_DATA,
	.message = {
		.key = "WritePersistencyLossOnShutdown",
		.description = "Indicates that a memory device will lose the ability to persist writes when the host is shut down.",
	})
FINDING(WRITE_PERSISTENCY_LOSS_IMMINENT,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the device is about to lose the ability to persist writes",
	.next = EVENT_ADVICE_REPLACE,
	.message = {
		.key = "WritePersistencyLossImminent",
		.description = "Indicates that a memory device may lose the ability to persist writes at any time.",
	})
FINDING(ALL_DATA_LOSS_ON_POWER_LOSS,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device will lose all data when power is lost",
	.next = SAVE_DATA,
	.message = {
		.key = "AllDataLossOnPowerLoss",
		.description = "Indicates that a memory device will lose all data when power is lost.",
	})
FINDING(ALL_DATA_LOSS_ON_SHUTDOWN,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device will lose all data when the host is shut down",
	.next = SAVE_DATA,
	.message = {
		.key = "AllDataLossOnShutdown",
		.description = "Indicates that a memory device will lose all data when the host is shut down.",
	})
FINDING(ALL_DATA_LOSS_IMMINENT,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the device is about to lose all data",
	.next = EVENT_ADVICE_REPLACE,
	.message = {
		.key = "AllDataLossImminent",
		.description = "Indicates that a memory device may lose all data at any time.",
	})
/* These four have, when records of an incident report them: [its newest entry], [its time]. */
FINDING(PERMANENT_CONDITION,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device logged an event that is a permanent condition",
	.args = {OPTIONAL(ENTRY, "newest log entry of the incident whose records say so"), OPTIONAL(TIME, "its time")},
	.message = {
		.key = "PermanentCondition",
		.description = "Indicates an open incident of a memory device, of which a record is marked as a permanent condition.",
		.resolution = "See the log entry.",
	})
FINDING(MAINTENANCE_NEEDED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device needs maintenance",
	.args = {OPTIONAL(ENTRY, "newest log entry of the incident whose records say so"), OPTIONAL(TIME, "its time")},
	.next = "Perform the maintenance that the device's vendor describes.",
	.message = {
		.key = "MaintenanceNeeded",
		.description = "Indicates that a memory device reports that it needs maintenance.",
	})
FINDING(PERFORMANCE_DEGRADED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device's performance has degraded",
	.args = {OPTIONAL(ENTRY, "newest log entry of the incident whose records say so"), OPTIONAL(TIME, "its time")},
	.message = {
		.key = "PerformanceDegraded",
		.description = "Indicates that the performance of a memory device has degraded.",
		.resolution = SEE_METRICS,
	})
FINDING(REPLACEMENT_NEEDED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the device needs to be replaced",
	.args = {OPTIONAL(ENTRY, "newest log entry of the incident whose records say so"), OPTIONAL(TIME, "its time")},
	.next = EVENT_ADVICE_REPLACE,
	.message = {
		.key = "ReplacementNeeded",
		.description = "Indicates that a memory device reports that it needs to be replaced.",
	})
FINDING(CAPACITY_DEGRADED,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device's capacity has degraded",
	.next = PLAN_TO_REPLACE,
	.message = {
		.key = "CapacityDegraded",
		.description = "Indicates that a memory device has less capacity than before.",
	})
FINDING(LIFE_USED_WARNING,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the used part of the device's life exceeds its warning threshold",
	.next = PLAN_TO_REPLACE,
	.message = {
		.key = "LifeUsedWarning",
		.description = "Indicates that the used part of a memory device's life exceeds its warning threshold.",
	})
FINDING(LIFE_USED_CRITICAL,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the used part of the device's life exceeds its critical threshold",
	.next = EVENT_ADVICE_REPLACE,
	.message = {
		.key = "LifeUsedCritical",
		.description = "Indicates that the used part of a memory device's life exceeds its critical threshold.",
	})
FINDING(TEMPERATURE_WARNING,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "the device's temperature is beyond a warning threshold",
	.next = CHECK_COOLING,
	.message = {
		.key = "TemperatureWarning",
		.description = "Indicates that the temperature of a memory device is above its upper or below its lower warning threshold.",
	})
FINDING(TEMPERATURE_CRITICAL,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_CRITICAL,
	.text = "the device's temperature is beyond a critical threshold",
	.next = CHECK_COOLING,
	.message = {
		.key = "TemperatureCritical",
		.description = "Indicates that the temperature of a memory device is above its upper or below its lower critical threshold.",
	})
FINDING(CORRECTED_VOLATILE_ERRORS,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "corrected errors in volatile memory exceed the device's warning threshold[, which is %1]",
	.args = {OPTIONAL(NUMBER, "the threshold")},
	.message = {
		.key = "CorrectedVolatileErrors",
		.description = "Indicates that a memory device corrected more errors in volatile memory than its warning threshold.",
		.resolution = SEE_METRICS,
	})
FINDING(CORRECTED_PERSISTENT_ERRORS,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING,
	.text = "corrected errors in persistent memory exceed the device's warning threshold[, which is %1]",
	.args = {OPTIONAL(NUMBER, "the threshold")},
	.message = {
		.key = "CorrectedPersistentErrors",
		.description = "Indicates that a memory device corrected more errors in persistent memory than its warning threshold.",
		.resolution = SEE_METRICS,
	})
FINDING(OPEN_INCIDENT,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING, /* at least: that of its argument */
	.text = "%1: %2; newest %3; incident %4, %5[, newest log entry %6]",
	.args = {ARG(TEXT, "the events, by kind"), ARG(TEXT, "the place, and pages of it at present"),
		ARG(TEXT, "the time of the newest event"), ARG(INCIDENT, "the number of the incident"),
		ARG(TEXT, "its state"), OPTIONAL(ENTRY, "newest entry that is not resolved"),
		OPTIONAL(TIME, "the time of the first event"), ARG(SEVERITY, "severity of the incident")},
	.message = {
		.key = "OpenIncident",
		.description = "Indicates an open incident: events of a memory device that have one cause.",
		.resolution = "Run \"cxl-spa triage\" on the host, and follow its advice.  Resolve the log entries of the incident when its cause was eliminated.",
	})
FINDING(MORE_INCIDENTS,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING, /* at least: that of its argument */
	.text = "further open incidents: %1",
	.args = {ARG(NUMBER, "the number of incidents that are not named"),
		ARG(SEVERITY, "the worst of their severities")},
	.message = {
		.key = "MoreIncidents",
		.description = "Indicates that there are more open incidents than have a condition of their own.",
		.resolution = "Run \"cxl-spa triage\" on the host, which lists all of them.",
	})
FINDING(UNRESOLVED_EVENTS,
	.level = FINDING_PROBLEM,
	.severity = HEALTH_WARNING, /* at least: that of its argument */
	.text = "unresolved log entries of type %2: %1[, the newest number %3][, of %4]",
	.args = {ARG(NUMBER, "the number of entries"),
		ARG(EVENT_TYPE, "the key of their messages"), OPTIONAL(ENTRY, "newest entry"),
		OPTIONAL(TIME, "its time"), ARG(SEVERITY, "severity of the entries")},
	.message = {
		.key = "UnresolvedEvents",
		.description = "Indicates that there are log entries of this kind and severity that belong to no incident and are not marked as resolved.",
		.resolution = "Check the log entries.  Set Resolved of those whose cause was eliminated.",
	})
