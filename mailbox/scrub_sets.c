// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/scrub_sets.h"

#include <pthread.h>
#include <stdio.h>

#include "common/strutil.h"

enum { NAME_BYTES = 32 };

struct entry {
	char memdev[NAME_BYTES];
	struct opt_u64 serial; /* another device may have the name later */
	struct scrub_set set;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry entries[SCRUB_KINDS][SCRUB_SETS_MAX]; /* guarded by the lock; time_ns 0: free */

static bool is_of(const struct entry *e, const struct memdev *m)
{
	return e->set.time_ns > 0 && str_equal(e->memdev, m->name) &&
	       e->serial.present == m->serial.present && e->serial.value == m->serial.value;
}

/* Return: that of the device, or else the oldest, or a free one. */
static struct entry *place_of(const struct memdev *m, enum scrub_kind kind)
{
	struct entry *oldest = &entries[kind][0];

	for (size_t i = 0; i < SCRUB_SETS_MAX; i++) {
		struct entry *e = &entries[kind][i];

		if (is_of(e, m))
			return e;
		if (e->set.time_ns < oldest->set.time_ns)
			oldest = e;
	}
	return oldest;
}

void scrub_set_note(const struct memdev *m, enum scrub_kind kind, const struct scrub_set *set)
{
	struct entry *e;

	(void)pthread_mutex_lock(&lock);
	e = place_of(m, kind);
	(void)snprintf(e->memdev, sizeof(e->memdev), "%s", m->name);
	e->serial = m->serial;
	e->set = *set;
	(void)pthread_mutex_unlock(&lock);
}

void scrub_set_of(const struct memdev *m, enum scrub_kind kind, struct scrub_set *ret)
{
	*ret = (struct scrub_set){0};
	(void)pthread_mutex_lock(&lock);
	for (size_t i = 0; i < SCRUB_SETS_MAX; i++)
		if (is_of(&entries[kind][i], m))
			*ret = entries[kind][i].set;
	(void)pthread_mutex_unlock(&lock);
}
