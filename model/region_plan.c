// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Parameters of a region to be requested, step by step: the window, the ways, the granularity, the
// devices, the size, and the addresses.
#include "model/region_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/region_fit.h"
#include "model/region_plan_private.h"
#include "model/topology.h"
#include "prm/decoder_mapping.h"
#include "prm/region_order.h"

/* ---- the window -------------------------------------------------------------------------------
 */

static const struct decoder *normalized_decoder(const struct host *host)
{
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ENDPOINT &&
		    decoder_mapping(host->decoders[i]) == MAPPING_NORMALIZED)
			return host->decoders[i];
	return NULL;
}

static int check_locks(const struct host *host, const struct decoder *w, struct error *e)
{
	const struct decoder *d = normalized_decoder(host);

	if (d)
		return error_set(
			e, EPERM,
			"Normalized addressing locks its decoders: %s of %s holds device addresses, only firmware knows their system addresses, and Linux can neither make nor change regions on such a machine; change the mapping in the setup of the firmware",
			d->name, d->port->memdev ? d->port->memdev->name : d->port->name);
	if (opt_bool_is_true(w->locked))
		return error_set(
			e, EPERM,
			"window %s is locked: firmware has fixed what is mapped in it, use another window",
			w->name);
	return 0;
}

static bool allows(const struct decoder *w, enum decoder_mode mode)
{
	return opt_bool_is_true(mode == DECODER_MODE_PMEM ? w->cap_pmem : w->cap_ram);
}

/*
 * The window allows it; whether this kernel does is another question (CONFIG_CXL_REGION).
 */
static int check_kernel(const struct plan *p, struct error *e)
{
	const bool pmem = p->mode == DECODER_MODE_PMEM;
	const struct opt_bool makes = window_makes(p->window, p->mode, NULL);
	const char *release = p->host->kernel_release;

	if (host_has_made_regions(p->host, p->mode) || !makes.present || makes.value)
		return 0;
	if (host_kernel_is(p->host, 6, 3) == 1)
		return error_set(
			e, EOPNOTSUPP,
			"this kernel %s makes no %s regions: window %s has no create_%s_region, which needs a kernel that is built with CONFIG_CXL_REGION; boot such a kernel",
			release, pmem ? "persistent" : "volatile", p->window->name,
			decoder_mode_name(p->mode));
	return error_set(
		e, EOPNOTSUPP,
		"this kernel%s%s makes no %s regions: window %s has no create_%s_region, which needs Linux %s or newer built with CONFIG_CXL_REGION; boot such a kernel",
		release ? " " : "", release ? release : "", pmem ? "persistent" : "volatile",
		p->window->name, decoder_mode_name(p->mode), pmem ? "6.0" : "6.3");
}

/*
 * Dynamic capacity, or what a newer kernel has: which DPAs are free is not shown, and memory is
 * there only once the device gives extents.
 */
static int refuse_other(const struct plan *p, const char *mode, struct error *e)
{
	const struct decoder *w = p->window;

	if (opt_bool_is_true(window_makes(w, DECODER_MODE_OTHER, mode)))
		return error_set(
			e, EOPNOTSUPP,
			"a region of mode %.32s cannot be planned: its memory comes and goes with the extents that devices give, and Linux does not show which DPAs of the partition are free; make it with cxl create-region -d %s -t %.32s",
			mode, w->name, mode);
	return error_set(
		e, EOPNOTSUPP,
		"this kernel%s%s makes no regions of mode %.32s: window %s has no create_%.32s_region; boot a kernel that supports this mode",
		p->host->kernel_release ? " " : "",
		p->host->kernel_release ? p->host->kernel_release : "", mode, w->name, mode);
}

/* As create_ram_region and create_pmem_region of a window are visible (can_create_ram()). */
static int set_mode(struct plan *p, const struct region_request *q, struct error *e)
{
	const struct decoder *w = p->window;
	enum decoder_mode mode = q->mode;

	if (w->cap_type3.present && !w->cap_type3.value)
		return error_set(
			e, EOPNOTSUPP,
			"window %s is not for memory expanders (type 3): use another window",
			w->name);
	if (mode == DECODER_MODE_NONE)
		mode = allows(w, DECODER_MODE_RAM) ? DECODER_MODE_RAM : DECODER_MODE_PMEM;
	if (mode == DECODER_MODE_OTHER && q->other_mode)
		return refuse_other(p, q->other_mode, e);
	if (mode != DECODER_MODE_RAM && mode != DECODER_MODE_PMEM)
		return error_set(e, EINVAL, "a region is of mode ram or pmem");
	p->mode = mode;
	if (allows(w, mode))
		return check_kernel(p, e);
	if (!allows(w, DECODER_MODE_RAM) && !allows(w, DECODER_MODE_PMEM))
		return error_set(
			e, EOPNOTSUPP,
			"window %s allows neither ram nor pmem regions: firmware restricts it to other memory; use another window",
			w->name);
	return error_set(
		e, EOPNOTSUPP,
		"window %s does not allow %s regions: firmware restricts it to %s; use that mode, or another window",
		w->name, decoder_mode_name(mode), allows(w, DECODER_MODE_RAM) ? "ram" : "pmem");
}

