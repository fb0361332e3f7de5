// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Levels of a mapping: kernel, window, ports from the root down, endpoints, order of decoders.
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "common/quantity.h"
#include "common/strutil.h"
#include "model/refusal_private.h"
#include "model/region_fit.h"
#include "model/topology.h"
#include "prm/interleave.h"
#include "prm/region_order.h"

enum {
	DEPTH_MAX = 16,
	PORT_WAYS_MAX = 8,
	LEVELS_MAX = 4 + INTERLEAVE_WAYS_MAX * (DEPTH_MAX + 2),
	EMULATED_GRANULARITY = 4096, /* of a decoder that Linux makes of a DVSEC range */
};

/* A mapping, and the devices whose committed decoders have its addresses. */
struct mapping {
	struct refusal_builder *b;
	const struct region *r;
	const struct decoder *members[INTERLEAVE_WAYS_MAX];
	size_t n, n_more;
	/* A level differs, other than that of the devices; by the newest rules, too. */
	bool differs, newest_differs;
	enum refusal_rule accepting; /* with it and all later rules the others agree */
};

static void print(char text[static REFUSAL_TEXT], const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void print(char text[static REFUSAL_TEXT], const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, REFUSAL_TEXT, fmt, args);
	va_end(args);
}

/* Adds a level; @programmed: of decoders, what is programmed in place of what is expected. */
static void add(struct mapping *m, enum refusal_agreement agrees, const char *object,
		const char *expected, const char *found, const char *programmed)
{
	char difference[4 * REFUSAL_TEXT];

	(void)snprintf(difference, sizeof(difference), "%s: Linux expects %s here, %s%s", object,
		       expected, programmed ? "firmware programmed " : "",
		       programmed ? programmed : found);
	refusal_add(m->b, agrees, object, expected, found, difference);
	m->differs = m->differs || agrees == REFUSAL_DIFFERS;
}

/* Return: the decoder of the port for the mapping, or NULL; ordinary users may not see addresses.
 */
static const struct decoder *decoder_at(const struct mapping *m, const struct port *port)
{
	for (size_t i = 0; i < port->n_decoders; i++)
		if (port->decoders[i]->derived == m->r)
			return port->decoders[i];
	return region_decoder_at(port, m->r);
}

static void find_members(struct mapping *m)
{
	const struct host *host = m->b->host;

	for (size_t i = 0; i < host->n_memdevs; i++) {
		const struct port *endpoint = host->memdevs[i]->endpoint;
		const struct decoder *d = endpoint ? decoder_at(m, endpoint) : NULL;

		if (!d || !decoder_is_committed(d))
			continue;
		if (m->n < INTERLEAVE_WAYS_MAX)
			m->members[m->n++] = d;
		else
			m->n_more++;
	}
}

/* The devices of a mapping by decoders are its targets. */
static void take_targets(struct mapping *m)
{
	for (size_t i = 0; i < m->r->n_targets; i++) {
		const struct decoder *d = m->r->targets[i].decoder;

		if (d && m->n < INTERLEAVE_WAYS_MAX)
			m->members[m->n++] = d;
	}
}

/* ---- window -----------------------------------------------------------------------------------
 */

static bool range_contains(const struct decoder *w, const struct region *r)
{
	return w->start.value <= r->resource.value && r->size.value <= w->size.value &&
	       r->resource.value - w->start.value <= w->size.value - r->size.value;
}

/* Ways of a region are those of its window times a power of two. */
static bool ways_fit(uint64_t ways, uint64_t window_ways)
{
	const uint64_t n = window_ways ? ways / window_ways : 0;

	return interleave_ways_valid(ways) && n && ways % window_ways == 0 && (n & (n - 1)) == 0;
}

