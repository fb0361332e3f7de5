// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The masking of each file of a capture.
#include "capture/mask.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/mask_private.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/acpi_table.h"
#include "sysfs/kernel_log.h"

typedef int mask_fn(const struct capture_mask *m, char **data, size_t *len);

static int replace_with(char **data, size_t *len, const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*data);
	*data = copy;
	*len = strlen(copy);
	return 0;
}

static int mask_nothing(const struct capture_mask *m, char **data, size_t *len)
{
	(void)m;
	(void)data;
	(void)len;
	return 0;
}

static int mask_leave_out(const struct capture_mask *m, char **data, size_t *len)
{
	(void)m;
	(void)data;
	(void)len;
	return -ENODATA;
}

static int mask_name(const struct capture_mask *m, char **data, size_t *len)
{
	(void)m;
	return *len ? replace_with(data, len, "masked\n") : 0;
}

/* "Linux version 7.3.4+deb13-amd64 (builder@host) ...": who built it stays unknown. */
static int mask_version(const struct capture_mask *m, char **data, size_t *len)
{
	const char *release = str_after_prefix(*data, "Linux version ");
	char text[128];

	(void)m;
	if (!release)
		return -ENODATA;
	(void)snprintf(text, sizeof(text), "Linux version %.*s\n", (int)strcspn(release, " \n"),
		       release);
	return replace_with(data, len, text);
}

/* Only the parameters that concern memory and CXL, and none with a path or a name. */
static int mask_command_line(const struct capture_mask *m, char **data, size_t *len)
{
	static const char kept[] =
		"@(memhp_default_state=*|memory_hotplug.*|mem=*|memmap=*|efi=*|iomem=*|numa=*|numa_balancing=*|cxl*.*|dax*.*|acpi*=*)";
	_cleanup_free_ char *text = calloc(1, *len + 2);
	char *word, *rest = *data, *p = text;
	size_t n;

	(void)m;
	if (!text)
		return -ENOMEM;
	while ((word = strsep(&rest, " \n"))) {
		if (fnmatch(kept, word, FNM_EXTMATCH) != 0 || strpbrk(word, "/@"))
			continue;
		n = strlen(word);
		if (p > text)
			*p++ = ' ';
		memcpy(p, word, n);
		p += n;
	}
	*p = '\n';
	return replace_with(data, len, text);
}

/* UUIDs are replaced by mask_everywhere(); anything else in such a file could be a name. */
static int mask_uuid(const struct capture_mask *m, char **data, size_t *len)
{
	(void)m;
	(void)len;
	return mask_is_uuid(*data) ? 0 : -ENODATA;
}

static int mask_serial(const struct capture_mask *m, char **data, size_t *len)
{
	char text[32];
	uint64_t serial;

	if (parse_u64(str_chomp(*data), &serial) < 0)
		return -ENODATA;
	(void)snprintf(text, sizeof(text), "0x%" PRIx64 "\n", mask_number(m, serial));
	return replace_with(data, len, text);
}

/* The id of a memory device on the nvdimm bus: its serial number, as a signed decimal number. */
static int mask_signed_serial(const struct capture_mask *m, char **data, size_t *len)
{
	uint64_t serial;
	char text[32];

	if (!mask_parse_signed(*data, &serial))
		return -ENODATA;
	(void)snprintf(text, sizeof(text), "%" PRId64 "\n", (int64_t)mask_number(m, serial));
	return replace_with(data, len, text);
}

/* The Device Serial Number of a PCI function, which is also the serial number of a memory device.
 */
static int mask_config(const struct capture_mask *m, char **data, size_t *len)
{
	uint8_t *dsn = mask_find_dsn((uint8_t *)*data, *len);

	if (dsn)
		put_le64(dsn, mask_number(m, le64(dsn)));
	return 0;
}

/* The serial number of a switch, of a device behind it, or of an LD. */
static int mask_identify(const struct capture_mask *m, char **data, size_t *len)
{
	uint8_t *serial = mask_find_identify_serial((uint8_t *)*data, *len);

	if (serial)
		put_le64(serial, mask_number(m, le64(serial)));
	return 0;
}

/* OEM names identify the maker, and often the model. A checksum that was wrong stays wrong. */
static int mask_table(const struct capture_mask *m, char **data, size_t *len)
{
	static const char names[] = "MASKEDMASKED  "; /* OEM id, OEM table id */
	enum { CHECKSUM = 9, OEM_ID = 10, COMPILER_ID = 28 };
	uint8_t *t = (uint8_t *)*data;
	uint8_t sum = 0;

	(void)m;
	if (*len < ACPI_HEADER_SIZE)
		return -ENODATA;
	for (size_t i = 0; i < ACPI_HEADER_SIZE; i++)
		sum = (uint8_t)(sum + t[i]);
	memcpy(t + OEM_ID, names, sizeof(names) - 1);
	memcpy(t + COMPILER_ID, "MASK", 4);
	for (size_t i = 0; i < ACPI_HEADER_SIZE; i++)
		sum = (uint8_t)(sum - t[i]);
	t[CHECKSUM] = (uint8_t)(t[CHECKSUM] + sum);
	return 0;
}

