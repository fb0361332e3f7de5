// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/event_summary.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/event_list.h"
#include "cli/output.h"
#include "common/array.h"
#include "events/event_extents.h"

/* Events that have something in common. */
struct event_count {
	char name[EVENT_DEVICE_MAX]; /* of the device or type; of a page its first byte */
	char memdev[EVENT_MEMDEV_MAX], host[EVENT_HOST_MAX]; /* of a device, the newest */
	uint64_t first, last;				     /* bytes of pages */
	uint64_t n, by_severity[EVENT_SEVERITIES];
	struct opt_u64 oldest, newest; /* ns since 1970 */
};
DEFINE_ARRAY(struct event_count *, event_counts_list);

/* By their names, and in a list. */
struct group {
	void *tree;
	struct event_counts_list list;
};

enum { BY_DEVICE, BY_TYPE, BY_PAGE, GROUPS };

struct event_summary {
	uint64_t page_size, n, without_page;
	struct group groups[GROUPS];
};

static int compare_names(const void *a, const void *b)
{
	const struct event_count *x = a, *y = b;
	const int r = strcmp(x->name, y->name);

	return r ? r : (x->last > y->last) - (x->last < y->last);
}

struct event_summary *event_summary_new(uint64_t page_size)
{
	struct event_summary *s = calloc(1, sizeof(*s));

	if (s)
		s->page_size = page_size;
	return s;
}

/* Return: the one of that name, made if needed; NULL when out of memory. */
static struct event_count *find(struct group *g, const struct event_count *key)
{
	struct event_count *const *found = tfind(key, &g->tree, compare_names);
	struct event_count **place, *t;

	if (found)
		return *found;
	t = malloc(sizeof(*t));
	place = t ? event_counts_list_add(&g->list) : NULL;
	if (!place) {
		free(t);
		return NULL;
	}
	*t = *key;
	*place = t;
	return tsearch(t, &g->tree, compare_names) ? t : NULL;
}

static int count(struct group *g, const struct event_count *key, const struct stored_event *ev)
{
	const struct opt_u64 time = event_created(&ev->record);
	struct event_count *t = find(g, key);

	if (!t)
		return -ENOMEM;
	t->n++;
	t->by_severity[ev->severity]++;
	if (time.present && (!t->oldest.present || time.value < t->oldest.value))
		t->oldest = time;
	if (time.present && (!t->newest.present || time.value >= t->newest.value))
		t->newest = time;
	if (ev->record.memdev[0]) {
		memcpy(t->memdev, ev->record.memdev, sizeof(t->memdev));
		memcpy(t->host, ev->record.host, sizeof(t->host));
	}
	return 0;
}

/* Each range of pages that follow each other is one. An interval has no page. */
static int count_pages(struct event_summary *s, const struct stored_event *ev)
{
	struct event_page_range pages[EVENT_EXTENTS_MAX];
	struct event_extent extents[EVENT_EXTENTS_MAX];
	size_t n = 0;

	if (ev->answer.exact)
		n = event_page_ranges(extents, event_extents(ev, extents), s->page_size, pages);
	s->without_page += n == 0;
	for (size_t i = 0; i < n; i++) {
		struct event_count key = {.first = pages[i].first, .last = pages[i].last};

		(void)snprintf(key.name, sizeof(key.name), "%016" PRIx64, key.first);
		if (count(&s->groups[BY_PAGE], &key, ev) < 0)
			return -ENOMEM;
	}
	return 0;
}

int event_summary_add(struct event_summary *s, const struct stored_event *ev)
{
	const struct event_record *rec = &ev->record;
	struct event_count device = {0}, type = {0};

	s->n++;
	(void)snprintf(device.name, sizeof(device.name), "%s",
		       ev->device[0] ? ev->device : rec->memdev);
	(void)snprintf(type.name, sizeof(type.name), "%s",
		       rec->type == EVENT_OTHER ? rec->event : event_type_name(rec->type));
	if (count(&s->groups[BY_DEVICE], &device, ev) < 0 ||
	    count(&s->groups[BY_TYPE], &type, ev) < 0)
		return -ENOMEM;
	return count_pages(s, ev);
}

static int compare_counts(const void *a, const void *b)
{
	const struct event_count *x = *(struct event_count *const *)a,
				 *y = *(struct event_count *const *)b;

	return x->n != y->n ? (x->n < y->n) - (x->n > y->n) : compare_names(x, y);
}

static void sort(struct group *g)
{
	if (g->list.n)
		qsort(g->list.items, g->list.n, sizeof(struct event_count *), compare_counts);
}

/* ---- text ---- */

static const char *const headings[GROUPS] = {"DEVICE", "TYPE", "PAGE"};

enum { COUNTS = EVENT_SEVERITIES + 1, NAME_MAX_LEN = 160, TIME_WIDTH = 19 };

static const char *const count_headings[COUNTS] = {"EVENTS", "CRITICAL", "WARNING", "OK"};

/* The columns of a line, from all of them to those that fit on a narrow terminal. */
static const struct layout {
	bool host, first, last;
} layouts[] = {
	{true, true, true}, {false, true, true}, {false, false, true}, {false, false, false}};

/* Widths of columns. */
struct widths {
	const struct layout *layout;
	int name, counts[COUNTS];
};