static void add_window(struct mapping *m)
{
	const struct region *r = m->r;
	const struct decoder *w = r->root;
	const bool pmem = r->mode == DECODER_MODE_PMEM;
	char expected[REFUSAL_TEXT], found[REFUSAL_TEXT], range[RANGE_TEXT_MAX];
	enum refusal_agreement agrees = REFUSAL_AGREES;
	struct opt_bool allowed;

	(void)range_text(r->resource, r->size, range);
	print(expected, "a window for %s that contains %s, for %" PRIu64 " ways",
	      decoder_mode_name(r->mode), range, r->ways.value);
	if (!w) {
		m->newest_differs = true;
		add(m, REFUSAL_DIFFERS, r->name, expected, "no window has these addresses", NULL);
		return;
	}
	allowed = pmem ? w->cap_pmem : w->cap_ram;
	print(found, "%s%s, %" PRIu64 "-way at %" PRIu64 " B",
	      allowed.present && !allowed.value ? (pmem ? "no pmem allowed, " : "no ram allowed, ")
						: "",
	      range_text(w->start, w->size, range), w->ways.value, w->granularity.value);
	if (!w->start.present || !w->size.present || !w->ways.present || !r->ways.present)
		agrees = REFUSAL_UNKNOWN;
	else if (!range_contains(w, r) || !ways_fit(r->ways.value, w->ways.value) ||
		 (allowed.present && !allowed.value))
		agrees = REFUSAL_DIFFERS;
	m->newest_differs = m->newest_differs || agrees == REFUSAL_DIFFERS;
	add(m, agrees, w->name, expected, found, NULL);
}

static void add_devices(struct mapping *m)
{
	const uint64_t n = m->n + m->n_more;
	const bool differs = m->differs;
	char expected[REFUSAL_TEXT], found[REFUSAL_TEXT];

	if (!m->r->ways.present || n == m->r->ways.value)
		return;
	print(expected, "%" PRIu64 " device%s", m->r->ways.value, m->r->ways.value == 1 ? "" : "s");
	print(found, "%" PRIu64 " %s committed for its addresses", n, n == 1 ? "is" : "are");
	add(m, m->b->host->n_denied ? REFUSAL_UNKNOWN : REFUSAL_DIFFERS, m->r->name, expected,
	    found, NULL);
	m->differs = differs;
}

/* ---- ports ------------------------------------------------------------------------------------
 */

/* Return: the port below @port on the way to the endpoint, or NULL. */
static const struct port *step_below(const struct port *port, const struct port *endpoint)
{
	while (endpoint && endpoint->parent != port)
		endpoint = endpoint->parent;
	return endpoint;
}

/* Ports of @port that lead to members; 0 when not all devices are known. */
static unsigned int count_ports(const struct mapping *m, const struct port *port)
{
	const struct dport *seen[INTERLEAVE_WAYS_MAX];
	unsigned int n = 0;

	if (m->n != m->r->ways.value)
		return 0;
	for (size_t i = 0; i < m->n; i++) {
		const struct port *below = step_below(port, m->members[i]->port);
		unsigned int k = 0;

		if (!below)
			continue;
		if (!below->parent_dport)
			return 0;
		while (k < n && seen[k] != below->parent_dport)
			k++;
		if (k == n)
			seen[n++] = below->parent_dport;
	}
	return n;
}

static unsigned int log2_of(uint64_t n)
{
	return n ? 63 - (unsigned int)__builtin_clzll(n) : 0;
}

/* The granularity that cxl_port_setup_targets() computes for a port. Return: false when that is not
 * known. */
static bool expected_granularity(const struct mapping *m, const struct port *port,
				 unsigned int ways, const struct refusal_rules *rules,
				 uint64_t *ret)
{
	const bool root = port->parent->kind == PORT_ROOT;
	const struct decoder *above = decoder_at(m, port->parent);
	struct opt_u64 granularity;
	uint64_t above_ways;

	if (!above)
		return false;
	granularity = root && refusal_has(rules, RULE_REGION_GRANULARITY) ? m->r->granularity
									  : above->granularity;
	if (!granularity.present || !above->ways.present ||
	    !interleave_granularity_valid(granularity.value) ||
	    !interleave_ways_valid(above->ways.value))
		return false;
	above_ways = above->ways.value % 3 ? above->ways.value : above->ways.value / 3;
	if (refusal_has(rules, RULE_PRODUCT)) {
		*ret = granularity.value * above_ways;
	} else if (above_ways > 1 && ways > 1) {
		const unsigned int bits = log2_of(ways), above_bits = log2_of(above_ways);

		*ret = granularity.value << ((above_bits > bits ? above_bits : bits) - bits + 1);
	} else {
		*ret = granularity.value;
	}
	return true;
}

