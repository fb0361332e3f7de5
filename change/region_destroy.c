// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Takes a region down, from whatever state: also one that a change left which was interrupted at
 * any step. Its driver is never unbound while memory of it is online, because the memory would stay
 * in use without its decoders: memory_release() takes it offline first, and fails otherwise.
 */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "change/memory_state.h"
#include "change/operations.h"
#include "change/region_objects.h"
#include "common/cleanup.h"
#include "model/region_fit.h"
#include "model/topology.h"

/* Release, disable, reset, 2 of each position, delete. */
static_assert(REGION_RELEASES_MAX + 2 + 2 * INTERLEAVE_WAYS_MAX + 1 <= CHANGE_STEPS_MAX,
	      "a list has room for all steps");

/* ---- what there is of it ----------------------------------------------------------------------
 */

static bool has_share(const struct decoder *d, const struct region *r)
{
	const uint64_t share = region_share(r);

	return !d->region && !decoder_is_committed(d) && d->mode == r->mode && share > 0 &&
	       opt_u64_is(d->dpa_size, share);
}

/*
 * The decoder that got its memory for this region when the change that attached decoders was
 * interrupted, or was not freed yet by one that detached them. NULL: none, or there are several
 * that it could be.
 */
static const struct decoder *unattached_decoder(const struct host *host, const struct region *r)
{
	const struct decoder *found = NULL;
	size_t n = 0, n_attached = 0;

	for (size_t i = 0; i < r->n_targets; i++)
		n_attached += r->targets[i].decoder != NULL;
	if (r->commit != REGION_NOT_COMMITTED || n_attached == r->n_targets)
		return NULL;
	for (size_t i = 0; i < host->n_decoders; i++) {
		const struct decoder *d = host->decoders[i];

		if (d->port->kind == PORT_ENDPOINT && has_share(d, r)) {
			found = d;
			n++;
		}
	}
	return n == 1 ? found : NULL;
}

static int set_decoders(struct region_objects *o, const struct host *host, const struct region *r,
			struct error *e)
{
	const struct decoder *unattached = unattached_decoder(host, r);
	int result = 0;

	for (unsigned int i = 0; result == 0 && i < r->n_targets; i++) {
		const struct region_target *t = &r->targets[i];

		if (!t->decoder || t->decoder->port->kind != PORT_ENDPOINT)
			continue;
		o->decoders[i] = t->decoder->name;
		o->memdevs[i] = t->memdev ? t->memdev->name : t->decoder->port->name;
		result = region_objects_release(o, t->decoder->port, t->decoder->index + 1, e);
	}
	if (result == 0 && unattached)
		result = region_objects_release(o, unattached->port, unattached->index, e);
	return result;
}

static void list_steps(const struct region_objects *o, const struct region *r,
		       struct change_step_list *ret)
{
	ret->n = 0;
	for (unsigned int i = 0; i < o->n_releases; i++)
		change_steps_add(ret, &region_step_release, i);
	if (r->enabled)
		change_steps_add(ret, &region_step_disable, 0);
	if (r->commit != REGION_NOT_COMMITTED)
		change_steps_add(ret, &region_step_reset, 0);
	for (unsigned int i = 0; i < r->n_targets; i++) {
		if (!o->decoders[i])
			continue;
		change_steps_add(ret, &region_step_detach, i);
		change_steps_add(ret, &region_step_free, i);
	}
	change_steps_add(ret, &region_step_delete, 0);
}

static int run_steps(struct region_objects *o, const struct region *r, struct change_result *ret)
{
	struct change_steps_result s;
	struct change_step_list steps;
	char intent[64];
	int result;

	list_steps(o, r, &steps);
	result = change_steps_run(o->x, &steps, o, &s);
	if (result == 0)
		return 0;
	(void)snprintf(intent, sizeof(intent), "%s is not destroyed", r->name);
	return region_steps_say(o, &s, intent, ret);
}

/* A region that is as it was gets its memory back; there is none of one that is only half there. */
static void return_memory(const struct change_context *x, struct memory_steps *memory,
			  struct change_result *ret)
{
	if (memory->n == 0 || ret->outcome == CHANGE_INCOMPLETE)
		return;
	ret->outcome = memory_undo(x, memory, ret->text, sizeof(ret->text)) ? CHANGE_UNDONE
									    : CHANGE_INCOMPLETE;
}

static int destroy(struct region_objects *o, const struct change *c, const struct host *host,
		   const struct region *region, struct change_result *ret)
{
	struct memory_steps memory = {.access = &memory_access_live};
	int r = memory_release(o->x, c, host, region, &memory, ret);

	if (r == 0) {
		r = run_steps(o, region, ret);
		if (r < 0)
			return_memory(o->x, &memory, ret);
	}
	memory_steps_done(&memory);
	return r;
}

int change_region_destroy(const struct change_context *x, const struct change *c,
			  const struct host *host, struct change_result *ret)
{
	const struct region *region = change_find_region(host, c, ret);
	_cleanup_(region_objects_done) struct region_objects o = {.x = x};
	struct error e = {0};
	int r;

	if (!region)
		return ret->error;
	ret->identity = region->inode;
	o.window = region->root->name;
	r = region_destroy_check(host, region, c->force, &e);
	if (r == 0)
		r = set_decoders(&o, host, region, &e);
	if (r == 0 && region_objects_region(&o, region->name) < 0)
		r = error_set(&e, ENOENT, "%s is not destroyed: libcxl does not find it",
			      region->name);
	if (r < 0)
		return change_result_set(ret, r, CHANGE_REFUSED, "%s", e.text);
	return destroy(&o, c, host, region, ret);
}
