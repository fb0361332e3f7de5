// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reports of errors in every form of a text, with what is around them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "common/array.h"
#include "events/event_extents.h"
#include "events/report.h"
#include "tests/lib/suites.h"

enum { FOUND_MAX = 16, PAGE = 4096 };

static struct report found[FOUND_MAX];
static size_t n_found;

static int keep(const struct report *r, void *arg)
{
	(void)arg;
	ck_assert_uint_lt(n_found, FOUND_MAX);
	found[n_found++] = *r;
	return 0;
}

static void read_pages(const char *text, uint64_t page_size)
{
	struct trace_lines *lines = trace_lines_new_text(text, strlen(text));

	n_found = 0;
	ck_assert_ptr_nonnull(lines);
	ck_assert_int_eq(reports_read(lines, page_size, keep, NULL), 0);
	(void)trace_lines_free(lines);
}

static void read_all(const char *text)
{
	read_pages(text, PAGE);
}

/* The only report of a text, which can be read. */
static const struct report *read_one(const char *text, enum report_form form)
{
	read_all(text);
	ck_assert_msg(n_found == 1, "%zu reports of: %s", n_found, text);
	ck_assert_msg(!found[0].wrong.text[0], "%s: %s", text, found[0].wrong.text);
	ck_assert_msg(found[0].form == form, "%s: %s", text, report_form_name(&found[0]));
	return &found[0];
}

static void expect_range(const char *text, enum report_form form, uint64_t first, uint64_t last)
{
	const struct report *r = read_one(text, form);

	ck_assert_msg(r->has_spa && r->spa == first && r->spa_last == last, "%s: 0x%llx-0x%llx",
		      text, (unsigned long long)r->spa, (unsigned long long)r->spa_last);
}

static void expect_page(const char *text, enum report_form form)
{
	expect_range(text, form, 0x110008000, 0x110008fff);
}

static void expect_address(const char *text, enum report_form form)
{
	expect_range(text, form, 0x110008100, 0x110008100);
}

/* ---- one line of the host ---- */

#define KERNEL_FAILURE                                                                             \
	"memory_failure_event: pfn 0x110008: recovery action for dirty LRU page: Recovered"

/* The trace event as the kernel prints it: in its own file, by trace-cmd, by perf, alone. */
static const char *const kernel_failures[] = {
	"     kworker/1:2-93      [001] .....    12.000000: " KERNEL_FAILURE,
	"     kworker/1:2-93    [001]    12.000000: " KERNEL_FAILURE,
	"     kworker/1:2-93    [001]    12.000000: ras:" KERNEL_FAILURE,
	"kworker/1:2    93 [001]    12.000000: ras:" KERNEL_FAILURE,
	"kworker/1:2    93 [001]    12.000000: memory_failure:" KERNEL_FAILURE,
	KERNEL_FAILURE,
};

START_TEST(numbers_of_pages_are_addresses)
{
	expect_page("Memory failure: 0x110008: recovery action for unknown page: Ignored",
		    REPORT_MEMORY_FAILURE);
	ck_assert_str_eq(found[0].what, "recovery action for unknown page: Ignored");
	ck_assert_int_eq(found[0].severity, EVENT_CRITICAL);
	expect_page(
		"[  1.5] Injecting memory failure for pfn 0x110008 at process virtual address 0x7f00",
		REPORT_MEMORY_FAILURE);
	expect_page("soft offline: 0x110008: page already poisoned", REPORT_SOFT_OFFLINE);
	expect_page("soft_offline: 0x110008: thp split failed", REPORT_SOFT_OFFLINE);
	expect_page("Soft offlining pfn 0x110008 at process virtual address 0x7f221b800000",
		    REPORT_SOFT_OFFLINE);
	expect_page("RAS: Soft-offlining pfn: 0x110008", REPORT_SOFT_OFFLINE);
	expect_page(
		"x-1 [003] .... 0.5: memory_failure_event: pfn=0x110008 page_type=already truncated LRU page action_result=Recovered",
		REPORT_MEMORY_FAILURE_EVENT);
	expect_page(
		"x-1 [003] .... 0.5: memory_failure:memory_failure_event: pfn=0x110008 page_type=dirty LRU page action_result=Recovered",
		REPORT_MEMORY_FAILURE_EVENT);
	expect_page(
		"rasdaemon[655]: <...>-901 [003] .... 0.051200 memory_failure_event [ALERT] 2026-02-11 07:03:22 +0800 pfn=0x110008 page_type=dirty LRU page action_result=Recovered",
		REPORT_MEMORY_FAILURE_EVENT);
	expect_page(
		"1 2026-02-11 07:03:22 +0800 error: pfn=0x110008, page_type=dirty LRU page, action_result=Recovered",
		REPORT_MEMORY_FAILURE_EVENT);
	/* perf trace prints numbers, and leaves out those that are 0. */
	expect_page(
		"     0.000 kworker/1:2/93 memory_failure:memory_failure_event(pfn: 1114120, type: 7, result: 3)",
		REPORT_MEMORY_FAILURE_EVENT);
	ck_assert_str_eq(found[0].what, "Recovered");
	ck_assert_int_eq(found[0].severity, EVENT_CRITICAL);
	expect_page("0.000 x/93 ras:memory_failure_event(pfn: 1114120)",
		    REPORT_MEMORY_FAILURE_EVENT);
	ck_assert_str_eq(found[0].what, "Ignored");
	for (size_t i = 0; i < ARRAY_SIZE(kernel_failures); i++) {
		expect_page(kernel_failures[i], REPORT_MEMORY_FAILURE_EVENT);
		ck_assert_str_eq(found[0].what, "recovery action for dirty LRU page: Recovered");
		ck_assert_int_eq(found[0].severity, EVENT_CRITICAL);
	}
	read_pages("Memory failure: 0x110008: recovery action for x: Ignored", 65536);
	ck_assert_uint_eq(found[0].spa, 0x1100080000);
}
END_TEST

START_TEST(addresses_of_controllers_have_a_grain)
{
	const struct report *r;

	expect_address(
		"EDAC MC0: 1 UE multi-bit ECC on unknown memory (node:0 page:0x110008 offset:0x100 grain:1 - APEI location: node:0)",
		REPORT_EDAC);
	ck_assert_int_eq(found[0].severity, EVENT_CRITICAL);
	r = read_one(
		"EDAC MC0: 3 CE memory read error on CPU_SrcID#0 (channel:0 page:0x110008 offset:0x120 grain:64 syndrome:0x0 - err_code:0x0)",
		REPORT_EDAC);
	ck_assert_uint_eq(r->spa, 0x110008120);
	ck_assert_uint_eq(r->granule, 0x110008100);
	ck_assert_uint_eq(r->granule_last, 0x11000813f);
	ck_assert_int_eq(r->severity, EVENT_WARNING);
	r = read_one("EDAC MC0: 1 CE no address (page:0x0 offset:0x0 grain:64 syndrome:0x0)",
		     REPORT_EDAC);
	ck_assert(!r->has_spa);
	expect_address(
		"x-1 [0] 1.5: mc_event: 1 Corrected error: read on DIMM0 (mc:0 location:0:0:-1 address:0x110008100 grain:1 syndrome:0x0)",
		REPORT_MC_EVENT);
	expect_address(
		"mc_event ERROR 2026-11-21 21:43:41 +0000 1 Uncorrected error: x on unknown label (mc: 0 location: 0:0:-1 address: 0x110008100 grain: 6 APEI location: node:0)",
		REPORT_MC_EVENT);
	expect_address(
		"1 2026-11-21 21:43:41 +0000 1 Corrected error(s): x at unknown label location: 0:0:-1:-1, addr 4563435776, grain 6, syndrome 0",
		REPORT_MC_EVENT);
	r = read_one(
		"extlog_mem_event: {1} Corrected error: unknown physical addr: 0000000110008100 (mask lsb: c) FRU: 0",
		REPORT_GHES);
	ck_assert_uint_eq(r->spa, 0x110008100);
	ck_assert_uint_eq(r->granule, 0x110008000);
}
END_TEST

