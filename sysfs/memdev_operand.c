// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/memdev_operand.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "common/arena.h"
#include "common/names.h"
#include "common/strutil.h"
#include "sysfs/stable_id.h"

/* How much of a malformed operand a message repeats. */
enum { MESSAGE_OPERAND_MAX = 64 };

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
	const struct memdev *found = ids ? memdev_by_id(ids, s) : NULL;
	struct names existing = {0};

	for (size_t i = 0; ids && !found && i < host->n_memdevs; i++)
		names_add(&existing, "%s", memdev_id(ids, host->memdevs[i]));
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
