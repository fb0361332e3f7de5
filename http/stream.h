/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_STREAM_H
#define CXLR_HTTP_STREAM_H

/*
 * The source of a reply that is not in memory: an endless one, or one of known length. The handler
 * creates it and sets it in its reply; from then on the transport owns it.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct http_stream_source;

struct http_stream_ops {
	/*
	 * Writes the next bytes to send into @buf, on one of the server's threads, one at a time.
	 * @keep_alive: write at least one byte, if the reply is endless.
	 *
	 * Return: the number of bytes; 0: nothing now, call again after wake(); a negative errno
	 * ends the stream. A reply of known length is broken off by that: the client sees that it
	 * is not complete.
	 */
	ssize_t (*read)(struct http_stream_source *s, char *buf, size_t size, bool keep_alive);
	/*
	 * Registers wake(@userdata), which the source calls, on any thread, whenever there may be
	 * data to read. Called once, before the first read(). wake() returns at once and calls
	 * nothing of the source.
	 */
	void (*watch)(struct http_stream_source *s, void (*wake)(void *userdata), void *userdata);
	/* All of a reply of known length was given to the network. NULL: it does not matter. */
	void (*sent)(struct http_stream_source *s);
	/* When it returns, wake() is not running and will not be called. */
	void (*free)(struct http_stream_source *s);
};

/* First member of the source's own struct. */
struct http_stream_source {
	const struct http_stream_ops *ops;
	uint64_t size; /* bytes of the reply; 0: endless */
};

#endif
