// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Readings and uses of memory as a test has made them (redfish_fixture.h), in place of those of
 * mailbox/ and sysfs/. An object without references outlives its views. Programs list this file,
 * which is in no library.
 */
#include "common/strutil.h"
#include "sysfs/memory_use.h"
#include "tests/lib/redfish_fixture.h"

struct readings *readings_ref(const struct readings *r)
{
	return (struct readings *)(uintptr_t)r;
}

struct readings *readings_unref(const struct readings *r)
{
	(void)r;
	return NULL;
}

const struct mailbox *readings_mailbox(const struct readings *r, const struct memdev *m)
{
	for (size_t i = 0; r && i < 4; i++)
		if (r->memdevs[i] == m)
			return r->mailboxes[i];
	return r ? r->others : NULL;
}

const struct memdev_security *readings_security(const struct readings *r, const struct memdev *m)
{
	for (size_t i = 0; r && i < 4; i++)
		if (r->memdevs[i] == m)
			return r->securities[i];
	return NULL;
}

struct opt_bool readings_light(const struct readings *r, const struct memdev *m)
{
	for (size_t i = 0; r && i < 4; i++)
		if (r->memdevs[i] == m)
			return r->lights[i];
	return (struct opt_bool){0};
}

const struct memdev_scrub *readings_scrub(const struct readings *r, const struct memdev *m)
{
	for (size_t i = 0; r && i < 4; i++)
		if (r->memdevs[i] == m)
			return r->scrubs[i];
	return NULL;
}

/* The settings themselves, as a reading after them has them. */
const struct scrub_set *readings_scrub_set(const struct readings *r, const struct memdev *m,
					   enum scrub_kind kind)
{
	static _Thread_local struct scrub_set set;

	(void)r;
	scrub_set_of(m, kind, &set);
	return set.time_ns > 0 ? &set : NULL;
}

bool readings_equal(const struct readings *a, const struct readings *b)
{
	return a == b;
}

const struct aer_counters *readings_aer(const struct readings *r, const char *bdf)
{
	return r && str_equal(r->bdf, bdf) ? &r->aer : NULL;
}

const struct memory_use *memory_use_ref(const struct memory_use *u)
{
	return u;
}

const struct memory_use *memory_use_unref(const struct memory_use *u)
{
	(void)u;
	return NULL;
}

bool memory_use_equal(const struct memory_use *a, const struct memory_use *b)
{
	return a == b;
}

const struct dax_use *memory_use_of(const struct memory_use *u, const char *dax)
{
	for (size_t i = 0; u && i < u->n; i++)
		if (str_equal(u->items[i].dax, dax))
			return &u->items[i];
	return NULL;
}
