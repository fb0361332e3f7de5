// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/render.h"

#include <stdio.h>
#include <string.h>

#include "redfish/core/odata.h"
#include "redfish/core/system_id.h"

/*
 * The entity tag covers the text after it, so its digits are written when the rest is complete;
 * until then zeros are in their place.
 */
#define ETAG_OPENING "{\"@odata.etag\":\"\\\""

/* The Id is the last segment of what clients see. */
static void put_id(const struct resource *r, struct json_writer *w)
{
	char shown[SHOWN_URI_MAX];
	const char *slash = strrchr(system_id_show(r->uri, shown), '/');
	const char *id = slash ? slash + 1 : r->id;

	if (r->type->id)
		id = r->type->id;
	put_string(w, "Id", id);
}

size_t render_begin(const struct resource *r, struct json_writer *w)
{
	size_t behind;

	if (!r->type->schema)
		return 0;
	w->omit_empty = true;
	put_object(w, NULL);
	put_format(w, "@odata.etag", "\"%0*d\"", ETAG_DIGITS, 0);
	behind = w->len;
	put_uri(w, "@odata.id", "%s", r->uri);
	put_string(w, "@odata.type", r->type->odata_type);
	if (!r->type->members)
		put_id(r, w);
	return behind;
}

static void set_etag(struct representation *rep, size_t behind, const struct resource *r)
{
	char digits[ETAG_DIGITS + 1];

	etag_digits(rep->bytes + behind, rep->len - behind, digits);
	if (!digits[0])
		return;
	if (r->type->schema)
		memcpy(rep->bytes + strlen(ETAG_OPENING), digits, ETAG_DIGITS);
	(void)snprintf(rep->etag, sizeof(rep->etag), "\"%s\"", digits);
}

struct representation *render_end(const struct resource *r, size_t begun, struct json_writer *w)
{
	const struct resource_type *t = r->type;
	struct representation *rep;

	if (t->schema)
		put_end(w);
	rep = redfish_body_new(w, t->content_type ? t->content_type : CONTENT_TYPE_JSON);
	if (!rep)
		return NULL;
	rep->described_by = t->schema_uri;
	rep->allow = resource_allow(r);
	rep->varies = rep->len >= GZIP_BYTES_MIN;
	set_etag(rep, begun, r);
	return rep;
}

void render_take_etag(struct representation *rep, const struct representation *of,
		      const struct resource *r)
{
	if (r->type->schema && of->etag[0])
		memcpy(rep->bytes + strlen(ETAG_OPENING), of->etag + 1, ETAG_DIGITS);
	memcpy(rep->etag, of->etag, sizeof(rep->etag));
}

static const struct http_field redfish_fields[] = {
	{"OData-Version", "4.0"},
	{"Cache-Control", "no-cache"},
	{"X-Content-Type-Options", "nosniff"},
	{NULL, NULL},
};

struct representation *redfish_body_new(struct json_writer *w, const char *content_type)
{
	struct representation *r = representation_new(w, content_type);

	if (r)
		r->fields = redfish_fields;
	return r;
}

void redfish_stream_headers(struct http_reply *reply, const char *content_type, const char *allow)
{
	(void)http_reply_header(reply, "Content-Type", content_type);
	(void)http_reply_header(reply, "Cache-Control", "no-store");
	(void)http_reply_header(reply, "OData-Version", "4.0");
	(void)http_reply_header(reply, "Allow", allow);
	(void)http_reply_header(reply, "X-Content-Type-Options", "nosniff");
}
