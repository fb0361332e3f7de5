// SPDX-License-Identifier: LGPL-2.1-or-later
#include "change/memory_state.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "change/operations.h"
#include "common/array.h"
#include "model/release.h"

/* ---- what can be refused ----------------------------------------------------------------------
 */

static int refuse_kind(const struct region *region, struct change_result *ret)
{
	if (region->mode == DECODER_MODE_PMEM)
		return change_result_set(
			ret, EOPNOTSUPP, CHANGE_REFUSED,
			"%s is persistent memory, which is used by namespaces (ndctl create-namespace) and not as memory of the kernel",
			region->name);
	if (!region->dax || region->dax->n_devices == 0)
		return change_result_set(
			ret, EOPNOTSUPP, CHANGE_REFUSED,
			"%s has no dax device, by which its memory could be brought online or offline%s",
			region->name,
			region->enabled
				? ": the kernel uses it since its start, or the module dax_cxl is not loaded (modprobe dax_cxl)"
				: ": its driver is not bound; destroy it, and create it again");
	return 0;
}

static bool holders_known(const struct memory_use *use, const char *name)
{
	const struct dax_use *u = memory_use_of(use, name);

	return u && opt_bool_is_true(u->holders_known);
}

/* Whether a process, or a mount, could lose its mapping without being asked. */
static bool holders_unknown(const struct region *region, const struct memory_use *use)
{
	if (region->mode == DECODER_MODE_PMEM)
		return !holders_known(use, region->name);
	for (size_t i = 0; region->dax && i < region->dax->n_devices; i++) {
		const struct dax_device *d = region->dax->devices[i];

		if (d->mode == DAX_MODE_DEVDAX && !holders_known(use, d->name))
			return true;
	}
	return false;
}

static void join_reasons(const struct release *release, char *text, size_t size)
{
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < release->n_reasons && len < size; i++) {
		(void)snprintf(text + len, size - len, "%s%s", i > 0 ? "; " : "",
			       release->reasons[i]);
		len += strlen(text + len);
	}
}

/*
 * The kernel itself refuses what cannot be moved, but not to take a device from a process. So doubt
 * about pages is no reason to refuse what is asked for by name; a region that is destroyed takes
 * its memory offline unasked, and only when it is known that no program loses anything.
 */
static bool is_refused(const struct change *c, const struct region *region,
		       const struct memory_use *use, const struct release *release)
{
	if (release->verdict != RELEASE_UNKNOWN)
		return release->verdict == RELEASE_NO;
	if (!region->dax && !region->enabled) /* left by an interruption: nothing can be online */
		return false;
	return c->kind == CHANGE_REGION_DESTROY || holders_unknown(region, use);
}

static const char *remedy(const struct change *c, const struct release *release)
{
	if (c->kind != CHANGE_REGION_DESTROY)
		return "";
	return release->verdict == RELEASE_NO
		       ? "; end what uses it, or force it: the kernel then decides"
		       : "; take it offline first, or force it: the kernel then decides";
}

static int refuse_use(const struct change *c, const struct host *host, const struct region *region,
		      struct change_result *ret)
{
	char reasons[CHANGE_TEXT_MAX - 160];
	const struct memory_use *use;
	struct release release;
	struct error e = {0};
	bool refused;

	if (c->force)
		return 0;
	if (memory_use_read(host, &use, &e) < 0)
		return change_result_set(ret, ENOMEM, CHANGE_REFUSED, "%s", e.text);
	region_release(region, use, &release);
	refused = is_refused(c, region, use, &release);
	(void)memory_use_unref(use);
	if (!refused)
		return 0;
	join_reasons(&release, reasons, sizeof(reasons));
	return change_result_set(ret, EBUSY, CHANGE_REFUSED,
				 "the memory of %s cannot be released: %s%s", region->name, reasons,
				 remedy(c, &release));
}

/* ---- offline ----------------------------------------------------------------------------------
 */

/* How many blocks there are, of all devices. */
static int count_blocks(struct memory_work *w)
{
	const struct dax_region *dax = w->region->dax;
	int r = 0;

	w->total = 0;
	for (size_t i = 0; i < dax->n_devices && r == 0; i++) {
		struct dax_blocks blocks = {0};

		r = memory_work_read_blocks(w, dax->devices[i], &blocks);
		w->total += blocks.n;
		dax_blocks_done(&blocks);
	}
	return r;
}

