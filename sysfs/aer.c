// SPDX-License-Identifier: LGPL-2.1-or-later
#include "sysfs/aer.h"

#include <stddef.h>
#include <string.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/attr.h"

/* Counters that only root ports and event collectors have: one number each. */
static const struct attr_field root_fields[] = {
	{"aer_rootport_total_err_cor", ATTR_U64, offsetof(struct aer_counters, root_correctable)},
	{"aer_rootport_total_err_nonfatal", ATTR_U64, offsetof(struct aer_counters, root_nonfatal)},
	{"aer_rootport_total_err_fatal", ATTR_U64, offsetof(struct aer_counters, root_fatal)},
};

/* Lines "NAME NUMBER" of a file, by the kernel's names (drivers/pci/pcie/aer.c).
 */
struct line {
	const char *name;
	struct opt_u64 *counter;
};

static bool aer_is_name(const char *line, size_t len, const char *name)
{
	return strlen(name) == len && memcmp(line, name, len) == 0;
}

static void aer_take_line(const struct attr_dir *dir, const char *attr, char *text,
			  const struct line *lines, size_t n)
{
	char *number = strchr(text, ' ');
	uint64_t v;

	for (size_t i = 0; number && i < n; i++) {
		if (!aer_is_name(text, (size_t)(number - text), lines[i].name) ||
		    lines[i].counter->present)
			continue;
		if (parse_u64(number + 1, &v) == 0)
			*lines[i].counter = OPT_U64(v);
		else
			read_notes_add(dir->notes, "%s: %s of %s is not a number", dir->name,
				       lines[i].name, attr);
	}
}

static void aer_read_lines(const struct attr_dir *dir, const char *attr, const struct line *lines,
			   size_t n)
{
	char text[ATTR_BYTES_MAX + 1], *rest = text, *line;

	if (attr_read_text(dir, attr, text) < 0)
		return;
	while ((line = strsep(&rest, "\n")))
		aer_take_line(dir, attr, line, lines, n);
}

/* Unsupported requests are counted in two files, by the severity that the function reports. */
static struct opt_u64 sum(struct opt_u64 a, struct opt_u64 b)
{
	struct opt_u64 sum = {.present = a.present && b.present};

	if (__builtin_add_overflow(a.value, b.value, &sum.value))
		sum.present = false;
	return sum;
}

void aer_read(const char *bdf, struct read_notes *notes, struct aer_counters *ret)
{
	struct opt_u64 nonfatal_requests = {0}, fatal_requests = {0};
	const struct line correctable[] = {
		{"TOTAL_ERR_COR", &ret->correctable},
		{"RxErr", &ret->receiver_error},
		{"BadTLP", &ret->bad_tlp},
		{"BadDLLP", &ret->bad_dllp},
		{"Rollover", &ret->replay_rollover},
		{"Timeout", &ret->replay_timeout},
	};
	const struct line nonfatal[] = {{"TOTAL_ERR_NONFATAL", &ret->nonfatal},
					{"UnsupReq", &nonfatal_requests}};
	const struct line fatal[] = {{"TOTAL_ERR_FATAL", &ret->fatal},
				     {"UnsupReq", &fatal_requests}};
	_cleanup_close_ int fd = attr_open_pci(bdf);

	*ret = (struct aer_counters){0};
	if (fd < 0)
		return;
	const struct attr_dir dir = {fd, "PCI function", bdf, notes};

	aer_read_lines(&dir, "aer_dev_correctable", correctable, ARRAY_SIZE(correctable));
	aer_read_lines(&dir, "aer_dev_nonfatal", nonfatal, ARRAY_SIZE(nonfatal));
	aer_read_lines(&dir, "aer_dev_fatal", fatal, ARRAY_SIZE(fatal));
	ret->unsupported_request = sum(nonfatal_requests, fatal_requests);
	attr_read_all(&dir, root_fields, ARRAY_SIZE(root_fields), ret);
}
