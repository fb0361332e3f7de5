// SPDX-License-Identifier: LGPL-2.1-or-later
/* The set of formats: which events exist, and where their descriptions come from. */
#include "events/formats.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "common/fileio.h"
#include "common/strutil.h"
#include "events/formats_private.h"

DEFINE_CLEANUP(struct event_formats, event_formats_free);

int event_formats_new(struct event_formats **ret)
{
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

struct event_formats *event_formats_free(struct event_formats *f)
{
	if (!f)
		return NULL;
	ARRAY_FOREACH(event, &f->events)
		slots_done(&event->slots);
	event_format_list_done(&f->events);
	free(f);
	return NULL;
}

/* Return: whether @s has only characters that a kernel puts into such a file. */
static bool is_kernel_text(const char *s)
{
	for (; *s; s++)
		if (!isprint((unsigned char)*s) && *s != '\n' && *s != '\t')
			return false;
	return true;
}

/* A copy that ends with a NUL. */
static int take_text(const char *text, size_t len, char **ret, struct error *e)
{
	if (len > FORMAT_BYTES_MAX)
		return error_set(e, EFBIG, "larger than %d bytes", FORMAT_BYTES_MAX);
	*ret = strndup(text, len);
	if (!*ret)
		return error_set(e, ENOMEM, "out of memory");
	if (strlen(*ret) != len || !is_kernel_text(*ret)) {
		free(STEAL_PTR(*ret));
		return error_set(e, EINVAL, "not a text file");
	}
	return 0;
}

/* The first two lines, "name: NAME" and "ID: NUMBER", which need no parser. */
static int read_head(const char *text, struct event_format *ret, struct error *e)
{
	static const char name_format[] = "name: %47[a-zA-Z0-9_] ID: %u";
	unsigned id;

	_Static_assert(EVENT_NAME_MAX == 48, "name_format");
	if (sscanf(text, name_format, ret->name, &id) != 2)
		return error_set(e, EINVAL, "does not begin with the event's name and number");
	if (id > UINT16_MAX)
		return error_set(e, EINVAL, "%s: the number %u is too large", ret->name, id);
	ret->id = (uint16_t)id;
	ret->type = event_type_of_event(ret->name);
	return 0;
}

const struct event_format *event_formats_find(const struct event_formats *f, uint16_t id)
{
	for (size_t i = 0; i < f->events.n; i++)
		if (f->events.items[i].id == id)
			return &f->events.items[i];
	return NULL;
}

int event_formats_add(struct event_formats *f, const char *text, size_t len, struct error *e)
{
	_cleanup_free_ char *copy = NULL;
	struct event_format event = {0}, *place;
	int r, unusable;

	r = take_text(text, len, &copy, e);
	if (r < 0)
		return r;
	r = read_head(copy, &event, e);
	if (r < 0)
		return r;
	if (event_formats_find(f, event.id))
		return error_set(e, EINVAL, "%s has the number %u of another event", event.name,
				 event.id);
	if (f->events.n >= FORMAT_EVENTS_MAX)
		return error_set(e, E2BIG, "more than %d events", FORMAT_EVENTS_MAX);
	unusable = format_read_slots(copy, len, &event.slots, e);
	if (unusable < 0)
		error_prefix(e, "%s", event.name);
	place = unusable == -ENOMEM ? NULL : event_format_list_add(&f->events);
	if (!place) {
		slots_done(&event.slots);
		return error_set(e, ENOMEM, "out of memory");
	}
	*place = event;
	return unusable;
}

/* Finds "field: TYPE NAME;	offset:N;	size:N;" of header_page. */
static int find_page_field(const char *text, const char *name, unsigned *ret_offset,
			   unsigned *ret_size)
{
	const size_t len = strlen(name);

	for (const char *at = strstr(text, name); at; at = strstr(at + 1, name))
		if (at > text && at[-1] == ' ' &&
		    sscanf(at + len, "; offset:%u; size:%u;", ret_offset, ret_size) == 2)
			return 0;
	return -EINVAL;
}

int event_formats_set_page(struct event_formats *f, const char *text, size_t len, struct error *e)
{
	_cleanup_free_ char *copy = NULL;
	unsigned at, size, data_at, data_size;
	int r;

	r = take_text(text, len, &copy, e);
	if (r < 0)
		return r;
	if (find_page_field(copy, "timestamp", &at, &size) < 0 || at != 0 || size != 8 ||
	    find_page_field(copy, "commit", &at, &size) < 0 || at != 8 || size != 8 ||
	    find_page_field(copy, "data", &data_at, &data_size) < 0 || data_at != RING_PAGE_HEADER)
		return error_set(e, EINVAL, "does not describe the pages of a 64-bit kernel");
	if (data_size == 0 || data_size > RING_PAGE_MAX - RING_PAGE_HEADER)
		return error_set(e, EINVAL, "pages of %u bytes cannot be read", data_size);
	f->page_bytes = RING_PAGE_HEADER + data_size;
	return 0;
}

static void note_problem(struct event_formats *f, const char *path, const struct error *e)
{
	if (f->n_problems++ > 0)
		return;
	f->problem = *e;
	error_prefix(&f->problem, "%s", path);
}

/* Where the files of formats are: a directory of tracefs by its path, or one of a capture. */
struct formats_source {
	const char *events; /* NULL: a capture's */
	struct opener *opener;
	int dirfd;
};

/* @file: relative to the directory */
static int formats_read(const struct formats_source *src, const char *file, char **ret,
			size_t *ret_len)
{
	char path[PATH_MAX];

	if (!src->events)
		return read_file_at(src->dirfd, file, FORMAT_BYTES_MAX, ret, ret_len);
	if (snprintf(path, sizeof(path), "%s/%s", src->events, file) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	return opener_read(src->opener, path, FORMAT_BYTES_MAX, ret, ret_len);
}

/* Return: less than 0 only when nothing more can be loaded. */
static int load_event(struct event_formats *f, const struct formats_source *src, const char *file)
{
	_cleanup_free_ char *text = NULL;
	struct error e = {0};
	size_t len;
	int r;

	r = formats_read(src, file, &text, &len);
	if (r < 0)
		(void)error_set(&e, r, "%s", strerror(-r));
	else
		r = event_formats_add(f, text, len, &e);
	if (r < 0 && r != -ENOMEM)
		note_problem(f, file, &e);
	return r == -ENOMEM ? r : 0;
}

static int load_page(struct event_formats *f, const struct formats_source *src, struct error *e)
{
	_cleanup_free_ char *text = NULL;
	size_t len;
	int r;

	r = formats_read(src, "header_page", &text, &len);
	if (r < 0)
		r = error_set(e, r, "%s", strerror(-r));
	else
		r = event_formats_set_page(f, text, len, e);
	if (r < 0)
		error_prefix(e, "header_page");
	return r;
}

static int load_tracefs_events(struct event_formats *f, const struct formats_source *src,
			       struct error *e)
{
	_cleanup_free_ char *names = NULL;
	char path[PATH_MAX];
	size_t len;
	int r;

	(void)snprintf(path, sizeof(path), "%s/cxl", src->events);
	r = opener_list(src->opener, path, &names, &len);
	if (r < 0)
		return error_set(e, r, "cxl: %s", strerror(-r));
	for (const char *name = names; r == 0 && name < names + len; name += strlen(name) + 1) {
		/* The directory has two files that are no events. */
		if (str_equal(name, "enable") || str_equal(name, "filter"))
			continue;
		(void)snprintf(path, sizeof(path), "cxl/%s/format", name);
		r = load_event(f, src, path);
	}
	return r < 0 ? error_set(e, r, "out of memory") : 0;
}

/* A capture has those of other systems, too; the name is the only difference. */
static bool is_captured_format(const char *name)
{
	return str_after_prefix(name, "cxl_") && str_equal(strrchr(name, '.'), ".format");
}

static int load_captured_events(struct event_formats *f, const struct formats_source *src,
				struct error *e)
{
	_cleanup_closedir_ DIR *dir = NULL;
	struct dirent *d;
	int fd, r = 0;

	fd = openat(src->dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		r = error_set(e, errno, ".: %s", strerror(errno));
		if (fd >= 0)
			(void)close(fd);
		return r;
	}
	while (r == 0 && (d = readdir(dir)))
		if (is_captured_format(d->d_name))
			r = load_event(f, src, d->d_name);
	return r < 0 ? error_set(e, r, "out of memory") : 0;
}

static int formats_load(const struct formats_source *src, struct event_formats **ret,
			struct error *e)
{
	_cleanup_(event_formats_freep) struct event_formats *f = NULL;
	int r;

	r = event_formats_new(&f);
	if (r < 0)
		return error_set(e, r, "out of memory");
	r = load_page(f, src, e);
	if (r == 0)
		r = src->events ? load_tracefs_events(f, src, e) : load_captured_events(f, src, e);
	if (r < 0)
		return r;
	if (f->events.n == 0 && f->n_problems == 0)
		return error_set(e, ENOENT, "there are no events of system cxl");
	*ret = STEAL_PTR(f);
	return 0;
}

int event_formats_load_tracefs(const char *events, struct opener *opener,
			       struct event_formats **ret, struct error *e)
{
	return formats_load(&(struct formats_source){.events = events, .opener = opener}, ret, e);
}

int event_formats_load_captured(int dirfd, struct event_formats **ret, struct error *e)
{
	return formats_load(&(struct formats_source){.dirfd = dirfd}, ret, e);
}

const char *event_formats_problem(const struct event_formats *f)
{
	return f->n_problems ? f->problem.text : NULL;
}

size_t event_formats_page_bytes(const struct event_formats *f)
{
	return f->page_bytes;
}
