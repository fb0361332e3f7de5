// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Windows (root decoders), switch decoders and endpoint decoders.
#include <errno.h>
#include <inttypes.h>

#include "cli/explain.h"
#include "cli/names.h"
#include "cli/output.h"
#include "common/strutil.h"

static void explain_decoder_targets(struct explanation *x, const struct decoder *d)
{
	struct names targets = {0};

	for (size_t i = 0; i < d->n_targets; i++) {
		const struct decoder_target *t = &d->targets[i];

		if (t->dport)
			names_add(&targets, "%u %s", t->position, t->dport->name);
		else
			explain_problem(x, d->name,
					"its target at position %u, with id %" PRIu64
					", is not there: what hangs on it cannot be reached",
					t->position, t->id);
	}
	if (targets.shown)
		explain_info(x, d->name, "targets by position: %s", names_end(&targets));
}

static void explain_interleave(struct explanation *x, const struct decoder *d, const char *over)
{
	if (d->ways.present && d->ways.value > 1 && d->granularity.present)
		explain_info(x, d->name, "interleaved %s, %" PRIu64 "-way at %" PRIu64 " B", over,
			     d->ways.value, d->granularity.value);
}

static void explain_restrictions(struct explanation *x, const struct decoder *d)
{
	struct names takes = {0};

	if (opt_bool_is_true(d->cap_ram))
		names_add(&takes, "ram");
	if (opt_bool_is_true(d->cap_pmem))
		names_add(&takes, "pmem");
	if (opt_bool_is_true(d->cap_type2))
		names_add(&takes, "accelerators (type 2)");
	if (opt_bool_is_true(d->cap_type3))
		names_add(&takes, "memory expanders (type 3)");
	if (takes.shown)
		explain_info(x, d->name, "firmware allows in it: %s", names_end(&takes));
	if (opt_bool_is_true(d->locked))
		explain_info(x, d->name, "locked: firmware has fixed what is mapped in it");
}

static void explain_arithmetic(struct explanation *x, const struct decoder *d)
{
	const char *arithmetic = translator_arithmetic(x->translator, d);
	const struct host_table *cedt = &x->host->tables[HOST_TABLE_CEDT];

	if (arithmetic) {
		explain_info(x, d->name, "interleave arithmetic: %s", arithmetic);
		return;
	}
	if (opt_u64_is(d->ways, 1))
		return; /* one way needs none */
	explain_problem(
		x, d->name,
		"its interleave arithmetic is not known, because %s; addresses in it can be "
		"given as intervals only",
		cedt->error == -EACCES	 ? "the ACPI table CEDT may not be read"
		: cedt->error == -ENOENT ? "there is no ACPI table CEDT"
		: cedt->error		 ? "the ACPI table CEDT cannot be read"
					 : "the ACPI table CEDT does not describe this window");
	if (cedt->error == -EACCES)
		explain_advice(x, d->name,
			       "run this as root: the ACPI table CEDT is for root only");
}

/* Names what /proc/iomem shows in an unused part of a window: memory that firmware mapped. */
static void explain_strangers(struct explanation *x, const struct decoder *d, struct gap gap)
{
	struct names found = {0};

	for (size_t i = 0; i < x->host->n_iomem; i++) {
		const struct iomem_range *m = &x->host->iomem[i];

		if (m->start >= gap.first && m->last <= gap.last &&
		    !str_after_prefix(m->name, "CXL Window"))
			names_add(&found, "%s 0x%" PRIx64 "-0x%" PRIx64, m->name, m->start,
				  m->last);
	}
	if (found.shown)
		explain_problem(x, d->name,
				"/proc/iomem shows there, without a region: %s; Linux uses these "
				"addresses but cannot tell which memory device holds them",
				names_end(&found));
}

