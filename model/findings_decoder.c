// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Windows (root decoders), switch decoders and endpoint decoders.
#include <errno.h>

#include "common/strutil.h"
#include "model/findings_private.h"
#include "model/topology.h"
#include "prm/cedt.h"

static void findings_of_decoder_targets(struct findings *f, const struct decoder *d)
{
	struct finding_items targets = {0};

	for (size_t i = 0; i < d->n_targets; i++) {
		const struct decoder_target *t = &d->targets[i];

		if (t->dport)
			finding_items_add(f, &targets,
					  &(struct finding_item){
						  .position = OPT_U64(t->position),
						  .name = t->dport->name,
					  });
		else
			findings_add_args(f, DECODER_TARGET_MISSING, d->name,
					  finding_number(t->position), finding_number(t->id));
	}
	if (targets.first)
		findings_add_args(f, DECODER_TARGETS, d->name, finding_list(targets.first));
}

static bool is_interleaved(const struct decoder *d)
{
	return d->ways.present && d->ways.value > 1 && d->granularity.present;
}

/* ---- windows ----------------------------------------------------------------------------------
 */

static void findings_of_restrictions(struct findings *f, const struct decoder *d)
{
	const struct {
		struct opt_bool allowed;
		const char *name;
	} kinds[] = {
		{d->cap_ram, "ram"},
		{d->cap_pmem, "pmem"},
		{d->cap_type2, "accelerators (type 2)"},
		{d->cap_type3, "memory expanders (type 3)"},
	};
	struct finding_items allowed = {0};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (opt_bool_is_true(kinds[i].allowed))
			finding_items_add_name(f, &allowed, kinds[i].name);
	for (size_t i = 0; i < d->n_other_caps; i++)
		finding_items_add_name(f, &allowed, d->other_caps[i]);
	if (allowed.first)
		findings_add_args(f, WINDOW_ALLOWS, d->name, finding_list(allowed.first));
	if (opt_bool_is_true(d->locked))
		findings_add(f, WINDOW_LOCKED, d->name);
}

static void findings_of_window_arithmetic(struct findings *f, const struct decoder *d)
{
	const char *arithmetic = translator_arithmetic(f->translator, d);
	const struct host_table *cedt = &f->host->tables[HOST_TABLE_CEDT];
	int error = cedt->error;

	const struct cedt *used = translator_cedt(f->translator);

	if (arithmetic)
		findings_add_args(f, WINDOW_ARITHMETIC, d->name, finding_name(arithmetic));
	if (cedt->from && used && cedt_window_find(used, d->start.value, d->size.value))
		findings_add_args(f, WINDOW_CEDT_GIVEN, d->name, finding_name(cedt->from));
	else if (cedt->from && !used)
		findings_add_args(f, WINDOW_CEDT_OTHER, d->name, finding_name(cedt->from));
	if (translator_is_ambiguous(f->translator, d)) {
		findings_add(f, WINDOW_XOR_AMBIGUOUS, d->name);
		findings_add(f, WINDOW_UPDATE_FIRMWARE, d->name);
	}
	if (arithmetic)
		return;
	if (error == -EACCES) {
		findings_add(f, WINDOW_CEDT_DENIED, d->name);
		findings_add(f, WINDOW_READ_CEDT, d->name);
	} else if (error == -ENOENT) {
		findings_add(f, WINDOW_CEDT_ABSENT, d->name);
	} else if (error) {
		findings_add(f, WINDOW_CEDT_UNREADABLE, d->name);
	} else if (!cedt->from) {
		findings_add(f, WINDOW_NOT_IN_CEDT, d->name);
	}
}

static void findings_of_window_regions(struct findings *f, const struct decoder *d)
{
	struct finding_items regions = {0};

	for (size_t i = 0; i < d->n_regions; i++)
		finding_items_add_name(f, &regions, d->regions[i]->name);
	if (regions.first)
		findings_add_args(f, WINDOW_REGIONS, d->name, finding_list(regions.first));
	else
		findings_add(f, WINDOW_NO_REGION, d->name);
	regions = (struct finding_items){0};
	for (size_t i = 0; i < f->host->n_derived; i++)
		if (f->host->derived[i]->root == d)
			finding_items_add_name(f, &regions, f->host->derived[i]->name);
	if (regions.first)
		findings_add_args(f, WINDOW_MAPPINGS, d->name, finding_list(regions.first));
}

