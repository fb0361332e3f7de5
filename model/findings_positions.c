// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Positions of a region without a device: which device fits, and how it is attached.
#include <string.h>

#include "common/strutil.h"
#include "model/findings_private.h"
#include "model/region_fit.h"
#include "model/topology.h"
#include "prm/region_order.h"

bool path_has(const char *path, const char *component)
{
	size_t len = strlen(component);

	for (const char *p = path; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (strncmp(p, component, len) == 0 && (p[len] == '/' || p[len] == '\0'))
			return true;
	}
	return false;
}

/* ---- regions that wait for a device -----------------------------------------------------------
 */

struct awaiting_region {
	const struct region *region;
	struct region_fits fits;
};

struct awaiting_regions {
	struct awaiting_region *items; /* in the arena */
	size_t n;
};

static bool is_awaiting(const struct region *r)
{
	return r->n_targets && r->commit != REGION_COMMITTED && !region_is_complete(r);
}

/* Return: the regions that wait, found once for all findings; NULL when out of memory. */
static const struct awaiting_regions *awaiting_regions(struct findings *f)
{
	const struct host *host = f->host;
	struct awaiting_regions *a = f->awaiting;

	if (a)
		return a;
	a = ARENA_NEW(f->arena, struct awaiting_regions);
	if (a)
		a->items = ARENA_ARRAY(f->arena, host->n_regions, struct awaiting_region);
	if (!a || !a->items) {
		f->no_memory = true;
		return NULL;
	}
	for (size_t i = 0; i < host->n_regions; i++) {
		if (!is_awaiting(host->regions[i]))
			continue;
		a->items[a->n].region = host->regions[i];
		region_find_fits(host, host->regions[i], &a->items[a->n++].fits);
	}
	f->awaiting = a;
	return a;
}

static const struct region_fits *fits_of(struct findings *f, const struct region *r)
{
	const struct awaiting_regions *a = awaiting_regions(f);

	for (size_t i = 0; a && i < a->n; i++)
		if (a->items[i].region == r)
			return &a->items[i].fits;
	return NULL;
}

const struct region_fit *findings_awaited(struct findings *f, const struct memdev *m,
					  const struct region **ret_region)
{
	const struct awaiting_regions *a = awaiting_regions(f);

	for (size_t i = 0; a && i < a->n; i++)
		for (size_t k = 0;
		     !findings_is_decoded(f, a->items[i].region) && k < a->items[i].fits.n; k++)
			if (a->items[i].fits.items[k].memdev == m) {
				*ret_region = a->items[i].region;
				return &a->items[i].fits.items[k];
			}
	return NULL;
}

/* ---- advice -----------------------------------------------------------------------------------
 */

static struct finding_arg place_arg(const struct memdev *m)
{
	return finding_name(m->bdf ? m->bdf : m->host ? m->host : "an unknown device");
}

static void advise_attach(struct findings *f, const struct region *r, const struct region_fit *fit)
{
	struct finding finding = {
		.code = fit->reserved ? FINDING_REGION_ATTACH_RESERVED : FINDING_REGION_ATTACH,
		.object = r->name,
		.args = {finding_number(fit->position),
			 finding_name(fit->memdev->name),
			 place_arg(fit->memdev),
			 {0},
			 finding_name(fit->decoder->name),
			 finding_name(region_mode_word(r)),
			 finding_hex(region_share(r)),
			 finding_name(r->name)},
	};

	if (fit->memdev->serial.present)
		finding.args[3] = finding_hex(fit->memdev->serial.value);
	findings_add_finding(f, &finding);
}

/* Return: whether a device below the port only lacks its driver. */
static bool advise_driver(struct findings *f, const struct region *r, unsigned int position,
			  const char *port)
{
	const struct host *host = f->host;

	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct memdev *m = host->memdevs[i];

		if (m->endpoint || !path_has(m->path, port))
			continue;
		findings_add_args(f, REGION_ENABLE_MEMDEV, r->name, finding_number(position),
				  finding_name(m->name), place_arg(m), finding_name(port));
		return true;
	}
	for (size_t i = 0; i < host->n_unclaimed; i++) {
		const struct unclaimed_function *u = &host->unclaimed[i];

		if (u->driver || !path_has(u->path, port))
			continue;
		findings_add_args(f, REGION_BIND_FUNCTION, r->name, finding_number(position),
				  finding_name(u->pci->bdf), finding_name(port));
		return true;
	}
	return false;
}

/* Advises on a position that no device of this host fits now. */
static void advise_search(struct findings *f, const struct region *r, unsigned int position)
{
	const struct dport *dport = region_port_to(r, position);
	uint64_t share = region_is_firmwares(r) ? 0 : region_share(r);
	struct finding_arg size = {0}, mode = {0};

	if (!dport || advise_driver(f, r, position, dport->name))
		return;
	if (share) {
		size = finding_size(OPT_U64(share));
		mode = finding_name(region_mode_word(r));
	}
	findings_add_args(f, REGION_FIND_MEMDEV, r->name, finding_number(position),
			  finding_name(dport->name), size, mode);
}

static const struct region_fit *fit_at(const struct region_fits *fits, unsigned int position)
{
	for (size_t i = 0; fits && i < fits->n; i++)
		if (fits->items[i].position == position)
			return &fits->items[i];
	return NULL;
}

/* ---- the findings -----------------------------------------------------------------------------
 */

/* A position, and what the region still says of it. */
static void add_position(struct findings *f, struct finding_items *items, const struct region *r,
			 unsigned int position)
{
	const struct region_target *t = &r->targets[position];
	struct finding_item item = {.position = OPT_U64(position)};

	if (!region_is_firmwares(r) && t->decoder_name) {
		item.name = t->decoder_name;
		item.detail = t->decoder ? "its memory device has gone" : "does not exist";
	}
	finding_items_add(f, items, &item);
}

