// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The capacity of a memory device: what no decoder maps, and whether cxl create-region could.
#include <errno.h>

#include "common/strutil.h"
#include "model/findings_private.h"
#include "model/gaps.h"
#include "model/partitions.h"
#include "model/region_fit.h"
#include "model/region_plan.h"
#include "model/topology.h"

/* ---- what is mapped ---------------------------------------------------------------------------
 */

static uint64_t partition_last(const struct partition *p)
{
	return p->offset + (p->size - 1);
}

/* The parts of a partition that no decoder maps. Return: 0 or -ENOMEM. */
static int unmapped_gaps(const struct memdev *m, const struct partition *p, struct gaps *ret)
{
	struct gaps used = {0};
	struct gap dpa, *g;
	int r = 0;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders && r >= 0; i++) {
		if (!decoder_dpa(m->endpoint->decoders[i], &dpa.first, &dpa.last))
			continue;
		g = gaps_add(&used);
		if (g)
			*g = dpa;
		else
			r = -ENOMEM;
	}
	if (r >= 0)
		r = find_gaps((struct gap){p->offset, partition_last(p)}, used.items, used.n, ret);
	gaps_done(&used);
	return r;
}

static void findings_of_decoder_shortage(struct findings *f, const struct memdev *m)
{
	const struct port *endpoint = m->endpoint;
	bool idle = false;

	for (size_t i = 0; i < endpoint->n_decoders; i++)
		idle = idle || !decoder_is_used(endpoint->decoders[i]);
	if (idle)
		findings_add(f, CAPACITY_DECODERS_PASSED, m->name);
	else if (endpoint->n_decoders)
		findings_add(f, CAPACITY_DECODERS_USED, m->name);
	else
		findings_add(f, CAPACITY_NO_DECODER, m->name);
}

/* ---- windows ----------------------------------------------------------------------------------
 *
 * Advice is a plan that region_plan_make() has made; without one its reason is the finding.
 */

static bool window_leads_to(const struct decoder *w, const struct dport *dport)
{
	for (size_t i = 0; i < w->n_targets; i++)
		if (w->targets[i].dport == dport)
			return true;
	return false;
}

static bool window_accepts(const struct decoder *w, bool persistent)
{
	bool type3 = !w->cap_type3.present || w->cap_type3.value;

	return type3 && opt_bool_is_true(persistent ? w->cap_pmem : w->cap_ram);
}

/* The region that a window's devices can have together, or why there is none. */
struct shared_plan {
	const struct decoder *window;
	enum decoder_mode mode;
	int result;
	struct region_plan plan;
	struct error reason;
	struct shared_plan *next;
};

static void make_plan(struct findings *f, const struct region_request *q, struct shared_plan *ret)
{
	ret->result = region_plan_make(f->host, q, &ret->plan, &ret->reason);
	if (ret->result == -ENOMEM)
		f->no_memory = true;
}

/* Made once for all devices below the window. Return: NULL when out of memory. */
static const struct shared_plan *find_shared_plan(struct findings *f, const struct decoder *w,
						  enum decoder_mode mode)
{
	const struct region_request q = {.window = w, .mode = mode};
	struct shared_plan *p = f->plans;

	while (p && (p->window != w || p->mode != mode))
		p = p->next;
	if (p)
		return p;
	p = ARENA_NEW(f->arena, struct shared_plan);
	if (!p) {
		f->no_memory = true;
		return NULL;
	}
	*p = (struct shared_plan){.window = w, .mode = mode, .next = f->plans};
	make_plan(f, &q, p);
	f->plans = p;
	return p;
}

static bool plan_has(const struct region_plan *plan, const struct memdev *m)
{
	for (unsigned int i = 0; i < plan->ways; i++)
		if (plan->positions[i].memdev == m)
			return true;
	return false;
}

static void advise_own_region(struct findings *f, const struct memdev *m,
			      const struct region_plan *plan, const struct partition *p)
{
	struct finding_arg mib = {0};

	/* Without a size, cxl requests all of the partition. */
	if (plan->size < p->size)
		mib = finding_number(plan->size >> 20);
	findings_add_args(f, CAPACITY_CREATE_REGION, m->name, finding_name(p->id),
			  finding_name(plan->window->name), finding_name(m->name), mib);
}

static void advise_shared_region(struct findings *f, const struct memdev *m,
				 const struct region_plan *plan, const struct partition *p)
{
	const char *names = "";

	for (unsigned int i = 0; i < plan->ways && names; i++)
		names = arena_printf(f->arena, "%s%s%s", names, i ? " " : "",
				     plan->positions[i].memdev->name);
	if (!names)
		f->no_memory = true;
	findings_add_args(f, CAPACITY_CREATE_SHARED, m->name, finding_name(p->id),
			  finding_name(plan->window->name), finding_number(plan->ways),
			  finding_number(plan->granularity), finding_number(plan->size >> 20),
			  finding_name(names));
}