/* "2-way at 1024 B" */
static void print_interleave(char text[static REFUSAL_TEXT], uint64_t ways, uint64_t granularity,
			     bool any)
{
	if (any)
		print(text, "%" PRIu64 "-way", ways);
	else
		print(text, "%" PRIu64 "-way at %" PRIu64 " B", ways, granularity);
}

/* The interleave that firmware programmed, without the ways when these are as expected. */
static void print_programmed(char text[static REFUSAL_TEXT], const struct decoder *d,
			     unsigned int ways)
{
	if (opt_u64_is(d->ways, ways))
		print(text, "%" PRIu64 " B", d->granularity.value);
	else
		print_interleave(text, d->ways.value, d->granularity.value, false);
}

static bool lacks_target(const struct decoder *d)
{
	for (size_t i = 0; i < d->n_targets; i++)
		if (!d->targets[i].dport)
			return true;
	return d->n_targets && d->ways.present && d->n_targets != d->ways.value;
}

/* By one version of the rules. */
static enum refusal_agreement port_agrees(const struct mapping *m, const struct decoder *d,
					  unsigned int ways, const struct refusal_rules *rules,
					  char expected[static REFUSAL_TEXT])
{
	const bool any = ways == 1 && refusal_has(rules, RULE_ONE_WAY_ANY);
	uint64_t granularity = 0;

	if (!expected_granularity(m, d->port, ways, rules, &granularity)) {
		print(expected, "%u-way at a granularity that is not known", ways);
		return REFUSAL_UNKNOWN;
	}
	if (refusal_has(rules, RULE_PRODUCT) && !interleave_granularity_valid(granularity)) {
		print(expected,
		      "a granularity of at most 16384 B, not the %" PRIu64 " B that follow",
		      granularity);
		return REFUSAL_DIFFERS;
	}
	print_interleave(expected, ways, granularity, any);
	if (!d->ways.present || (!any && !d->granularity.present))
		return REFUSAL_UNKNOWN;
	return d->ways.value == ways && (any || d->granularity.value == granularity)
		       ? REFUSAL_AGREES
		       : REFUSAL_DIFFERS;
}

static void need_rule(struct mapping *m, enum refusal_rule rule)
{
	if (rule > m->accepting)
		m->accepting = rule;
}

/* Notes from which version on the decoder agrees. */
static void note_accepting(struct mapping *m, const struct decoder *d, unsigned int ways)
{
	const struct refusal_rules *oldest = refusal_rules_with(RULE_REGIONS);
	const struct refusal_rules *r = refusal_newest_rules();
	char expected[REFUSAL_TEXT];

	if (port_agrees(m, d, ways, r, expected) == REFUSAL_DIFFERS) {
		m->newest_differs = true;
		return;
	}
	while (r > oldest && port_agrees(m, d, ways, r - 1, expected) != REFUSAL_DIFFERS)
		r--;
	need_rule(m, r->newest);
}

/* By all versions of the rules that the host can have; the newest is the one that is shown. */
static void add_interleave(struct mapping *m, const struct decoder *d, unsigned int ways)
{
	const struct refusal_era *era = &m->b->era;
	char expected[REFUSAL_TEXT], older[REFUSAL_TEXT], found[REFUSAL_TEXT];
	char both[2 * REFUSAL_TEXT], programmed[REFUSAL_TEXT];
	const enum refusal_agreement newest = port_agrees(m, d, ways, era->last, expected);
	enum refusal_agreement agrees = newest;

	note_accepting(m, d, ways);
	(void)snprintf(both, sizeof(both), "%s", expected);
	for (const struct refusal_rules *r = era->first; r < era->last; r++) {
		if (port_agrees(m, d, ways, r, older) == newest)
			continue;
		agrees = REFUSAL_UNKNOWN;
		(void)snprintf(both, sizeof(both), "%.60s (Linux %u.%u: %.60s)", expected, r->major,
			       r->minor, older);
	}
	print_interleave(found, d->ways.value, d->granularity.value, false);
	print_programmed(programmed, d, ways);
	add(m, agrees, d->name, both, found, programmed);
}

