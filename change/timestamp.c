// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>

#include "change/device_mailbox.h"
#include "change/operations.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/little_endian.h"

/*
 * Set Timestamp (CXL 3.2 8.2.10.4.2): nanoseconds since 1970. Linux sends it when it binds the
 * device, and has no command id for it.
 */
enum { SET_TIMESTAMP = 0x0301, SET_TIMESTAMP_BYTES = 8 };

/* The device's clock goes on between the two commands, for longer than any of them may take. */
#define SLACK_NS UINT64_C(60000000000)

static const uint16_t get_timestamp[] = {0x0300};

static int verify(const struct memdev *m, uint64_t wanted, const struct mailbox *now,
		  struct change_result *ret)
{
	const struct opt_u64 shown = now->timestamp_ns;

	if (shown.present && shown.value >= wanted && shown.value - wanted <= SLACK_NS)
		return 0;
	return change_result_set(ret, EIO, CHANGE_INCOMPLETE,
				 "%s accepted the timestamp %" PRIu64
				 " ns, but Get Timestamp shows %" PRIu64 " ns",
				 m->name, wanted, shown.present ? shown.value : 0);
}

int change_timestamp(const struct change_context *x, const struct change *c,
		     const struct host *host, struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	_cleanup_(device_mailbox_close) struct device_mailbox mb = {.fd = -1};
	uint8_t input[SET_TIMESTAMP_BYTES];
	struct memdev_payloads p = {.input = input};
	struct mailbox now;
	int r = m ? 0 : ret->error;

	put_le64(input, c->timestamp_ns);
	if (r == 0)
		r = device_mailbox_open(x->root, m, &mb, ret);
	if (r == 0)
		r = device_mailbox_read(&mb, get_timestamp, ARRAY_SIZE(get_timestamp), &now,
					CHANGE_REFUSED, ret);
	if (r == 0)
		r = device_mailbox_raw(&mb, x->root, SET_TIMESTAMP, &p, ret);
	if (r == 0)
		r = device_mailbox_read(&mb, get_timestamp, ARRAY_SIZE(get_timestamp), &now,
					CHANGE_UNKNOWN, ret);
	return r < 0 ? r : verify(m, c->timestamp_ns, &now, ret);
}