static int check_targets(const struct decoder *w, struct error *e)
{
	if (!w->n_targets || w->n_targets > INTERLEAVE_WAYS_MAX ||
	    (w->ways.present && w->ways.value != w->n_targets))
		return error_set(
			e, EINVAL,
			"the host bridges of window %s are not known, so no position in it is",
			w->name);
	for (size_t i = 0; i < w->n_targets; i++) {
		if (!w->targets[i].dport)
			return error_set(e, EINVAL,
					 "target %zu of window %s, with id %" PRIu64
					 ", does not exist: the window cannot be used",
					 i, w->name, w->targets[i].id);
		for (size_t k = 0; k < i; k++)
			if (w->targets[k].dport == w->targets[i].dport)
				return error_set(
					e, EINVAL,
					"window %s has %s as target %zu and %zu: it cannot be used",
					w->name, w->targets[i].dport->name, k, i);
	}
	return 0;
}

static int set_window(struct plan *p, const struct region_request *q, struct error *e)
{
	const struct decoder *w = q->window;
	int r;

	if (!w || w->port->kind != PORT_ROOT)
		return error_set(e, EINVAL,
				 "a region is made in a window, which is a root decoder");
	p->window = w;
	p->window_ways = (unsigned int)w->n_targets;
	r = check_locks(p->host, w, e);
	if (r == 0)
		r = set_mode(p, q, e);
	return r == 0 ? check_targets(w, e) : r;
}

/* ---- ways, granularity, size ------------------------------------------------------------------
 */

/* As ways_to_eiw() and interleave_ways_store(): powers of two, times 3 only by the window itself.
 */
static bool ways_are_valid(const struct plan *p, unsigned int ways)
{
	unsigned int each = ways / p->window_ways;
	bool encoded =
		ways <= INTERLEAVE_WAYS_MAX && (ways % 3 || (ways / 3 & (ways / 3 - 1)) == 0);

	return encoded && each && ways % p->window_ways == 0 && (each & (each - 1)) == 0;
}

/* "2, 4, 8, 16" */
static const char *valid_ways(const struct plan *p, char text[static 64])
{
	size_t used = 0;

	text[0] = '\0';
	for (unsigned int i = 1; i <= INTERLEAVE_WAYS_MAX; i++)
		if (ways_are_valid(p, i) && used < 64)
			used += (size_t)snprintf(text + used, 64 - used, "%s%u", used ? ", " : "",
						 i);
	return text;
}

static int check_ways(const struct plan *p, const struct region_request *q, struct error *e)
{
	unsigned int ways = q->n_memdevs ? (unsigned int)q->n_memdevs : q->ways;
	char text[64];

	if (q->n_memdevs > INTERLEAVE_WAYS_MAX || q->ways > INTERLEAVE_WAYS_MAX)
		return error_set(e, EINVAL, "a region has at most %d devices", INTERLEAVE_WAYS_MAX);
	if (q->ways && q->n_memdevs && q->ways != q->n_memdevs)
		return error_set(
			e, EINVAL,
			"%zu memory device%s named for a region of %u ways: name one for each position, or none",
			q->n_memdevs, q->n_memdevs == 1 ? " is" : "s are", q->ways);
	if (!ways || ways_are_valid(p, ways))
		return 0;
	return error_set(
		e, EINVAL,
		"a region in window %s cannot have %u ways: the window is interleaved over %u host bridge%s, so possible are %s",
		p->window->name, ways, p->window_ways, p->window_ways == 1 ? "" : "s",
		valid_ways(p, text));
}