/* Whether a decoder of the port could have the addresses of the mapping. */
static bool hides_addresses(const struct port *port)
{
	for (size_t i = 0; i < port->n_decoders; i++)
		if (decoder_is_committed(port->decoders[i]) && !port->decoders[i]->start.present)
			return true;
	return false;
}

/* Whether Linux made the decoder of a device below the port of a DVSEC range. */
static bool is_emulated_below(const struct mapping *m, const struct port *port)
{
	for (size_t i = 0; i < m->n; i++)
		if (step_below(port, m->members[i]->port) && opt_u64_is(m->members[i]->ways, 1) &&
		    opt_u64_is(m->members[i]->granularity, EMULATED_GRANULARITY))
			return true;
	return false;
}

static void add_no_decoder(struct mapping *m, const struct port *port)
{
	char expected[REFUSAL_TEXT], range[RANGE_TEXT_MAX];

	print(expected, "a decoder for %s", range_text(m->r->resource, m->r->size, range));
	if (hides_addresses(port)) {
		add(m, REFUSAL_UNKNOWN, port->name, expected,
		    "decoders whose addresses may not be read", NULL);
		return;
	}
	m->b->out->emulated = m->b->out->emulated || is_emulated_below(m, port);
	m->newest_differs = true;
	add(m, REFUSAL_DIFFERS, port->name, expected, "none of its decoders has these addresses",
	    NULL);
}

static void add_port(struct mapping *m, const struct port *port)
{
	const struct decoder *d = decoder_at(m, port);
	unsigned int ways = count_ports(m, port);

	if (!d || !decoder_is_committed(d)) {
		add_no_decoder(m, port);
		return;
	}
	if (!ways && d->ways.value <= PORT_WAYS_MAX)
		ways = (unsigned int)d->ways.value;
	if (!ways || ways > PORT_WAYS_MAX || (ways & (ways - 1))) {
		char found[REFUSAL_TEXT];

		print(found, "%" PRIu64 "-way", ways ? ways : d->ways.value);
		m->newest_differs = true;
		add(m, REFUSAL_DIFFERS, d->name, "1, 2, 4 or 8 ports", found, NULL);
	} else if (opt_u64_is(d->ways, ways) && lacks_target(d)) {
		m->newest_differs = true;
		add(m, REFUSAL_DIFFERS, d->name, "a port of it as each target",
		    "a target is no port of it", NULL);
	} else {
		add_interleave(m, d, ways);
	}
}

static const struct port *port_at(const struct port *endpoint, unsigned int depth)
{
	const struct port *port = endpoint->parent;

	while (port && port->depth > depth)
		port = port->parent;
	return port && port->depth == depth ? port : NULL;
}

/* The ports of one depth, each once. */
static void add_ports(struct mapping *m, unsigned int depth)
{
	const struct port *seen[INTERLEAVE_WAYS_MAX];
	size_t n = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct port *port = port_at(m->members[i]->port, depth);
		size_t k = 0;

		if (!port || !port->parent)
			continue;
		while (k < n && seen[k] != port)
			k++;
		if (k < n)
			continue;
		seen[n++] = port;
		add_port(m, port);
	}
}

/* ---- endpoints --------------------------------------------------------------------------------
 */

static bool endpoint_differs(const struct mapping *m, const struct decoder *d)
{
	const struct region *r = m->r;

	return d->dpa_size.value != region_share(r) ||
	       (r->mode != DECODER_MODE_NONE && d->mode != r->mode) ||
	       !opt_u64_is(d->ways, r->ways.value) ||
	       (d->ways.value > 1 && !opt_u64_is(d->granularity, r->granularity.value));
}

