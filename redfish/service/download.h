/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_REDFISH_DOWNLOAD_H
#define CXLR_REDFISH_DOWNLOAD_H

/*
 * An archive of redfish/service/diagnostics.h on its way to a client: a stream of known length,
 * read from its file a block at a time by jobs, so that no HTTP thread waits for the disk.
 */

#include <stdint.h>

#include "http/stream.h"
#include "redfish/service/diagnostics.h"
#include "redfish/core/job.h"

enum { DOWNLOAD_BLOCK = 256 * 1024 /* bytes that are read at a time */ };

/*
 * download_new() - send what diagnostics_open() has opened
 * @d: diagnostics_sent() is called for it by the stream's free()
 * @id, @fd: 0 and -1 for a reply of which only the head is sent
 * @fd: taken over, also on failure
 *
 * Return: the stream; NULL when out of memory.
 */
struct http_stream_source *download_new(struct diagnostics *d, struct jobs *jobs, uint64_t id,
					int fd, uint64_t size);

#endif