static void name_of(const struct event_count *t, size_t group, const struct layout *layout,
		    char ret[static NAME_MAX_LEN])
{
	if (group == BY_PAGE)
		(void)snprintf(ret, NAME_MAX_LEN, "0x%" PRIx64 "-0x%" PRIx64, t->first, t->last);
	else if (group == BY_DEVICE && t->memdev[0])
		(void)snprintf(ret, NAME_MAX_LEN, "%s %s%s%.40s", t->memdev,
			       layout->host ? t->host : "", layout->host ? " " : "", t->name);
	else
		(void)snprintf(ret, NAME_MAX_LEN, "%s", t->name[0] ? t->name : "-");
}

static uint64_t count_of(const struct event_count *t, size_t i)
{
	static const enum event_severity severities[COUNTS] = {0, EVENT_CRITICAL, EVENT_WARNING,
							       EVENT_OK};

	return i == 0 ? t->n : t->by_severity[severities[i]];
}

/* Return: columns of a line. */
static unsigned int measure(struct event_summary *s, const struct layout *layout,
			    struct widths *ret)
{
	char text[NAME_MAX_LEN];
	int sum;

	*ret = (struct widths){.layout = layout, .name = (int)strlen(headings[BY_DEVICE])};
	for (size_t i = 0; i < COUNTS; i++)
		ret->counts[i] = (int)strlen(count_headings[i]);
	for (size_t group = 0; group < GROUPS; group++)
		ARRAY_FOREACH(t, &s->groups[group].list) {
			name_of(*t, group, layout, text);
			if ((int)strlen(text) > ret->name)
				ret->name = (int)strlen(text);
			for (size_t i = 0; i < COUNTS; i++) {
				const int n = snprintf(NULL, 0, "%" PRIu64, count_of(*t, i));

				if (n > ret->counts[i])
					ret->counts[i] = n;
			}
		}
	sum = ret->name + (layout->first + layout->last) * (2 + TIME_WIDTH);
	for (size_t i = 0; i < COUNTS; i++)
		sum += 1 + ret->counts[i];
	return (unsigned int)sum;
}

static void print_heading(size_t group, const struct widths *w)
{
	out_styled(STYLE_FAINT, "%-*s", w->name, headings[group]);
	for (size_t i = 0; i < COUNTS; i++)
		out_styled(STYLE_FAINT, " %*s", w->counts[i], count_headings[i]);
	if (w->layout->first)
		out_styled(STYLE_FAINT, "  %-*s", TIME_WIDTH, "FIRST");
	if (w->layout->last)
		out_styled(STYLE_FAINT, "  LAST");
	out_end();
}

static void print_count(const struct event_count *t, size_t group, const struct widths *w)
{
	char name[NAME_MAX_LEN], time[EVENT_TIME_TEXT_MAX];

	name_of(t, group, w->layout, name);
	out("%-*s", w->name, name);
	for (size_t i = 0; i < COUNTS; i++)
		out(" %*" PRIu64, w->counts[i], count_of(t, i));
	if (w->layout->first)
		out("  %-*.*s", TIME_WIDTH, TIME_WIDTH, event_time_text(t->oldest, time));
	if (w->layout->last)
		out("  %.*s", TIME_WIDTH, event_time_text(t->newest, time));
	out_end();
}

void event_summary_text(struct event_summary *s)
{
	const unsigned int width = out_terminal_width();
	struct widths w;

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (measure(s, &layouts[i], &w) <= width || !width)
			break;
	out("%" PRIu64 " event%s", s->n, plural_s(s->n));
	if (s->without_page)
		out(", %" PRIu64 " without a page", s->without_page);
	out_end();
	for (size_t i = 0; i < GROUPS; i++) {
		struct group *g = &s->groups[i];

		if (!g->list.n)
			continue;
		sort(g);
		out_end();
		print_heading(i, &w);
		for (size_t k = 0; k < g->list.n; k++)
			print_count(g->list.items[k], i, &w);
	}
}

/* ---- JSON ---- */

static void put_count(const struct event_count *t, size_t group, struct json_writer *w)
{
	put_object(w, NULL);
	if (group == BY_DEVICE) {
		put_string(w, "device", t->name[0] ? t->name : NULL);
		put_string(w, "memdev", t->memdev[0] ? t->memdev : NULL);
		put_string(w, "host", t->host[0] ? t->host : NULL);
	} else if (group == BY_TYPE) {
		put_string(w, "type", t->name);
	} else {
		put_hex(w, "page", t->first);
		put_hex(w, "page_last", t->last);
	}
	put_number(w, "events", t->n);
	for (unsigned int i = 0; i < EVENT_SEVERITIES; i++)
		put_number(w, event_severity_word(i), t->by_severity[i]);
	event_put_time(w, "first", t->oldest);
	event_put_time(w, "last", t->newest);
	put_end(w);
}

void event_summary_json(struct event_summary *s, struct json_writer *w)
{
	static const char *const keys[GROUPS] = {"devices", "types", "pages"};

	put_object(w, NULL);
	put_number(w, "events", s->n);
	put_number(w, "without_page", s->without_page);
	for (size_t i = 0; i < GROUPS; i++) {
		sort(&s->groups[i]);
		put_array(w, keys[i]);
		for (size_t k = 0; k < s->groups[i].list.n; k++)
			put_count(s->groups[i].list.items[k], i, w);
		put_end(w);
	}
	put_end(w);
}

struct event_summary *event_summary_free(struct event_summary *s)
{
	if (!s)
		return NULL;
	for (size_t i = 0; i < GROUPS; i++) {
		struct group *g = &s->groups[i];

		for (size_t k = 0; k < g->list.n; k++) {
			(void)tdelete(g->list.items[k], &g->tree, compare_names);
			free(g->list.items[k]);
		}
		event_counts_list_done(&g->list);
	}
	free(s);
	return NULL;
}
