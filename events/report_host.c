// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Lines of the host's log or of a trace that name a system address, or a PCIe function. A
// number is whole only if what the program prints behind it follows, or if it has all its digits.
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "events/report_private.h"

static const char report_check_doubt[] =
	"ADDR of a machine check is a system address on Intel, but on AMD one of the memory controller, and which processor it is of is not known: the kernel's lines of EDAC or 'Memory failure' about the same error have the page";

enum { CACHE_LINE = 64 };

#define CUT "the line ends in its number: digits may be missing"

/* Return: @text in which @word is, or NULL; blanks between are skipped. */
static const char *behind(const char *text, const char *word)
{
	const char *at = text ? strstr(text, word) : NULL;

	return at ? at + strlen(word) + strspn(at + strlen(word), " \t") : NULL;
}

/* @base: 16 with or without 0x, or 10. Return: whether there is a number; @at moves behind it. */
static bool take_number(const char **at, int base, uint64_t *ret)
{
	const char *digits = base == 16 && str_after_prefix(*at, "0x") ? *at + 2 : *at;
	char *end;

	if (base == 16 ? !isxdigit((unsigned char)*digits) : !isdigit((unsigned char)*digits))
		return false;
	errno = 0;
	*ret = strtoull(digits, &end, base);
	*at = end;
	return errno == 0;
}

/* A number with 0x before and one of @ends behind it. */
static bool take_hex(const char **at, const char *ends, uint64_t *ret, struct report *r)
{
	if (!str_after_prefix(*at, "0x") || !take_number(at, 16, ret))
		return false;
	if (!**at || !strchr(ends, **at))
		(void)error_set(&r->wrong, EINVAL, "%s", CUT);
	return true;
}

/* ---- pages ------------------------------------------------------------------------------------
 */

static void set_range(struct report *r, uint64_t first, uint64_t last)
{
	r->has_spa = true;
	r->spa = r->granule = first;
	r->spa_last = r->granule_last = last;
}

static void set_page(struct report *r, uint64_t pfn, uint64_t page_size)
{
	uint64_t first;

	if (!page_size)
		(void)error_set(
			&r->wrong, EINVAL,
			"it names a page by its number, and the size of this host's pages is not known: give the address");
	else if (__builtin_mul_overflow(pfn, page_size, &first) ||
		 first > UINT64_MAX - (page_size - 1))
		(void)error_set(&r->wrong, EINVAL, "its page has an address of more than 64 bits");
	else
		set_range(r, first, first + page_size - 1);
}

static bool read_memory_failure(const char *text, uint64_t page_size, struct report *r)
{
	const char *at = strstr(text, "emory failure: 0x"), *digits;
	uint64_t pfn = 0;

	if (!at)
		at = strstr(text, "emory failure for pfn 0x");
	if (!at)
		return false;
	digits = strstr(at, "0x");
	if (!take_hex(&digits, ": ", &pfn, r))
		return false;
	r->form = REPORT_MEMORY_FAILURE;
	report_set_severity(r, EVENT_CRITICAL);
	report_set_what(r, digits + strspn(digits, ": "));
	set_page(r, pfn, page_size);
	return true;
}

static bool read_soft_offline(const char *text, uint64_t page_size, struct report *r)
{
	/* The line of the kernel's collector ends with its number. */
	static const struct {
		const char *words, *ends;
	} forms[] = {
		{"oft offline: 0x", ": "},	 {"oft_offline: 0x", ": "},
		{"oft offlining pfn 0x", " "},	 {"oft offlining page 0x", " "},
		{"oft-offlining pfn: 0x", NULL}, {"oft_offline_page: 0x", ": "},
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const char *at = strstr(text, forms[i].words), *digits;
		uint64_t pfn = 0;

		if (!at || at == text)
			continue;
		digits = strstr(at, "0x");
		if (forms[i].ends ? !take_hex(&digits, forms[i].ends, &pfn, r)
				  : !take_number(&digits, 16, &pfn))
			continue;
		r->form = REPORT_SOFT_OFFLINE;
		report_set_severity(r, EVENT_WARNING);
		report_set_what(r, at - 1);
		set_page(r, pfn, page_size);
		return true;
	}
	return false;
}