static int set_granularity(struct plan *p, uint64_t wanted, struct error *e)
{
	struct opt_u64 own = p->window->granularity;

	p->granularity = wanted ? wanted : own.present && own.value ? own.value : 256;
	if ((p->granularity & (p->granularity - 1)) || !plan_port_granularity(p->granularity))
		return error_set(e, EINVAL,
				 "a granularity of %" PRIu64
				 " bytes is not possible: it is a power of two from 256 to 16384",
				 p->granularity);
	if (p->window_ways > 1 && !opt_u64_is(own, p->granularity))
		return error_set(
			e, EINVAL,
			"a granularity of %" PRIu64
			" bytes is not possible in window %s: it is interleaved over %u host bridges at %" PRIu64
			" bytes, and Linux accepts only that",
			p->granularity, p->window->name, p->window_ways, own.value);
	return 0;
}

static int check_size(const struct plan *p, const struct region_request *q, struct error *e)
{
	uint64_t ways = q->n_memdevs ? q->n_memdevs : q->ways ? q->ways : p->window_ways;
	uint64_t unit = ways * REGION_SHARE_BYTES;
	char size[PLAN_SIZE_TEXT], multiple[PLAN_SIZE_TEXT], less[PLAN_SIZE_TEXT];

	if (q->size % unit == 0)
		return 0;
	return error_set(
		e, EINVAL,
		"a size of %s is not possible: each of %" PRIu64
		" device%s gives whole multiples of 256 MiB, so it has to be a multiple of %s, such as %s",
		plan_size(q->size, size), ways, ways == 1 ? "" : "s", plan_size(unit, multiple),
		plan_size(q->size < unit ? unit : q->size / unit * unit, less));
}

/* ---- the devices ------------------------------------------------------------------------------
 */

static int find_waiting(struct plan *p)
{
	const struct host *host = p->host;

	p->waiting = ARENA_ARRAY(p->arena, host->n_regions, const struct region *);
	if (!p->waiting)
		return -ENOMEM;
	for (size_t i = 0; i < host->n_regions; i++)
		if (host->regions[i]->commit == REGION_NOT_COMMITTED &&
		    !region_is_complete(host->regions[i]))
			p->waiting[p->n_waiting++] = host->regions[i];
	return 0;
}

static int check_named_twice(const struct region_request *q, struct error *e)
{
	for (size_t i = 0; i < q->n_memdevs; i++)
		for (size_t k = 0; k < i; k++)
			if (q->memdevs[k] == q->memdevs[i])
				return error_set(
					e, EINVAL,
					"memory device %s is named twice, as position %zu and %zu: a device has one position in a region",
					q->memdevs[i]->name, k, i);
	return 0;
}

/* Adds an order that can be routed to the reason that the requested one cannot. */
static void suggest_order(const struct plan *p, const struct plan_device *devices,
			  unsigned int ways, struct error *e)
{
	struct plan_choice c;
	size_t used = strnlen(e->text, sizeof(e->text));

	if (plan_choose(p, devices, ways, ways, ways * REGION_SHARE_BYTES, &c) != 0)
		return;
	for (unsigned int i = 0; i < ways && used < sizeof(e->text); i++)
		used += (size_t)snprintf(
			e->text + used, sizeof(e->text) - used, "%s%s",
			i ? " " : "; this order is possible: ", c.devices[i].memdev->name);
}

static int put_in_order(const struct plan *p, const struct region_request *q, struct plan_choice *c,
			struct error *e)
{
	struct plan_choice ordered;
	struct error reason = {0};
	int r = plan_check_order(p, c->devices, c->ways, &reason);

	if (r == 0)
		return 0;
	if (q->any_order) {
		r = plan_choose(p, c->devices, c->ways, c->ways, c->ways * REGION_SHARE_BYTES,
				&ordered);
		if (r == 0) {
			memcpy(c->devices, ordered.devices, sizeof(c->devices));
			return plan_check_order(p, c->devices, c->ways, e);
		}
		if (r < 0)
			return error_set(e, -r, "out of memory");
	} else {
		suggest_order(p, c->devices, c->ways, &reason);
	}
	return error_set(e, reason.code, "%s", reason.text);
}

/* All DPA that the devices have in common, as far as the window has room for it. */
static int share_of_named(const struct plan *p, uint64_t size, struct plan_choice *c,
			  struct error *e)
{
	const struct plan_device *least = &c->devices[0];
	uint64_t room = p->extent / c->ways / REGION_SHARE_BYTES * REGION_SHARE_BYTES;