START_TEST(a_number_that_may_be_cut_is_refused)
{
	static const char *const lines[] = {
		"Memory failure: 0x110008",
		"soft offline: 0x110",
		"EDAC MC0: 1 UE x (page:0x110008 offset:0x1",
		"EDAC MC0: 1 UE x (page:0x110008",
		"memory_failure_event: pfn=0x110008",
		"memory_failure_event: pfn 0x110008",
		"ras:memory_failure_event(pfn: 111412",
		"ras:memory_failure_event(pfn: 1114120, type: 7, result: 3",
		"ras:memory_failure_event(pfn: 1114120, type: 7, result: ",
		"ras:memory_failure_event: pfn 0x1100",
		"mc_event: 1 Corrected error: x (address:0x1100",
		"1 Corrected error(s): x at y location: 0:0:-1:-1, addr 456343",
		"mce_record: CPU: 0, ADDR/MISC/SYND: 00000001100",
		"extlog_mem_event: {1} x physical addr: 00000001",
		"{1}[Hardware Error]: section_type: memory error\n{1}[Hardware Error]: physical_address: 0x00000001100",
	};

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		read_all(lines[i]);
		ck_assert_msg(n_found == 1 && found[0].wrong.text[0], "%s", lines[i]);
	}
	read_pages("Memory failure: 0x110008: x", 0);
	ck_assert(strstr(found[0].wrong.text, "pages"));
	read_all("Memory failure: 0xffffffffffffff: x");
	ck_assert(strstr(found[0].wrong.text, "64 bits"));
}
END_TEST

START_TEST(errors_of_pcie_functions_are_reports)
{
	const struct report *r = read_one(
		"cxl_pci 0000:0d:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\ncxl_pci 0000:0d:00.0:   device [8086:0d93] error status/mask=00000001/00002000",
		REPORT_PCIE);

	ck_assert_str_eq(r->device, "0000:0d:00.0");
	ck_assert_int_eq(r->severity, EVENT_WARNING);
	r = read_one(
		"x-1 [0] 1.5: aer_event: 0000:0d:00.0 PCIe Bus Error: severity=Fatal, Malformed TLP",
		REPORT_PCIE);
	ck_assert_int_eq(r->severity, EVENT_CRITICAL);
	r = read_one(
		"{3}[Hardware Error]: event severity: recoverable\n{3}[Hardware Error]:   section_type: PCIe error\n{3}[Hardware Error]:   port_type: 0, PCIe end point\n{3}[Hardware Error]:   device_id: 0000:0d:00.0",
		REPORT_PCIE);
	ck_assert_str_eq(r->device, "0000:0d:00.0");
	ck_assert_int_eq(r->severity, EVENT_CRITICAL);
}
END_TEST

/* One error is one report, however many lines the kernel has about it. */
START_TEST(lines_of_an_error_of_a_function_are_one_report)
{
#define DETAILS                                                                                    \
	"cxl_pci 0000:0d:00.0: PCIe Bus Error: severity=Correctable, type=Data Link Layer, "       \
	"(Transmitter ID)\n"                                                                       \
	"cxl_pci 0000:0d:00.0:   device [1e98:0100] error status/mask=00001000/00002000\n"
#define REGISTERS "cxl_pci 0000:0d:00.0: AER: aer_status: 0x00004000, aer_mask: 0x00000000\n"
#define FROZEN	  "cxl_pci 0000:0d:00.0: mem2: frozen state error detected, disable CXL.mem\n"
	static const struct {
		const char *text;
		enum event_severity severity;
	} rows[] = {
		{"pcieport 0000:0c:00.0: AER: Correctable error message received from 0000:0d:00.0\n" DETAILS,
		 EVENT_WARNING},
		{"pcieport 0000:0c:00.0: AER: Multiple Correctable error message received from 0000:0d:00.0",
		 EVENT_WARNING},
		{"pcieport 0000:0c:00.0: AER: Uncorrectable (Fatal) error message received from 0000:0d:00.0\n" FROZEN,
		 EVENT_CRITICAL},
		{"pcieport 0000:0c:00.0: AER: Uncorrected (Non-Fatal) error received: 0000:0d:00.0",
		 EVENT_CRITICAL},
		{FROZEN, EVENT_CRITICAL},
		{"pcieport 0000:0d:00.0: DPC: containment event, status:0x1f01 source:0x0000\n"
		 "pcieport 0000:0d:00.0: DPC: unmasked uncorrectable error detected\n"
		 "pcieport 0000:0d:00.0: PCIe Bus Error: severity=Uncorrectable (Fatal), type=Transaction Layer, (Receiver ID)",
		 EVENT_CRITICAL},
		{"pcieport 0000:0c:00.0: DPC: containment event, status:0x1f05, ERR_FATAL received from 0000:0d:00.0",
		 EVENT_CRITICAL},
		{REGISTERS "cxl_pci 0000:0d:00.0: AER: aer_uncor_severity: 0x004e2030",
		 EVENT_CRITICAL},
		{"{1}[Hardware Error]: event severity: corrected\n{1}[Hardware Error]:   section_type: PCIe error\n{1}[Hardware Error]:   device_id: 0000:0d:00.0\n" REGISTERS,
		 EVENT_WARNING},
		{"rasdaemon[655]: x-1 [003] .... 0.5 aer_event 2026-11-21 21:44:01 +0000 0000:0d:00.0 Corrected Bad TLP",
		 EVENT_WARNING},
		{"1 2026-11-21 21:43:41 +0000 0000:0d:00.0 Uncorrected (Non-Fatal) error: Completion Timeout",
		 EVENT_CRITICAL},
		{"1 2026-11-21 21:43:41 +0000 0000:0d:00.0 Corrected error: Bad TLP",
		 EVENT_WARNING},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct report *r = read_one(rows[i].text, REPORT_PCIE);

		ck_assert_str_eq(r->device, "0000:0d:00.0");
		ck_assert_msg(r->has_severity && r->severity == rows[i].severity, "%s",
			      rows[i].text);
	}
	ck_assert(!read_one(REGISTERS, REPORT_PCIE)->has_severity);
	/* Two functions have two reports, in their order, and other reports stay where they are. */
	read_all(
		"pcieport 0000:0c:00.0: AER: Correctable error message received from 0000:0e:00.0\n" DETAILS
		"Memory failure: 0x110008: recovery action for x: Ignored\n" FROZEN);
	ck_assert_uint_eq(n_found, 4);
	ck_assert_str_eq(found[0].device, "0000:0e:00.0");
	ck_assert_str_eq(found[1].device, "0000:0d:00.0");
	ck_assert_int_eq(found[2].form, REPORT_MEMORY_FAILURE);
	ck_assert_int_eq(found[3].severity, EVENT_CRITICAL);
}
END_TEST

START_TEST(the_page_of_an_access_is_the_address_of_the_check)
{
	expect_address("mce: Uncorrected hardware memory error in user-access at 110008100",
		       REPORT_MACHINE_CHECK);
	ck_assert(!found[0].doubt && found[0].severity == EVENT_CRITICAL);
	expect_page("Memory failure: soft_offline_page: 0x110008 page already poisoned",
		    REPORT_SOFT_OFFLINE);
	expect_address(
		"{1}[Hardware Error]: event severity: recoverable\n{1}[Hardware Error]:   section_type: ARM processor error\n{1}[Hardware Error]:    physical fault address: 0x0000000110008100",
		REPORT_GHES);
	ck_assert_int_eq(found[0].severity, EVENT_CRITICAL);
}
END_TEST

