/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_OTLP_ANSWER_H
#define CXLR_OTLP_ANSWER_H

/*
 * Bodies of a collector's answers, in either encoding: ExportLogsServiceResponse,
 * ExportMetricsServiceResponse and google.rpc.Status. All of them are hostile. Pure functions; any
 * thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otlp/writer.h"

enum {
	OTLP_BODY_MAX = 4096, /* bytes of a body that are looked at */
	OTLP_TEXT_MAX = 200,
};

struct otlp_body {
	enum otlp_encoding encoding;
	const uint8_t *bytes;
	size_t len;
	bool cut; /* it was longer */
};

/* The partial success of an accepted request; zeros when all of it was accepted. */
struct otlp_partial {
	uint64_t rejected;	  /* records or data points */
	char text[OTLP_TEXT_MAX]; /* printable ASCII; "" without */
};

/* otlp_read_partial() - of a success. 0; -EINVAL when the body is no such message; -ENOMEM */
int otlp_read_partial(const struct otlp_body *body, struct otlp_partial *ret);

/* otlp_read_status() - the message of a google.rpc.Status; "" when there is none */
void otlp_read_status(const struct otlp_body *body, char ret[static OTLP_TEXT_MAX]);

#endif
