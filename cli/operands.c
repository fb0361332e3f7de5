// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/operands.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/names.h"
#include "common/arena.h"
#include "common/clock.h"
#include "common/strutil.h"
#include "sysfs/stable_id.h"

/* "0x" and 16 digits: the longest 64-bit address. */
enum { ADDRESS_TEXT_MAX = 18 };

/* How much of a malformed operand a message repeats. */
enum { MESSAGE_OPERAND_MAX = 64, MESSAGE_TIME_MAX = 40 };

static int address_malformed(const char *s, struct error *e)
{
	size_t len = strlen(s);
	const char *dots = len > MESSAGE_OPERAND_MAX ? "..." : "";
	char readings[NUMBER_READINGS_MAX];

	if (len == 0)
		return error_set(e, EINVAL, "an address is empty");
	if (s[len - 1] == '\r')
		return error_set(
			e, EINVAL,
			"'%.*s' ends with a carriage return: lines must end with a newline only",
			MESSAGE_OPERAND_MAX, s);
	if (number_readings(s, readings, sizeof(readings)))
		return error_set(
			e, EINVAL,
			"'%s' is not an address: %s addresses are written with 0x and 1 to 16 hexadecimal digits, ranges as START-END",
			s, readings);
	return error_set(
		e, EINVAL,
		"'%.*s'%s is not an address: addresses are written with 0x and 1 to 16 hexadecimal digits, ranges as START-END",
		MESSAGE_OPERAND_MAX, s, dots);
}

/* Reads the address in the @len bytes at @s, which need not end in a NUL. */
static int parse_address_part(const char *s, size_t len, uint64_t *ret)
{
	char text[ADDRESS_TEXT_MAX + 1];

	if (len > ADDRESS_TEXT_MAX)
		return -EINVAL;
	memcpy(text, s, len);
	text[len] = '\0';
	return parse_address(text, ret);
}

int operand_address(const char *s, struct address_range *ret, struct error *e)
{
	const char *dash = strchr(s, '-');
	struct address_range range = {.is_range = dash != NULL};
	size_t len = dash ? (size_t)(dash - s) : strlen(s);
	int r;

	r = parse_address_part(s, len, &range.first);
	if (r < 0)
		return address_malformed(s, e);
	range.last = range.first;
	if (dash) {
		r = parse_address_part(dash + 1, strlen(dash + 1), &range.last);
		if (r < 0)
			return address_malformed(s, e);
	}
	if (range.last < range.first)
		return error_set(e, EINVAL, "'%s' is not a range: it ends before it starts", s);
	*ret = range;
	return 0;
}

/* Return: how many hexadecimal digits @s starts with. */
static size_t hex_digits(const char *s)
{
	return strspn(s, "0123456789abcdefABCDEF");
}

/* dddd:bb:dd.f, with the longer domain numbers that some controllers have. */
static bool is_bdf(const char *s)
{
	size_t domain = hex_digits(s);

	if (domain < 4 || domain > 8 || s[domain] != ':')
		return false;
	s += domain + 1;
	if (hex_digits(s) != 2 || s[2] != ':')
		return false;
	s += 3;
	return hex_digits(s) == 2 && s[2] == '.' && s[3] >= '0' && s[3] <= '7' && s[4] == '\0';
}

static bool is_memdev_name(const char *s)
{
	const char *number = str_after_prefix(s, "mem");

	return number && *number && number[strspn(number, "0123456789")] == '\0';
}

/* The Id of a Memory resource and the name of a device in the log: sysfs/stable_id.h. */
static bool is_stable_id(const char *s)
{
	return str_after_prefix(s, "cxl-") != NULL;
}

bool operand_is_memdev(const char *s)
{
	return is_memdev_name(s) || is_bdf(s) || is_stable_id(s) || str_after_prefix(s, "serial:");
}

int operand_serial(const char *s, uint64_t *ret)
{
	const char *number = str_after_prefix(s, "serial:");

	return number ? parse_u64(number, ret) : -EINVAL;
}

int operand_check_memdev(const char *s, struct error *e)
{
	const char *serial = str_after_prefix(s, "serial:");
	uint64_t value;

	if (!operand_is_memdev(s))
		return error_set(
			e, EINVAL,
			"'%.*s' is not a memory device: write memN, a PCI address dddd:bb:dd.f, serial:NUMBER, or its Redfish Id cxl-...",
			MESSAGE_OPERAND_MAX, s);
	if (serial && operand_serial(s, &value) < 0)
		return error_set(
			e, EINVAL,
			"'%.*s' is not a serial number: write serial:0x and 1 to 16 hexadecimal digits, or serial: and the decimal number that the kernel's trace prints",
			MESSAGE_OPERAND_MAX, s);
	return 0;
}

enum naming { BY_NAME, BY_BDF, BY_SERIAL };

/* ---- sizes ------------------------------------------------------------------------------------
 */

/* Return: by how many bits the suffix shifts; 0 for none; -EINVAL. */
static int size_shift(const char *suffix)
{
	static const char letters[] = "kmgt";
	const char *found;

	if (!*suffix)
		return 0;
	found = suffix[1] ? NULL : strchr(letters, tolower((unsigned char)*suffix));
	return found ? 10 * (int)(found - letters + 1) : -EINVAL;
}

