// SPDX-License-Identifier: LGPL-2.1-or-later
#include "model/repairs.h"

#include <stdio.h>
#include <string.h>

#include "common/names.h"
#include "model/topology.h"

static const struct {
	const char *name, *text;
} whens[REPAIR_WHENS] = {
	[REPAIR_NOT_KNOWN] = {"not-known",
			      "not known, because Linux does not show whether it is in use, or "
			      "whether the repair is safe then"},
	[REPAIR_NOW] = {"now", "now, because no decoder of it is committed"},
	[REPAIR_AFTER_EVENT] = {"after-event",
				"while it is in use, of an address in an event of this boot"},
	[REPAIR_NOT_IN_USE] = {"not-while-used",
			       "not while it is in use: the repair stops access or loses data"},
	[REPAIR_NOT_HERE] = {"not-here", "not here: decoders committed by firmware"},
};

const char *repair_when_name(enum repair_when when)
{
	return whens[when].name;
}

const char *repair_when_text(enum repair_when when)
{
	return whens[when].text;
}

/* As cxl_num_decoders_committed() of the endpoint, 0 without one. */
struct opt_bool memdev_is_used(const struct memdev *m)
{
	const struct port *endpoint = m->endpoint;

	if (!endpoint)
		return OPT_BOOL(false);
	if (endpoint->decoders_committed.present)
		return OPT_BOOL(endpoint->decoders_committed.value > 0);
	for (size_t i = 0; i < endpoint->n_decoders; i++)
		if (decoder_is_committed(endpoint->decoders[i]))
			return OPT_BOOL(true);
	return (struct opt_bool){0};
}

/* Locked ones, Normalized ones among them, and those of which Linux has no region. */
static bool is_committed_by_firmware(const struct memdev *m)
{
	for (size_t i = 0; i < m->endpoint->n_decoders; i++) {
		const struct decoder *d = m->endpoint->decoders[i];

		if (decoder_is_committed(d) && (opt_bool_is_true(d->locked) || !d->region))
			return true;
	}
	return memdev_is_normalized(m);
}

enum repair_when repair_when(const struct memdev *m, const struct edac_repair *repair)
{
	const struct opt_bool used = memdev_is_used(m), safe = repair->safe_when_used;

	if (!used.present)
		return REPAIR_NOT_KNOWN;
	if (!used.value)
		return REPAIR_NOW;
	if (!safe.present)
		return REPAIR_NOT_KNOWN;
	if (safe.value)
		return REPAIR_AFTER_EVENT;
	return is_committed_by_firmware(m) ? REPAIR_NOT_HERE : REPAIR_NOT_IN_USE;
}

/* A device that has one shows that the kernel offers them. */
static bool has_any_repair(const struct host *host)
{
	for (size_t i = 0; i < host->n_memdevs; i++)
		if (host->memdevs[i]->edac && host->memdevs[i]->edac->n_repairs > 0)
			return true;
	return false;
}

const char *repairs_absence(const struct host *host, const struct memdev *m,
			    char ret[static REPAIRS_ABSENCE_MAX])
{
	const struct kernel_options *options = &host->options;

	if (m->edac && m->edac->n_repairs > 0)
		return NULL;
	if (host_kernel_is(host, 6, 16) == 0)
		(void)snprintf(ret, REPAIRS_ABSENCE_MAX,
			       "Linux %s is too old: 6.16 and later can, with "
			       "CONFIG_CXL_EDAC_MEM_REPAIR",
			       host->kernel_release);
	else if (!m->enabled)
		(void)snprintf(ret, REPAIRS_ABSENCE_MAX, "the driver cxl_mem is not bound to it");
	else if (has_any_repair(host) || opt_bool_is_true(options->repair))
		(void)snprintf(ret, REPAIRS_ABSENCE_MAX,
			       "the device offers no repair that Linux knows");
	else if (options->repair.present)
		(void)snprintf(
			ret, REPAIRS_ABSENCE_MAX,
			"this kernel was built without CONFIG_CXL_EDAC_MEM_REPAIR, as %s says",
			options->from);
	else
		(void)snprintf(ret, REPAIRS_ABSENCE_MAX,
			       "Linux offers none: the kernel was built without "
			       "CONFIG_CXL_EDAC_MEM_REPAIR, or the device has none");
	return ret;
}

/* The types that can be repaired at one time, in the order of their numbers. */
static void add_whens(const struct memdev *m, enum repair_when when, char *ret)
{
	struct names names = {0};
	size_t at = strlen(ret);

	for (size_t i = 0; i < m->edac->n_repairs; i++)
		if (repair_when(m, &m->edac->repairs[i]) == when)
			names_add(&names, "%s", edac_repair_type_word(m->edac->repairs[i].type));
	if (names.shown == 0)
		return;
	(void)snprintf(ret + at, REPAIRS_TEXT_MAX - at, "%s%s: %s", at ? "; " : "",
		       names_end(&names), repair_when_text(when));
}

const char *repairs_text(const struct memdev *m, char ret[static REPAIRS_TEXT_MAX])
{
	ret[0] = '\0';
	for (int when = REPAIR_NOT_KNOWN + 1; when < REPAIR_WHENS; when++)
		add_whens(m, (enum repair_when)when, ret);
	add_whens(m, REPAIR_NOT_KNOWN, ret);
	return ret;
}
