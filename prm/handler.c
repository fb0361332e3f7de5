// SPDX-License-Identifier: LGPL-2.1-or-later
#include "prm/handler.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "prm/handler_memdev.h"
#include "prm/handler_pairs.h"
#include "prm/handler_rules.h"
#include "prm/translator_text.h"
#include "sysfs/host_root.h"

/* Return: 0; -ENOENT when the capture has no such file; -EINVAL with @e; -ENOMEM. */
static int handler_read_file(const struct translator *t, const char *path, size_t max, char **ret,
			     size_t *ret_len, struct error *e)
{
	int r = host_root_read(t->host->root, path, max, ret, ret_len);

	if (r == 0 || r == -ENOENT || r == -ENOMEM)
		return r;
	if (r == -EFBIG)
		return error_set(e, EINVAL, "%s: the file is larger than %zu bytes", path, max);
	return error_set(e, EINVAL, "%s: %s", path, strerror(-r));
}

/* Return: 0, also without a file; -EINVAL, with a note, when the pairs cannot be used; -ENOMEM. */
static int read_pairs(struct translator *t, struct handler *h)
{
	_cleanup_free_ char *text = NULL;
	struct error e;
	size_t len;
	int r;

	r = handler_read_file(t, PAIRS_FILE, PAIRS_BYTES_MAX, &text, &len, &e);
	if (r == 0)
		r = handler_parse_pairs(t, h, text, len, &e);
	if (r == -EINVAL)
		translator_note(t, NOTE_HANDLER_INVALID, "%s; the captured handler is not used",
				e.text);
	return r == -ENOENT ? 0 : r;
}

/* Return: 0, also without a file, or with a note; -ENOMEM. */
static int read_rules(struct translator *t, struct handler *h)
{
	_cleanup_free_ char *text = NULL;
	struct error e;
	size_t len;
	int r;

	r = handler_read_file(t, RULES_FILE, RULES_BYTES_MAX, &text, &len, &e);
	if (r == 0)
		r = handler_parse_rules(t, h, text, len, &e);
	if (r == -EINVAL) {
		translator_note(t, NOTE_RULES_INVALID, "%s; the rules are not used", e.text);
		h->n_rules = 0;
	}
	return r == -ENOMEM ? r : 0;
}

int handler_prepare(struct translator *t)
{
	struct handler *h = ARENA_NEW(t->arena, struct handler);
	int r;

	if (!h || handler_index_memdevs(t, h) < 0)
		return -ENOMEM;
	r = read_pairs(t, h);
	if (r == 0)
		r = read_rules(t, h);
	if (r < 0 || h->n_pairs + h->n_errors + h->n_rules == 0)
		return r == -ENOMEM ? r : 0;
	t->handler = h; /* handler_free() releases it from here on */
	if (handler_index_pairs(t, h) < 0 || handler_index_rules(t, h) < 0)
		return -ENOMEM;
	return 0;
}

struct handler *handler_free(struct handler *h)
{
	if (h)
		spans_done(&h->groups);
	return NULL;
}

void handler_locate(const struct handler *h, uint64_t spa, struct spa_location *p)
{
	const struct span *s;

	if (!h)
		return;
	s = spans_find(&h->groups, spa);
	if (s)
		p->rules = s->item;
	/* In a region the region sets the limit. */
	if (!p->region_map)
		spa_location_limit(p, s ? s->last : spans_gap_last(&h->groups, spa));
}
