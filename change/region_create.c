// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Creates a region. It is planned again on the host as it is now, and has to come out as it was
 * requested: a plan that was shown to a user and is not possible any more is refused before the
 * first write.
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "change/operations.h"
#include "change/region_objects.h"
#include "common/cleanup.h"

/* Release, create, 4 attributes, 3 of each position, commit, enable. */
static_assert(REGION_RELEASES_MAX + 5 + 3 * INTERLEAVE_WAYS_MAX + 2 <= CHANGE_STEPS_MAX,
	      "a list has room for all steps");

/* ---- what is requested, on this host ----------------------------------------------------------
 */

static int find_window(const struct host *host, const struct change *c, const struct decoder **ret,
		       struct error *e)
{
	const struct decoder *d = host_decoder(host, c->object);

	if (!d || d->port->kind != PORT_ROOT)
		return error_set(e, ENOENT, "there is no window %s on this host", c->object);
	if (c->identity != 0 && !opt_u64_is(d->start, c->identity))
		return error_set(
			e, ESTALE,
			"%s is another window now: look at it, and repeat the request if it is still meant",
			c->object);
	*ret = d;
	return 0;
}

static int find_device(const struct host *host, const struct change_memdev *wanted,
		       const struct memdev **ret, struct error *e)
{
	const struct memdev *m = host_memdev(host, wanted->name);

	if (!m)
		return error_set(e, ENOENT, "there is no memory device %s on this host",
				 wanted->name);
	if (!change_memdev_is(wanted, m))
		return error_set(e, ESTALE, "%s is another memory device now", wanted->name);
	*ret = m;
	return 0;
}

static int make_request(const struct host *host, const struct change *c, struct region_request *ret,
			struct error *e)
{
	const struct change_region *region = &c->region;
	int r = find_window(host, c, &ret->window, e);

	ret->mode = (enum decoder_mode)region->mode;
	ret->size = region->size;
	ret->ways = region->ways;
	ret->granularity = region->granularity;
	for (uint32_t i = 0; r == 0 && i < region->ways; i++)
		r = find_device(host, &region->positions[i], &ret->memdevs[i], e);
	ret->n_memdevs = region->ways;
	return r;
}

/* Nothing of the request may be chosen here in another way: its client has been shown it. */
static int compare_plan(const struct region_request *q, const struct region_plan *p,
			struct error *e)
{
	bool same = p->window == q->window && p->mode == q->mode && p->ways == q->ways &&
		    p->size == q->size && p->share == q->size / q->ways &&
		    p->granularity == q->granularity && p->granularity <= UINT_MAX;

	for (unsigned int i = 0; same && i < q->ways; i++)
		same = p->positions[i].memdev == q->memdevs[i] && p->positions[i].decoder;
	return same ? 0
		    : error_set(
			      e, EINVAL,
			      "%s: a region of %u devices, %llu bytes and %llu bytes granularity is possible now, but not the one that is requested; plan it again",
			      q->window->name, p->ways, (unsigned long long)p->size,
			      (unsigned long long)p->granularity);
}

static int make_plan(const struct host *host, const struct change *c, struct region_plan *ret,
		     struct error *e)
{
	struct region_request q = {0};
	int r = make_request(host, c, &q, e);

	if (r == 0)
		r = region_plan_make(host, &q, ret, e);
	if (r == 0)
		r = compare_plan(&q, ret, e);
	if (r == 0 && !ret->uses_known)
		r = error_set(
			e, EACCES,
			"%s: whether its addresses are in use is not known, because /proc/iomem shows none to this program; start cxl-redfish-helper.socket, or run cxl-spa region create as root",
			c->object);
	return r;
}

/* ---- how it is made ---------------------------------------------------------------------------
 */

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c ? strchr(digits, c | 0x20) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* 32 digits, with any number of '-' between them. */
static int parse_uuid(const char *s, unsigned char ret[static 16])
{
	size_t n = 0;

	for (; *s != '\0'; s++) {
		int digit = hex_digit(*s);

		if (*s == '-')
			continue;
		if (digit < 0 || n == 32)
			return -EINVAL;
		ret[n / 2] = (unsigned char)(n % 2 ? ret[n / 2] | digit : digit << 4);
		n++;
	}
	return n == 32 ? 0 : -EINVAL;
}

