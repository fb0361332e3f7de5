/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_ADDRESSES_H
#define CXLR_PRM_ADDRESSES_H

/*
 * A host that was read, with all that translates its addresses: what cxl-spa and libcxlspa read and
 * ask, so that they give the same answers. The daemon keeps its parts apart. One thread.
 */

#include "common/error.h"
#include "prm/firmware.h"
#include "prm/translate.h"

/* How long one call waits for firmware, and all calls of one reading at its rate limit. */
enum { ADDRESSES_CALL_MS = 10000, ADDRESSES_BUCKET_MS = 30000 };

struct addresses {
	const struct host *host;
	struct firmware *firmware; /* NULL on a captured host */
	struct translator *translator;
	struct firmware_timeout timeout; /* what is left */
};

/*
 * addresses_read() - read a host and make its translation engine
 * @root: must outlive @ret
 * @ret: freed with addresses_done()
 *
 * Return: 0; the error of host_read(); -ENOMEM.
 */
int addresses_read(const struct host_root *root, struct addresses *ret, struct error *e);

/*
 * addresses_translate() - translate an inclusive range, and wait for firmware where needed
 * @memdev: the range is of its DPAs; NULL: of SPAs
 * @ret: cleared first; as translate_dpa() and translate_spa()
 *
 * Return: 0 or -ENOMEM.
 */
int addresses_translate(struct addresses *a, const struct memdev *memdev, uint64_t first,
			uint64_t last, struct answers *ret);

/* Also of zeroed ones. */
void addresses_done(struct addresses *a);

#endif
