// SPDX-License-Identifier: LGPL-2.1-or-later
/* /proc/iomem: the use of each range of physical addresses. */
#include "sysfs/host_iomem.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "common/cleanup.h"

/* A large server has a few thousand lines. */
enum { IOMEM_BYTES_MAX = 4 * 1024 * 1024, IOMEM_LINES_MAX = 100000 };

DEFINE_ARRAY(struct iomem_range, iomem_list);

static int parse_hex(const char **text, uint64_t *ret)
{
	const char *p = *text;
	uint64_t v = 0;

	for (; isxdigit((unsigned char)*p) && p - *text < 16; p++) {
		const int digit = isdigit((unsigned char)*p) ? *p - '0' : tolower(*p) - 'a' + 10;

		v = v << 4 | (uint64_t)digit;
	}
	if (p == *text)
		return -EINVAL;
	*text = p;
	*ret = v;
	return 0;
}

/* "  210000000-22fffffff : region1" */
static int iomem_parse_line(const char *line, struct iomem_range *ret, const char **ret_name)
{
	const size_t indentation = strspn(line, " ");
	const char *p = line + indentation;

	if (parse_hex(&p, &ret->start) < 0 || *p++ != '-' || parse_hex(&p, &ret->last) < 0)
		return -EINVAL;
	p = str_after_prefix(p, " : ");
	if (!p || !str_is_plain(p) || ret->last < ret->start)
		return -EINVAL;
	ret->depth = (unsigned int)(indentation / 2);
	*ret_name = p;
	return 0;
}

static int iomem_add_line(struct build *b, const char *line, size_t number, struct iomem_list *list)
{
	struct iomem_range range = {0}, *slot;
	const char *name;

	/* host_iomem_find() relies on this order; the kernel keeps it. */
	if (iomem_parse_line(line, &range, &name) < 0 ||
	    (list->n > 0 && range.start < list->items[list->n - 1].start)) {
		read_notes_add(&b->notes, "iomem: line %zu has an unknown format", number);
		return 0;
	}
	range.name = arena_strdup(b->arena, name);
	slot = range.name ? iomem_list_add(list) : NULL;
	if (!slot)
		return -ENOMEM;
	*slot = range;
	return 0;
}

static bool is_all_zeros(struct iomem_list *list)
{
	ARRAY_FOREACH(range, list) {
		if (range->last != 0)
			return false;
	}
	return true;
}

static int iomem_read_lines(struct build *b, char *text, struct iomem_list *list)
{
	size_t number = 0;
	char *line;
	int r;

	while ((line = strsep(&text, "\n"))) {
		if (number == IOMEM_LINES_MAX) {
			read_notes_add(&b->notes,
				       "iomem: more than %d lines, the others are left out",
				       IOMEM_LINES_MAX);
			break;
		}
		number++;
		if (line[0] == '\0')
			continue;
		r = iomem_add_line(b, line, number, list);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Return: 0; the error of reading; @list is left empty then. */
static int iomem_read(struct build *b, struct opener *admin, struct iomem_list *list)
{
	_cleanup_free_ char *text = NULL;
	int r = admin ? opener_read(admin, "/proc/iomem", IOMEM_BYTES_MAX, &text, NULL)
		      : host_root_read(b->root, "proc/iomem", IOMEM_BYTES_MAX, &text, NULL);

	return r < 0 ? r : iomem_read_lines(b, text, list);
}

int build_iomem(struct build *b)
{
	_cleanup_(iomem_list_done) struct iomem_list list = {0};
	int r = iomem_read(b, NULL, &list);

	if (r == 0 && is_all_zeros(&list) && !b->root->captured && b->root->admin) {
		iomem_list_done(&list);
		r = iomem_read(b, b->root->admin, &list);
	}
	if (r == -ENOMEM)
		return r;
	if (r == -EACCES || r == -EPERM)
		read_notes_denied(&b->notes, "iomem", "ranges");
	else if (r < 0 && r != -ENOENT)
		read_notes_add(&b->notes, "iomem: cannot be read: %s", strerror(-r));
	if (r < 0)
		return 0;
	if (is_all_zeros(&list)) {
		/* Unprivileged readers see zeros, which are not addresses. */
		if (list.n > 0)
			read_notes_denied(&b->notes, "iomem", "addresses");
		list.n = 0;
	}
	b->host->iomem = LIST_FREEZE(&list, b->arena);
	b->host->n_iomem = list.n;
	return b->host->iomem ? 0 : -ENOMEM;
}
