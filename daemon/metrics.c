// SPDX-License-Identifier: LGPL-2.1-or-later
#include "daemon/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include "common/cleanup.h"
#include "common/strutil.h"
#include "daemon/metrics_text.h"

struct metrics {
	struct MHD_Daemon *mhd;
	struct events *events;
	struct store_reader *store; /* the server's one thread's */
};

static struct store_reader *store_of(struct metrics *m)
{
	struct store_status status;
	struct error e = {0};

	if (m->events && !m->store) {
		store_writer_status(events_writer(m->events), &status);
		if (status.path[0])
			(void)store_reader_open(status.path, &m->store, &e);
	}
	return m->store;
}

static enum MHD_Result reply_text(struct MHD_Connection *c, unsigned int status, char *text,
				  size_t len, const char *type)
{
	struct MHD_Response *response =
		MHD_create_response_from_buffer_with_free_callback(len, text, free);
	enum MHD_Result result;

	if (!response) {
		free(text);
		return MHD_NO;
	}
	(void)MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		(void)MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	result = MHD_queue_response(c, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result refuse(struct MHD_Connection *c, unsigned int status, const char *why)
{
	char *text = strdup(why);

	return text ? reply_text(c, status, text, strlen(text), "text/plain; charset=utf-8")
		    : MHD_NO;
}

static enum MHD_Result reply_metrics(struct metrics *m, struct MHD_Connection *c)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int r;

	if (!f)
		return MHD_NO;
	r = metrics_write(f, m->events, store_of(m));
	if (fclose(f) == EOF) {
		free(text);
		return MHD_NO;
	}
	if (r == -EBADMSG)
		store_writer_check(events_writer(m->events));
	if (r < 0)
		m->store = store_reader_close(m->store);
	return reply_text(c, MHD_HTTP_OK, text, len, METRICS_TYPE);
}

static enum MHD_Result on_request(void *cls, struct MHD_Connection *c, const char *url,
				  const char *method, const char *version, const char *upload_data,
				  size_t *upload_data_size, void **con_cls)
{
	static int begun;

	(void)version;
	(void)upload_data;
	if (!*con_cls) {
		*con_cls = &begun; /* the head; a body may follow, and is thrown away */
		return MHD_YES;
	}
	if (*upload_data_size > 0) {
		*upload_data_size = 0;
		return MHD_YES;
	}
	if (!str_equal(url, "/metrics"))
		return refuse(c, MHD_HTTP_NOT_FOUND, "There is only /metrics.\n");
	if (!str_equal(method, MHD_HTTP_METHOD_GET) && !str_equal(method, MHD_HTTP_METHOD_HEAD))
		return refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED, "There is only GET.\n");
	return reply_metrics(cls, c);
}

int metrics_new(struct listener *l, struct events *events, struct metrics **ret, struct error *e)
{
	struct metrics *m = calloc(1, sizeof(*m));
	_cleanup_close_ int fd = STEAL_FD(l->fd);

	if (!m)
		return error_set(e, ENOMEM, "out of memory");
	m->events = events;
	m->mhd = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, on_request, m,
				  MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
				  (unsigned int)METRICS_CONNECTIONS_MAX,
				  MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)METRICS_SECONDS_MAX,
				  MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)METRICS_HEAD_MAX,
				  MHD_OPTION_END);
	if (!m->mhd) {
		free(m);
		return error_set(e, EIO, "libmicrohttpd could not be started for metrics");
	}
	fd = -1; /* libmicrohttpd's now */
	*ret = m;
	return 0;
}

struct metrics *metrics_free(struct metrics *m)
{
	if (!m)
		return NULL;
	MHD_stop_daemon(m->mhd);
	(void)store_reader_close(m->store);
	free(m);
	return NULL;
}