/* "Result of offlining page at 0x110008000: offlined" of rasdaemon, which has the address. */
static bool read_isolation(const char *text, uint64_t page_size, struct report *r)
{
	static const struct {
		const char *words, *follows;
	} forms[] = {
		{"Corrected Errors at 0x", " exceeded threshold"},
		{"Result of offlining page at 0x", ": o"},
		{"page at 0x", " is already offlined"},
		{"page offline addr(0x", ") by "},
	};

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const char *at = strstr(text, forms[i].words), *digits = behind(at, "0x");
		uint64_t first = 0;

		if (!digits || !take_number(&digits, 16, &first) ||
		    !str_after_prefix(digits, forms[i].follows) || (page_size && first % page_size))
			continue;
		r->form = REPORT_SOFT_OFFLINE;
		report_set_severity(r, EVENT_WARNING);
		report_set_what(r, at);
		set_page(r, page_size ? first / page_size : 0, page_size);
		return true;
	}
	return false;
}

/*
 * "pfn 0x110008: recovery action for ..." of the kernel, behind the event's name and any system;
 * "pfn=0x110008 page_type=..." of rasdaemon; the latter of ras-mc-ctl with a comma, and no name.
 */
static bool read_memory_failure_event(const char *text, uint64_t page_size, struct report *r)
{
	const char *at = strstr(text, "memory_failure_event");
	const char *kernel = behind(text, "memory_failure_event: pfn ");
	const char *digits = kernel ? kernel : behind(at ? at : text, "pfn=");
	const char *ends = kernel ? ":" : " ,";
	uint64_t pfn = 0;

	if (!digits || !(at || strstr(digits, "page_type=")) || !take_hex(&digits, ends, &pfn, r))
		return false;
	r->form = REPORT_MEMORY_FAILURE_EVENT;
	report_set_severity(r, EVENT_CRITICAL);
	report_set_what(r, digits + strspn(digits, " ,:"));
	set_page(r, pfn, page_size);
	return true;
}

/*
 * "memory_failure_event(pfn: 1114120, type: 7, result: 3)" of perf trace, which prints numbers, and
 * leaves out those that are 0.
 */
static bool read_traced_failure(const char *text, uint64_t page_size, struct report *r)
{
	static const char *const results[] = {"Ignored", "Failed", "Delayed", "Recovered"};
	const char *at = behind(text, "memory_failure_event(pfn:"),
		   *end = at ? strchr(at, ')') : NULL;
	const char *result = behind(at, "result:");
	uint64_t pfn, n = 0;

	if (!at || !take_number(&at, 10, &pfn))
		return false;
	r->form = REPORT_MEMORY_FAILURE_EVENT;
	report_set_severity(r, EVENT_CRITICAL);
	set_page(r, pfn, page_size);
	if (!end || !strchr(",)", *at) || (result && !take_number(&result, 10, &n)))
		(void)error_set(&r->wrong, EINVAL, "its end is missing: %s", CUT);
	report_set_what(r, n < ARRAY_SIZE(results) ? results[n] : "its result is not known");
	return true;
}

/* ---- memory controllers -----------------------------------------------------------------------
 */

/* Words of EDAC, ras:mc_event and firmware; without one of them the severity is not known. */
static void set_severity_by(struct report *r, const char *text)
{
	static const char *const lost[] = {"Uncorrected", "uncorrected", "Fatal",
					   "fatal",	  "Deferred",	 "deferred",
					   " UE ",	  "Recoverable", "recoverable"};
	static const char *const corrected[] = {"Corrected", "corrected", " CE "};

	for (size_t i = 0; i < ARRAY_SIZE(lost); i++)
		if (strstr(text, lost[i])) {
			report_set_severity(r, EVENT_CRITICAL);
			return;
		}
	for (size_t i = 0; i < ARRAY_SIZE(corrected); i++)
		if (strstr(text, corrected[i])) {
			report_set_severity(r, EVENT_WARNING);
			return;
		}
}

void report_set_address(struct report *r, uint64_t address, uint64_t grain)
{
	const unsigned int bits = grain > 1 ? 64u - (unsigned int)__builtin_clzll(grain - 1) : 0;
	uint64_t below = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;

	if (address == 0)
		return;
	if (grain == 0)
		below = UINT64_MAX;
	set_range(r, address, address);
	r->granule = address & ~below;
	r->granule_last = address | below;
}