/* ---- decoders that Linux refuses ----
 *
 * A committed decoder of these addresses was there when Linux looked for it (cxl_add_to_region()).
 */

void findings_of_way_out(struct findings *f, const char *object, const struct refusal *refusal)
{
	if (refusal->way_out == WAY_OUT_REBOOT)
		findings_add(f, REGION_REBOOT, object);
	else if (refusal->way_out == WAY_OUT_FIRMWARE)
		findings_add(f, REGION_CHANGE_FIRMWARE, object);
	else if (refusal->way_out == WAY_OUT_KERNEL)
		findings_add_args(f, BOOT_NEWER_KERNEL, object, finding_text(refusal->newer));
}

struct finding_arg findings_kernel_says(const struct findings *f, const struct refusal *refusal,
					const char *object)
{
	const char *line = refusal_kernel_says(f->host, refusal, object);

	return line ? finding_text(line) : (struct finding_arg){0};
}

bool findings_of_log(struct findings *f, const char *object, const struct refusal *refusal)
{
	const char *advice = refusal_advice(refusal, f->arena);

	if (!refusal->kernel_line)
		return false;
	findings_add_args(f, KERNEL_REFUSED, object, finding_text(refusal->first_difference));
	if (advice)
		findings_add_args(f, KERNEL_REFUSED_NEXT, object, finding_text(advice));
	return true;
}

static bool is_refused(const struct region_fit *fit)
{
	return decoder_is_committed(fit->decoder) && !fit->decoder->region;
}

/* Return: whether a decoder on the way to the device is the cause. */
static bool findings_of_difference(struct findings *f, const struct region *r,
				   const struct region_fit *fit)
{
	struct refusal refusal;
	struct finding_arg says;

	if (refusal_of_mapping(f->host, translator_cedt(f->translator), r, f->arena, &refusal) < 0)
		f->no_memory = true;
	if (refusal.way_out == WAY_OUT_NONE || refusal.way_out == WAY_OUT_ATTACH)
		return findings_of_log(f, r->name, &refusal);
	says = findings_kernel_says(f, &refusal, r->name);
	if (refusal.emulated)
		findings_add_args(f, REGION_DECODER_EMULATED, r->name,
				  finding_text(refusal.first_difference),
				  finding_name(fit->decoder->name), says);
	else
		findings_add_args(f, REGION_DECODER_UNEXPECTED, r->name,
				  finding_text(refusal.first_difference), says);
	findings_of_way_out(f, r->name, &refusal);
	return true;
}

/* Return: whether Linux refuses decoders of the fits, so that no command attaches them. */
static bool findings_of_refused(struct findings *f, const struct region *r,
				const struct region_fits *fits)
{
	struct finding_items refused = {0};
	const struct region_fit *first = NULL;

	for (size_t i = 0; fits && i < fits->n; i++) {
		if (!is_refused(&fits->items[i]))
			continue;
		if (!first)
			first = &fits->items[i];
		finding_items_add_name(f, &refused, fits->items[i].decoder->name);
	}
	if (!first)
		return false;
	findings_add_args(f, REGION_ATTACH_REFUSED, r->name, finding_list(refused.first));
	if (!findings_of_difference(f, r, first))
		findings_add_args(f, REGION_CHECK_KERNEL_LOG, r->name, finding_name(r->name),
				  findings_kernel_says(f, &(const struct refusal){0}, r->name));
	return true;
}

/* Advises on a region that is not committed and has these positions without a device. */
static void advise_positions(struct findings *f, const struct region *r,
			     const unsigned int *positions, size_t n)
{
	const struct region_fits *fits = fits_of(f, r);

	if (findings_of_refused(f, r, fits))
		return;
	/* Positions in a region of firmware follow from addresses that only root may read. */
	if (!n && f->host->n_denied)
		findings_add(f, RUN_AS_ROOT, r->name);
	else if (!n)
		findings_add_args(f, REGION_CHECK_KERNEL_LOG, r->name, finding_name(r->name),
				  findings_kernel_says(f, &(const struct refusal){0}, r->name));
	for (size_t i = 0; i < n; i++) {
		const struct region_fit *fit = fit_at(fits, positions[i]);

		if (fit)
			advise_attach(f, r, fit);
		else
			advise_search(f, r, positions[i]);
	}
	if (fits && fits->complete)
		findings_add_args(f, REGION_COMMIT, r->name, finding_name(r->name));
}

void findings_of_empty_positions(struct findings *f, const struct region *r, bool advise)
{
	unsigned int positions[INTERLEAVE_WAYS_MAX];
	size_t n = region_empty_positions(r, positions);
	struct finding_items items = {0};
	struct finding_arg last = finding_number(r->n_targets - 1);

	for (size_t i = 0; i < n; i++)
		add_position(f, &items, r, positions[i]);
	if (r->by_decoders) {
		if (n)
			findings_add_args(f, MAPPING_INCOMPLETE, r->name, finding_list(items.first),
					  last);
		return;
	}
	if (r->commit == REGION_COMMITTED) {
		findings_add_args(f, REGION_DEVICE_GONE, r->name, finding_list(items.first), last);
		findings_add_args(f, REGION_DISABLE, r->name, finding_name(r->name));
		return;
	}
	findings_add_args(f, REGION_INCOMPLETE, r->name, finding_list(items.first), last,
			  finding_reason(findings_is_decoded(f, r) ? REASON_MEMORY_DECODED
								   : REASON_MEMORY_UNUSABLE));
	if (advise)
		advise_positions(f, r, positions, n);
}