/* The users of the addresses are not known here: the command looks before it writes. */
static void advise_unchecked_region(struct findings *f, const struct memdev *m,
				    const struct region_plan *plan, const struct partition *p)
{
	findings_add_args(f, CAPACITY_CREATE_CHECKED, m->name, finding_name(p->id),
			  finding_name(plan->window->name),
			  plan->ways == 1 ? finding_name(m->name) : (struct finding_arg){0});
}

static void advise_plan(struct findings *f, const struct memdev *m, const struct region_plan *plan,
			const struct partition *p)
{
	if (!plan->uses_known)
		advise_unchecked_region(f, m, plan, p);
	else if (plan->ways == 1)
		advise_own_region(f, m, plan, p);
	else
		advise_shared_region(f, m, plan, p);
}

/* Return: whether the window has a plan with the device; @ret: it, or the reason. */
static bool plan_with(struct findings *f, const struct memdev *m, const struct decoder *w,
		      const struct partition *p, const struct shared_plan **ret,
		      struct shared_plan *own)
{
	const enum decoder_mode mode = p->persistent ? DECODER_MODE_PMEM : DECODER_MODE_RAM;
	const struct region_request q = {.window = w, .mode = mode, .n_memdevs = 1, .memdevs = {m}};

	*own = (struct shared_plan){0};
	*ret = own;
	if (w->n_targets == 1) {
		make_plan(f, &q, own);
	} else {
		*ret = find_shared_plan(f, w, mode);
		if (!*ret)
			return false;
	}
	return (*ret)->result == 0 && plan_has(&(*ret)->plan, m);
}

static void refuse_window(struct findings *f, const struct memdev *m, const struct partition *p,
			  const struct decoder *w, const struct shared_plan *plan)
{
	if (plan && plan->result < 0)
		findings_add_args(f, CAPACITY_REFUSED, m->name, finding_name(p->id),
				  finding_text(plan->reason.text));
	else if (plan)
		findings_add_args(f, CAPACITY_LEFT_OUT, m->name, finding_name(p->id),
				  finding_name(w->name));
}

/* Return: whether there is a window of that many host bridges with a plan, which is advised. */
static bool advise_windows(struct findings *f, const struct memdev *m, const struct port *root,
			   const struct dport *dport, const struct partition *p, bool shared)
{
	const struct shared_plan *plan;
	struct shared_plan own;

	for (size_t i = 0; i < root->n_decoders; i++) {
		const struct decoder *w = root->decoders[i];

		if (!window_leads_to(w, dport) || !window_accepts(w, p->persistent) ||
		    (w->n_targets > 1) != shared || !plan_with(f, m, w, p, &plan, &own))
			continue;
		advise_plan(f, m, &plan->plan, p);
		return true;
	}
	return false;
}

static void refuse_windows(struct findings *f, const struct memdev *m, const struct port *root,
			   const struct dport *dport, const struct partition *p)
{
	const struct shared_plan *plan;
	struct shared_plan own;
	bool found = false;

	for (size_t i = 0; i < root->n_decoders; i++) {
		const struct decoder *w = root->decoders[i];

		if (!window_leads_to(w, dport) || !window_accepts(w, p->persistent))
			continue;
		found = true;
		(void)plan_with(f, m, w, p, &plan, &own);
		refuse_window(f, m, p, w, plan);
	}
	if (!found)
		findings_add_args(f, CAPACITY_NO_WINDOW, m->name, finding_name(p->id));
}

static void advise_partition(struct findings *f, const struct memdev *m, const struct partition *p)
{
	const struct port *root = NULL;
	const struct dport *dport = memdev_root_dport(m, &root);

	if (!memdev_mappable(m, p))
		findings_add_args(f, CAPACITY_TOO_SMALL, m->name, finding_name(p->id));
	else if (dport && !advise_windows(f, m, root, dport, p, false) &&
		 !advise_windows(f, m, root, dport, p, true))
		refuse_windows(f, m, root, dport, p);
}

/* ---- the findings -----------------------------------------------------------------------------
 */

/* Capacity that a region needs is not lost, and is not for another region. */
static void findings_of_gap(struct findings *f, const struct memdev *m, const struct partition *p,
			    const struct gap *g)
{
	struct opt_u64 size = OPT_U64(g->last - g->first + 1);
	struct finding_arg range = finding_range(OPT_U64(g->first), size);
	const struct region *region;
	const struct region_fit *fit = findings_awaited(f, m, &region);

	if (fit && p->persistent == (region->mode == DECODER_MODE_PMEM))
		findings_add_args(f, CAPACITY_AWAITED, m->name, range, finding_size(size),
				  finding_name(p->id), finding_name(region->name),
				  finding_number(fit->position));
	else
		findings_add_args(f, CAPACITY_UNMAPPED, m->name, range, finding_size(size),
				  finding_name(p->id));
}