static int offline_device(struct memory_work *w, const struct dax_device *d)
{
	struct dax_blocks blocks = {0};
	int r = memory_work_read_blocks(w, d, &blocks);

	for (size_t i = 0; i < blocks.n && r == 0; i++) {
		if (blocks.items[i].state != BLOCK_OFFLINE)
			r = memory_work_set_block(w, &blocks.items[i], BLOCK_OFFLINE);
		w->done += r == 0;
		memory_work_report(w);
	}
	dax_blocks_done(&blocks);
	return r;
}

/*
 * Without driver, or with device_dax. When kmem is unbound while a block is online, which something
 * else (a rule of udev) may have done meanwhile, its memory stays until the next boot: so all are
 * looked at right before that.
 */
static int unbind_device(struct memory_work *w, const struct dax_device *d, enum dax_mode to)
{
	struct dax_blocks blocks = {0};
	size_t online;
	int r = 0;

	if (d->mode == DAX_MODE_SYSTEM_RAM) {
		r = memory_work_read_blocks(w, d, &blocks);
		online = blocks.n - dax_blocks_count(&blocks, BLOCK_OFFLINE);
		dax_blocks_done(&blocks);
		if (r < 0)
			return r;
		if (online > 0)
			return memory_work_fail(
				w, -EBUSY,
				"%zu memory blocks of %s were brought online by another program meanwhile: look for a rule of udev",
				online, d->name);
	}
	return memory_work_set_mode(w, d, to);
}

static int offline_all(struct memory_work *w)
{
	const struct dax_region *dax = w->region->dax;
	int r = count_blocks(w);

	for (size_t i = 0; i < dax->n_devices && r == 0; i++)
		if (dax->devices[i]->mode != DAX_MODE_DEVDAX)
			r = offline_device(w, dax->devices[i]);
	return r;
}

static int unbind_all(struct memory_work *w, enum dax_mode to)
{
	const struct dax_region *dax = w->region->dax;
	int r = 0;

	for (size_t i = 0; i < dax->n_devices && r == 0; i++)
		r = unbind_device(w, dax->devices[i], to);
	return r;
}

int memory_release(const struct change_context *x, const struct change *c, const struct host *host,
		   const struct region *region, struct memory_steps *steps,
		   struct change_result *ret)
{
	struct memory_work w = memory_work_new(x, region, steps, ret);
	const size_t before = steps->n;
	int r = refuse_use(c, host, region, ret);

	if (r < 0 || !region->dax || region->mode == DECODER_MODE_PMEM)
		return r;
	r = offline_all(&w);
	if (r == 0)
		r = unbind_all(&w, DAX_MODE_UNKNOWN);
	return r < 0 ? memory_work_undo(&w, before, r) : 0;
}

int memory_offline_by(const struct memory_access *access, const struct change_context *x,
		      const struct change *c, const struct host *host, struct change_result *ret)
{
	const struct region *region = change_find_region(host, c, ret);
	struct memory_steps steps = {.access = access};
	struct memory_work w;
	int r = region ? refuse_kind(region, ret) : ret->error;

	if (r == 0)
		r = refuse_use(c, host, region, ret);
	if (r < 0)
		return r;
	w = memory_work_new(x, region, &steps, ret);
	r = offline_all(&w);
	if (r == 0 && c->kind == CHANGE_MEMORY_DEVDAX)
		r = unbind_all(&w, DAX_MODE_DEVDAX);
	if (r < 0)
		r = memory_work_undo(&w, 0, r);
	memory_steps_done(&steps);
	return r;
}

/* ---- online -----------------------------------------------------------------------------------
 */

/* A block that another program (a rule of udev) brought online in another zone meanwhile. */
static int online_block(struct memory_work *w, const struct dax_block *b, enum block_state zone)
{
	struct dax_block offline = {b->number, BLOCK_OFFLINE};
	int r = 0;

	if (b->state == zone)
		return 0;
	if (b->state != BLOCK_OFFLINE)
		r = memory_work_set_block(w, b, BLOCK_OFFLINE);
	return r < 0 ? r : memory_work_set_block(w, &offline, zone);
}

static int online_device(struct memory_work *w, const struct dax_device *d, enum block_state zone)
{
	struct dax_blocks blocks = {0};
	int r = memory_work_read_blocks(w, d, &blocks);

	if (r == 0 && blocks.n == 0)
		r = memory_work_fail(
			w, -ENXIO, "%s has no memory block: it is smaller than one, or not aligned",
			d->name);
	for (size_t i = 0; i < blocks.n && r == 0; i++) {
		r = online_block(w, &blocks.items[i], zone);
		w->done += r == 0;
		memory_work_report(w);
	}
	dax_blocks_done(&blocks);
	return r;
}