static void findings_of_window(struct findings *f, const struct decoder *d)
{
	if (d->start.present)
		findings_add_args(f, WINDOW_RANGE, d->name, finding_range(d->start, d->size),
				  finding_size(d->size));
	else
		findings_add_args(f, WINDOW_START_UNKNOWN, d->name, finding_size(d->size));
	if (is_interleaved(d))
		findings_add_args(f, WINDOW_INTERLEAVE, d->name, finding_number(d->ways.value),
				  finding_number(d->granularity.value));
	findings_of_decoder_targets(f, d);
	findings_of_restrictions(f, d);
	findings_of_window_arithmetic(f, d);
	findings_of_window_regions(f, d);
	findings_of_window_uses(f, d);
}

/* Return: whether it is part of a region, or of a mapping of decoders. */
static bool findings_of_mapping(struct findings *f, const struct decoder *d)
{
	if (d->region)
		findings_add_args(f, DECODER_IN_REGION, d->name, finding_name(d->region->name));
	if (d->derived)
		findings_add_args(f, DECODER_IN_REGION, d->name, finding_name(d->derived->name));
	return decoder_mapped_by(d);
}

/* ---- switch decoders ---------------------------------------------------------------------------
 */

static void findings_of_port_decoder(struct findings *f, const struct decoder *d)
{
	if (d->size.present && !d->size.value) {
		findings_add(f, DECODER_IDLE, d->name);
		return;
	}
	findings_add_args(f, PORT_DECODER_RANGE, d->name,
			  finding_name(port_kind_name(d->port->kind)), finding_name(d->port->name),
			  finding_range(d->start, d->size));
	if (is_interleaved(d))
		findings_add_args(f, PORT_DECODER_INTERLEAVE, d->name,
				  finding_number(d->ways.value),
				  finding_number(d->granularity.value));
	findings_of_decoder_targets(f, d);
	if (!findings_of_mapping(f, d))
		findings_add(f, DECODER_NO_REGION, d->name);
}

/* ---- endpoint decoders -------------------------------------------------------------------------
 */

/* Return: the window that holds all of the decoder's range, or NULL. */
static const struct decoder *window_of_decoder(const struct host *host, const struct decoder *d)
{
	for (size_t i = 0; i < host->n_decoders; i++) {
		const struct decoder *w = host->decoders[i];

		if (w->port->kind == PORT_ROOT && w->start.present && w->size.present &&
		    d->start.value >= w->start.value && d->size.value <= w->size.value &&
		    d->start.value - w->start.value <= w->size.value - d->size.value)
			return w;
	}
	return NULL;
}

static void findings_of_normalized_without_region(struct findings *f, const struct decoder *d)
{
	enum finding_reason state = findings_handler_state(f);

	if (host_kernel_is(f->host, 7, 0) == 0) {
		findings_add_args(f, DECODER_KERNEL_TOO_OLD, d->name,
				  finding_name(f->host->kernel_release),
				  finding_range(d->start, d->size));
		findings_add(f, DECODER_UPDATE_KERNEL, d->name);
		return;
	}
	findings_add_args(f, DECODER_NORMALIZED_NO_REGION, d->name, finding_reason(state));
	if (state == REASON_HANDLER_PRESENT)
		findings_add(f, DECODER_CHECK_KERNEL, d->name);
}

/* Adds the findings of a committed endpoint decoder. */
static void findings_of_decoder_without_region(struct findings *f, const struct decoder *d)
{
	const struct decoder *window;

	if (decoder_mapping(d) == MAPPING_NORMALIZED) {
		findings_of_normalized_without_region(f, d);
		return;
	}
	if (!d->start.present) {
		findings_add(f, DECODER_START_UNKNOWN, d->name);
		findings_add(f, RUN_AS_ROOT, d->name);
		return;
	}
	window = window_of_decoder(f->host, d);
	if (window && d->unmapped)
		findings_add_args(f, DECODER_UNMAPPED, d->name, finding_text(d->unmapped));
	else if (window)
		findings_add_args(f, DECODER_ALONE_IN_WINDOW, d->name, finding_name(window->name));
	else
		findings_add(f, DECODER_OUTSIDE_WINDOWS, d->name);
	findings_add_args(f, DECODER_CHECK_KERNEL_LOG, d->name,
			  findings_kernel_says(f, &(const struct refusal){0}, d->name));
}

