// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/host/findings_list.h"

#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/strutil.h"
#include "model/finding_text.h"
#include "model/findings.h"
#include "model/owners.h"
#include "redfish/core/odata.h"
#include "redfish/resources/finding_message.h"
#include "redfish/core/uris.h"
#include "sysfs/stable_id.h"

/* The object of a list of pointers that has this name; NULL without. */
#define FIND_NAMED(list, n, wanted)                                                                \
	({                                                                                         \
		__typeof__((list)[0] + 0) found_ = NULL;                                           \
		for (size_t i_ = 0; i_ < (n) && !found_; i_++)                                     \
			if (str_equal((list)[i_]->name, (wanted)))                                 \
				found_ = (list)[i_];                                               \
		found_;                                                                            \
	})

/* Return: whether the view has the resource; an Id in a URI may be any name of the host. */
static bool is_resource(const struct view *v, const char *uri)
{
	return resource_find(v->index, uri) != NULL;
}

static void region_uri(const struct region *r, char uri[static RESOURCE_URI_MAX])
{
	if (r->root)
		(void)snprintf(uri, RESOURCE_URI_MAX, URI_MEMORY_CHUNKS, r->root->id, r->id);
}

/* The resource of an endpoint decoder is its device, that of a window its domain. */
static void decoder_uri(const struct view *v, const struct decoder *d,
			char uri[static RESOURCE_URI_MAX])
{
	if (d->port->kind == PORT_ROOT)
		(void)snprintf(uri, RESOURCE_URI_MAX, URI_MEMORY_DOMAIN, d->id);
	else if (d->port->memdev)
		(void)snprintf(uri, RESOURCE_URI_MAX, URI_MEMORY,
			       view_memory_id(v, d->port->memdev));
}

/* "switch-0000-0d-00.0/P1/ld2": the switch. */
static void switch_uri(const char *object, char uri[static RESOURCE_URI_MAX])
{
	char id[STABLE_ID_MAX + 1];

	(void)snprintf(id, sizeof(id), "%.*s", (int)strcspn(object, "/"), object);
	(void)snprintf(uri, RESOURCE_URI_MAX, URI_SWITCH, id);
}

/* The resource of an object; the system for those that have none of their own. */
static void object_uri(const struct view *v, const char *object, char uri[static RESOURCE_URI_MAX])
{
	const struct memdev *m;
	const struct region *r;
	const struct decoder *d;

	uri[0] = '\0';
	/* At most FINDINGS_LISTED_MAX objects are looked up. */
	if ((m = FIND_NAMED(v->host->memdevs, v->host->n_memdevs, object)))
		(void)snprintf(uri, RESOURCE_URI_MAX, URI_MEMORY, view_memory_id(v, m));
	else if ((r = host_mapping(v->host, object)))
		region_uri(r, uri);
	else if ((d = FIND_NAMED(v->host->decoders, v->host->n_decoders, object)))
		decoder_uri(v, d, uri);
	else
		switch_uri(object, uri);
	if (!uri[0] || !is_resource(v, uri))
		(void)snprintf(uri, RESOURCE_URI_MAX, "%s", URI_SYSTEM);
}

static bool is_problem(const struct finding *f)
{
	return finding_level(f->code) == FINDING_PROBLEM;
}

/*
 * Facts are left out, except those that something is to be done about, and who has the addresses of
 * windows. An advice itself is part of the finding before it.
 */
static bool is_listed(const struct finding *f, const struct finding *end)
{
	if (finding_is_of_owner(f->code))
		return true;
	if (finding_level(f->code) == FINDING_FACT)
		return f + 1 < end && finding_level(f[1].code) == FINDING_ADVICE;
	return is_problem(f);
}

void put_finding(const struct view *v, const struct finding *f, const struct finding *end,
		 struct json_writer *w)
{
	char text[FINDING_NEXT_MAX], uri[RESOURCE_URI_MAX];

	object_uri(v, f->object, uri);
	put_object(w, NULL);
	put_string(w, "Code", finding_row(f->code)->name);
	put_string(w, "Severity", health_name(finding_severity(f)));
	put_string(w, "ObjectName", f->object);
	/* One text for a MessageId, that of the registry, as the Conditions have it. */
	if (finding_row(f->code)->message.key)
		put_finding_message(f, w);
	else
		put_string(w, "Message", finding_sentence(f, text));
	put_string(w, "Resolution", finding_next_step(f, end, text));
	put_link(w, "OriginOfCondition", "%s", uri);
	put_end(w);
}

/* Problems first, so that facts are the ones left out. Return: how many did not fit. */
static size_t put_all(const struct view *v, struct findings *f, struct json_writer *w)
{
	const struct finding *end = f->list.items + f->list.n;
	size_t n = 0;

	put_array(w, "Findings");
	for (int problems = 1; problems >= 0; problems--)
		ARRAY_FOREACH(finding, &f->list)
			if (is_listed(finding, end) && is_problem(finding) == problems &&
			    n++ < FINDINGS_LISTED_MAX)
				put_finding(v, finding, end, w);
	put_end(w);
	return n > FINDINGS_LISTED_MAX ? n - FINDINGS_LISTED_MAX : 0;
}

void put_findings_list(const struct view *v, struct json_writer *w)
{
	struct findings f;
	int r = findings_init(&f, v->host, v->translator, NULL, (struct firmware_timeout){0});

	f.fabric = v->fabric;
	f.never_waits = true;
	if (r >= 0)
		findings_of_host(&f);
	/* Half of a list would look like a host with fewer problems. */
	if (r >= 0 && !f.no_memory)
		put_number(w, "FindingsNotListed", put_all(v, &f, w));
	findings_done(&f);
}
