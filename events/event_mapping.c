// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The mapping by which events are translated, and since when each region has been as it is.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "common/strutil.h"
#include "events/event_fill_private.h"

uint64_t event_boottime_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static unsigned int kernel_version(const char *release)
{
	unsigned int major, minor;

	if (!release || sscanf(release, "%4u.%3u", &major, &minor) != 2)
		return 0;
	return KERNEL(major, minor);
}

/* A captured host was read after its events, and nothing says how long after. */
static int set_since(struct event_mapping *m)
{
	const struct host *host = m->host;
	const bool captured = host->root && host->root->captured;
	const uint64_t since = captured ? UINT64_MAX : event_boottime_ns();

	m->since = arena_alloc(m->arena, (host->n_regions + 1) * sizeof(*m->since));
	if (!m->since)
		return -ENOMEM;
	for (size_t i = 0; i < host->n_regions; i++)
		m->since[i] = since;
	return 0;
}

int event_mapping_new(const struct host *host, struct translator *translator,
		      struct event_mapping **ret, struct error *e)
{
	struct event_mapping *m = calloc(1, sizeof(*m));

	if (!m)
		return error_set(e, ENOMEM, "out of memory");
	atomic_init(&m->references, 1);
	m->host = host_ref(host);
	m->translator = translator_ref(translator);
	m->kernel = kernel_version(host->kernel_release);
	m->arena = arena_new();
	m->ids = m->arena ? memdev_ids_new(m->arena, host) : NULL;
	if (!m->ids || set_since(m) < 0) {
		(void)event_mapping_unref(m);
		return error_set(e, ENOMEM, "out of memory");
	}
	*ret = m;
	return 0;
}

struct event_mapping *event_mapping_ref(struct event_mapping *m)
{
	atomic_fetch_add_explicit(&m->references, 1, memory_order_relaxed);
	return m;
}

struct event_mapping *event_mapping_unref(struct event_mapping *m)
{
	if (!m || atomic_fetch_sub_explicit(&m->references, 1, memory_order_acq_rel) != 1)
		return NULL;
	(void)arena_free(m->arena);
	(void)translator_unref(m->translator);
	(void)host_unref(m->host);
	free(m);
	return NULL;
}

/* ---- since when -------------------------------------------------------------------------------
 */

static bool is_same_value(struct opt_u64 a, struct opt_u64 b)
{
	return a.present == b.present && (!a.present || a.value == b.value);
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool is_same_decoder(const struct decoder *a, const struct decoder *b)
{
	return a && b && is_same_text(a->name, b->name) && is_same_value(a->start, b->start) &&
	       is_same_value(a->size, b->size) && is_same_value(a->ways, b->ways) &&
	       is_same_value(a->granularity, b->granularity) &&
	       is_same_value(a->dpa_resource, b->dpa_resource) &&
	       is_same_value(a->dpa_size, b->dpa_size);
}

static bool is_same_target(const struct region_target *a, const struct region_target *b)
{
	return a->memdev && b->memdev && is_same_text(a->memdev->name, b->memdev->name) &&
	       is_same_text(a->memdev->bdf, b->memdev->bdf) &&
	       is_same_value(a->memdev->serial, b->memdev->serial) &&
	       is_same_decoder(a->decoder, b->decoder);
}

/* Everything that the address of a DPA depends on. A region that was made anew like this may have
 * been another one in between. */
static bool is_same_region(const struct region *a, const struct region *b)
{
	if (a->inode != b->inode || !is_same_text(a->name, b->name) ||
	    !is_same_text(a->uuid, b->uuid) || !is_same_value(a->resource, b->resource) ||
	    !is_same_value(a->size, b->size) || !is_same_value(a->ways, b->ways) ||
	    !is_same_value(a->granularity, b->granularity) ||
	    !is_same_value(a->extended_linear_cache_size, b->extended_linear_cache_size) ||
	    !is_same_decoder(a->root, b->root) || a->commit != b->commit ||
	    a->n_targets != b->n_targets)
		return false;
	for (size_t i = 0; i < a->n_targets; i++)
		if (!is_same_target(&a->targets[i], &b->targets[i]))
			return false;
	return true;
}

void event_mapping_continue(struct event_mapping *m, const struct event_mapping *before)
{
	size_t known = 0;

	/* Both are in the order of their names. */
	for (size_t i = 0; before && i < m->host->n_regions; i++) {
		const struct region *r = m->host->regions[i];

		for (size_t n = 0; n < before->host->n_regions; n++) {
			const size_t at = (known + n) % before->host->n_regions;

			if (!str_equal(before->host->regions[at]->name, r->name))
				continue;
			if (is_same_region(before->host->regions[at], r))
				m->since[i] = before->since[at];
			known = at;
			break;
		}
	}
}

/* Firmware commits such a decoder before the kernel runs, and nothing can change it in this boot.
 */
static bool is_fixed(const struct answer *a)
{
	return (a->decoder && (decoder_mapping(a->decoder) == MAPPING_NORMALIZED ||
			       (a->decoder->locked.present && a->decoder->locked.value))) ||
	       (a->region && a->region->locked.present && a->region->locked.value);
}

/* Whether the region is still that of the snapshot, which is read some time after a change. */
static bool still_exists(const struct event_mapping *m, const struct region *r)
{
	char path[sizeof("sys/bus/cxl/devices/") + NAME_MAX + sizeof("/.")];
	struct stat st;

	if (r->inode == 0 || !m->host->root)
		return true; /* not of a live machine, where nothing changes */
	(void)snprintf(path, sizeof(path), "sys/bus/cxl/devices/%.*s/.", NAME_MAX, r->name);
	return fstatat(m->host->root->dirfd, path, &st, 0) == 0 && st.st_ino == r->inode;
}

bool event_mapping_held(const struct event_mapping *m, const struct event_question *q,
			const struct answer *a)
{
	const struct opt_u64 made = q->made_ns;

	if (q->asks_now)
		return true;
	if (q->from.boot != PROVENANCE_THIS)
		return false;
	if (is_fixed(a))
		return true;
	for (size_t i = 0; made.present && i < m->host->n_regions; i++)
		if (m->host->regions[i] == a->region)
			return made.value >= m->since[i] && still_exists(m, a->region);
	return false;
}

const struct memdev *event_memdev_named(const struct host *host, const char *name)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (str_equal(host->memdevs[i]->name, name))
			return host->memdevs[i];
	return NULL;
}