static void explain_window_use(struct explanation *x, const struct decoder *d)
{
	char bytes[SIZE_TEXT_MAX];
	struct names regions = {0};
	struct gaps gaps = {0};

	for (size_t i = 0; i < d->n_regions; i++)
		names_add(&regions, "%s", d->regions[i]->name);
	explain_info(x, d->name, "regions in it: %s", d->n_regions ? names_end(&regions) : "none");
	if (!d->start.present || !d->size.present || !d->size.value)
		return;
	if (find_window_gaps(d, NULL, &gaps) < 0)
		x->no_memory = true;
	if (!gaps.n)
		explain_info(x, d->name, "it is full: there is no room for another region");
	ARRAY_FOREACH(g, &gaps) {
		explain_info(x, d->name, "0x%" PRIx64 "-0x%" PRIx64 " (%s) is used by no region",
			     g->first, g->last, size_text(OPT_U64(g->last - g->first + 1), bytes));
		explain_strangers(x, d, *g);
	}
	gaps_done(&gaps);
}

static void explain_window(struct explanation *x, const struct decoder *d)
{
	char range[RANGE_TEXT_MAX], bytes[SIZE_TEXT_MAX];

	if (d->start.present)
		explain_info(x, d->name, "window for CXL memory at SPA %s, %s",
			     range_text(d->start, d->size, range), size_text(d->size, bytes));
	else
		explain_problem(x, d->name,
				"window for CXL memory, %s; its start address cannot be read",
				size_text(d->size, bytes));
	explain_interleave(x, d, "over host bridges");
	explain_decoder_targets(x, d);
	explain_restrictions(x, d);
	explain_arithmetic(x, d);
	explain_window_use(x, d);
}

static void explain_switch_decoder(struct explanation *x, const struct decoder *d)
{
	char range[RANGE_TEXT_MAX];

	if (d->size.present && !d->size.value) {
		explain_info(x, d->name, "idle: it decodes nothing");
		return;
	}
	explain_info(x, d->name, "decoder of %s %s at %s", port_kind_name(d->port->kind),
		     d->port->name, range_text(d->start, d->size, range));
	explain_interleave(x, d, "over its ports");
	explain_decoder_targets(x, d);
	if (d->region)
		explain_info(x, d->name, "part of %s", d->region->name);
	else
		explain_problem(x, d->name, "committed, but in no region");
}

/* Return: the window that holds all of the decoder's range, or NULL. */
static const struct decoder *window_of(const struct host *host, const struct decoder *d)
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

static void explain_normalized_without_region(struct explanation *x, const struct decoder *d)
{
	enum prm_state state = explain_prm_state(x);
	int knows = explain_kernel_is(x->host, 7, 0);

	if (knows == 0) {
		explain_problem(
			x, d->name,
			"in no region: Linux %s does not know Normalized addressing (7.0 and "
			"later do). It takes the device addresses 0x%" PRIx64 "-0x%" PRIx64
			" in this decoder for system addresses and finds no CXL window there",
			x->host->kernel_release, d->start.value,
			d->start.value + (d->size.value - 1));
		explain_advice(
			x, d->name,
			"the memory may still be in use as ordinary RAM where firmware put it; "
			"for regions, boot Linux 7.0 or later built with CONFIG_CXL_ATL");
		return;
	}
	explain_problem(
		x, d->name,
		"in no region: with Normalized addressing Linux asks firmware's PRM handler "
		"where the memory lies, and builds the region from its answers; here %s",
		explain_prm_text(state));
	if (state == PRM_PRESENT)
		explain_advice(x, d->name,
			       "look for this decoder in the kernel log, and whether the "
			       "kernel is built with CONFIG_CXL_ATL");
}