static void add_endpoint(struct mapping *m, const struct decoder *d)
{
	const struct region *r = m->r;
	char expected[REFUSAL_TEXT], found[REFUSAL_TEXT];
	enum refusal_agreement agrees = REFUSAL_UNKNOWN;

	print(expected, "%" PRIu64 "-way at %" PRIu64 " B, 0x%" PRIx64 " bytes of %s",
	      r->ways.value, r->granularity.value, region_share(r), decoder_mode_name(r->mode));
	print(found, "%" PRIu64 "-way at %" PRIu64 " B, 0x%" PRIx64 " bytes of %s", d->ways.value,
	      d->granularity.value, d->dpa_size.value, decoder_mode_name(d->mode));
	if (d->dpa_size.present && region_share(r) && d->ways.present)
		agrees = endpoint_differs(m, d) ? REFUSAL_DIFFERS : REFUSAL_AGREES;
	m->newest_differs = m->newest_differs || agrees == REFUSAL_DIFFERS;
	add(m, agrees, d->name, expected, found, found);
}

/* Linux has the regions of a port in the order of their addresses and decoders
 * (alloc_region_ref()).
 */
static void add_order(struct mapping *m, const struct decoder *d)
{
	char found[REFUSAL_TEXT];

	for (size_t i = 0; i < d->port->n_decoders && d->start.present; i++) {
		const struct decoder *o = d->port->decoders[i];

		if (o == d || !decoder_is_committed(o) || !o->start.present ||
		    (o->index < d->index) == (o->start.value < d->start.value))
			continue;
		print(found, "0x%" PRIx64 ", and %s has 0x%" PRIx64, d->start.value, o->name,
		      o->start.value);
		m->newest_differs = true;
		add(m, REFUSAL_DIFFERS, d->name,
		    "addresses that ascend with the numbers of decoders", found, NULL);
		return;
	}
}

/* Whether Linux has made a region of higher addresses at the port. */
static const struct region *later_region(const struct mapping *m, const struct port *port)
{
	for (size_t i = 0; i < port->n_decoders; i++) {
		const struct region *o = port->decoders[i]->region;

		if (o && o != m->r && o->commit == REGION_COMMITTED && o->resource.present &&
		    o->resource.value > m->r->resource.value)
			return o;
	}
	return NULL;
}

/* Return: "Linux 6.16 or newer, which ..." of the first version that accepts all levels. */
static const char *newer_kernel(struct mapping *m, const char *does)
{
	const struct refusal_rules *r = refusal_rules_with(m->accepting);
	const char *text = arena_printf(m->b->arena, "Linux %u.%u or newer, which %s", r->major,
					r->minor, does);

	m->b->no_memory = m->b->no_memory || !text;
	return text;
}

/* Linux before 6.8 finds the regions of a port in the order of their addresses only. */
static void add_assembly_order(struct mapping *m)
{
	for (size_t i = 0; i < m->n; i++) {
		const struct port *port = m->members[i]->port;

		for (; port && port->kind != PORT_ROOT; port = port->parent) {
			const struct region *later = later_region(m, port);
			char found[REFUSAL_TEXT];

			if (!later)
				continue;
			print(found, "%s at 0x%" PRIx64 " was there before", later->name,
			      later->resource.value);
			add(m, REFUSAL_DIFFERS, port->name,
			    "to find regions in the order of their addresses, before 6.8,", found,
			    NULL);
			m->b->out->way_out = WAY_OUT_KERNEL;
			need_rule(m, RULE_ANY_ORDER);
			m->b->out->newer = newer_kernel(m, "finds regions in any order");
			return;
		}
	}
}