/* ---- several lines ---- */

#define CPER_HEAD                                                                                  \
	"[  201.5] {1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: "  \
	"2\n"                                                                                      \
	"[  201.5] {1}[Hardware Error]: event severity: corrected\n"                               \
	"[  201.5] {1}[Hardware Error]:  Error 0, type: corrected\n"                               \
	"[  201.5] {1}[Hardware Error]:   section type: unknown, "                                 \
	"fbcd0a77-c260-417f-85a9-088b1621eba6\n"                                                   \
	"[  201.5] {1}[Hardware Error]:   section length: 0x90\n"
#define CPER_ROW(at, words) "[  201.5] {1}[Hardware Error]:   " at ": " words "  ................\n"
#define CPER_0		    CPER_ROW("00000000", "00000090 00000007 00000000 0d938086")
#define CPER_1		    CPER_ROW("00000010", "000e0203 00000000 0000abc1 00000000")
#define CPER_2		    CPER_ROW("00000020", "00000280 00000000 2b1c4d00 17b3b158")
#define CPER_3		    CPER_ROW("00000030", "00000000 00000000 00000000 00000000")
#define CPER_4		    CPER_ROW("00000040", "00002040 00000000 03010001 02010300")

static void expect_cper(const struct report *r)
{
	const struct event_record *rec = &r->text.record;

	ck_assert(r->has_record);
	ck_assert_int_eq(rec->type, EVENT_GENERAL_MEDIA);
	ck_assert_str_eq(rec->host, "0000:0e:02.3");
	ck_assert(opt_u64_is(event_number(rec, FIELD_SERIAL), 0xabc1));
	ck_assert(opt_u64_is(event_number(rec, FIELD_DPA), 0x2040));
}

START_TEST(bytes_of_cper_are_a_record)
{
	const struct report *r =
		read_one(CPER_HEAD CPER_0 CPER_1 CPER_2 CPER_3 CPER_4, REPORT_CPER);

	expect_cper(r);
	ck_assert(opt_u64_is(event_number(&r->text.record, FIELD_CHANNEL), 3));
	ck_assert_uint_eq(r->line, 4);
	ck_assert_uint_eq(r->text.when.since_boot_ns.value, UINT64_C(201500000000));
	ck_assert_int_eq(r->severity, EVENT_WARNING);
	/* other lines between */
	expect_cper(read_one(CPER_HEAD CPER_0 CPER_1
			     "[ 201.6] usb 1-1: new device\n" CPER_2 CPER_3 CPER_4,
			     REPORT_CPER));
	read_all(CPER_HEAD CPER_0 CPER_2 CPER_3 CPER_4);
	ck_assert(n_found == 1 && strstr(found[0].wrong.text, "missing"));
	read_all(CPER_HEAD CPER_0 CPER_1 CPER_2);
	ck_assert(n_found == 1 && found[0].wrong.text[0]);
	read_all(CPER_HEAD);
	ck_assert(n_found == 1 && strstr(found[0].wrong.text, "missing"));
}
END_TEST

static void wrap(const char *text, size_t width, char *ret)
{
	size_t column = 0;

	for (; *text; text++) {
		if (column == width && *text != '\n') {
			*ret++ = '\n';
			column = 0;
		}
		column = *text == '\n' ? 0 : column + 1;
		*ret++ = *text;
	}
	*ret = '\0';
}

START_TEST(a_terminal_may_have_wrapped_it)
{
	static const char *const lines[] = {
		"[  512.779203] Memory failure: 0x110008: recovery action for already poisoned page: Ignored\n",
		"[  633.402206] EDAC MC0: 1 UE multi-bit ECC on unknown memory (node:0 page:0x110008 offset:0x100 grain:1 - APEI)\n",
		"[  633.402206] x-1 [003] .... 0.051200: memory_failure_event: pfn=0x110008 page_type=dirty LRU page action_result=Recovered\n",
	};
	char text[4096];

	for (size_t width = 60; width < 100; width++) {
		for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
			wrap(lines[i], width, text);
			read_all(text);
			ck_assert_msg(n_found == 1 && !found[0].wrong.text[0] &&
					      found[0].spa >> 12 == 0x110008,
				      "%zu: %s%s", width, text, found[0].wrong.text);
		}
		wrap(CPER_HEAD CPER_0 CPER_1 CPER_2 CPER_3 CPER_4, width, text);
		expect_cper(read_one(text, REPORT_CPER));
	}
}
END_TEST

#define GHES                                                                                       \
	"{1}[Hardware Error]: event severity: recoverable\n"                                       \
	"{1}[Hardware Error]:   section_type: memory error\n"                                      \
	"{1}[Hardware Error]:   physical_address: 0x0000000110008100\n"                            \
	"{1}[Hardware Error]:   physical_address_mask: 0xfffffffffffff000\n"                       \
	"{1}[Hardware Error]:   error_type: 3, multi-bit ECC\n"

START_TEST(firmware_gives_an_address_and_a_mask)
{
	const struct report *r = read_one(GHES, REPORT_GHES);

	ck_assert_uint_eq(r->spa, 0x110008100);
	ck_assert_uint_eq(r->granule, 0x110008000);
	ck_assert_uint_eq(r->granule_last, 0x110008fff);
	ck_assert_int_eq(r->severity, EVENT_CRITICAL);
	ck_assert_str_eq(r->what, "3, multi-bit ECC");
	ck_assert(!r->previous_boot);
	/* a line alone */
	expect_address("{1}[Hardware Error]:   physical_address: 0x0000000110008100\n",
		       REPORT_GHES);
	expect_address("{1}[Hardware Error]:   physical address: 0x0000000110008100\n",
		       REPORT_GHES);
	expect_address("physical_address: 0x0000000110008100", REPORT_GHES);
	r = read_one(
		"BERT: Error records from previous boot:\n[Hardware Error]: event severity: fatal\n[Hardware Error]:   section_type: memory error\n[Hardware Error]:   physical_address: 0x0000000110008100\n",
		REPORT_GHES);
	ck_assert(r->previous_boot);
	read_all(
		GHES
		"{2}[Hardware Error]: event severity: corrected\n{2}[Hardware Error]: section_type: memory error\n{2}[Hardware Error]: physical_address: 0x0000000000001000\nMemory failure: 0x110008: x\n");
	ck_assert_uint_eq(n_found, 3);
	ck_assert_uint_eq(found[1].spa, 0x1000);
	ck_assert_int_eq(found[1].severity, EVENT_WARNING);
	ck_assert_int_eq(found[2].form, REPORT_MEMORY_FAILURE);
}
END_TEST

#define N1 "{1}[Hardware Error]: "
#define N2 "{2}[Hardware Error]: "

