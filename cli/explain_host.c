// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The host as a whole: the machine first, then every window, region and memory device.
#include <errno.h>

#include "cli/explain.h"
#include "cli/names.h"
#include "cli/output.h"

static const char *const subject = "host";

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static void explain_counts(struct explanation *x)
{
	const struct host *host = x->host;
	size_t windows = 0;

	for (size_t i = 0; i < host->n_decoders; i++)
		windows += host->decoders[i]->port->kind == PORT_ROOT;
	explain_info(x, subject,
		     "Linux %s shows %zu window%s, %zu region%s and %zu memory device%s",
		     host->kernel_release ? host->kernel_release : "of unknown version", windows,
		     plural(windows), host->n_regions, plural(host->n_regions), host->n_memdevs,
		     plural(host->n_memdevs));
	if (!host->n_buses)
		explain_problem(
			x, subject,
			"there is no CXL root, so no memory device can be mapped: is cxl_acpi "
			"loaded, and does the kernel log say why its probe failed?");
	else if (!windows)
		explain_problem(
			x, subject,
			"there is no window: firmware reserved no system addresses for CXL "
			"memory (no CFMWS in the ACPI table CEDT), so nothing can be mapped");
	if (!host->n_memdevs) {
		explain_problem(x, subject, "there is no memory device");
		explain_advice(x, subject,
			       "does lspci show a CXL device (class 0502)? If so, is the "
			       "driver cxl_pci bound to it, and what does the kernel log say?");
	}
}

/* Adds what is known; hostile numbers stop at the top instead of wrapping. */
static void add_bytes(uint64_t *sum, struct opt_u64 bytes)
{
	if (bytes.present && __builtin_add_overflow(*sum, bytes.value, sum))
		*sum = UINT64_MAX;
}

/* How much of all memory devices is in regions: the first thing to know of a host. */
static void explain_total(struct explanation *x)
{
	char in_regions[SIZE_TEXT_MAX], all[SIZE_TEXT_MAX];
	uint64_t capacity = 0, mapped = 0;

	for (size_t i = 0; i < x->host->n_memdevs; i++) {
		const struct memdev *m = x->host->memdevs[i];

		add_bytes(&capacity, m->ram_size);
		add_bytes(&capacity, m->pmem_size);
		for (size_t k = 0; m->endpoint && k < m->endpoint->n_decoders; k++)
			if (m->endpoint->decoders[k]->region)
				add_bytes(&mapped, m->endpoint->decoders[k]->dpa_size);
	}
	if (!capacity)
		return;
	size_text(OPT_U64(mapped), in_regions);
	size_text(OPT_U64(capacity), all);
	if (mapped == capacity)
		explain_info(x, subject, "all of their %s is in regions", all);
	else
		explain_problem(
			x, subject,
			"%s of their %s is in regions; why not all of it is said below, at each "
			"memory device and its decoders",
			mapped ? in_regions : "nothing", all);
}

static void explain_readability(struct explanation *x)
{
	const char *const *notes;
	struct names denied = {0};
	size_t n;

	for (size_t i = 0; i < x->host->n_denied; i++)
		names_add(&denied, "%s", x->host->denied[i]);
	if (denied.shown) {
		explain_problem(x, subject, "not readable for this user: %s", names_end(&denied));
		explain_advice(x, subject, "run this as root");
	}
	for (size_t i = 0; i < x->host->n_notes; i++)
		explain_problem(x, subject, "%s", x->host->notes[i]);
	notes = translator_notes(x->translator, &n);
	for (size_t i = 0; i < n; i++)
		explain_problem(x, subject, "%s", notes[i]);
}

static void explain_addressing(struct explanation *x)
{
	enum prm_state state = explain_prm_state(x);
	struct names normalized = {0};

	for (size_t i = 0; i < x->host->n_memdevs; i++) {
		const struct memdev *m = x->host->memdevs[i];
		bool found = false;

		for (size_t k = 0; m->endpoint && k < m->endpoint->n_decoders; k++)
			found = found ||
				decoder_mapping(m->endpoint->decoders[k]) == MAPPING_NORMALIZED;
		if (found)
			names_add(&normalized, "%s", m->name);
	}
	if (!normalized.shown) {
		explain_info(x, subject, "no decoder uses Normalized addressing; %s",
			     explain_prm_text(state));
		return;
	}
	explain_info(
		x, subject,
		"Normalized addressing is used by: %s; their decoders hold device addresses, so "
		"the SPA of a DPA cannot be computed from what Linux shows",
		names_end(&normalized));
	if (state == PRM_PRESENT)
		explain_info(x, subject, "%s", explain_prm_text(state));
	else
		explain_problem(x, subject, "%s", explain_prm_text(state));
}

void explain_host(struct explanation *x)
{
	const struct host *host = x->host;

	if (cli_no_cxl(host)) {
		explain_problem(x, subject, "no CXL on this host: %s", cli_no_cxl_hint(host));
		return;
	}
	explain_counts(x);
	explain_total(x);
	explain_readability(x);
	explain_addressing(x);
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ROOT)
			explain_decoder(x, host->decoders[i]);
	for (size_t i = 0; i < host->n_regions; i++)
		explain_region(x, host->regions[i]);
	for (size_t i = 0; i < host->n_memdevs; i++)
		explain_memdev(x, host->memdevs[i], false);
	explain_firmware(x); /* last: by then it has been asked */
}
