// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The host as a whole: the machine first, then every window, region and memory device.
#include <errno.h>
#include <unistd.h>

#include "common/strutil.h"
#include "model/finding_text.h"
#include "model/findings_private.h"
#include "model/topology.h"
#include "prm/cedt.h"

static const char *const host_object = "host";

enum finding_reason host_cxl_absence(const struct host *host)
{
	/* Also right for a captured host: its sys is mounted there. */
	if (access("/sys/bus/cxl", F_OK) < 0)
		return REASON_NO_CXL_BUS;
	if (host->tables[HOST_TABLE_CEDT].error == -ENOENT)
		return REASON_NO_CEDT;
	return REASON_EMPTY_CXL_BUS;
}

const char *host_memory_absence(const struct host *host)
{
	if (host->n_memdevs > 0 || host->n_unclaimed > 0)
		return NULL;
	if (!host_has_cxl(host))
		return finding_reason_text(host_cxl_absence(host));
	return "there is no memory device on its CXL bus";
}

/* ---- windows of firmware's table ---- */

/* The fault of the first window that has one, and why others are missing. */
static const char *windows_difference(struct findings *f, const struct refusal *refusal)
{
	if (refusal->first_difference && refusal->others)
		return arena_printf(f->arena, "%s. About the others: %s", refusal->first_difference,
				    refusal->others);
	if (refusal->first_difference)
		return refusal->first_difference;
	return arena_printf(f->arena, "About these windows: %s", refusal->others);
}

static void add_cfmws(struct findings *f, struct finding_items *items, const struct cedt_window *w)
{
	finding_items_add(f, items,
			  &(struct finding_item){
				  .name = "CFMWS",
				  .start = OPT_U64(w->base),
				  .size = OPT_U64(w->size),
			  });
}

/* Return: whether the table has windows that Linux does not show. */
static bool findings_of_missing_windows(struct findings *f, size_t shown)
{
	const struct cedt *cedt = translator_cedt(f->translator);
	struct finding_items missing = {0};
	struct refusal refusal;

	if (refusal_of_host(f->host, cedt, f->arena, &refusal) < 0)
		f->no_memory = true;
	if (!refusal.windows)
		return false;
	for (size_t i = 0; i < cedt->n_windows; i++)
		if (!refusal_shows_window(f->host, &cedt->windows[i]))
			add_cfmws(f, &missing, &cedt->windows[i]);
	for (size_t i = 0; i < cedt->n_rejected; i++)
		if (!refusal_shows_window(f->host, &cedt->rejected[i]))
			add_cfmws(f, &missing, &cedt->rejected[i]);
	findings_add_args(f, HOST_WINDOWS_MISSING, host_object,
			  finding_number(cedt->n_windows + cedt->n_rejected), finding_number(shown),
			  finding_list(missing.first),
			  finding_text(windows_difference(f, &refusal)),
			  findings_kernel_says(f, &refusal, host_object));
	findings_add(f, HOST_CHECK_WINDOWS, host_object);
	return true;
}

static void findings_of_no_window(struct findings *f)
{
	const struct host_table *cedt = &f->host->tables[HOST_TABLE_CEDT];

	if (translator_cedt(f->translator))
		findings_add(f, HOST_NO_WINDOW, host_object);
	else
		findings_add_args(f, HOST_NO_WINDOW_SHOWN, host_object,
				  finding_reason(cedt->error == -ENOENT ? REASON_NO_CEDT_TABLE
									: REASON_CEDT_UNREADABLE));
}

static void findings_of_counts(struct findings *f)
{
	const struct host *host = f->host;
	size_t windows = 0;

	for (size_t i = 0; i < host->n_decoders; i++)
		windows += host->decoders[i]->port->kind == PORT_ROOT;
	findings_add_args(f, HOST_SUMMARY, host_object, finding_name(host->kernel_release),
			  finding_number(windows), finding_number(host->n_regions),
			  finding_number(host->n_memdevs));
	if (!host->n_buses)
		findings_add(f, HOST_NO_ROOT, host_object);
	else if (!findings_of_missing_windows(f, windows) && !windows)
		findings_of_no_window(f);
	if (!host->n_memdevs && !host->n_unclaimed) {
		findings_add(f, HOST_NO_MEMDEV, host_object);
		findings_add(f, HOST_FIND_MEMDEV, host_object);
	}
}

/* Adds what is known; the sum of a capture's numbers stops at the maximum instead of wrapping. */
static void add_bytes(uint64_t *sum, struct opt_u64 bytes)
{
	if (bytes.present && __builtin_add_overflow(*sum, bytes.value, sum))
		*sum = UINT64_MAX;
}

/* Memory of a region that is not committed cannot be used. */
static bool is_in_usable_region(const struct decoder *d)
{
	return d->region && d->region->commit != REGION_NOT_COMMITTED;
}

