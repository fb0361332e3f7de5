// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/core/odata.h"

#include <stdarg.h>
#include <stdio.h>

#include "redfish/core/system_id.h"

static void put_uri_va(struct json_writer *w, const char *key, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

/* A text that is longer than a URI of this service is none, and stays as it is. */
static void put_uri_va(struct json_writer *w, const char *key, const char *fmt, va_list ap)
{
	char uri[RESOURCE_URI_MAX], shown[SHOWN_URI_MAX];
	va_list again;
	int n;

	va_copy(again, ap);
	n = system_id_is_used() ? vsnprintf(uri, sizeof(uri), fmt, again) : -1;
	va_end(again);
	if (n >= 0 && n < (int)sizeof(uri))
		put_string(w, key, system_id_show(uri, shown));
	else
		put_format_va(w, key, fmt, ap);
}

void put_uri(struct json_writer *w, const char *key, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_uri_va(w, key, fmt, ap);
	va_end(ap);
}

static void put_id_va(struct json_writer *w, const char *key, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

static void put_id_va(struct json_writer *w, const char *key, const char *fmt, va_list ap)
{
	put_object(w, key);
	put_uri_va(w, "@odata.id", fmt, ap);
	put_end(w);
}

void put_link(struct json_writer *w, const char *key, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	put_id_va(w, key, fmt, ap);
	va_end(ap);
}

void put_link_list(struct json_writer *w, const char *key, const char *fmt, ...)
{
	va_list ap;

	put_array(w, key);
	va_start(ap, fmt);
	put_id_va(w, NULL, fmt, ap);
	va_end(ap);
	put_end(w);
}

void put_oem_begin(struct json_writer *w, const char *type)
{
	put_object(w, "Oem");
	put_object(w, "CXLHost");
	put_string(w, "@odata.type", type);
}

void put_oem_end(struct json_writer *w)
{
	put_end(w);
	put_end(w);
}

void put_file_location(struct json_writer *w, const char *key, const char *fmt, ...)
{
	va_list ap;

	put_array(w, "Languages");
	put_string(w, NULL, "en");
	put_end(w);
	put_array(w, "Location");
	put_object(w, NULL);
	put_string(w, "Language", "en");
	va_start(ap, fmt);
	put_format_va(w, key, fmt, ap);
	va_end(ap);
	put_end(w);
	put_end(w);
}

void put_opt_mib(struct json_writer *w, const char *key, struct opt_u64 bytes)
{
	put_opt_number(w, key, bytes.present ? OPT_U64(bytes.value >> 20) : bytes);
}
