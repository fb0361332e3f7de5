/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_EMPTY_HOST_H
#define CXLR_TESTS_LIB_EMPTY_HOST_H

/* Live hosts without CXL, for tests of the publisher that need a topology and no device. */

#include "daemon/publisher.h"
#include "sysfs/snapshot.h"

struct empty_host {
	struct host_root root;
	struct snapshot snapshot;
	const struct host *host; /* of the snapshot */
	struct translator *translator;
};

void empty_host_init(struct empty_host *h);

/* Fails the test when a reference on the host is left. */
void empty_host_done(struct empty_host *h);

/* Posts it as the topology. Return: as publisher_post(). */
uint64_t empty_host_post(const struct empty_host *h, struct publisher *p);

#endif