static void findings_of_total(struct findings *f)
{
	uint64_t capacity = 0, mapped = 0, derived = 0;

	for (size_t i = 0; i < f->host->n_memdevs; i++) {
		const struct memdev *m = f->host->memdevs[i];

		add_bytes(&capacity, m->ram_size);
		add_bytes(&capacity, m->pmem_size);
		for (size_t k = 0; k < m->n_named; k++)
			add_bytes(&capacity, m->named[k].size);
		for (size_t k = 0; m->endpoint && k < m->endpoint->n_decoders; k++)
			if (is_in_usable_region(m->endpoint->decoders[k]))
				add_bytes(&mapped, m->endpoint->decoders[k]->dpa_size);
			else if (m->endpoint->decoders[k]->derived &&
				 !findings_is_contradicted(f, m->endpoint->decoders[k]->derived))
				add_bytes(&derived, m->endpoint->decoders[k]->dpa_size);
	}
	if (!capacity)
		return;
	if (mapped == capacity)
		findings_add_args(f, HOST_ALL_MAPPED, host_object, finding_size(OPT_U64(capacity)));
	else if (mapped)
		findings_add_args(f, HOST_PARTLY_MAPPED, host_object, finding_size(OPT_U64(mapped)),
				  finding_size(OPT_U64(capacity)));
	else if (!derived)
		findings_add_args(f, HOST_NOTHING_MAPPED, host_object,
				  finding_size(OPT_U64(capacity)));
	if (derived)
		findings_add_args(f, HOST_DECODERS_MAP, host_object, finding_size(OPT_U64(derived)),
				  finding_size(OPT_U64(capacity)));
}

static void findings_of_readability(struct findings *f)
{
	struct finding_items denied = {0};
	const char *const *notes;
	size_t n;

	for (size_t i = 0; i < f->host->n_denied; i++)
		finding_items_add_name(f, &denied, f->host->denied[i]);
	if (denied.first) {
		findings_add_args(f, HOST_ACCESS_DENIED, host_object, finding_list(denied.first));
		findings_add(f, RUN_AS_ROOT, host_object);
	}
	for (size_t i = 0; i < f->host->n_notes; i++)
		findings_add_args(f, HOST_NOTE, host_object, finding_text(f->host->notes[i]));
	notes = translator_notes(f->translator, &n);
	for (size_t i = 0; i < n; i++)
		findings_add_args(f, HOST_NOTE, host_object, finding_text(notes[i]));
}

static void findings_of_tables(struct findings *f)
{
	for (size_t i = 0; i < HOST_TABLE_COUNT; i++)
		if (f->host->tables[i].from &&
		    (i != HOST_TABLE_CEDT || translator_cedt(f->translator)))
			findings_add_args(f, HOST_TABLE_GIVEN, host_object,
					  finding_name(host_table_name((enum host_table_id)i)),
					  finding_name(f->host->tables[i].from));
}

static void findings_of_addressing(struct findings *f)
{
	enum finding_reason state = findings_handler_state(f);
	struct finding_items normalized = {0};

	for (size_t i = 0; i < f->host->n_memdevs; i++)
		if (memdev_is_normalized(f->host->memdevs[i]))
			finding_items_add_name(f, &normalized, f->host->memdevs[i]->name);
	if (!normalized.first) {
		findings_add_args(f, HOST_NOT_NORMALIZED, host_object, finding_reason(state));
		return;
	}
	findings_add_args(f, HOST_NORMALIZED, host_object, finding_list(normalized.first));
	if (state == REASON_HANDLER_PRESENT)
		findings_add_args(f, HOST_HANDLER_PRESENT, host_object, finding_reason(state));
	else
		findings_add_args(f, HOST_HANDLER_MISSING, host_object, finding_reason(state));
}

static bool is_unclaimed(const struct host *host, const char *bdf)
{
	for (size_t i = 0; i < host->n_unclaimed; i++)
		if (str_equal(host->unclaimed[i].pci->bdf, bdf))
			return true;
	return false;
}

/* PCI functions of the kernel's log that are not, or no longer, on the bus as this host shows it.
 */
static void findings_of_logged_functions(struct findings *f)
{
	char name[REFUSAL_BDF_MAX];

	for (size_t at = 0; refusal_next_function(f->host, &at, name);) {
		const char *bdf = arena_strdup(f->arena, name);

		if (!bdf)
			f->no_memory = true;
		else if (!is_unclaimed(f->host, bdf))
			(void)findings_of_refused_function(f, bdf);
	}
}

void findings_of_host(struct findings *f)
{
	const struct host *host = f->host;

	if (!host_has_cxl(host)) {
		findings_add_args(f, HOST_NO_CXL, host_object,
				  finding_reason(host_cxl_absence(host)));
		findings_of_logged_functions(f);
		findings_of_switches(f);
		return;
	}
	findings_of_counts(f);
	findings_of_total(f);
	findings_of_readability(f);
	findings_of_tables(f);
	findings_of_addressing(f);
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ROOT)
			findings_of_decoder(f, host->decoders[i]);
	for (size_t i = 0; i < host_n_mappings(host); i++)
		findings_of_region(f, host_mapping_at(host, i));
	for (size_t i = 0; i < host->n_memdevs; i++)
		findings_of_memdev(f, host->memdevs[i], false);
	for (size_t i = 0; i < host->n_unclaimed; i++)
		findings_of_function(f, &host->unclaimed[i]);
	findings_of_logged_functions(f);
	findings_of_lost_devices(f);
	findings_of_switches(f);
	/* Last: the findings before this one query firmware, which changes its status. */
	findings_of_firmware(f);
}
