// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/body.h"

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
