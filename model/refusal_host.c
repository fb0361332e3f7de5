// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Levels of a host: Linux itself, windows of firmware's table, PCI functions of the kernel's log.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "common/array.h"
#include "common/opt.h"
#include "common/quantity.h"
#include "common/strutil.h"
#include "model/refusal_private.h"
#include "model/topology.h"

/* The first window that the kernel makes no regions in, for memory that the window allows. */
static void add_kernel_of_windows(struct refusal_builder *b)
{
	static const enum decoder_mode modes[] = {DECODER_MODE_RAM, DECODER_MODE_PMEM};

	for (size_t i = 0; i < b->host->n_decoders; i++)
		for (size_t k = 0; k < ARRAY_SIZE(modes) && !b->out->no_regions; k++)
			if (b->host->decoders[i]->port->kind == PORT_ROOT &&
			    refusal_lacks_regions(b->host->decoders[i],
						  modes[k] == DECODER_MODE_PMEM))
				refusal_add_kernel(b, b->host->decoders[i], modes[k], "");
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

/* Whether another has a part of its addresses, and not all of one or the other. */
static bool is_overlapped(const struct cedt *cedt, const struct cedt_window *w)
{
	const uint64_t last = w->base + (w->size - 1);

	for (size_t i = 0; i < cedt->n_windows; i++) {
		const struct cedt_window *o = &cedt->windows[i];
		const uint64_t o_last = o->base + (o->size - 1);

		if (w->base <= o_last && o->base <= last &&
		    (w->base < o->base) == (last < o_last) && w->base != o->base && last != o_last)
			return true;
	}
	return false;
}

/* XOR maps that Linux takes of a CXIMS for the window (cxl_parse_cxims()). */
static unsigned int count_maps(const struct cedt_window *w)
{
	const unsigned int ways = w->ways % 3 ? w->ways : w->ways / 3;

	return w->arithmetic == CEDT_XOR && ways > 1 ? (unsigned int)__builtin_ctz(ways) : 0;
}

/* A check of Linux that fails, in the words of a level. */
struct window_fault {
	const char *expected;
	char found[REFUSAL_TEXT];
};

/* cxl_acpi_cfmws_verify() and eig_to_granularity(). Return: whether a number fails. */
static bool is_number_wrong(const struct cedt_window *w, struct window_fault *ret)
{
	char *found = ret->found;

	if (w->arithmetic > CEDT_XOR) {
		ret->expected = "interleave arithmetic 0 (modulo) or 1 (XOR)";
		(void)snprintf(found, REFUSAL_TEXT, "interleave arithmetic %u", w->arithmetic);
	} else if (w->base % WINDOW_ALIGNMENT || w->size % WINDOW_ALIGNMENT) {
		ret->expected = "base and size in multiples of 256 MiB";
		(void)snprintf(found, REFUSAL_TEXT, "base 0x%" PRIx64 ", size 0x%" PRIx64, w->base,
			       w->size);
	} else if (!w->ways) {
		ret->expected =
			"interleave ways encoded as 0 to 4 (1, 2, 4, 8, 16) or 8 to 10 (3, 6, 12)";
		(void)snprintf(found, REFUSAL_TEXT, "interleave ways encoded as %u",
			       w->encoded_ways);
	} else if (w->length < cedt_window_length(w->ways)) {
		ret->expected = "a length that has room for its targets";
		(void)snprintf(found, REFUSAL_TEXT, "length %u, and %u for %u targets", w->length,
			       cedt_window_length(w->ways), w->ways);
	} else if (!w->granularity) {
		ret->expected = "a granularity encoded as 0 to 6 (256 B to 16384 B)";
		(void)snprintf(found, REFUSAL_TEXT, "a granularity encoded as %" PRIu32,
			       w->encoded_granularity);
	} else if (cedt_window_wraps(w)) {
		ret->expected = "addresses from its base on that end below 2^64";
		(void)snprintf(found, REFUSAL_TEXT, "base 0x%" PRIx64 ", size 0x%" PRIx64, w->base,
			       w->size);
	}
	return ret->expected != NULL;
}

/* The checks of __cxl_parse_cfmws(), in their order. Return: whether one fails. */
static bool is_window_wrong(const struct host *host, const struct cedt *cedt,
			    const struct cedt_window *w, struct window_fault *ret)
{
	const struct cedt_cxims *cxims = cedt_cxims_find(cedt, w);
	const unsigned int maps = count_maps(w);

	*ret = (struct window_fault){0};
	if (is_number_wrong(w, ret))
		return true;
	if (is_overlapped(cedt, w)) {
		ret->expected = "addresses that no other CFMWS has in part";
		(void)snprintf(ret->found, REFUSAL_TEXT, "addresses of another CFMWS");
	} else if (maps && !cxims) {
		ret->expected = "a CXIMS of its granularity, for XOR";
		(void)snprintf(ret->found, REFUSAL_TEXT, "no CXIMS for %u B", w->granularity);
	} else if (maps && cxims->n_maps < maps) {
		ret->expected = "a CXIMS with an XOR map for each doubling of its ways";
		(void)snprintf(ret->found, REFUSAL_TEXT, "%u XOR map%s for %u ways", cxims->n_maps,
			       cxims->n_maps == 1 ? "" : "s", w->ways);
	}
	for (unsigned int i = 0; i < w->ways && !ret->expected; i++) {
		if (is_host_bridge(host, w->targets[i]))
			continue;
		ret->expected = "targets that are host bridges of this host";
		(void)snprintf(ret->found, REFUSAL_TEXT, "target %u, 0x%" PRIx32 ", which is none",
			       i, w->targets[i]);
	}
	return ret->expected != NULL;
}

static size_t count_wrong(const struct host *host, const struct cedt *cedt)
{
	struct window_fault fault;
	size_t n = cedt->n_rejected;

	for (size_t i = 0; i < cedt->n_windows; i++)
		n += is_window_wrong(host, cedt, &cedt->windows[i], &fault);
	return n;
}

/* A window that Linux does not show although its own checks hold. */
static const char *blame_others(const struct refusal_builder *b, bool shows_any, size_t wrong)
{
	if (!wrong || shows_any)
		return "no check of Linux that is known here fails";
	if (refusal_has(b->era.first, RULE_WINDOWS_ALONE))
		return "nothing is wrong with them; Linux shows no window, as before 6.8, which rejects all for one";
	return "nothing is wrong with them; Linux before 6.8 rejects all for one";
}

static void add_window(struct refusal_builder *b, const struct cedt *cedt,
		       const struct cedt_window *w, const char *others)
{
	char name[REFUSAL_TEXT], range[RANGE_TEXT_MAX];
	char difference[3 * REFUSAL_TEXT];
	struct window_fault fault;

	(void)snprintf(name, sizeof(name), "CFMWS %s",
		       range_text(OPT_U64(w->base), OPT_U64(w->size), range));
	if (refusal_shows_window(b->host, w)) {
		refusal_add(b, REFUSAL_AGREES, name, "that all checks hold", "Linux shows it", "");
	} else if (is_window_wrong(b->host, cedt, w, &fault)) {
		(void)snprintf(difference, sizeof(difference),
			       "%s: Linux expects %s, firmware has %s", name, fault.expected,
			       fault.found);
		refusal_add(b, REFUSAL_DIFFERS, name, fault.expected, fault.found, difference);
	} else {
		refusal_add(b, REFUSAL_UNKNOWN, name, "that all checks hold", others, "");
		b->out->others = others;
	}
}

static void add_windows(struct refusal_builder *b, const struct cedt *cedt, size_t shown)
{
	const size_t wrong = count_wrong(b->host, cedt);
	const char *others = blame_others(b, shown > 0, wrong);

	b->out->windows = true;
	for (size_t i = 0; i < cedt->n_windows; i++)
		add_window(b, cedt, &cedt->windows[i], others);
	for (size_t i = 0; i < cedt->n_rejected; i++)
		add_window(b, cedt, &cedt->rejected[i], others);
	if (wrong)
		b->out->way_out = WAY_OUT_FIRMWARE;
}

static size_t count_shown(const struct host *host, const struct cedt *cedt)
{
	size_t n = 0;

	for (size_t i = 0; i < cedt->n_windows; i++)
		n += refusal_shows_window(host, &cedt->windows[i]);
	for (size_t i = 0; i < cedt->n_rejected; i++)
		n += refusal_shows_window(host, &cedt->rejected[i]);
	return n;
}

int refusal_of_host(const struct host *host, const struct cedt *cedt, struct arena *arena,
		    struct refusal *ret)
{
	const size_t n = cedt ? cedt->n_windows + cedt->n_rejected : 0;
	struct refusal_builder b = {.host = host, .arena = arena, .out = ret};
	char bdf[REFUSAL_BDF_MAX];
	size_t shown;

	*ret = (struct refusal){0};
	b.era = refusal_era(host);
	b.size = n + 1 + host->n_kernel_log;
	ret->levels = ARENA_ARRAY(arena, b.size, struct refusal_level);
	if (!ret->levels)
		return -ENOMEM;
	add_kernel_of_windows(&b);
	shown = cedt ? count_shown(host, cedt) : 0;
	if (shown < n && are_window_starts_known(host))
		add_windows(&b, cedt, shown);
	if (ret->no_regions)
		ret->way_out = WAY_OUT_KERNEL;
	for (size_t at = 0; refusal_next_function(host, &at, bdf);)
		refusal_add_function_log(&b, bdf);
	return b.no_memory ? -ENOMEM : 0;
}
