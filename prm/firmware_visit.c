// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Results of a use of the device, and the end of what is cached.
#include <string.h>

#include "common/clock.h"
#include "prm/firmware_private.h"

/* With the lock held. */
static void drop_cached(struct firmware *f)
{
	f->epoch++;
	firmware_cache_clear(f->cache);
	if (f->n_geometries)
		memset(f->geometries, 0, FIRMWARE_GEOMETRIES_MAX * 2 * sizeof(*f->geometries));
	f->n_geometries = 0;
	f->cache_since_ms = clock_monotonic_ms();
}

void firmware_invalidate(struct firmware *f)
{
	if (!f)
		return;
	pthread_mutex_lock(&f->lock);
	drop_cached(f);
	pthread_mutex_unlock(&f->lock);
}

/* The statistics of the module begin at 0 when it is loaded. */
static bool is_loaded_again(const struct firmware *f, const struct firmware_visit *v)
{
	return v->info.calls < f->info.calls || v->load.dev != f->load.dev ||
	       v->load.ino != f->load.ino || v->load.ctime.tv_sec != f->load.ctime.tv_sec ||
	       v->load.ctime.tv_nsec != f->load.ctime.tv_nsec;
}

void firmware_note_visit(struct firmware *f, const struct firmware_visit *v)
{
	if ((v->state == FIRMWARE_READY && f->was_ready && is_loaded_again(f, v)) ||
	    clock_monotonic_ms() - f->cache_since_ms > FIRMWARE_CACHE_AGE_MS)
		drop_cached(f);
	if (v->state == FIRMWARE_READY)
		f->load = v->load;
	f->state = v->state;
	f->state_since_ms = clock_monotonic_ms();
	f->open_error = v->error;
	f->has_info = v->has_info;
	if (v->has_info)
		f->info = v->info;
	if (v->state == FIRMWARE_READY)
		f->was_ready = true;
	else
		f->call_ms = 0;
}
