// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <inttypes.h>

#include "change/device.h"
#include "change/device_mailbox.h"
#include "change/operations.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/little_endian.h"
#include "model/memdev_change.h"

/*
 * Set Partition Info (CXL 3.2 8.2.10.9.2.2): the volatile capacity after the next reset, in units
 * of 256 MiB, and flags. Bit 0 would change the partitions at once; Linux refuses it, because it
 * would not know.
 */
enum { SET_PARTITION_INFO = 0x4101, UNIT_SHIFT = 28, SET_PARTITION_BYTES = 9 };

static const uint16_t identify_and_partitions[] = {0x4000, 0x4100};

static int read_partitions(const struct device_mailbox *mb, struct mailbox *ret,
			   enum change_outcome outcome, struct change_result *result)
{
	return device_mailbox_read(mb, identify_and_partitions, ARRAY_SIZE(identify_and_partitions),
				   ret, outcome, result);
}

static int check_size(const struct memdev *m, const struct mailbox *said, uint64_t size,
		      struct change_result *ret)
{
	struct error e = {0};
	int r = memdev_check_partitions(said, &e);

	if (r == 0)
		r = memdev_check_volatile_size(said, size, &e);
	return r < 0 ? change_refuse(m, &e, ret) : 0;
}

/* A size that is the active one may be staged as such, or as no change at all. */
static bool is_staged(const struct mailbox *p, uint64_t size)
{
	if (p->next_volatile.present)
		return p->next_volatile.value == size &&
		       p->next_persistent.value == p->total_size.value - size;
	return p->active_volatile.present && p->active_volatile.value == size;
}

static int set_and_verify(const struct device_mailbox *mb, const struct memdev *m, uint64_t size,
			  struct change_result *ret)
{
	uint8_t input[SET_PARTITION_BYTES] = {0};
	struct mailbox after = {0};
	int r;

	put_le64(input, size >> UNIT_SHIFT);
	r = device_mailbox_change(mb, SET_PARTITION_INFO, input, ret);
	if (r == 0)
		r = read_partitions(mb, &after, CHANGE_UNKNOWN, ret);
	if (r < 0 || is_staged(&after, size))
		return r;
	if (!after.next_volatile.present)
		return change_result_set(
			ret, EIO, CHANGE_INCOMPLETE,
			"%s accepted %" PRIu64
			" bytes of volatile memory, but Get Partition Info shows no change",
			m->name, size);
	return change_result_set(ret, EIO, CHANGE_INCOMPLETE,
				 "%s accepted %" PRIu64
				 " bytes of volatile memory, but Get Partition Info shows %" PRIu64
				 " after the next reset",
				 m->name, size, after.next_volatile.value);
}

int change_partitions(const struct change_context *x, const struct change *c,
		      const struct host *host, struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	_cleanup_(device_mailbox_close) struct device_mailbox mb = {.fd = -1};
	struct mailbox before = {0};
	int r = m ? 0 : ret->error;

	if (r == 0)
		r = device_check_idle(m, DEVICE_ALL, "get other partitions", ret);
	if (r == 0)
		r = device_mailbox_open(x->root, m, &mb, ret);
	if (r == 0)
		r = read_partitions(&mb, &before, CHANGE_REFUSED, ret);
	if (r == 0)
		r = check_size(m, &before, c->volatile_bytes, ret);
	return r < 0 ? r : set_and_verify(&mb, m, c->volatile_bytes, ret);
}
