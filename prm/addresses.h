/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PRM_ADDRESSES_H
#define CXLR_PRM_ADDRESSES_H

/*
 * A host that was read, with all that translates its addresses: for programs that read a host once,
 * and for libcxlspa. The daemon keeps its parts apart. One thread.
 */

#include "common/error.h"
#include "prm/firmware.h"
#include "prm/translate.h"

struct addresses {
	const struct host *host;
	struct firmware *firmware; /* NULL on a captured host */
	struct translator *translator;
};

/*
 * addresses_read() - read a host and make its translation engine
 * @root: must outlive @ret
 * @ret: freed with addresses_done()
 *
 * Return: 0; the error of host_read(); -ENOMEM.
 */
int addresses_read(const struct host_root *root, struct addresses *ret, struct error *e);

/* Also of zeroed ones. */
void addresses_done(struct addresses *a);

#endif
