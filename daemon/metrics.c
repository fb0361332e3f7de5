// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "http/negotiation.h"
#include "http/server.h"

static const struct http_limits metrics_limits = {
	.head_ms = METRICS_SECONDS_MAX * 1000,
	.body_ms = METRICS_SECONDS_MAX * 1000,
	.reply_ms = METRICS_SECONDS_MAX * 1000,
	.crowded_ms = 1000,
	.crowd = METRICS_CONNECTIONS_MAX / 2,
	.kept_ms = 1000,
	.connections = METRICS_CONNECTIONS_MAX,
	.head_bytes = METRICS_HEAD_MAX,
	.threads = 1,
};

struct metrics {
	struct http_server *http;
	struct metrics_source source;
	struct store_reader *store; /* used by the server's one thread */
};

static struct store_reader *metrics_store(struct metrics *m)
{
	struct store_status status;
	struct error e = {0};

	if (m->source.events && !m->store) {
		store_writer_status(events_writer(m->source.events), &status);
		if (status.path[0])
			(void)store_reader_open(status.path, &m->store, &e);
	}
	return m->store;
}

static void reply_error(struct http_reply *reply, unsigned int status, const char *why)
{
	struct json_writer w = {0};

	put_raw(&w, why);
	reply->status = status;
	reply->body = representation_new(&w, "text/plain; charset=utf-8");
}

/* Return: the text in the writer, which is marked as failed when out of memory. */
static void write_text(struct metrics *m, enum metric_format format, struct json_writer *w)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int r;

	if (!f) {
		w->failed = true;
		return;
	}
	r = metrics_write(f, format, &m->source, metrics_store(m));
	if (fclose(f) == EOF || r == -ENOMEM)
		w->failed = true;
	else
		put_raw_bytes(w, text, len);
	if (r == -EBADMSG)
		store_writer_check(events_writer(m->source.events));
	if (r < 0)
		m->store = store_reader_close(m->store);
}

/*
 * OpenMetrics is for clients that name it, and do not prefer text. A scraper that accepts neither
 * format gets text, as from other exporters: it says then what it does not understand.
 */
static enum metric_format choose_format(const struct http_request *req)
{
	const char *accept = req->headers[HEADER_ACCEPT];

	return accept && accept_prefers(accept, metric_format_type(METRICS_OPENMETRICS), "1.0.0",
					metric_format_type(METRICS_TEXT))
		       ? METRICS_OPENMETRICS
		       : METRICS_TEXT;
}

static enum http_body_choice metrics_wants_body(void *userdata, const struct http_request *req,
						struct http_call *call)
{
	(void)userdata;
	(void)req;
	(void)call;
	return HTTP_BODY_DISCARD;
}

static enum http_outcome metrics_handle(void *userdata, const struct http_request *req,
					struct http_reply *ret, struct http_call *call)
{
	struct json_writer w = {0};
	enum metric_format format;

	(void)call;
	if (req->fault == FAULT_HEADER) {
		(void)http_reply_header(ret, "Connection", "close");
		reply_error(ret, 400, "A header of the request is not valid.\n");
	} else if (!str_equal(req->path, "/metrics")) {
		reply_error(ret, 404, "The only resource is /metrics.\n");
	} else if (req->method != METHOD_GET && req->method != METHOD_HEAD) {
		(void)http_reply_header(ret, "Allow", "GET, HEAD");
		reply_error(ret, 405, "The only methods are GET and HEAD.\n");
	} else {
		format = choose_format(req);
		write_text(userdata, format, &w);
		ret->status = 200;
		(void)http_reply_header(ret, "Vary", "Accept");
		ret->body = representation_new(&w, metric_format_type(format));
	}
	return HTTP_REPLIED;
}

static const struct http_handler metrics_handler = {metrics_wants_body, metrics_handle};

int metrics_new(struct listener *l, const struct metrics_source *source, struct http_hosts *hosts,
		struct metrics **ret, struct error *e)
{
	struct metrics *m = calloc(1, sizeof(*m));
	struct http_server_options o = {
		.handler = &metrics_handler, .limits = &metrics_limits, .hosts = hosts};
	_cleanup_close_ int fd = STEAL_FD(l->fd);
	int r;

	if (!m)
		return error_set(e, ENOMEM, "out of memory");
	m->source = *source;
	o.userdata = m;
	r = http_server_new(&o, STEAL_FD(fd), &m->http, e);
	if (r < 0) {
		free(m);
		return r;
	}
	*ret = m;
	return 0;
}

struct http_server *metrics_server(struct metrics *m)
{
	return m->http;
}

struct metrics *metrics_free(struct metrics *m)
{
	if (!m)
		return NULL;
	(void)http_server_free(m->http);
	(void)store_reader_close(m->store);
	free(m);
	return NULL;
}
