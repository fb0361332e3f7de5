// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The rules of Linux by version, levels, and windows of firmware's table.
#include "model/refusal_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/array.h"
#include "common/opt.h"
#include "common/quantity.h"
#include "common/strutil.h"
#include "model/finding.h"
#include "model/topology.h"

/*
 * 6.3 makes regions of the decoders of firmware (cxl_add_to_region()). 6.6 simplified the
 * granularity of ports; 6.7 begins with that of the region; 6.8 goes on behind a window that is
 * wrong; 6.16 compares no granularity of decoders with one way.
 */
static const struct refusal_rules rules[] = {
	{6, 3, false, false, false, false}, {6, 6, true, false, false, false},
	{6, 7, true, true, false, false},   {6, 8, true, true, true, false},
	{6, 16, true, true, true, true},
};

const struct refusal_rules *refusal_newest_rules(void)
{
	return &rules[ARRAY_SIZE(rules) - 1];
}

struct refusal_era refusal_era(const struct host *host)
{
	const struct refusal_rules *newest = refusal_newest_rules();

	if (host_kernel_is(host, 6, 3) < 0)
		return (struct refusal_era){rules, newest, false};
	for (const struct refusal_rules *r = newest; r >= rules; r--)
		if (host_kernel_is(host, r->major, r->minor) == 1)
			return (struct refusal_era){r, r, false};
	return (struct refusal_era){newest, newest, true};
}

void refusal_add(struct refusal_builder *b, enum refusal_agreement agrees, const char *object,
		 const char *expected, const char *found, const char *difference)
{
	struct refusal_level *level;

	if (b->out->n == b->size)
		return;
	level = &b->out->levels[b->out->n++];
	*level = (struct refusal_level){
		.object = arena_strdup(b->arena, object),
		.expected = arena_strdup(b->arena, expected),
		.found = arena_strdup(b->arena, found),
		.agrees = agrees,
	};
	if (agrees == REFUSAL_DIFFERS && !b->out->first_difference) {
		b->out->first_difference = arena_strdup(b->arena, difference);
		b->no_memory = b->no_memory || !b->out->first_difference;
	}
	b->no_memory = b->no_memory || !level->object || !level->expected || !level->found;
}

/* ---- the way out ------------------------------------------------------------------------------
 */

const char *refusal_way_out_name(enum refusal_way_out way)
{
	static const char *const names[] = {"none", "attach", "reboot", "firmware", "newer kernel"};

	return names[way];
}

const char *refusal_advice(const struct refusal *refusal, struct arena *arena)
{
	switch (refusal->way_out) {
	case WAY_OUT_NONE:
		break;
	case WAY_OUT_ATTACH:
		return "attach the devices that are missing, as the next steps say";
	case WAY_OUT_REBOOT:
		return finding_row(FINDING_REGION_REBOOT)->text;
	case WAY_OUT_FIRMWARE:
		return refusal->windows
			       ? "ask the machine's vendor for firmware with a correct table CEDT"
			       : finding_row(FINDING_REGION_CHANGE_FIRMWARE)->text;
	case WAY_OUT_KERNEL:
		return arena_printf(arena, "boot %s", refusal->newer);
	}
	return NULL;
}

/* ---- windows ----------------------------------------------------------------------------------
 */

#define WINDOW_ALIGNMENT (256ULL << 20)

bool refusal_shows_window(const struct host *host, const struct cedt_window *w)
{
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ROOT &&
		    opt_u64_is(host->decoders[i]->start, w->base) &&
		    opt_u64_is(host->decoders[i]->size, w->size))
			return true;
	return false;
}

static bool are_window_starts_known(const struct host *host)
{
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ROOT && !host->decoders[i]->start.present)
			return false;
	return host->n_buses > 0;
}

static bool is_host_bridge(const struct host *host, uint32_t uid)
{
	for (size_t i = 0; i < host->n_ports; i++)
		for (size_t k = 0;
		     host->ports[i]->kind == PORT_ROOT && k < host->ports[i]->n_dports; k++)
			if (host->ports[i]->dports[k].id == uid)
				return true;
	return false;
}

static bool is_overlapped(const struct cedt *cedt, const struct cedt_window *w)
{
	for (size_t i = 0; i < cedt->n_windows; i++) {
		const struct cedt_window *o = &cedt->windows[i];

		if (o != w && w->base <= o->base + (o->size - 1) &&
		    o->base <= w->base + (w->size - 1))
			return true;
	}
	return false;
}

/* Whether Linux finds the XOR maps that the window needs (cxl_parse_cxims()). */
static bool has_maps(const struct cedt *cedt, const struct cedt_window *w)
{
	return w->arithmetic != CEDT_XOR || w->ways == 1 || w->ways == 3 ||
	       cedt_cxims_find(cedt, w);
}