static void explain_without_region(struct explanation *x, const struct decoder *d)
{
	const struct decoder *window;

	if (decoder_mapping(d) == MAPPING_NORMALIZED) {
		explain_normalized_without_region(x, d);
		return;
	}
	if (!d->start.present) {
		explain_problem(
			x, d->name,
			"committed, but in no region; why cannot be said, because its start "
			"address is not readable");
		explain_advice(x, d->name, "run this as root");
		return;
	}
	window = window_of(x->host, d);
	if (window)
		explain_problem(
			x, d->name,
			"it decodes addresses of window %s, but is in no region: the kernel "
			"found no other decoders that make a whole region with it",
			window->name);
	else
		explain_problem(
			x, d->name,
			"in no region: the system addresses it decodes lie in no CXL window, "
			"and Linux builds regions in windows only");
	explain_advice(x, d->name, "look for this decoder and for 'cxl region' in the kernel log");
}

/* A committed decoder's HPA range is its DPA range times its ways. */
static void check_sizes(struct explanation *x, const struct decoder *d)
{
	uint64_t bytes;

	if (!d->dpa_size.present || !d->ways.present || decoder_mapping(d) != MAPPING_ORDINARY)
		return;
	if (__builtin_mul_overflow(d->dpa_size.value, d->ways.value, &bytes) ||
	    bytes != d->size.value)
		explain_problem(x, d->name,
				"it decodes 0x%" PRIx64 " bytes, which is not %" PRIu64
				" times its 0x%" PRIx64 " bytes of DPA",
				d->size.value, d->ways.value, d->dpa_size.value);
}

static void explain_endpoint_place(struct explanation *x, const struct decoder *d)
{
	char range[RANGE_TEXT_MAX], dpa[RANGE_TEXT_MAX], bytes[SIZE_TEXT_MAX];

	if (d->dpa_resource.present && d->dpa_size.present && d->dpa_size.value)
		explain_info(x, d->name, "maps DPA %s, %s of %s",
			     range_text(d->dpa_resource, d->dpa_size, dpa),
			     size_text(d->dpa_size, bytes), decoder_mode_name(d->mode));
	switch (decoder_mapping(d)) {
	case MAPPING_NORMALIZED:
		explain_info(x, d->name,
			     "Normalized addressing: it decodes device addresses (%s), and only "
			     "firmware knows the SPA of a DPA",
			     range_text(d->start, d->size, range));
		break;
	case MAPPING_ORDINARY:
		explain_info(x, d->name, "decodes SPA %s by HDM arithmetic",
			     range_text(d->start, d->size, range));
		break;
	case MAPPING_IDLE:
		explain_problem(x, d->name, "not committed: it decodes no system addresses yet");
		break;
	case MAPPING_UNKNOWN:
		explain_problem(
			x, d->name,
			"whether it uses HDM arithmetic or Normalized addressing is not known, "
			"because its start address is not readable");
		break;
	}
}

static void explain_endpoint_decoder(struct explanation *x, const struct decoder *d)
{
	bool committed = d->size.present && d->size.value;

	if (!committed && !d->region && !(d->dpa_size.present && d->dpa_size.value)) {
		explain_info(x, d->name, "idle: it decodes nothing");
		return;
	}
	explain_endpoint_place(x, d);
	if (committed && !(d->dpa_size.present && d->dpa_size.value))
		explain_problem(x, d->name, "committed, but the kernel knows no DPA range for it");
	if (committed)
		check_sizes(x, d);
	if (d->region)
		explain_info(x, d->name, "part of %s", d->region->name);
	else if (committed)
		explain_without_region(x, d);
	else
		explain_problem(x, d->name, "its DPA range is reserved, but it is in no region");
	if (opt_bool_is_true(d->locked))
		explain_info(x, d->name,
			     "locked: the kernel refuses to change it with EPERM ('Operation not "
			     "permitted'), also for root");
	explain_sources(x, d->name, d);
}

void explain_decoder(struct explanation *x, const struct decoder *d)
{
	if (d->port->kind == PORT_ROOT)
		explain_window(x, d);
	else if (d->port->kind == PORT_ENDPOINT)
		explain_endpoint_decoder(x, d);
	else
		explain_switch_decoder(x, d);
}
