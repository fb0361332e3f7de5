/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_STREAM_H
#define CXLR_HTTP_STREAM_H

/*
 * Where the bytes of a reply without an end come from. The handler makes it and puts it into its
 * reply; from then on it belongs to the transport.
 */

#include <stdbool.h>
#include <sys/types.h>

struct http_stream_source;

struct http_stream_ops {
	/*
	 * Writes what is to be sent next into @buf, on one of the server's threads, one at a time.
	 * @keep_alive: write something in any case.
	 *
	 * Return: the number of bytes; 0: nothing now, call again after wake(); a negative errno
	 * ends the stream.
	 */
	ssize_t (*read)(struct http_stream_source *s, char *buf, size_t size, bool keep_alive);
	/*
	 * Has wake(@userdata) called, on any thread, whenever there may be something to read.
	 * Called once, before the first read(). wake() returns at once and calls nothing of the
	 * source.
	 */
	void (*watch)(struct http_stream_source *s, void (*wake)(void *userdata), void *userdata);
	/* When it returns, wake() is not running and will not be called. */
	void (*free)(struct http_stream_source *s);
};

/* First member of the source's own struct. */
struct http_stream_source {
	const struct http_stream_ops *ops;
};

#endif