/* Return: whether some of the partition is mapped by no decoder. */
static bool findings_of_partition(struct findings *f, const struct memdev *m,
				  const struct partition *p)
{
	struct gaps gaps = {0};
	bool found;

	if (unmapped_gaps(m, p, &gaps) < 0)
		f->no_memory = true;
	ARRAY_FOREACH(g, &gaps)
		findings_of_gap(f, m, p, g);
	found = gaps.n > 0;
	gaps_done(&gaps);
	return found;
}

/* Return: whether no decoder reserves DPA without decoding it. */
static bool all_dpa_is_committed(const struct memdev *m)
{
	for (size_t i = 0; i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (decoder_is_used(d) &&
		    (!decoder_is_committed(d) ||
		     (d->region && !d->derived && d->region->commit == REGION_NOT_COMMITTED)))
			return false;
	}
	return true;
}

static void advise_on_capacity(struct findings *f, const struct memdev *m,
			       const struct partition *parts, size_t n)
{
	const struct region *region;

	if (findings_awaited(f, m, &region))
		return;
	if (host_is_normalized(f->host)) {
		findings_add(f, CAPACITY_NORMALIZED, m->name);
		return;
	}
	if (!memdev_next_decoder(m)) {
		findings_of_decoder_shortage(f, m);
		return;
	}
	for (size_t i = 0; i < n; i++)
		advise_partition(f, m, &parts[i]);
}

/* Return: whether DPA of the device is reserved for a region that lacks the device. */
static bool findings_of_reserved_share(struct findings *f, const struct memdev *m)
{
	const struct region *region;
	const struct region_fit *fit = findings_awaited(f, m, &region);

	if (!fit || !fit->reserved)
		return false;
	findings_add_args(f, CAPACITY_AWAITED, m->name,
			  finding_range(fit->decoder->dpa_resource, fit->decoder->dpa_size),
			  finding_size(fit->decoder->dpa_size),
			  finding_name(region_mode_word(region)), finding_name(region->name),
			  finding_number(fit->position));
	return true;
}

static uint64_t bytes_in_decoders(const struct memdev *m, const char *mode)
{
	uint64_t sum = 0;

	for (size_t i = 0; m->endpoint && i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (str_equal(decoder_mode_word(d), mode) &&
		    __builtin_add_overflow(sum, d->dpa_size.value, &sum))
			return UINT64_MAX;
	}
	return sum;
}

static void findings_of_named(struct findings *f, const struct memdev *m)
{
	const struct finding_arg none = {0};

	for (size_t i = 0; i < m->n_named; i++) {
		const struct named_partition *p = &m->named[i];

		findings_add_args(
			f, CAPACITY_NAMED, m->name, finding_name(p->name),
			p->size.present ? finding_size(p->size) : none,
			p->base.present ? finding_hex(p->base.value) : none,
			finding_size(OPT_U64(bytes_in_decoders(m, p->name))),
			p->qos_class.present ? finding_number((uint64_t)p->qos_class.value) : none);
		if (p->base_doubt)
			findings_add_args(f, CAPACITY_BASE_CONTRADICTED, m->name,
					  finding_name(p->name), finding_text(p->base_doubt));
		else if (!p->base.present)
			findings_add_args(f, CAPACITY_BASE_UNKNOWN, m->name, finding_name(p->name));
	}
}

void findings_of_capacity(struct findings *f, const struct memdev *m)
{
	struct partition parts[PARTITIONS_MAX], unmapped[PARTITIONS_MAX];
	size_t n = memdev_partitions(m, parts), n_unmapped = 0;

	if (!m->ram_size.present || !m->pmem_size.present) {
		findings_add(f, CAPACITY_UNREADABLE, m->name);
		return;
	}
	findings_of_named(f, m);
	if (!m->ram_size.value && !m->pmem_size.value && !m->n_named) {
		findings_add(f, CAPACITY_NONE, m->name);
		return;
	}
	/* Otherwise the findings of the connection say why. */
	if (!m->endpoint || !m->endpoint->enabled)
		return;
	for (size_t i = 0; i < n; i++)
		if (findings_of_partition(f, m, &parts[i]))
			unmapped[n_unmapped++] = parts[i];
	if (n_unmapped)
		advise_on_capacity(f, m, unmapped, n_unmapped);
	else if (!findings_of_reserved_share(f, m) && !m->n_named && all_dpa_is_committed(m))
		findings_add(f, CAPACITY_MAPPED, m->name);
}