/* Return: the bytes of a grain that rasdaemon shows as its logarithm. */
static uint64_t grain_of_bits(uint64_t bits)
{
	return bits < 64 ? UINT64_C(1) << bits : 0;
}

/* "EDAC MC0: 1 UE ... (... page:0x110008 offset:0x100 grain:1 - ...)" */
static bool read_edac(const char *text, uint64_t page_size, struct report *r)
{
	const char *at = strstr(text, "EDAC ");
	const char *page = behind(at, "page:"), *offset = page ? behind(page, "offset:") : NULL;
	const char *grain = offset ? behind(offset, "grain:") : NULL;
	uint64_t pfn, rest = 0, bytes = 0, first = 0;

	if (!page || !str_after_prefix(page, "0x"))
		return false;
	r->form = REPORT_EDAC;
	set_severity_by(r, at);
	report_set_what(r, at);
	if (!take_number(&page, 16, &pfn) || !offset || !take_number(&offset, 16, &rest) ||
	    !isspace((unsigned char)*page) || !isspace((unsigned char)*offset) || !grain)
		(void)error_set(&r->wrong, EINVAL, "it has no offset and grain behind its page: %s",
				CUT);
	else if (!page_size || __builtin_mul_overflow(pfn, page_size, &first) ||
		 __builtin_add_overflow(first, rest, &first))
		set_page(r, page_size ? UINT64_MAX : 0, page_size);
	/* Without a syndrome the parenthesis is closed behind it. */
	else if (!take_number(&grain, 10, &bytes) ||
		 !(isspace((unsigned char)*grain) || *grain == ')'))
		(void)error_set(&r->wrong, EINVAL, "its grain cannot be read: %s", CUT);
	else
		report_set_address(r, first, bytes ? bytes : 1);
	return true;
}

/* "mc_event: 1 Corrected error: ... (... address:0x110008100 grain:64 ...)"; rasdaemon has blanks.
 */
static bool read_mc_event(const char *text, struct report *r)
{
	const char *at = behind(text, "mc_event"), *address = behind(at, "address:");
	const char *grain = behind(address, "grain:");
	uint64_t spa = 0, bytes = 1;

	if (!address || !take_hex(&address, " )", &spa, r))
		return false;
	r->form = REPORT_MC_EVENT;
	set_severity_by(r, at);
	report_set_what(r, at + strspn(at, ": "));
	/* The kernel prints bytes, and rasdaemon, with a blank before it, their logarithm. */
	if (grain && grain[-1] == ':' && !(take_number(&grain, 10, &bytes) && bytes))
		bytes = 1;
	else if (grain && grain[-1] == ' ' && take_number(&grain, 10, &bytes))
		bytes = grain_of_bits(bytes);
	report_set_address(r, spa, bytes);
	return true;
}

/* ras-mc-ctl: "1 2026-... 1 Corrected error(s): ... location: 0:0:-1:-1, addr 4563435776, grain 7"
 */
static bool read_mc_row(const char *text, struct report *r)
{
	const char *at = strstr(text, " error(s): ");
	const char *address = behind(behind(at, "location:"), ", addr ");
	const char *grain = behind(address, ", grain ");
	uint64_t spa = 0, bits = 0;

	if (!address || !take_number(&address, 10, &spa))
		return false;
	r->form = REPORT_MC_EVENT;
	if (*address != ',')
		(void)error_set(&r->wrong, EINVAL, "%s", CUT);
	set_severity_by(r, text);
	report_set_what(r, at + 1);
	report_set_address(r, spa,
			   grain && take_number(&grain, 10, &bits) ? grain_of_bits(bits) : 1);
	return true;
}

/* Firmware's: "extlog_mem_event: {1} Corrected error: ... physical addr: 0000000110008100 (mask
 * lsb: c)" */