/* The number of an error is before each of its lines, so that lines of two may be mixed. */
START_TEST(errors_of_two_processors_are_told_apart)
{
	read_all(N1 "event severity: corrected\n" N2 "event severity: fatal\n" N1
		    "  section_type: memory error\n" N2 "  section_type: memory error\n" N1
		    "  physical_address: 0x0000000110008100\n" N2
		    "  physical_address: 0x0000000120000000\n" N1
		    "  physical_address_mask: 0xfffffffffffff000\n" N2
		    "  physical_address_mask: 0xffffffffffffffc0\n" N2 "  error_type: 3\n" N1
		    "  error_type: 2\nanother line\n");
	ck_assert_uint_eq(n_found, 2);
	for (size_t i = 0; i < 2; i++) {
		const bool is_first = found[i].spa == 0x110008100;

		ck_assert_uint_eq(found[i].granule, is_first ? 0x110008000 : 0x120000000);
		ck_assert_uint_eq(found[i].granule_last, is_first ? 0x110008fff : 0x12000003f);
		ck_assert_int_eq(found[i].severity, is_first ? EVENT_WARNING : EVENT_CRITICAL);
		ck_assert_str_eq(found[i].what, is_first ? "2" : "3");
	}
	ck_assert_uint_ne(found[0].spa, found[1].spa);
	/* The first one has ended when a third one begins; addresses alone are reports of their
	 * own. */
	read_all(N1 "physical_address: 0x0000000110008100\n" N2
		    "physical_address: 0x0000000110009000\n{3}[Hardware Error]: "
		    "physical_address: 0x000000011000a000\n" N1
		    "physical_address: 0x000000011000b000\n" N1
		    "physical_address: 0x000000011000c000\n");
	ck_assert_uint_eq(n_found, 5);
	for (size_t i = 0; i < 5; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert_uint_ne(found[i].spa, found[k].spa);
}
END_TEST

START_TEST(rasdaemon_takes_pages_out)
{
	expect_page("rasdaemon[6]: Corrected Errors at 0x110008000 exceeded threshold",
		    REPORT_SOFT_OFFLINE);
	expect_page("rasdaemon[6]: Result of offlining page at 0x110008000: offline-failed",
		    REPORT_SOFT_OFFLINE);
	expect_page("rasdaemon[6]: page at 0x110008000 is already offlined, ignore",
		    REPORT_SOFT_OFFLINE);
	expect_page("rasdaemon[6]: page offline addr(0x110008000) by "
		    "/sys/devices/system/memory/soft_offline_page failed, errno:16",
		    REPORT_SOFT_OFFLINE);
	read_all("rasdaemon[6]: Corrected Errors at 0x1100\n"
		 "Corrected Errors at 0x110008100 exceeded threshold\n"
		 "Result of offlining page at 0x11000\n");
	ck_assert_uint_eq(n_found, 0);
}
END_TEST

START_TEST(a_protocol_error_that_the_kernel_decoded_is_a_record)
{
	const struct report *r = read_one(
		"{1}[Hardware Error]: event severity: fatal\n{1}[Hardware Error]:   section_type: CXL Protocol Error\n{1}[Hardware Error]:  agent_type: 2, CXL Device\n{1}[Hardware Error]:  agent_address: 0000:0d:00.0\n{1}[Hardware Error]:  slot: 2\n{1}[Hardware Error]:  lower_dw: 0x0000abc0, upper_dw: 0x00000001\n{1}[Hardware Error]:  cxl_ras_uncor_status: 0x00000003\n{1}[Hardware Error]:  cxl_ras_uncor_mask: 0x00000001\n{1}[Hardware Error]:  cxl_ras_cor_status: 0x00000000\n",
		REPORT_CPER);
	const struct event_record *rec = &r->text.record;

	ck_assert_int_eq(rec->type, EVENT_AER_UNCORRECTABLE);
	ck_assert_str_eq(rec->host, "0000:0d:00.0");
	ck_assert(opt_u64_is(event_number(rec, FIELD_SERIAL), UINT64_C(0x10000abc0)));
	ck_assert(opt_u64_is(event_number(rec, FIELD_STATUS), 2));
}
END_TEST

#define CHECK                                                                                      \
	"mce: [Hardware Error]: CPU 1: Machine Check: 0 Bank 12: bc80000000100134\n"               \
	"mce: [Hardware Error]: RIP 10:<ffffffff8106aa10> TSC 0 ADDR 110008100 MISC 86\n"

START_TEST(addr_of_a_machine_check_has_its_doubt)
{
	/* Linear, memory type unknown, MISC absent or not valid. */
	static const char *const not_physical[] = {
		"bc80000000100134, ADDR: 0000000110008100, MISC: 0000000000000046",
		"bc80000000100134, ADDR/MISC: 0000000110008100/0000000000000006",
		"bc80000000100134, ADDR: 0000000110008100, SYND: 0",
		"b480000000100134, ADDR: 0000000110008100, MISC: 0000000000000086",
	};

	expect_address("mce: [Hardware Error]: Machine check events logged\n" CHECK,
		       REPORT_MACHINE_CHECK);
	ck_assert_ptr_nonnull(found[0].doubt);
	ck_assert_int_eq(found[0].severity, EVENT_CRITICAL);
	expect_address(CHECK "mce: [Hardware Error]: PROCESSOR 0:806f8 TIME 1795297421 SOCKET 0\n",
		       REPORT_MACHINE_CHECK);
	ck_assert_ptr_null(found[0].doubt);
	ck_assert(found[0].granule == 0x110008100 && found[0].granule_last == 0x11000813f);
	for (size_t i = 0; i < ARRAY_SIZE(not_physical); i++) {
		char text[512];

		(void)snprintf(text, sizeof(text),
			       "x-1 [0] 1.5: mce_record: CPU: 0, MC12: %s, vendor: 0",
			       not_physical[i]);
		expect_address(text, REPORT_MACHINE_CHECK);
		ck_assert_msg(found[0].doubt && strstr(found[0].doubt, "MISC"), "%s", text);
	}
	expect_address(
		"x-1 [0] 1.5: mce_record: CPU: 0, MC12: bc80000000100134, ADDR: 0000000110008100, MISC: 000000000000008c, vendor: 0",
		REPORT_MACHINE_CHECK);
	ck_assert(!found[0].doubt && found[0].granule_last == 0x110008fff);
	expect_address(
		"mce: [Hardware Error]: CPU 1: Machine Check: 0 Bank 12: bc80000000100134 TSC 0 ADDR 110008100 MISC 86\n",
		REPORT_MACHINE_CHECK);
	expect_address(CHECK "mce: [Hardware Error]: PROCESSOR 2:a10f11 TIME 1795297421 SOCKET 0\n",
		       REPORT_MACHINE_CHECK);
	ck_assert(strstr(found[0].doubt, "on AMD"));
	expect_address(
		"[Hardware Error]: CPU:2 (19:1:1) MC17_STATUS[Over|CE|MiscV|AddrV|-|-|SyndV|CECC|-|-|-]: 0xdc2040000000011b\n[Hardware Error]: Error Addr: 0x0000000110008100\n",
		REPORT_MACHINE_CHECK);
	ck_assert(strstr(found[0].doubt, "on AMD"));
	ck_assert_int_eq(found[0].severity, EVENT_WARNING);
	expect_address(
		"x-1 [0] 1.5: mce_record: CPU: 0, MCGc/s: 0/0, MC12: bc80000000100134, ADDR/MISC/SYND: 0000000110008100/0000000000000086/0000000000000000, RIP: 00:<0>",
		REPORT_MACHINE_CHECK);
	ck_assert_ptr_nonnull(found[0].doubt);
	/* without ADDRV */
	read_all(
		"mce: [Hardware Error]: CPU 1: Machine Check: 0 Bank 12: b880000000100134\nmce: [Hardware Error]: TSC 0 ADDR 110008100\n");
	ck_assert_uint_eq(n_found, 0);
}
END_TEST

START_TEST(drivers_print_machine_checks_in_lines_of_their_own)
{
	const struct report *r;

	expect_address(
		"EDAC skx MC0: HANDLING MCE MEMORY ERROR\nEDAC skx MC0: CPU 0: Machine Check Event: 0x0 Bank 13: 0xcc00008000010090\nEDAC skx MC0: TSC 0x0\nEDAC skx MC0: ADDR 0x110008100\nEDAC skx MC0: MISC 0x200001c020802086\nEDAC skx MC0: PROCESSOR 0:0x806f8 TIME 1795297421 SOCKET 0 APIC 0x0\n",
		REPORT_MACHINE_CHECK);
	ck_assert(!found[0].doubt && found[0].severity == EVENT_WARNING);
	ck_assert_uint_eq(found[0].granule_last, 0x11000813f);
	r = read_one(
		"rasdaemon[655]: x-1 [003] .... 0.5 mce_record 2026-11-21 21:44:01 +0000 bank=12, status= bc80000000100134, Uncorrected_error, cpu_type= Intel Xeon, cpu= 1, misc= 86, addr= 110008100, mcgstatus=7",
		REPORT_MACHINE_CHECK);
	ck_assert(!r->doubt && r->spa == 0x110008100);
	r = read_one(
		"rasdaemon[655]: x-1 [003] .... 0.5 mce_record 2026-11-21 21:44:01 +0000 bank=17, status= 9c2041000000011b, Corrected error, cpu_type= AMD Scalable MCA, cpu= 2, misc= d01a, addr= 110008100, mcgstatus= 0",
		REPORT_MACHINE_CHECK);
	ck_assert(r->doubt && strstr(r->doubt, "AMD"));
}
END_TEST

START_TEST(the_severity_of_a_report_is_what_it_says_or_unknown)
{
	static const char mce[] =
		"x-1 [0] 1.5: mce_record: CPU: 0, MCGc/s: 0/0, MC12: %s, ADDR/MISC/SYND: 0000000110008100/0000000000000086/0000000000000000, RIP: 00:<0>, TSC: 0, PROCESSOR: 0:0";
	static const struct {
		const char *status;
		enum event_severity severity;
	} statuses[] = {
		{"bc00000000100134", EVENT_CRITICAL}, /* UC */
		{"9e00000000100134", EVENT_CRITICAL}, /* PCC */
		{"9c00100000100134", EVENT_CRITICAL}, /* deferred */
		{"9c00000000100134", EVENT_WARNING},
	};
	const struct report *r;
	char text[512];

	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		(void)snprintf(text, sizeof(text), mce, statuses[i].status);
		r = read_one(text, REPORT_MACHINE_CHECK);
		ck_assert(r->has_severity);
		ck_assert_int_eq(r->severity, statuses[i].severity);
		(void)snprintf(
			text, sizeof(text),
			"1 2026-11-21 21:43:41 +0000 error: MEMORY CONTROLLER, mcgstatus=0x00000005, status=0x%s, addr=0x110008100, misc=0x86",
			statuses[i].status);
		r = read_one(text, REPORT_MACHINE_CHECK);
		ck_assert_int_eq(r->severity, statuses[i].severity);
		ck_assert_uint_eq(r->spa, 0x110008100);
	}
	r = read_one(
		"mce_record ERROR 2026-11-21 21:43:41 +0000 bank=12, mcgstatus=0, cpu=1, addr=110008100, misc=86",
		REPORT_MACHINE_CHECK);
	ck_assert(!r->has_severity);
	r = read_one("physical_address: 0x0000000110008100", REPORT_GHES);
	ck_assert(!r->has_severity);
	r = read_one(
		"{1}[Hardware Error]: event severity: corrected\n{1}[Hardware Error]:   section_type: memory error\n{1}[Hardware Error]:   physical_address: 0x0000000110008100",
		REPORT_GHES);
	ck_assert_int_eq(r->severity, EVENT_WARNING);
	/* An error has no severity of the one before it. */
	read_all(
		"{1}[Hardware Error]: event severity: corrected\n{2}[Hardware Error]:   section_type: memory error\n{2}[Hardware Error]:   physical_address: 0x0000000110008100");
	ck_assert_uint_eq(n_found, 1);
	ck_assert(!found[0].has_severity);
	r = read_one(
		"extlog_mem_event: {1} Fatal error: unknown physical addr: 0000000110008100 (mask lsb: c) FRU: 0",
		REPORT_GHES);
	ck_assert_int_eq(r->severity, EVENT_CRITICAL);
}
END_TEST

