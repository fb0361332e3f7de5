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

struct lines {
	struct iomem_list list;
	struct iomem_range unread; /* as in struct host */
	bool is_open;		   /* it may reach up to the next outermost line */
	bool is_unordered;	   /* nothing bounds it */
};

static void lines_done(struct lines *lines)
{
	iomem_list_done(&lines->list);
	*lines = (struct lines){0};
}

/* Lines from @first on are left out. */
static void leave_out(struct lines *lines, uint64_t first, const char *why)
{
	if (!lines->unread.name)
		lines->unread = (struct iomem_range){.start = first, .name = why};
	if (first < lines->unread.start)
		lines->unread.start = first;
	lines->unread.last = UINT64_MAX;
	lines->is_open = true;
}

/* The kernel writes lines by their start: an outermost one begins behind all of those before it. */
static void end_unread(struct lines *lines, const struct iomem_range *range)
{
	if (!lines->is_open || lines->is_unordered || range->depth ||
	    range->start <= lines->unread.start)
		return;
	lines->unread.last = range->start - 1;
	lines->is_open = false;
}

/* Return: where a line behind the last of @list begins at the earliest. */
static uint64_t list_end(const struct iomem_list *list)
{
	return list->n ? list->items[list->n - 1].start : 0;
}

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

static int iomem_add_line(struct build *b, const char *line, size_t number, struct lines *lines)
{
	const uint64_t least = list_end(&lines->list);
	struct iomem_range range = {0}, *slot;
	const char *name;
	int r = iomem_parse_line(line, &range, &name);

	/* host_iomem_find() relies on this order; the kernel keeps it. */
	if (r < 0 || range.start < least) {
		read_notes_add(&b->notes, "iomem: line %zu has an unknown format", number);
		lines->is_unordered |= r == 0;
		leave_out(lines, r < 0 ? least : 0,
			  "not known: a line of /proc/iomem has an unknown format");
		return 0;
	}
	range.name = arena_strdup(b->arena, name);
	slot = range.name ? iomem_list_add(&lines->list) : NULL;
	if (!slot)
		return -ENOMEM;
	*slot = range;
	end_unread(lines, &range);
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

static int iomem_read_lines(struct build *b, char *text, struct lines *lines)
{
	size_t number = 0;
	char *line;
	int r;

	while ((line = strsep(&text, "\n"))) {
		if (number == IOMEM_LINES_MAX) {
			read_notes_add(&b->notes,
				       "iomem: more than %d lines, the others are left out",
				       IOMEM_LINES_MAX);
			leave_out(lines, list_end(&lines->list),
				  "not known: /proc/iomem has more lines than are read");
			break;
		}
		number++;
		if (line[0] == '\0')
			continue;
		r = iomem_add_line(b, line, number, lines);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Return: 0; the error of reading; @lines are left empty then. */
static int iomem_read(struct build *b, struct opener *admin, struct lines *lines)
{
	_cleanup_free_ char *text = NULL;
	int r = admin ? opener_read(admin, "/proc/iomem", IOMEM_BYTES_MAX, &text, NULL)
		      : host_root_read(b->root, "proc/iomem", IOMEM_BYTES_MAX, &text, NULL);

	return r < 0 ? r : iomem_read_lines(b, text, lines);
}

int build_iomem(struct build *b)
{
	_cleanup_(lines_done) struct lines lines = {0};
	int r = iomem_read(b, NULL, &lines);

	if (r == 0 && is_all_zeros(&lines.list) && !b->root->captured && b->root->admin) {
		lines_done(&lines);
		r = iomem_read(b, b->root->admin, &lines);
	}
	if (r == -ENOMEM)
		return r;
	if (r == -EACCES || r == -EPERM)
		read_notes_denied(&b->notes, "iomem", "ranges");
	else if (r < 0 && r != -ENOENT) {
		read_notes_add(&b->notes, "iomem: cannot be read: %s", strerror(-r));
		leave_out(&lines, 0, "not known: /proc/iomem cannot be read");
	}
	if (r == 0 && lines.list.n > 0 && is_all_zeros(&lines.list)) {
		/* Unprivileged readers see zeros, which are not addresses. */
		read_notes_denied(&b->notes, "iomem", "addresses");
		lines_done(&lines);
	}
	b->host->iomem_unread = lines.unread;
	if (r < 0)
		return 0;
	b->host->iomem = LIST_FREEZE(&lines.list, b->arena);
	b->host->n_iomem = lines.list.n;
	return b->host->iomem ? 0 : -ENOMEM;
}