static bool read_extlog(const char *text, struct report *r)
{
	const char *at = behind(text, "extlog_mem_event"), *address = behind(at, "physical addr:");
	uint64_t spa = 0, bits = 0;
	const char *digits = address, *mask = behind(address, "mask lsb:");

	if (!address)
		return false;
	r->form = REPORT_GHES;
	set_severity_by(r, at);
	report_set_what(r, at + strspn(at, ": "));
	if (strspn(address, "0123456789abcdef") != 16 || !take_number(&digits, 16, &spa))
		(void)error_set(&r->wrong, EINVAL, "%s", CUT);
	else
		report_set_address(r, spa,
				   mask && take_number(&mask, 16, &bits) && bits < 64
					   ? UINT64_C(1) << bits
					   : 1);
	return true;
}

/* The same of a line whose beginning is missing: "physical_address: 0x0000000110008100". */
static bool read_physical(const char *text, struct report *r)
{
	const char *at = behind(text, "physical_address:");
	uint64_t spa = 0;

	if (!at)
		at = behind(text, "physical address:");
	if (!at || !str_after_prefix(at, "0x"))
		return false;
	r->form = REPORT_GHES;
	if (strspn(at + 2, "0123456789abcdef") != 16 || !take_number(&at, 16, &spa))
		(void)error_set(&r->wrong, EINVAL,
				"its address has not 16 digits: some are missing");
	report_set_address(r, spa, 1);
	return true;
}

/* ---- machine checks ---------------------------------------------------------------------------
 */

static bool is_check_lost(uint64_t status)
{
	enum { PCC = 57, UC = 61, POISON = 43, DEFERRED = 44 };

	return (status >> UC | status >> PCC | status >> POISON | status >> DEFERRED) & 1;
}

/* As the kernel's intel_mce_usable_address(): MISC is valid, and says that ADDR is physical. */
static bool is_physical(struct opt_u64 status, struct opt_u64 misc)
{
	enum { MISCV = 59, MODE = 6, PHYSICAL = 2 };

	return misc.present && (!status.present || status.value >> MISCV & 1) &&
	       (misc.value >> MODE & 7) == PHYSICAL;
}

static const char *check_doubt(struct opt_u64 status, struct opt_u64 misc, struct opt_int vendor)
{
	static const char amd[] =
		"on AMD, ADDR of a machine check is an address of the memory controller, and not necessarily a system address: the kernel's lines of EDAC or 'Memory failure' about the same error have the page";
	static const char other[] =
		"MISC of the machine check does not say that ADDR is a physical address: the kernel's lines of EDAC or 'Memory failure' about the same error have the page";

	if (!vendor.present)
		return report_check_doubt;
	if (vendor.value != 0)
		return amd;
	return is_physical(status, misc) ? NULL : other;
}

bool report_set_check(struct report *r, struct opt_u64 status, struct opt_u64 misc,
		      struct opt_int vendor, uint64_t address)
{
	enum { ADDRV = 58, LEAST_BIT_MAX = 0x3f };
	const bool has_address = !status.present || status.value >> ADDRV & 1;

	r->form = REPORT_MACHINE_CHECK;
	r->doubt = check_doubt(status, misc, vendor);
	if (status.present)
		report_set_severity(r,
				    is_check_lost(status.value) ? EVENT_CRITICAL : EVENT_WARNING);
	if (has_address && !r->doubt)
		report_set_address(r, address, UINT64_C(1) << (misc.value & LEAST_BIT_MAX));
	else if (has_address)
		report_set_address(r, address, 1);
	return has_address;
}

/* Return: where the value of "name=" or "name:" begins whose name is a whole word. */
static const char *field_of(const char *text, const char *name)
{
	const char *start = text;

	for (; text && (text = strstr(text, name)); text++)
		if (text == start || !isalnum((unsigned char)text[-1]))
			return behind(text, name);
	return NULL;
}

/* "MC12: bc80000000100134" of the kernel, "status= 0xbc80000000100134" of rasdaemon. */
static struct opt_u64 check_status(const char *text)
{
	const char *at = field_of(text, "status=");
	uint64_t status = 0;

	for (const char *bank = text; !at && (bank = strstr(bank, "MC")); bank++) {
		const size_t n = strspn(bank + 2, "0123456789");

		if (n && bank[2 + n] == ':')
			at = bank + 3 + n + strspn(bank + 3 + n, " ");
	}
	return at && take_number(&at, 16, &status) ? OPT_U64(status) : (struct opt_u64){0};
}