START_TEST(a_grain_is_never_smaller_than_what_is_said)
{
	static const struct {
		const char *text;
		uint64_t last; /* of the granule */
	} rows[] = {
		{"EDAC MC0: 1 UE x on y (page:0x110008 offset:0x100 grain:3000 - z)", 0x110008fff},
		{"EDAC MC0: 1 UE x on y (page:0x110008 offset:0x100 grain:4096)", 0x110008fff},
		{"EDAC MC0: 1 UE x on y (page:0x110008 offset:0x100 grain:1048576 - z)",
		 0x1100fffff},
		{"x-1 [0] 1.5: mc_event: 1 Corrected error: read on DIMM0 (mc:0 location:0:0:-1 address:0x110008100 grain:4096 syndrome:0x0)",
		 0x110008fff},
		{"mc_event ERROR 2026-11-21 21:43:41 +0000 1 Uncorrected error: x on unknown label (mc: 0 location: 0:0:-1 address: 0x110008100 grain: 21 APEI location: node:0)",
		 0x1101fffff},
		{"1 2026-11-21 21:43:41 +0000 1 Corrected error(s): x at unknown label location: 0:0:-1:-1, addr 4563435776, grain 12, syndrome 0",
		 0x110008fff},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		read_all(rows[i].text);
		ck_assert_uint_eq(n_found, 1);
		ck_assert_msg(!found[0].wrong.text[0], "%s: %s", rows[i].text, found[0].wrong.text);
		ck_assert_uint_eq(found[0].spa, 0x110008100);
		ck_assert_msg(found[0].granule_last == rows[i].last, "%s: 0x%llx", rows[i].text,
			      (unsigned long long)found[0].granule_last);
	}
	/* a grain that may be cut */
	read_all("EDAC MC0: 1 UE x on y (page:0x110008 offset:0x100 grain:10");
	ck_assert_uint_eq(n_found, 1);
	ck_assert(found[0].wrong.text[0]);
}
END_TEST

/* ---- around a report ---- */

#define FAILURE "Memory failure: 0x110008: recovery action for unknown page: Ignored"
#define RECORD                                                                                     \
	"cxl_poison: memdev=mem2 host=0000:0d:00.0 serial=43968 trace_type=List region=region0 "   \
	"region_uuid=00000000-0000-0000-0000-000000000000 hpa=0x110002000 "                        \
	"hpa_alias0=0xffffffffffffffff dpa=0x800 dpa_length=0x100 source=Internal flags= "         \
	"overflow_time=0"

START_TEST(what_programs_print_before_it_does_not_matter)
{
	static const char *const before[] = {
		"<3>[  512.779203] ",
		"[Sat Nov 21 21:43:41 2026] ",
		"Nov 21 21:43:41 node17 kernel: [  512.779203] ",
		"2026-11-21T21:43:41.123456+00:00 node17 kernel: ",
		"2026-11-21T21:43:41+0000 node17 kernel[1]: ",
		"\033[32m[  512.779203] \033[0m\033[1m",
		"2026-11-21T21:43:41.123456789Z stderr F ",
		"> ",
	};
	char text[1024];

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		(void)snprintf(text, sizeof(text), "%s%s\r\n", before[i], FAILURE);
		expect_page(text, REPORT_MEMORY_FAILURE);
		(void)snprintf(text, sizeof(text), "%s%s\r\n", before[i], RECORD);
		ck_assert_str_eq(read_one(text, REPORT_RECORD)->text.record.memdev, "mem2");
	}
}
END_TEST