/*
 * A capture that was made by hand has all of the log, with data of other devices: only the lines
 * about CXL stay, without the maker's names in "ACPI: CEDT 0x7ffe37c6 0000E0 (v01 BOCHS ...)".
 */
static int mask_kernel_log(const struct capture_mask *m, char **data, size_t *len)
{
	_cleanup_free_ struct kernel_log *log = calloc(1, sizeof(*log));
	_cleanup_free_ char *text = malloc(KERNEL_LOG_TEXT_MAX);

	(void)m;
	if (!log || !text)
		return -ENOMEM;
	kernel_log_add_text(log, *data);
	for (size_t i = 0; i < log->n; i++) {
		char *row = log->rows[i].text;
		char *names = strstr(row, "ACPI: CEDT 0x") ? strstr(row, " (v") : NULL;

		if (names)
			*names = '\0';
	}
	(void)kernel_log_write(log, text);
	return replace_with(data, len, text);
}

/*
 * The number behind each word "serial": "# mem0 serial 0xabc3 at 0000:e0:00.0" in the recorded
 * answers of firmware, and "serial": "0xabc3" in a rule that replaces it.
 */
static int mask_serial_words(const struct capture_mask *m, char **data, size_t *len)
{
	static const char word[] = "serial";
	const size_t room = *len + (*len / strlen(word) + 1) * MASK_NUMBER_TEXT;
	_cleanup_free_ char *text = malloc(room);
	char *from = *data, *at, *end, *p = text;

	if (!text)
		return -ENOMEM;
	while ((at = strstr(from, word))) {
		uint64_t serial;

		at += strlen(word);
		at += strspn(at, "\": ");
		serial = strtoull(at, &end, 0);
		memcpy(p, from, (size_t)(at - from));
		p += at - from;
		if (end > at)
			p += snprintf(p, MASK_NUMBER_TEXT, "0x%" PRIx64, mask_number(m, serial));
		from = end;
	}
	(void)snprintf(p, room - (size_t)(p - text), "%s", from);
	return replace_with(data, len, text);
}

/*
 * The first rule whose pattern, that of fnmatch(3), matches. Identities that cannot be taken for
 * anything else are also replaced wherever they are in what is kept.
 */
static const struct {
	const char *pattern;
	mask_fn *fn;
} rules[] = {
	{"proc/cmdline", mask_command_line},
	{"proc/@(cpuinfo|iomem|meminfo)", mask_nothing},
	{"proc/sys/kernel/hostname", mask_name},
	{"proc/sys/kernel/random/boot_id", mask_uuid},
	{"proc/version", mask_version},
	{"sys/devices/virtual/dmi/id/product_uuid", mask_uuid},
	{"sys/devices/virtual/dmi/id/@(bios_*|product_name|sys_vendor)", mask_name},
	{"sys/devices/virtual/dmi/*", mask_leave_out},
	{"sys/firmware/acpi/tables/@(CEDT|HMAT|PRMT|SRAT)", mask_table},
	{"sys/firmware/*", mask_leave_out},
	{"*/mem+([0-9])/serial", mask_serial},
	{"*/cxl/id", mask_signed_serial},
	/* Identities of other persistent memory; names that users gave; names of slots. */
	{"*/@(serial|wwid|alt_name|label)", mask_leave_out},
	{"*/nfit/*", mask_leave_out},
	{"sys/*/config", mask_config},
	{"sys/*", mask_nothing},
	{"dev/*", mask_nothing},
	{KERNEL_LOG_CAPTURE_PATH, mask_kernel_log},
	{"cmd/getconf-PAGESIZE", mask_nothing},
	{"prm/@(pairs.txt|rule.json)", mask_serial_words},
	{"mbox/mem+([0-9])/*.bin", mask_nothing},
	{"mbox/switch-*/0001.bin", mask_identify},
	{"mbox/switch-*/0100-*", mask_leave_out}, /* event records */
	{"mbox/switch-*/@(mailbox|*.bin|*.code)", mask_nothing},
};

int capture_mask_apply(const struct capture_mask *m, const char *path, char **data, size_t *len)
{
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		int r;

		if (fnmatch(rules[i].pattern, path, FNM_EXTMATCH) != 0)
			continue;
		r = rules[i].fn(m, data, len);
		return r < 0 ? r : mask_everywhere(m, data, len);
	}
	return -ENODATA;
}