	for (unsigned int i = 1; i < c->ways; i++)
		if (c->devices[i].free < least->free)
			least = &c->devices[i];
	c->share = size ? size / c->ways : least->free < room ? least->free : room;
	if (!c->share) /* refused here or by plan_place() */
		c->share = REGION_SHARE_BYTES;
	return least->free < c->share ? plan_device_lacks(p, least, c->share, e) : 0;
}

static int use_named(const struct plan *p, const struct region_request *q, struct plan_choice *ret,
		     struct error *e)
{
	int r = check_named_twice(q, e);

	*ret = (struct plan_choice){.ways = (unsigned int)q->n_memdevs};
	for (unsigned int i = 0; i < ret->ways && r == 0; i++)
		r = plan_device(p, q->memdevs[i], &ret->devices[i], e);
	/* Devices that have nothing to give are named as such, not as out of order. */
	if (r == 0)
		r = share_of_named(p, q->size, ret, e);
	return r == 0 ? put_in_order(p, q, ret, e) : r;
}

static int choose_devices(const struct plan *p, const struct region_request *q,
			  struct plan_choice *ret, struct error *e)
{
	int r;

	if (q->n_memdevs)
		return use_named(p, q, ret, e);
	r = plan_choose(p, NULL, 0, q->ways, q->size, ret);
	if (r > 0)
		r = plan_refuse(p, q->ways, q->size, e);
	if (r == -ENOMEM)
		return error_set(e, ENOMEM, "out of memory");
	return r == 0 ? plan_check_order(p, ret->devices, ret->ways, e) : r;
}

/* ---- all of it --------------------------------------------------------------------------------
 */

static bool owners_are_known(const struct plan *p)
{
	for (size_t i = 0; i < p->owners.n; i++)
		if (p->owners.items[i].kind == OWNER_UNKNOWN)
			return false;
	return p->host->n_iomem > 0;
}

static void set_plan(const struct plan *p, const struct plan_choice *c, struct region_plan *ret)
{
	*ret = (struct region_plan){
		.window = p->window,
		.mode = p->mode,
		.ways = c->ways,
		.granularity = p->granularity,
		.share = c->share,
		.size = c->share * c->ways,
		.uses_known = owners_are_known(p),
	};
	for (unsigned int i = 0; i < c->ways; i++)
		ret->positions[i] = (struct region_plan_position){
			.memdev = c->devices[i].memdev,
			.decoder = c->devices[i].decoder,
			.dpa = c->devices[i].dpa,
			.left_behind = c->devices[i].left_behind,
		};
}

static int plan_make(struct plan *p, const struct region_request *q, struct region_plan *ret,
		     struct error *e)
{
	struct plan_choice choice;
	int r = set_window(p, q, e);

	if (r == 0)
		r = check_ways(p, q, e);
	if (r == 0)
		r = set_granularity(p, q->granularity, e);
	if (r == 0)
		r = check_size(p, q, e);
	if (r == 0 && find_waiting(p) < 0)
		r = error_set(e, ENOMEM, "out of memory");
	if (r == 0)
		r = plan_extent(p, e);
	if (r == 0)
		r = plan_check_room(p, q->n_memdevs ? (unsigned int)q->n_memdevs : q->ways, e);
	if (r == 0)
		r = choose_devices(p, q, &choice, e);
	if (r < 0)
		return r;
	set_plan(p, &choice, ret);
	return plan_place(p, ret, &ret->spa, e);
}

int region_plan_make(const struct host *host, const struct region_request *q,
		     struct region_plan *ret, struct error *e)
{
	struct plan p = {.host = host, .arena = arena_new()};
	struct error reason = {0};
	int r;

	if (!p.arena)
		return error_set(e, ENOMEM, "out of memory");
	r = plan_make(&p, q, ret, &reason);
	owners_done(&p.owners);
	arena_free(p.arena);
	return r < 0 ? error_set(e, -r, "%s", reason.text) : 0;
}

static int plan_room(struct plan *p, const struct region_request *q, struct error *e)
{
	int r = set_window(p, q, e);

	if (r == 0)
		r = plan_extent(p, e);
	return r == 0 ? plan_check_room(p, 0, e) : r;
}

int region_plan_room(const struct host *host, const struct decoder *window, uint64_t *ret,
		     struct error *e)
{
	struct plan p = {.host = host, .arena = arena_new()};
	int r;

	if (!p.arena)
		return error_set(e, ENOMEM, "out of memory");
	r = plan_room(&p, &(struct region_request){.window = window}, e);
	if (r == 0)
		*ret = p.extent;
	owners_done(&p.owners);
	arena_free(p.arena);
	return r;
}