/* Web pages, word processors and programs that mark a word change characters. */
START_TEST(characters_have_substitutes)
{
	static const char *const texts[] = {
		"\033[32m[  512.779203] \033[0mMemory \033[01;31m\033[Kfailure\033[m\033[K: 0x110008: recovery action for x: Ignored",
		"Memory\xc2\xa0"
		"failure:\xc2\xa0"
		"0x110008:\xc2\xa0recovery action for x: Ignored",
		"\xef\xbb\xbf{\"MESSAGE\":\"" FAILURE "\"}",
		"\xef\xbb\xbf" FAILURE,
		"{\xe2\x80\x9cMESSAGE\xe2\x80\x9d:\xe2\x80\x9c" FAILURE "\xe2\x80\x9d}",
		"        \"[  512.779203] " FAILURE "\", ",
		"\"first\\n[  512.779203] " FAILURE "\"",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		expect_page(texts[i], REPORT_MEMORY_FAILURE);
	read_one(
		"cxl_poison: memdev=mem2 host=0000:0d:00.0 serial=43968 trace_type=List region= region_uuid=00000000-0000-0000-0000-000000000000 dpa=0x800 dpa_length=0x40 source=Internal flags= overflow_time=0\",",
		REPORT_RECORD);
}
END_TEST

/* A date, or a field of the journal, is no rest of a long line before it. */
START_TEST(a_line_of_another_program_is_no_rest_of_one)
{
	static const char *const next[] = {
		"Nov 26 21:44:13 node1 sshd: hello",
		"Sat 2026-11-21 21:44:13.123456 UTC [s=1;i=2]",
		"    _HOSTNAME=node1",
	};
	char text[512];

	for (size_t i = 0; i < ARRAY_SIZE(next); i++) {
		(void)snprintf(
			text, sizeof(text),
			"[Hardware Error]: CPU:2 (19:1:1) MC17_STATUS[-|CE|MiscV|AddrV|-|-|SyndV|CECC|-|-|-]: 0x9c2041000000011b\n%s\n       [Hardware Error]: Error Addr: 0x0000000110008100\n%s\n",
			next[i], next[i]);
		expect_address(text, REPORT_MACHINE_CHECK);
		ck_assert(found[0].doubt && found[0].severity == EVENT_WARNING);
	}
}
END_TEST

START_TEST(json_around_a_line_has_its_time_and_host)
{
	static const char *const texts[] = {
		"{\"__REALTIME_TIMESTAMP\":\"1795297421000000\",\"_BOOT_ID\":\"0123\",\"_HOSTNAME\":\"n18\",\"MESSAGE\":\"%s\"}\n",
		"{\n\t\"__REALTIME_TIMESTAMP\" : \"1795297421000000\",\n\t\"MESSAGE\" : \"%s\",\n\t\"_BOOT_ID\" : \"0123\",\n\t\"_HOSTNAME\" : \"n18\"\n}\n",
		"{\"log\":\"{\\\"MESSAGE\\\":\\\"%s\\\",\\\"_HOSTNAME\\\":\\\"n18\\\",\\\"_BOOT_ID\\\":\\\"0123\\\"}\\n\",\"stream\":\"stdout\",\"time\":\"2026-11-21T21:43:41.5Z\"}\n",
	};
	char text[2048];

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const char *const lines[] = {FAILURE, RECORD};

		for (size_t k = 0; k < ARRAY_SIZE(lines); k++) {
			const struct report *r;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			(void)snprintf(text, sizeof(text), texts[i], lines[k]);
#pragma GCC diagnostic pop
			r = read_one(text, k ? REPORT_RECORD : REPORT_MEMORY_FAILURE);
			ck_assert_str_eq(r->text.when.hostname, "n18");
			ck_assert_str_eq(r->text.when.boot_id, "0123");
			ck_assert_uint_eq(r->text.when.wall_first_ns.value,
					  UINT64_C(1795297421000000000));
		}
	}
}
END_TEST

START_TEST(dmesg_prints_json_too)
{
	const struct report *r = read_one(
		"{\n   \"dmesg\": [\n      {\n         \"pri\": 3,\n         \"time\":    512.500000,\n         \"msg\": \"" FAILURE
		"\"\n      },{\n         \"pri\": 6,\n         \"time\": 1.0,\n         \"msg\": \"other\"\n      }\n   ]\n}\n",
		REPORT_MEMORY_FAILURE);

	ck_assert_uint_eq(r->text.when.since_boot_ns.value, UINT64_C(512500000000));
	ck_assert_uint_eq(r->line, 1);
	/* the middle of it */
	expect_page("         \"pri\": 3,\n         \"msg\": \"" FAILURE "\"\n      },{\n",
		    REPORT_MEMORY_FAILURE);
	expect_page("{\n \"msg\": \"" FAILURE "\",\n", REPORT_MEMORY_FAILURE);
	/* bytes, as journalctl prints them */
	expect_page(
		"{\"MESSAGE\":[27,91,109,77,101,109,111,114,121,32,102,97,105,108,117,114,101,58,32,48,120,49,49,48,48,48,56,58,32,120]}",
		REPORT_MEMORY_FAILURE);
}
END_TEST

START_TEST(json_of_cxl_is_read_in_arrays_too)
{
	const struct report *r;

	read_all(
		"[\n  {\n    \"memdev\":\"mem0\",\n    \"serial\":\"0xabc2\",\n    \"host\":\"0000:df:00.0\",\n    \"media_errors\":[\n      {\n        \"offset\":\"0x2000\",\n        \"length\":64,\n        \"source\":\"Injected\"\n      },\n      {\n        \"offset\":4096,\n        \"length\":128,\n        \"source\":\"Internal\"\n      }\n    ]\n  },\n  {\n    \"memdev\":\"mem1\",\n    \"media_errors\":[\n    ]\n  }\n]\n");
	ck_assert_uint_eq(n_found, 2);
	r = &found[0];
	ck_assert_int_eq(r->form, REPORT_POISON_LIST);
	ck_assert_str_eq(r->text.record.memdev, "mem0");
	ck_assert(opt_u64_is(event_number(&r->text.record, FIELD_DPA), 0x2000));
	ck_assert(opt_u64_is(event_number(&r->text.record, FIELD_SERIAL), 0xabc2));
	ck_assert(opt_u64_is(event_number(&r->text.record, FIELD_SOURCE), 3));
	ck_assert(opt_u64_is(event_number(&found[1].text.record, FIELD_DPA_LENGTH), 128));
	read_all(
		"[{\"memdev\":\"mem0\",\"media_errors\":[{\"offset\":\"0x2001\"}]},{\"memdev\":\"mem1\",\"media_errors\":[{}]}]");
	ck_assert(n_found == 2 && found[0].wrong.text[0] && found[1].wrong.text[0]);
	read_all(
		"[{\"event\":\"cxl_dram\",\"memdev\":\"mem2\",\"host\":\"0000:0d:00.0\",\"serial\":43968,\"dpa\":4096,\"hpa\":18446744073709551615},{\"event\":\"cxl_aer_correctable_error\",\"memdev\":\"mem3\",\"host\":\"0000:0e:00.0\",\"serial\":43969,\"status\":2}]");
	ck_assert_uint_eq(n_found, 2);
	ck_assert(opt_u64_is(event_number(&found[0].text.record, FIELD_DPA), 4096));
	ck_assert_str_eq(report_form_name(&found[0]), "cxl monitor");
	ck_assert_int_eq(found[1].text.record.type, EVENT_AER_CORRECTABLE);
}
END_TEST

START_TEST(a_length_of_zero_in_a_poison_list_is_not_known)
{
	read_all(
		"[{\"memdev\":\"mem0\",\"media_errors\":[{\"offset\":64,\"length\":0},{\"offset\":128}]}]");
	ck_assert_uint_eq(n_found, 2);
	ck_assert(event_length_is_unknown(&found[0].text.record));
	ck_assert(!event_number(&found[1].text.record, FIELD_DPA_LENGTH).present);
	expect_range(
		"{\"region\":\"region0\",\"resource\":64,\"media_errors\":[{\"offset\":64,\"length\":0}]}",
		REPORT_POISON_LIST, 128, 128);
	read_all(
		"[{\"memdev\":\"mem0\",\"media_errors\":[{\"offset\":64,\"length\":\"64 B\"},{\"offset\":64,\"length\":100}]},{\"region\":\"a\",\"resource\":0,\"media_errors\":[{\"offset\":0,\"length\":-64}]}]");
	ck_assert_uint_eq(n_found, 3);
	for (size_t i = 0; i < n_found; i++)
		ck_assert(strstr(found[i].wrong.text, "length"));
}
END_TEST