/* A committed decoder's HPA range is its DPA range times its ways. */
static void findings_of_decoder_size(struct findings *f, const struct decoder *d)
{
	uint64_t bytes;

	if (!d->dpa_size.present || !d->ways.present || decoder_mapping(d) != MAPPING_ORDINARY)
		return;
	if (__builtin_mul_overflow(d->dpa_size.value, d->ways.value, &bytes) ||
	    bytes != d->size.value)
		findings_add_args(f, DECODER_SIZE_MISMATCH, d->name, finding_hex(d->size.value),
				  finding_number(d->ways.value), finding_hex(d->dpa_size.value));
}

static bool maps_dpa(const struct decoder *d)
{
	return d->dpa_size.present && d->dpa_size.value;
}

static void findings_of_endpoint_range(struct findings *f, const struct decoder *d)
{
	if (d->dpa_resource.present && maps_dpa(d))
		findings_add_args(f, DECODER_DPA, d->name,
				  finding_range(d->dpa_resource, d->dpa_size),
				  finding_size(d->dpa_size), finding_name(decoder_mode_word(d)));
	switch (decoder_mapping(d)) {
	case MAPPING_NORMALIZED:
		findings_add_args(f, DECODER_NORMALIZED, d->name, finding_range(d->start, d->size));
		break;
	case MAPPING_ORDINARY:
		findings_add_args(f, DECODER_ORDINARY, d->name, finding_range(d->start, d->size));
		break;
	case MAPPING_IDLE:
		findings_add(f, DECODER_NOT_COMMITTED, d->name);
		break;
	case MAPPING_UNKNOWN:
		findings_add(f, DECODER_MAPPING_UNKNOWN, d->name);
		break;
	}
}

/* Linux frees the DPA of a device from the last decoder downwards (cxl_dpa_free()). */
static bool is_last_with_dpa(const struct decoder *d)
{
	for (size_t i = 0; i < d->port->n_decoders; i++)
		if (d->port->decoders[i]->index > d->index && maps_dpa(d->port->decoders[i]))
			return false;
	return true;
}

/* A region that lacks the decoder's device has the advice. */
static void findings_of_reserved_dpa(struct findings *f, const struct decoder *d)
{
	const struct memdev *m = d->port->memdev;
	const struct region *region;

	findings_add_args(f, DECODER_DPA_RESERVED, d->name, finding_number(d->dpa_size.value),
			  finding_name(d->name));
	if (m && !findings_awaited(f, m, &region) && is_last_with_dpa(d))
		findings_add_args(f, DECODER_FREE_DPA, d->name, finding_name(d->name),
				  finding_name(m->name));
}

static void findings_of_endpoint_decoder(struct findings *f, const struct decoder *d)
{
	bool committed = decoder_is_committed(d);

	if (!decoder_is_used(d)) {
		findings_add(f, DECODER_IDLE, d->name);
		return;
	}
	findings_of_endpoint_range(f, d);
	if (committed && !maps_dpa(d))
		findings_add(f, DECODER_NO_DPA, d->name);
	if (committed)
		findings_of_decoder_size(f, d);
	if (!findings_of_mapping(f, d) && committed)
		findings_of_decoder_without_region(f, d);
	else if (!decoder_mapped_by(d))
		findings_of_reserved_dpa(f, d);
	if (opt_bool_is_true(d->locked))
		findings_add(f, DECODER_LOCKED, d->name);
	/* Why there is no answer is said. */
	if (!d->unmapped || decoder_mapped_by(d))
		findings_of_sources(f, d->name, d);
}

void findings_of_decoder(struct findings *f, const struct decoder *d)
{
	if (d->port->kind == PORT_ROOT)
		findings_of_window(f, d);
	else if (d->port->kind == PORT_ENDPOINT)
		findings_of_endpoint_decoder(f, d);
	else
		findings_of_port_decoder(f, d);
}