int operand_size(const char *s, uint64_t *ret, struct error *e)
{
	bool hex = str_after_prefix(s, "0x") != NULL;
	size_t prefix = hex ? 2 : 0;
	size_t digits = hex ? hex_digits(s + 2) : strspn(s, "0123456789");
	int shift = size_shift(s + prefix + digits);
	char text[24];
	uint64_t n = 0;

	if (!digits || prefix + digits >= sizeof(text) || shift < 0)
		return error_set(
			e, EINVAL,
			"requires a number of bytes such as 256M, 4G or 0x10000000, not '%.*s'",
			MESSAGE_OPERAND_MAX, s);
	(void)snprintf(text, sizeof(text), "%.*s", (int)(prefix + digits), s);
	if (parse_u64(text, &n) < 0 || n > UINT64_MAX >> shift || !n)
		return error_set(e, EINVAL, "cannot be %.*s: it is from 1 to 2^64 - 1 bytes",
				 MESSAGE_OPERAND_MAX, s);
	*ret = n << shift;
	return 0;
}

/* ---- times ------------------------------------------------------------------------------------
 */

int operand_time(const char *s, struct time_written *ret, struct error *e)
{
	if (time_text_read(s, clock_realtime_ns(), ret) == 0)
		return 0;
	return error_set(e, EINVAL,
			 "'%.*s' is not a time from 1970 to 2553: write " TIME_TEXT_FORMS,
			 MESSAGE_TIME_MAX, s);
}

/* ---- memory devices ---------------------------------------------------------------------------
 */

/* Adds the memdevs of the host to @names, all or those with one serial number. */
static void names_add_memdevs(struct names *names, const struct host *host, enum naming naming,
			      const uint64_t *serial)
{
	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct memdev *m = host->memdevs[i];

		if (serial && !opt_u64_is(m->serial, *serial))
			continue;
		if (naming == BY_SERIAL && m->serial.present)
			names_add(names, "serial:0x%" PRIx64, m->serial.value);
		else
			names_add(names, "%s", naming == BY_BDF && m->bdf ? m->bdf : m->name);
	}
}

static int memdev_unknown(const struct host *host, const char *s, enum naming naming,
			  struct error *e)
{
	struct names existing = {0};

	if (!host->n_memdevs)
		return error_set(e, ENODEV, "%.*s: no such memory device; this host has none",
				 MESSAGE_OPERAND_MAX, s);
	names_add_memdevs(&existing, host, naming, NULL);
	return error_set(e, ENODEV, "%.*s: no such memory device; this host has %s",
			 MESSAGE_OPERAND_MAX, s, names_end(&existing));
}

static int operand_memdev_by_serial(const struct host *host, const char *s,
				    const struct memdev **ret, struct error *e)
{
	struct names same_serial = {0};
	const struct memdev *m;
	uint64_t serial;
	size_t count;

	(void)operand_serial(s, &serial); /* checked by operand_check_memdev() */
	m = host_memdev_by_serial(host, serial, &count);
	if (!m || !count)
		return memdev_unknown(host, s, BY_SERIAL, e);
	if (count > 1) {
		names_add_memdevs(&same_serial, host, BY_BDF, &serial);
		return error_set(
			e, EEXIST,
			"%s: %zu memory devices have this serial number; name one of them by its PCI address: %s",
			s, count, names_end(&same_serial));
	}
	*ret = m;
	return 0;
}

static int operand_memdev_by_id(const struct host *host, const char *s, const struct memdev **ret,
				struct error *e)
{
	struct arena *arena = arena_new();
	struct memdev_ids *ids = arena ? memdev_ids_new(arena, host) : NULL;
	struct names existing = {0};
	const struct memdev *found = NULL;

	for (size_t i = 0; ids && i < host->n_memdevs; i++) {
		const char *id = memdev_id(ids, host->memdevs[i]);

		names_add(&existing, "%s", id);
		if (str_equal(id, s))
			found = host->memdevs[i];
	}
	(void)arena_free(arena);
	if (!ids)
		return error_set(e, ENOMEM, "out of memory");
	if (!found)
		return error_set(e, ENODEV, "%.*s: no such memory device; this host has %s",
				 MESSAGE_OPERAND_MAX, s,
				 host->n_memdevs ? names_end(&existing) : "none");
	*ret = found;
	return 0;
}

int operand_memdev(const struct host *host, const char *s, const struct memdev **ret,
		   struct error *e)
{
	const struct memdev *m;
	char bdf[sizeof("12345678:00:00.0")];
	int r;

	r = operand_check_memdev(s, e);
	if (r < 0)
		return r;
	if (str_after_prefix(s, "serial:"))
		return operand_memdev_by_serial(host, s, ret, e);
	if (is_stable_id(s))
		return operand_memdev_by_id(host, s, ret, e);
	if (is_bdf(s)) {
		for (size_t i = 0; i < sizeof(bdf); i++) {
			bdf[i] = (char)tolower((unsigned char)s[i]);
			if (!s[i])
				break;
		}
		m = host_memdev_by_bdf(host, bdf);
	} else {
		m = host_memdev(host, s);
	}
	if (!m)
		return memdev_unknown(host, s, is_bdf(s) ? BY_BDF : BY_NAME, e);
	*ret = m;
	return 0;
}

int operand_line(FILE *f, char line[OPERAND_LINE_MAX + 1])
{
	return operand_long_line(f, line, OPERAND_LINE_MAX);
}

int operand_long_line(FILE *f, char *line, size_t max)
{
	size_t n = 0;
	bool too_long = false, has_nul = false;
	int c;

	while ((c = getc_unlocked(f)) != EOF && c != '\n') {
		if (c == '\0')
			has_nul = true;
		if (n == max) {
			too_long = true;
			continue;
		}
		line[n++] = (char)c;
	}
	line[too_long || has_nul ? 0 : n] = '\0';
	if (c == EOF && ferror(f))
		return -EIO;
	if (too_long)
		return -E2BIG;
	if (has_nul)
		return -EINVAL;
	return n > 0 || c == '\n';
}