START_TEST(poison_of_a_region_has_offsets_in_it)
{
	expect_range(
		"[{\"region\":\"region0\",\"resource\":4563402752,\"size\":1073741824,\"media_errors\":[{\"offset\":32768,\"length\":64,\"source\":\"Injected\"}]}]",
		REPORT_POISON_LIST, 0x110008000, 0x11000803f);
	ck_assert_int_eq(found[0].severity, EVENT_CRITICAL);
	expect_range(
		"{\n  \"region\":\"region0\",\n  \"resource\":\"0x110000000\",\n  \"size\":\"1024.00 MiB (1073.74 MB)\",\n  \"media_errors\":[\n    {\n      \"offset\":\"0x8000\",\n      \"length\":4096\n    }\n  ]\n}",
		REPORT_POISON_LIST, 0x110008000, 0x110008fff);
	read_all(
		"[{\"region\":\"a\",\"media_errors\":[{\"offset\":0}]},{\"region\":\"a\",\"resource\":0,\"media_errors\":[{\"offset\":1}]},{\"region\":\"a\",\"resource\":\"0xffffffffffffffc0\",\"media_errors\":[{\"offset\":64}]}]");
	ck_assert_uint_eq(n_found, 3);
	for (size_t i = 0; i < n_found; i++)
		ck_assert(found[i].wrong.text[0]);
}
END_TEST

/* Records of three addresses, as elements of what is around them. */
static void expect_three(const char *format, size_t others)
{
	char text[2048];
	unsigned int i = 0;
	size_t n = 0;

	for (const char *at = format; *at; at++) {
		if (*at != '@')
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%c", *at);
		else
			n += (size_t)snprintf(
				text + n, sizeof(text) - n,
				"{\"event\":\"cxl_poison\",\"memdev\":\"mem2\",\"host\":\"0000:0d:00.0\",\"serial\":18446744073709551615,\"dpa\":%u}",
				0x1000 + 64 * i++);
		ck_assert_uint_lt(n, sizeof(text));
	}
	read_all(text);
	ck_assert_msg(n_found == 3 + others, "%zu reports of: %s", n_found, text);
	for (i = 0; i < 3; i++) {
		ck_assert_msg(!found[i].wrong.text[0], "%s: %s", text, found[i].wrong.text);
		ck_assert_uint_eq(event_number(&found[i].text.record, FIELD_DPA).value,
				  0x1000 + 64 * i);
	}
	for (i = 3; i < n_found; i++)
		ck_assert_int_eq(found[i].form, REPORT_MEMORY_FAILURE);
}

START_TEST(no_element_of_an_array_is_lost)
{
	static const char *const arrays[] = {
		"[@,@,@]",
		"[\n@,\n@,\n@\n]",
		"[@,\n@,\n@]",
		"[[@,\n@,\n@]]",
		"@\n,@\n,@",
		"@ @ @",
		"events: [\n@,\n@,\n@\n]",
		"{\n\"events\": [\n@,\n@,\n@\n]\n}",
		"{\n\"a\":\n@,\n\"b\": [\n@,\n@\n]\n}",
		"Nov 21 21:43:17 host app[12]: [@, @, @]",
		"Nov 21 21:43:17 host app[12]: [\nNov 21 21:43:17 host app[12]: @,\nNov 21 21:43:18 host app[12]: @,\nNov 21 21:43:19 host app[12]: @\nNov 21 21:43:19 host app[12]: ]",
		"Nov 21 21:43:17 host app[12]: {\nNov 21 21:43:17 host app[12]:   \"a\": [\nNov 21 21:43:18 host app[12]: @,\nNov 21 21:43:19 host app[12]: @,\nNov 21 21:43:19 host app[12]: @\nNov 21 21:43:19 host app[12]: ]}",
	};
	char text[1024];

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		expect_three(arrays[i], 0);
		(void)snprintf(text, sizeof(text), "%s\n" FAILURE, arrays[i]);
		expect_three(text, 1);
		(void)snprintf(text, sizeof(text), "%s " FAILURE, arrays[i]);
		expect_three(text, 1);
	}
}
END_TEST

START_TEST(members_may_be_in_the_first_line_of_an_object)
{
	static const char *const objects[] = {
		"{ \"system\":\"cxl\",\n  \"events\":[\n@,\n@,\n@\n] }",
		"[ { \"a\":1,\n  \"b\":@ },\n  { \"a\":\n1, \"b\":\n@ },\n @ ]",
		"app: { \"a\":1,\napp:   \"b\":[\napp: @,\napp: @,\napp: @ ] }",
	};
	static const char record[] =
		"{ \"system\":\"cxl\", \"event\":\"cxl_poison\",\n  \"memdev\":\"mem2\",\n"
		"  \"host\":\"0000:0d:00.0\", \"serial\":18446744073709551615,\n\"dpa\":%s }";
	char text[1024];

	for (size_t i = 0; i < ARRAY_SIZE(objects); i++)
		expect_three(objects[i], 0);
	(void)snprintf(text, sizeof(text), record, "4096");
	ck_assert(opt_u64_is(event_number(&read_one(text, REPORT_RECORD)->text.record, FIELD_DPA),
			     4096));
	/* A record that was cut takes no other one. */
	(void)snprintf(text, sizeof(text),
		       "{ \"event\":\"cxl_dram\", \"memdev\":\"mem2\", \"dpa\":4096,\n%s\n" FAILURE,
		       "# cut");
	read_all(text);
	ck_assert(n_found == 2 && found[0].wrong.text[0] && !found[1].wrong.text[0]);
	expect_three("{ \"a\":1,\n@\n{ \"a\":[ 1,\n2 ],\n@\n@", 0);
	/* A line that ends within a value may be followed by one that is missing. */
	(void)snprintf(text, sizeof(text), record, "40\n96");
	read_all(text);
	ck_assert(n_found == 1 && (found[0].wrong.text[0] || found[0].text.divided));
	read_one("{ \"memdev\":\"mem0\",\n\"media_errors\":[\n{ \"offset\":\"0x2000\" }\n] }",
		 REPORT_POISON_LIST);
	read_one("{ \"a\":1,\n" FAILURE "\n"
		 "[  1.000000] usb 1-1: new device",
		 REPORT_MEMORY_FAILURE);
}
END_TEST

START_TEST(a_value_of_several_lines_takes_no_other_line)
{
	read_one("{\n\"a\": 1\n} " FAILURE, REPORT_MEMORY_FAILURE);
	read_one("if (x) {\n" FAILURE "\n}", REPORT_MEMORY_FAILURE);
	read_one("Nov 21 host a: {\nNov 21 host b: " FAILURE, REPORT_MEMORY_FAILURE);
	read_one(FAILURE " {\"a\": 1}", REPORT_MEMORY_FAILURE);
}
END_TEST

#define PERF_BEGIN "     0.000 kworker/u8:1/32 cxl:cxl_general_media(memdev: \"mem2\", "
#define PERF_DPA                                                                                   \
	PERF_BEGIN                                                                                 \
	"host: \"0000:0d:00.0\", log: 2, serial: 43968, hdr_handle: 1, hdr_length: 128, "          \
	"dpa: 65536, "
#define PERF_REST                                                                                  \
	"descriptor: 1, comp_id: 140240123123, hpa: -1, validity_flags: 3, rank: 17, "             \
	"region_name: \"\")"