/* Linux before 6.11 computes the targets of an XOR window, which has them in its list. */
static void add_targets(struct mapping *m, const struct cedt *cedt)
{
	const struct refusal_era *era = &m->b->era;
	const struct decoder *w = m->r->root;
	const struct cedt_window *c = NULL;
	char expected[REFUSAL_TEXT], found[REFUSAL_TEXT];
	struct refusal_place place;

	if (cedt && w && w->start.present && w->size.present)
		c = cedt_window_find(cedt, w->start.value, w->size.value);
	if (!c || c->arithmetic != CEDT_XOR || refusal_has(era->first, RULE_LISTED_TARGETS) ||
	    !refusal_misplaced(cedt, c, m->r->ways.value, &place))
		return;
	need_rule(m, RULE_LISTED_TARGETS);
	print(expected, "position %u of an XOR window at target %u, before 6.11,", place.position,
	      place.target);
	print(found, "it is at target %u", place.position % c->ways);
	add(m, refusal_has(era->last, RULE_LISTED_TARGETS) ? REFUSAL_UNKNOWN : REFUSAL_DIFFERS,
	    w->name, expected, found, NULL);
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static const char find_device[] =
	"find the device that is missing, which has no driver or is not seen: cxl-spa explain names PCI functions without a memory device";

/* Return: how a mapping gets the device that it lacks. */
static const char *name_missing(struct mapping *m)
{
	const struct region *of = m->r->of_region;
	struct region_fits fits = {0};
	const char *text;

	if (of)
		region_find_fits(m->b->host, of, &fits);
	if (!fits.n)
		return find_device;
	text = arena_printf(m->b->arena,
			    "attach the device that is missing, as the next steps of %s say",
			    of->name);
	m->b->no_memory = m->b->no_memory || !text;
	return text;
}

static void set_way_out(struct mapping *m)
{
	struct refusal *out = m->b->out;
	struct region_fits fits;

	if (out->no_regions) {
		out->way_out = WAY_OUT_KERNEL;
	} else if (out->emulated) {
		out->way_out = WAY_OUT_REBOOT;
	} else if (m->differs && m->newest_differs) {
		out->way_out = WAY_OUT_FIRMWARE;
	} else if (m->differs) {
		out->way_out = WAY_OUT_KERNEL;
		out->newer = newer_kernel(m, "expects of these decoders what is there");
	} else if (m->r->by_decoders && m->r->ways.present && m->n < m->r->ways.value) {
		out->way_out = WAY_OUT_ATTACH;
		out->remedy = name_missing(m);
	} else if (!m->r->by_decoders) {
		region_find_fits(m->b->host, m->r, &fits);
		if (fits.n)
			out->way_out = WAY_OUT_ATTACH;
	}
}

static bool is_refused_kind(const struct region *r)
{
	return r->by_decoders || (r->n_targets && r->commit != REGION_COMMITTED &&
				  !region_is_complete(r) && r->resource.present && r->size.present);
}

int refusal_of_mapping(const struct host *host, const struct cedt *cedt, const struct region *r,
		       struct arena *arena, struct refusal *ret)
{
	struct refusal_builder b = {host, arena, ret, refusal_era(host), LEVELS_MAX, false};
	struct mapping m = {.b = &b, .r = r};

	*ret = (struct refusal){0};
	if (r->enabled && r->commit != REGION_NOT_COMMITTED && !is_refused_kind(r))
		return 0;
	ret->levels = ARENA_ARRAY(arena, LEVELS_MAX, struct refusal_level);
	if (!ret->levels)
		return -ENOMEM;
	if (!is_refused_kind(r)) {
		refusal_add_region_log(&b, r);
		return b.no_memory ? -ENOMEM : 0;
	}
	if (r->by_decoders)
		take_targets(&m);
	else
		find_members(&m);
	refusal_add_kernel(&b, r->root, r->mode, " of decoders that firmware programmed");
	add_window(&m);
	add_targets(&m, cedt);
	add_devices(&m);
	for (unsigned int depth = 1; depth < DEPTH_MAX; depth++)
		add_ports(&m, depth);
	for (size_t i = 0; i < m.n; i++)
		add_endpoint(&m, m.members[i]);
	for (size_t i = 0; i < m.n; i++)
		add_order(&m, m.members[i]);
	set_way_out(&m);
	if (!ret->first_difference && !refusal_has(b.era.last, RULE_ANY_ORDER))
		add_assembly_order(&m);
	if (!ret->first_difference)
		refusal_add_region_log(&b, r);
	return b.no_memory ? -ENOMEM : 0;
}