/* "vendor: 2" of the kernel, "cpu_type= Intel ..." of rasdaemon; numbers are those of Linux. */
static struct opt_int check_vendor(const char *text)
{
	const char *at = field_of(text, "vendor:"), *type = field_of(text, "cpu_type=");
	uint64_t vendor = 0;

	if (type && str_after_prefix(type, "Intel"))
		return OPT_INT(0);
	if (type && str_after_prefix(type, "AMD"))
		return OPT_INT(2);
	return at && take_number(&at, 10, &vendor) && vendor < 16 ? OPT_INT((int)vendor)
								  : (struct opt_int){0};
}

/* "MISC: 0000000000000086", "ADDR/MISC/SYND: .../0000000000000086/...", "misc= 86". */
static struct opt_u64 check_misc(const char *text)
{
	const char *at = field_of(text, "MISC:"), *both = behind(text, "ADDR/MISC");
	uint64_t misc = 0;

	if (!at)
		at = field_of(text, "misc=");
	if (both && (both = strchr(both, ':')) && (both = strchr(both, '/')))
		at = both + 1;
	return at && take_number(&at, 16, &misc) ? OPT_U64(misc) : (struct opt_u64){0};
}

/* A machine check without a status has an unknown severity; one without ADDRV has no address. */
static void set_check(struct report *r, const char *text, uint64_t address)
{
	(void)report_set_check(r, check_status(text), check_misc(text), check_vendor(text),
			       address);
}

/* The trace event mce_record: of the kernel with all digits, of rasdaemon with a comma. */
static bool read_mce_record(const char *text, struct report *r)
{
	const char *at = behind(text, "mce_record");
	const char *whole = behind(at, "ADDR/MISC"), *address;
	uint64_t spa = 0;

	address = whole ? behind(whole, ":") : field_of(at, "ADDR:");
	whole = address;
	if (!address)
		address = field_of(at, "addr=");
	if (!address)
		return false;
	report_set_what(r, at + strspn(at, ": "));
	if (whole && (strspn(address, "0123456789abcdef") != 16 || !strchr("/,", address[16])))
		(void)error_set(&r->wrong, EINVAL, "%s", CUT);
	if (!take_number(&address, 16, &spa))
		return false;
	if (!whole && *address != ',')
		(void)error_set(&r->wrong, EINVAL, "%s", CUT);
	set_check(r, at, spa);
	return true;
}

/* ras-mc-ctl: "1 2026-... error: Corrected error, ..., status=0x..., addr=0x110008100, ..." */
static bool read_mce_row(const char *text, struct report *r)
{
	const char *at = strstr(text, " error: ");
	const char *address = field_of(at, "addr=");
	uint64_t spa = 0;

	if (!address || !field_of(at, "status=") || strstr(text, "memdev") ||
	    !take_hex(&address, ",", &spa, r))
		return false;
	report_set_what(r, at + strlen(" error: "));
	set_check(r, at, spa);
	return true;
}

/*
 * "mce: Uncorrected hardware memory error in user-access at 110008100": the kernel takes the page
 * of that address out of use, on all processors. Nothing follows the number.
 */
static bool read_access(const char *text, struct report *r)
{
	const char *at = behind(text, "hardware memory error in user-access at");
	uint64_t spa = 0;

	if (!at || !take_number(&at, 16, &spa) || !strchr(" ", *at))
		return false;
	r->form = REPORT_MACHINE_CHECK;
	report_set_severity(r, EVENT_CRITICAL);
	report_set_what(r, strstr(text, "hardware memory error"));
	report_set_address(r, spa, CACHE_LINE);
	return true;
}

/* Unless the text is a record of a CXL event. */
bool report_host_read(const char *text, uint64_t page_size, struct report *ret)
{
	*ret = (struct report){0};
	return read_memory_failure(text, page_size, ret) ||
	       read_memory_failure_event(text, page_size, ret) ||
	       read_traced_failure(text, page_size, ret) ||
	       read_soft_offline(text, page_size, ret) || read_isolation(text, page_size, ret) ||
	       read_edac(text, page_size, ret) || read_mc_event(text, ret) ||
	       read_mc_row(text, ret) || read_extlog(text, ret) || read_physical(text, ret) ||
	       read_mce_record(text, ret) || read_mce_row(text, ret) || read_access(text, ret) ||
	       report_pcie_read(text, ret);
}