START_TEST(perf_trace_leaves_zeros_out)
{
	const struct report *r = read_one(PERF_DPA PERF_REST "\n", REPORT_RECORD);
	const struct event_record *rec = &r->text.record;

	ck_assert_uint_eq(event_number(rec, FIELD_DPA).value, 65536);
	ck_assert_uint_eq(event_number(rec, FIELD_SERIAL).value, 43968);
	ck_assert_uint_eq(event_number(rec, FIELD_LOG).value, 2);
	ck_assert_uint_eq(event_number(rec, FIELD_RANK).value, 17);
	/* The record vouches for it, so it is not missing. */
	ck_assert(opt_u64_is(event_number(rec, FIELD_CHANNEL), 0));
	ck_assert(!event_number(rec, FIELD_HPA).present);
	ck_assert(!r->text.divided);
	ck_assert_str_eq(rec->memdev, "mem2");
	ck_assert_str_eq(rec->region, "");
}
END_TEST

START_TEST(perf_trace_prints_signed_numbers)
{
	const struct report *r = read_one(
		PERF_BEGIN
		"host: \"0000:0d:00.0\", serial: -2, dpa: 4096, descriptor: 1, hpa: 4563406848, region_name: \"region0\")",
		REPORT_RECORD);

	ck_assert_uint_eq(event_number(&r->text.record, FIELD_SERIAL).value, UINT64_MAX - 1);
	ck_assert_uint_eq(event_number(&r->text.record, FIELD_HPA).value, 4563406848);
	r = read_one(
		"cxl:cxl_poison(memdev: \"mem2\", host: \"0000:0d:00.0\", serial: 1, region: \"\","
		" hpa: -1, dpa: 4096, dpa_length: 64, uuid: \"\")",
		REPORT_RECORD);
	ck_assert_uint_eq(event_number(&r->text.record, FIELD_DPA).value, 4096);
	ck_assert_uint_eq(event_number(&r->text.record, FIELD_DPA_LENGTH).value, 64);
	r = read_one("cxl:cxl_aer_correctable_error(memdev: \"mem2\", host: \"0000:0d:00.0\", "
		     "serial: 1, status: 1)",
		     REPORT_RECORD);
	ck_assert_int_eq(r->text.record.type, EVENT_AER_CORRECTABLE);
}
END_TEST

/* In none of them a number is certainly the address. */
static const char *const bad_perf[] = {
	PERF_BEGIN "host: \"0000:0d:00.0\", log: 2, serial: 43968, descriptor: 1, rank: 17)",
	PERF_DPA "descriptor: 1, rank: 1",
	PERF_DPA "descriptor: 1, ",
	PERF_BEGIN "host: \"0000:0d:00.0\", dpa: 65536",
	PERF_BEGIN "host: \"0000:0d:00.0\", dpa: 65",
	PERF_DPA "dpa: 4096, " PERF_REST,
	PERF_DPA "host: \"0000:0d:00.0\", " PERF_REST,
	PERF_DPA "colour: 4, " PERF_REST,
	PERF_DPA "descriptor: , " PERF_REST,
	PERF_DPA "0, " PERF_REST,
	PERF_DPA PERF_REST " cxl:cxl_dram(memdev: \"mem1\", dpa: 4096)",
	PERF_BEGIN "host: \"0000:0d:00.0 dpa=4096\", dpa: 65536, descriptor: 1)",
	PERF_BEGIN "host: \"0000:0d:00.0\", dpa: 65537, descriptor: 1)",
	PERF_BEGIN "host: \"0000:0d:00.0\", dpa: 0x10000, descriptor: 1)",
	PERF_BEGIN "host: \"0000:0d:00.0\", dpa: 65536, descriptor: 1, hpa: 4563406850)",
};

START_TEST(a_record_of_perf_trace_that_is_not_whole_is_refused)
{
	read_all(bad_perf[_i]);
	ck_assert_msg(n_found == 1 && found[0].wrong.text[0], "%s: %zu", bad_perf[_i], n_found);
}
END_TEST

START_TEST(quoted_printable_is_named)
{
	read_all("cxl_dram: memdev=3Dmem2 host=3D0000:0d:00.0 dpa=3D1000 rank=3D17");
	ck_assert(n_found == 1 && strstr(found[0].wrong.text, "quoted-printable"));
}
END_TEST

START_TEST(other_texts_have_no_reports)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"EDAC MC: Ver: 3.0.0",
		"EDAC MC0: Giving out device to module igen6_edac controller",
		"mce: CPU0: Thermal monitoring enabled (TM1)",
		"BERT: [Firmware Bug]: x",
		"pcieport 0000:00:1c.0: AER: enabled with IRQ 122",
		"{\"MESSAGE\":\"hello\"}",
		"{\n}\n",
		"{",
		"[[[[[[[[[[[[",
		"{1}[Hardware Error]: section type: unknown, 00000000-0000-0000-0000-000000000000\n{1}[Hardware Error]: 00000000: 00000090\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		read_all(texts[i]);
		ck_assert_msg(n_found == 0, "%s: %s", texts[i], report_form_name(&found[0]));
	}
	ck_assert(strstr(reports_looked_for(), "EDAC"));
}
END_TEST

SUITE(check_report)
{
	Suite *s = suite_create("report");
	TCase *t = tcase_create("texts");

	tcase_add_test(t, numbers_of_pages_are_addresses);
	tcase_add_test(t, addresses_of_controllers_have_a_grain);
	tcase_add_test(t, a_number_that_may_be_cut_is_refused);
	tcase_add_test(t, errors_of_pcie_functions_are_reports);
	tcase_add_test(t, lines_of_an_error_of_a_function_are_one_report);
	tcase_add_test(t, the_page_of_an_access_is_the_address_of_the_check);
	tcase_add_test(t, bytes_of_cper_are_a_record);
	tcase_add_test(t, a_terminal_may_have_wrapped_it);
	tcase_add_test(t, firmware_gives_an_address_and_a_mask);
	tcase_add_test(t, errors_of_two_processors_are_told_apart);
	tcase_add_test(t, rasdaemon_takes_pages_out);
	tcase_add_test(t, a_protocol_error_that_the_kernel_decoded_is_a_record);
	tcase_add_test(t, addr_of_a_machine_check_has_its_doubt);
	tcase_add_test(t, drivers_print_machine_checks_in_lines_of_their_own);
	tcase_add_test(t, the_severity_of_a_report_is_what_it_says_or_unknown);
	tcase_add_test(t, a_grain_is_never_smaller_than_what_is_said);
	tcase_add_test(t, what_programs_print_before_it_does_not_matter);
	tcase_add_test(t, characters_have_substitutes);
	tcase_add_test(t, a_line_of_another_program_is_no_rest_of_one);
	tcase_add_test(t, json_around_a_line_has_its_time_and_host);
	tcase_add_test(t, dmesg_prints_json_too);
	tcase_add_test(t, json_of_cxl_is_read_in_arrays_too);
	tcase_add_test(t, a_length_of_zero_in_a_poison_list_is_not_known);
	tcase_add_test(t, poison_of_a_region_has_offsets_in_it);
	tcase_add_test(t, no_element_of_an_array_is_lost);
	tcase_add_test(t, members_may_be_in_the_first_line_of_an_object);
	tcase_add_test(t, a_value_of_several_lines_takes_no_other_line);
	tcase_add_test(t, perf_trace_leaves_zeros_out);
	tcase_add_test(t, perf_trace_prints_signed_numbers);
	tcase_add_loop_test(t, a_record_of_perf_trace_that_is_not_whole_is_refused, 0,
			    ARRAY_SIZE(bad_perf));
	tcase_add_test(t, quoted_printable_is_named);
	tcase_add_test(t, other_texts_have_no_reports);
	suite_add_tcase(s, t);
	return s;
}