static const char *zone_name(enum block_state zone)
{
	return zone == BLOCK_MOVABLE ? "ZONE_MOVABLE" : "a zone of the kernel";
}

/*
 * The kernel uses memory at once that it brings online by itself when kmem is bound: in a zone of
 * its own it could not be taken offline again for the zone that was requested.
 */
static int refuse_auto_online(const struct change_context *x, const struct region *region,
			      enum block_state zone, struct change_result *ret)
{
	enum block_state policy = BLOCK_OFFLINE;
	bool binds = false;

	for (size_t i = 0; i < region->dax->n_devices; i++)
		binds |= region->dax->devices[i]->mode != DAX_MODE_SYSTEM_RAM;
	if (!binds || memory_auto_online(x->root->dirfd, &policy) < 0 || policy == BLOCK_OFFLINE ||
	    policy == zone || (policy == BLOCK_UNKNOWN && zone == BLOCK_KERNEL))
		return 0;
	return change_result_set(
		ret, EBUSY, CHANGE_REFUSED,
		"the kernel brings new memory blocks online by itself in %s, not in %s: echo %s >/sys/devices/system/memory/auto_online_blocks, and try again",
		policy == BLOCK_UNKNOWN ? "the zone that it chooses" : zone_name(policy),
		zone_name(zone), zone == BLOCK_MOVABLE ? "online_movable" : "online_kernel");
}

/* Memory that programs may use already is not taken offline for another zone. */
static int refuse_zone(const struct change_context *x, const struct memory_access *access,
		       const struct region *region, enum block_state zone,
		       struct change_result *ret)
{
	const enum block_state other = zone == BLOCK_MOVABLE ? BLOCK_KERNEL : BLOCK_MOVABLE;

	for (size_t i = 0; i < region->dax->n_devices; i++) {
		const struct dax_device *d = region->dax->devices[i];
		struct dax_blocks blocks = {0};
		size_t n = 0;

		if (d->mode == DAX_MODE_SYSTEM_RAM && access->read_blocks(x, d, &blocks) == 0)
			n = dax_blocks_count(&blocks, other);
		dax_blocks_done(&blocks);
		if (n > 0)
			return change_result_set(
				ret, EBUSY, CHANGE_REFUSED,
				"%zu memory blocks of %s (%s) are online in %s already; take it offline first",
				n, region->name, d->name, zone_name(other));
	}
	return 0;
}

static int online_all(struct memory_work *w, enum block_state zone)
{
	const struct dax_region *dax = w->region->dax;
	int r = 0;

	for (size_t i = 0; i < dax->n_devices && r == 0; i++)
		r = memory_work_set_mode(w, dax->devices[i], DAX_MODE_SYSTEM_RAM);
	if (r == 0)
		r = count_blocks(w);
	for (size_t i = 0; i < dax->n_devices && r == 0; i++)
		r = online_device(w, dax->devices[i], zone);
	return r;
}

/* A process that has a device open would lose it with its driver. */
static bool leaves_devdax(const struct region *region)
{
	for (size_t i = 0; i < region->dax->n_devices; i++)
		if (region->dax->devices[i]->mode == DAX_MODE_DEVDAX)
			return true;
	return false;
}

int memory_online_by(const struct memory_access *access, const struct change_context *x,
		     const struct change *c, const struct host *host, struct change_result *ret)
{
	const enum block_state zone = c->zone == CHANGE_ZONE_MOVABLE ? BLOCK_MOVABLE : BLOCK_KERNEL;
	const struct region *region = change_find_region(host, c, ret);
	struct memory_steps steps = {.access = access};
	struct memory_work w;
	int r = region ? refuse_kind(region, ret) : ret->error;

	if (r == 0 && leaves_devdax(region))
		r = refuse_use(c, host, region, ret);
	if (r == 0)
		r = refuse_zone(x, access, region, zone, ret);
	if (r == 0)
		r = refuse_auto_online(x, region, zone, ret);
	if (r < 0)
		return r;
	w = memory_work_new(x, region, &steps, ret);
	r = online_all(&w, zone);
	if (r < 0)
		r = memory_work_undo(&w, 0, r);
	memory_steps_done(&steps);
	return r;
}

int change_memory_online(const struct change_context *x, const struct change *c,
			 const struct host *host, struct change_result *ret)
{
	return memory_online_by(&memory_access_live, x, c, host, ret);
}

int change_memory_offline(const struct change_context *x, const struct change *c,
			  const struct host *host, struct change_result *ret)
{
	return memory_offline_by(&memory_access_live, x, c, host, ret);
}
