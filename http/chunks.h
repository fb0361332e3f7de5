/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_HTTP_CHUNKS_H
#define CXLR_HTTP_CHUNKS_H

/*
 * The lines of a chunked body (RFC 9112 7.1), which libmicrohttpd reads itself. It takes lines that
 * end with LF alone, which another parser does not, and extensions of any length, and passes on the
 * data only. But the data is where it was received, in the memory of the connection, so that the
 * line before a chunk can be looked at; libmicrohttpd 0.9.75 writes a NUL over the line ends of the
 * head.
 *
 * A line cannot be seen when it arrives apart from the data behind it, nor the last line, of the
 * chunk without data, when it arrives apart from the data before it. Therefore a connection ends
 * with a request that has a chunked body, so that what follows is no request whatever the lines
 * were.
 *
 * A line that fills the connection's memory (http_limits.head_bytes) is answered with 500 and a
 * close by libmicrohttpd 0.9.75 itself: it calls nothing while a line is not complete, and offers
 * no other reply for that.
 *
 * The connection's thread alone.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CHUNK_LINE_MAX = 256 }; /* bytes of a line, with its extensions */

/* Zeroed: before the first chunk. */
struct chunks {
	uint64_t left; /* bytes of the present chunk that were not given yet */
};

/*
 * chunks_take() - the next data of a body
 * @data: as libmicrohttpd gives it: of one chunk, and behind the head in the connection's memory
 *
 * Return: false when a line before it, or behind it, is malformed.
 */
bool chunks_take(struct chunks *c, const char *data, size_t len);

#endif
