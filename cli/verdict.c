// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/verdict.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "common/array.h"
#include "common/names.h"
#include "common/strutil.h"
#include "model/owners.h"

/* ---- what is below an object ------------------------------------------------------------------
 */

static bool port_is_below(const struct port *port, const struct object *o)
{
	for (; port; port = port->parent) {
		if (o->kind == OBJECT_PORT && port == o->port)
			return true;
		if (o->kind == OBJECT_DPORT && port->parent_dport == o->dport)
			return true;
	}
	return false;
}

static const struct region *region_of_dax(const struct object *o)
{
	return o->kind == OBJECT_DAX_REGION   ? o->dax_region->region
	       : o->kind == OBJECT_DAX_DEVICE ? o->dax_device->region->region
					      : o->region;
}

/* A region that is not complete is mapped as its decoders are. */
static const struct region *mapping_of(const struct object *o)
{
	const struct region *r = region_of_dax(o);

	return r && r->derived ? r->derived : r;
}

/* A part of a decoder: itself, what a window has, what decoders of ports map. */
static bool decoder_has_mapping(const struct decoder *d, const struct region *r)
{
	return d->port->kind == PORT_ROOT ? r->root == d : decoder_mapped_by(d) == r;
}

static bool range_meets(const struct object *o, struct opt_u64 start, struct opt_u64 size)
{
	return start.present && size.present && size.value > 0 && start.value <= o->range.last &&
	       (start.value >= o->range.first || o->range.first - start.value < size.value);
}

static bool range_has_decoder(const struct object *o, const struct decoder *d)
{
	const struct region *mapping = decoder_mapped_by(d) ? decoder_mapped_by(d) : d->region;

	if (mapping)
		return range_meets(o, mapping->resource, mapping->size);
	return decoder_decodes_spa(d) && range_meets(o, d->start, d->size);
}

bool verdict_has_decoder(const struct object *o, const struct decoder *d)
{
	const struct region *mapping = decoder_mapped_by(d);

	switch (o->kind) {
	case OBJECT_HOST:
		return true;
	case OBJECT_MEMDEV:
		return d->port->memdev == o->memdev;
	case OBJECT_PORT:
	case OBJECT_DPORT:
		return port_is_below(d->port, o);
	case OBJECT_DECODER:
		return d == o->decoder || (mapping && decoder_has_mapping(o->decoder, mapping));
	case OBJECT_REGION:
	case OBJECT_DAX_REGION:
	case OBJECT_DAX_DEVICE:
		return mapping && (mapping == mapping_of(o) || d->region == region_of_dax(o));
	case OBJECT_RANGE:
		return range_has_decoder(o, d);
	default:
		return false;
	}
}

static bool has_decoder_of(const struct object *o, const struct port *endpoint)
{
	for (size_t i = 0; endpoint && i < endpoint->n_decoders; i++)
		if (verdict_has_decoder(o, endpoint->decoders[i]))
			return true;
	return false;
}

bool verdict_has_memdev(const struct object *o, const struct memdev *m)
{
	if (o->kind == OBJECT_HOST || (o->kind == OBJECT_MEMDEV && o->memdev == m))
		return true;
	if (o->kind == OBJECT_PORT || o->kind == OBJECT_DPORT)
		return port_is_below(m->endpoint, o);
	return has_decoder_of(o, m->endpoint);
}

bool verdict_has_mapping(const struct object *o, const struct region *r)
{
	switch (o->kind) {
	case OBJECT_HOST:
		return true;
	case OBJECT_DECODER:
		return decoder_has_mapping(o->decoder, r);
	case OBJECT_REGION:
	case OBJECT_DAX_REGION:
	case OBJECT_DAX_DEVICE:
		return r == region_of_dax(o) || r == mapping_of(o);
	case OBJECT_RANGE:
		return range_meets(o, r->resource, r->size);
	default:
		for (size_t i = 0; i < r->n_targets; i++)
			if (r->targets[i].decoder && verdict_has_decoder(o, r->targets[i].decoder))
				return true;
		return false;
	}
}

/* ---- the mapping ------------------------------------------------------------------------------
 */

struct sources {
	size_t of[SOURCE_ESTIMATE + 1]; /* decoders, by enum answer_source */
	size_t exact, all;
};

static void count_source(struct sources *s, const struct cli *cli, const struct decoder *d)
{
	enum answer_source source;

	if (d->port->kind != PORT_ENDPOINT || !d->port->memdev || !d->dpa_size.present ||
	    d->dpa_size.value == 0)
		return;
	source = translator_usual_source(cli->addresses.translator, d->port->memdev, d);
	s->of[source]++;
	s->all++;
	s->exact += source != SOURCE_NONE && source != SOURCE_ESTIMATE;
}

static void count_words(char *text, size_t n, const char *words)
{
	const size_t len = strlen(text);

	if (n > 0)
		(void)snprintf(text + len, FINDING_TEXT_MAX - len, "%s%s for %zu decoder%s",
			       len > 0 ? ", " : "", words, n, plural_s(n));
}

void verdict_mapping(const struct cli *cli, const struct object *o,
		     char text[static FINDING_TEXT_MAX])
{
	struct sources s = {0};
	struct names names = {0};
	char exact[FINDING_TEXT_MAX];

	for (size_t i = 0; i < cli->host->n_decoders; i++)
		if (verdict_has_decoder(o, cli->host->decoders[i]))
			count_source(&s, cli, cli->host->decoders[i]);
	for (enum answer_source i = SOURCE_KERNEL; i < SOURCE_ESTIMATE; i++)
		if (s.of[i] > 0)
			names_add(&names, "%s", answer_source_name(i));
	(void)snprintf(exact, sizeof(exact), "exact by %.200s", names_end(&names));
	text[0] = '\0';
	if (s.all == 0)
		(void)snprintf(text, FINDING_TEXT_MAX, "nothing is mapped");
	else if (s.of[SOURCE_NONE] == s.all)
		(void)snprintf(text, FINDING_TEXT_MAX, "no system address");
	else if (s.exact == s.all)
		(void)snprintf(text, FINDING_TEXT_MAX, "%s", exact);
	else if (s.of[SOURCE_ESTIMATE] == s.all)
		(void)snprintf(text, FINDING_TEXT_MAX, "an interval");
	if (text[0])
		return;
	count_words(text, s.exact, exact);
	count_words(text, s.of[SOURCE_ESTIMATE], "an interval");
	count_words(text, s.of[SOURCE_NONE], "no system address");
}

void verdict_line(const struct verdict *v, size_t n_problems, const char *problems,
		  struct names *objects, struct verdict_line *ret)
{
	char text[FINDING_TEXT_MAX];

	if (n_problems)
		(void)snprintf(text, sizeof(text), "%zu %s%s: %s", n_problems, problems,
			       plural_s(n_problems), names_end(objects));
	else
		(void)snprintf(text, sizeof(text), "no %s", problems);
	ret->health = v->health;
	(void)snprintf(ret->mapping, sizeof(ret->mapping), "%.200s; %.700s", v->mapping, text);
	(void)snprintf(ret->text, sizeof(ret->text), "Mapping: %s. Health: %s", ret->mapping,
		       ret->health);
}
