/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_OTLP_OTLP_SETTINGS_H
#define CXLR_REDFISH_OTLP_OTLP_SETTINGS_H

/*
 * The configuration of the export to an OpenTelemetry collector: its options, as rows of the
 * daemon's table, and what they mean, with the headers of a file. No state.
 */

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "common/options.h"
#include "otlp/writer.h"
#include "redfish/otlp/otlp_status.h"

enum {
	OTLP_HEADERS_MAX = 16,
	OTLP_HEADERS_FILE_MAX = 4096, /* bytes; at most PUSH_HEADERS_MAX are sent */
	OTLP_INTERVAL_DEFAULT_S = 60,
	OTLP_INTERVAL_MAX_S = 3600,
	OTLP_URL_MAX = 2000, /* a path is appended; see PUSH_URL_MAX */
};

#define OTLP_ENCODING_WORDS "protobuf, json"

/* As configured; NULL: not given. */
struct otlp_options {
	const char *url, *encoding, *headers_file, *ca, *certificate, *key, *signals;
	unsigned int interval; /* seconds */
};

/* option_row.check of the URL and of the signals */
int otlp_check_url(const char *argument, struct error *e);
int otlp_check_signals(const char *argument, struct error *e);

/* The rows of the table of options. @field: member of @structure, struct otlp_options */
#define OTLP_OPTION_ROWS(structure, field)                                                         \
	{                                                                                          \
		.name = "otlp",                                                                    \
		.argument = "URL",                                                                 \
		.help = "send events and metrics to the OpenTelemetry collector at URL, http:// "  \
			"or https://; /v1/logs and /v1/metrics are appended",                      \
		.set = option_set_text,                                                            \
		.offset = offsetof(structure, field.url),                                          \
		.check = otlp_check_url,                                                           \
	},                                                                                         \
		{                                                                                  \
			.name = "otlp-encoding",                                                   \
			.argument = "FORM",                                                        \
			.words = OTLP_ENCODING_WORDS,                                              \
			.help = "send it protobuf (the default), or json",                         \
			.set = option_set_text,                                                    \
			.offset = offsetof(structure, field.encoding),                             \
		},                                                                                 \
		{                                                                                  \
			.name = "otlp-headers-file",                                               \
			.argument = "FILE",                                                        \
			.help = "send the collector the HTTP headers of FILE, one 'Name: value' "  \
				"in each line; the values are shown nowhere",                      \
			.set = option_set_text,                                                    \
			.offset = offsetof(structure, field.headers_file),                         \
		},                                                                                 \
		{                                                                                  \
			.name = "otlp-ca",                                                         \
			.argument = "FILE",                                                        \
			.help = "verify the collector's certificate with the certificate "         \
				"authorities in FILE (PEM) instead of those of the system",        \
			.set = option_set_text,                                                    \
			.offset = offsetof(structure, field.ca),                                   \
		},                                                                                 \
		{                                                                                  \
			.name = "otlp-certificate",                                                \
			.argument = "FILE",                                                        \
			.help = "show the collector the client certificate in FILE (PEM)",         \
			.set = option_set_text,                                                    \
			.offset = offsetof(structure, field.certificate),                          \
		},                                                                                 \
		{                                                                                  \
			.name = "otlp-interval",                                                   \
			.argument = "SECONDS",                                                     \
			.help = "send metrics at this interval, default 60",                       \
			.set = option_set_uint,                                                    \
			.offset = offsetof(structure, field.interval),                             \
			.max = OTLP_INTERVAL_MAX_S,                                                \
		},                                                                                 \
		{                                                                                  \
			.name = "otlp-signals",                                                    \
			.argument = "LIST",                                                        \
			.help = "send only these, with commas between: logs, metrics; both by "    \
				"default",                                                         \
			.set = option_set_text,                                                    \
			.offset = offsetof(structure, field.signals),                              \
			.check = otlp_check_signals,                                               \
		},                                                                                 \
	{                                                                                          \
		.name = "otlp-key", .argument = "FILE",                                            \
		.help = "the private key of --otlp-certificate (PEM, not encrypted)",              \
		.set = option_set_text, .offset = offsetof(structure, field.key),                  \
	}

/* The values in use; immutable. */
struct otlp_settings {
	char *url; /* without a slash at its end */
	enum otlp_encoding encoding;
	unsigned int signals; /* bit per enum otlp_signal */
	unsigned int interval;
	char *headers; /* as those of struct push_post */
	size_t headers_len;
	char *ca, *certificate, *key; /* NULL: none */
};

/*
 * otlp_settings_load() - check the options together, and read the file of headers
 * @ret: NULL when there is no collector
 * @ret_option: on -EINVAL the option that is wrong, static
 *
 * Return: 0, -EINVAL or -ENOMEM. Texts of errors have no value of a header.
 */
int otlp_settings_load(const struct otlp_options *o, struct otlp_settings **ret,
		       const char **ret_option, struct error *e);

/* Accepts NULL. Return: NULL. */
struct otlp_settings *otlp_settings_free(struct otlp_settings *s);

/* Accept NULL. */
bool otlp_settings_equal(const struct otlp_settings *a, const struct otlp_settings *b);

#endif