/* RFC 4122 4.4: version 4, of random numbers. */
static int random_uuid(unsigned char ret[static 16])
{
	if (getrandom(ret, 16, 0) != 16)
		return -EIO;
	ret[6] = (unsigned char)((ret[6] & 0x0f) | 0x40);
	ret[8] = (unsigned char)((ret[8] & 0x3f) | 0x80);
	return 0;
}

static int set_values(struct region_objects *o, const struct region_plan *p, const char *uuid,
		      struct error *e)
{
	int r;

	o->mode = p->mode;
	o->size = p->size;
	o->share = p->share;
	o->ways = p->ways;
	o->granularity = (unsigned int)p->granularity;
	if (p->mode != DECODER_MODE_PMEM)
		return 0;
	r = uuid[0] ? parse_uuid(uuid, o->uuid) : random_uuid(o->uuid);
	return r < 0 ? error_set(e, r, "the UUID of the region is not one") : 0;
}

static int set_decoders(struct region_objects *o, const struct region_plan *p, struct error *e)
{
	int r = 0;

	for (unsigned int i = 0; r == 0 && i < p->ways; i++) {
		const struct decoder *left = p->positions[i].left_behind;

		o->decoders[i] = p->positions[i].decoder->name;
		o->memdevs[i] = p->positions[i].memdev->name;
		if (left)
			r = region_objects_release(o, left->port, left->index, e);
	}
	return r;
}

static void list_steps(const struct region_objects *o, struct change_step_list *ret)
{
	ret->n = 0;
	for (unsigned int i = 0; i < o->n_releases; i++)
		change_steps_add(ret, &region_step_release, i);
	change_steps_add(ret, &region_step_create, 0);
	if (o->mode == DECODER_MODE_PMEM)
		change_steps_add(ret, &region_step_uuid, 0);
	change_steps_add(ret, &region_step_granularity, 0);
	change_steps_add(ret, &region_step_ways, 0);
	change_steps_add(ret, &region_step_size, 0);
	for (unsigned int i = 0; i < o->ways; i++) {
		change_steps_add(ret, &region_step_mode, i);
		change_steps_add(ret, &region_step_allocate, i);
		change_steps_add(ret, &region_step_attach, i);
	}
	change_steps_add(ret, &region_step_commit, 0);
	change_steps_add(ret, &region_step_enable, 0);
}

/* The inode identifies a region for later changes, as sysfs/host.h has it. */
static uint64_t region_inode(const char *name)
{
	char path[64];
	struct stat st;

	(void)snprintf(path, sizeof(path), "/sys/bus/cxl/devices/%s", name);
	return stat(path, &st) == 0 ? st.st_ino : 0;
}

static int run_steps(struct region_objects *o, struct change_result *ret)
{
	struct change_steps_result s;
	struct change_step_list steps;
	char intent[64];
	int r;

	list_steps(o, &steps);
	r = change_steps_run(o->x, &steps, o, &s);
	if (r < 0) {
		(void)snprintf(intent, sizeof(intent), "%s: the region is not made", o->window);
		return region_steps_say(o, &s, intent, ret);
	}
	(void)snprintf(ret->object, sizeof(ret->object), "%s", o->name);
	ret->identity = region_inode(o->name);
	return 0;
}

int change_region_create(const struct change_context *x, const struct change *c,
			 const struct host *host, struct change_result *ret)
{
	_cleanup_(region_objects_done) struct region_objects o = {.x = x, .window = c->object};
	struct region_plan plan = {0};
	struct error e = {0};
	int r = make_plan(host, c, &plan, &e);

	if (r == 0)
		r = set_values(&o, &plan, c->region.uuid, &e);
	if (r == 0)
		r = set_decoders(&o, &plan, &e);
	if (r < 0)
		return change_result_set(ret, r, CHANGE_REFUSED, "%s", e.text);
	return run_steps(&o, ret);
}