/* The checks of cxl_acpi_cfmws_verify() and of what follows. Return: whether one fails. */
static bool is_window_wrong(const struct host *host, const struct cedt *cedt,
			    const struct cedt_window *w, const char **expected,
			    char found[static REFUSAL_TEXT])
{
	if (w->arithmetic > CEDT_XOR) {
		*expected = "interleave arithmetic 0 (modulo) or 1 (XOR)";
		(void)snprintf(found, REFUSAL_TEXT, "interleave arithmetic %u", w->arithmetic);
		return true;
	}
	if (w->base % WINDOW_ALIGNMENT || w->size % WINDOW_ALIGNMENT) {
		*expected = "base and size in multiples of 256 MiB";
		(void)snprintf(found, REFUSAL_TEXT, "base 0x%" PRIx64 ", size 0x%" PRIx64, w->base,
			       w->size);
		return true;
	}
	for (unsigned int i = 0; i < w->ways; i++) {
		if (is_host_bridge(host, w->targets[i]))
			continue;
		*expected = "targets that are host bridges of this host";
		(void)snprintf(found, REFUSAL_TEXT, "target %u, 0x%" PRIx32 ", which is none", i,
			       w->targets[i]);
		return true;
	}
	if (!has_maps(cedt, w)) {
		*expected = "a CXIMS of its granularity, for XOR";
		(void)snprintf(found, REFUSAL_TEXT, "no CXIMS for %u B", w->granularity);
		return true;
	}
	*expected = "addresses that no other CFMWS has";
	(void)snprintf(found, REFUSAL_TEXT, "addresses of another CFMWS");
	return is_overlapped(cedt, w);
}

static size_t count_wrong(const struct host *host, const struct cedt *cedt)
{
	char found[REFUSAL_TEXT];
	const char *expected;
	size_t n = 0;

	for (size_t i = 0; i < cedt->n_windows; i++)
		n += is_window_wrong(host, cedt, &cedt->windows[i], &expected, found);
	return n;
}

/* A window that Linux does not show although its own checks hold. */
static const char *blame_others(const struct refusal_builder *b, bool shows_any, size_t wrong)
{
	if (!wrong || shows_any)
		return "no check of Linux that is known here fails";
	if (b->era.first->windows_alone)
		return "nothing is wrong with them; Linux shows no window, as before 6.8, which rejects all for one";
	return "nothing is wrong with them; Linux before 6.8 rejects all for one";
}

static void add_window(struct refusal_builder *b, const struct cedt *cedt,
		       const struct cedt_window *w, const char *others)
{
	char name[REFUSAL_TEXT], range[RANGE_TEXT_MAX], found[REFUSAL_TEXT];
	char difference[2 * REFUSAL_TEXT + RANGE_TEXT_MAX];
	const char *expected;

	(void)snprintf(name, sizeof(name), "CFMWS %s",
		       range_text(OPT_U64(w->base), OPT_U64(w->size), range));
	if (refusal_shows_window(b->host, w)) {
		refusal_add(b, REFUSAL_AGREES, name, "that all checks hold", "Linux shows it", "");
	} else if (is_window_wrong(b->host, cedt, w, &expected, found)) {
		(void)snprintf(difference, sizeof(difference),
			       "%s: Linux expects %s, firmware has %s", name, expected, found);
		refusal_add(b, REFUSAL_DIFFERS, name, expected, found, difference);
	} else {
		refusal_add(b, REFUSAL_UNKNOWN, name, "that all checks hold", others, "");
		b->out->others = others;
	}
}

int refusal_of_windows(const struct host *host, const struct cedt *cedt, struct arena *arena,
		       struct refusal *ret)
{
	struct refusal_builder b = {host, arena, ret, refusal_era(host), 0, false};
	size_t shown = 0, wrong;
	const char *others;

	*ret = (struct refusal){.windows = true};
	if (!cedt || !are_window_starts_known(host))
		return 0;
	for (size_t i = 0; i < cedt->n_windows; i++)
		shown += refusal_shows_window(host, &cedt->windows[i]);
	if (shown == cedt->n_windows)
		return 0;
	ret->levels = ARENA_ARRAY(arena, cedt->n_windows, struct refusal_level);
	if (!ret->levels)
		return -ENOMEM;
	b.size = cedt->n_windows;
	wrong = count_wrong(host, cedt);
	others = blame_others(&b, shown > 0, wrong);
	for (size_t i = 0; i < cedt->n_windows; i++)
		add_window(&b, cedt, &cedt->windows[i], others);
	if (wrong)
		ret->way_out = WAY_OUT_FIRMWARE;
	return b.no_memory ? -ENOMEM : 0;
}
