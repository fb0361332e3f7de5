// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A firmware image for one device: by the kernel's loader, into the slot that the kernel chooses.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "change/device_mailbox.h"
#include "change/firmware_loader.h"
#include "change/operations.h"
#include "common/cleanup.h"
#include "model/firmware_slot.h"

/* Bytes before the image in the input payload of Transfer FW (CXL 3.2 8.2.10.3.2). */
enum { TRANSFER_HEADER = 128 };

/* ---- the device -------------------------------------------------------------------------------
 */

enum { GET_FW_INFO = 0x0200 };

/* As the device itself says it now. Return: 0; as device_mailbox_read(), with the text in @ret. */
static int read_slots(const struct change_context *x, const struct memdev *m,
		      struct mailbox *ret_said, struct change_result *ret)
{
	static const uint16_t opcodes[] = {GET_FW_INFO};
	struct device_mailbox mb = {.fd = -1};
	int r = device_mailbox_open(x->root, m, &mb, ret);

	memset(ret_said, 0, sizeof(*ret_said));
	if (r == 0)
		r = device_mailbox_read(&mb, opcodes, 1, ret_said, CHANGE_REFUSED, ret);
	device_mailbox_close(&mb);
	return r;
}

/* Return: the slot that the kernel will write to; 0: refused. */
static unsigned int find_slot(const struct change_context *x, const struct memdev *m,
			      struct change_result *ret)
{
	struct mailbox said;
	struct opt_u64 slot;

	if (read_slots(x, m, &said, ret) < 0)
		return 0;
	slot = firmware_next_slot(&said);
	if (slot.present)
		return (unsigned int)slot.value;
	if (opt_u64_is(said.slots, 1))
		(void)change_result_set(
			ret, EOPNOTSUPP, CHANGE_REFUSED,
			"%s has one firmware slot and runs what is in it, which the kernel would overwrite: update it with its vendor's tools",
			m->name);
	else
		(void)change_result_set(
			ret, EIO, CHANGE_REFUSED,
			"%s does not say which of its firmware slots is active, so it is not known which one would be overwritten",
			m->name);
	return 0;
}

/* ---- the image --------------------------------------------------------------------------------
 */

/*
 * An image that fills one payload exactly is not "full" to the kernel: it begins a transfer in
 * parts, never ends it, and selects the slot (cxl_fw_prepare() and cxl_fw_write(), up to 7.3).
 */
static int check_payload(const struct memdev *m, uint64_t size, struct change_result *ret)
{
	if (!m->payload_max.present || m->payload_max.value != size + TRANSFER_HEADER)
		return 0;
	return change_result_set(ret, EINVAL, CHANGE_REFUSED,
				 "the kernel cannot transfer an image of exactly %" PRIu64
				 " bytes, which is the payload of %s (%" PRIu64
				 " bytes) less %d: pad the image if its format allows that",
				 size, m->name, m->payload_max.value, TRANSFER_HEADER);
}

/* The descriptor is another process's: only a file is read, and only as much as was announced. */
static int check_image(const struct change_context *x, const struct change *c,
		       struct change_result *ret)
{
	struct stat st;

	if (x->image < 0 || fstat(x->image, &st) < 0 || !S_ISREG(st.st_mode))
		return change_result_set(ret, EINVAL, CHANGE_REFUSED,
					 "there is no file with an image for %s", c->object);
	if ((uint64_t)st.st_size != c->firmware.size)
		return change_result_set(ret, EINVAL, CHANGE_REFUSED,
					 "the image for %s has %" PRIu64 " bytes, not the %" PRIu64
					 " that were announced; send it again",
					 c->object, (uint64_t)st.st_size, c->firmware.size);
	return 0;
}

/* ---- the change -------------------------------------------------------------------------------
 */

/* The kernel offers no activation but by a reset; whether the device has taken it is read back. */
static void describe(const struct change_context *x, const struct memdev *m, unsigned int slot,
		     struct change_result *ret)
{
	struct mailbox said;
	const int r = read_slots(x, m, &said, ret);

	if (r == 0 && opt_u64_is(said.staged_slot, slot))
		(void)change_result_set(
			ret, 0, CHANGE_DONE,
			"it is staged in slot %u, and in force after the next reset of the device",
			slot);
	else
		(void)change_result_set(
			ret, 0, CHANGE_DONE,
			"it is in slot %u, which the kernel selected for the next reset of the device; the device does not report the slot as staged",
			slot);
}

static int load(const struct change_context *x, const struct memdev *m, const struct change *c,
		struct change_result *ret)
{
	_cleanup_close_ int dir = firmware_loader_open(x->root, m->name);
	struct firmware_loader l = {
		.context = x, .dir = dir, .memdev = m->name, .size = c->firmware.size};
	int r;

	if (dir < 0)
		return change_result_set(
			ret, EOPNOTSUPP, CHANGE_REFUSED,
			"the kernel has no firmware loader for %s: it is older than 6.5, was built without CONFIG_FW_UPLOAD, or the device has no Get FW Info",
			m->name);
	l.slot = find_slot(x, m, ret);
	if (l.slot == 0)
		return ret->error;
	r = firmware_load(&l, ret);
	if (r == 0)
		describe(x, m, l.slot, ret);
	return r;
}

int change_firmware(const struct change_context *x, const struct change *c, const struct host *host,
		    struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);
	int r;

	if (!m)
		return ret->error;
	r = check_image(x, c, ret);
	if (r == 0)
		r = check_payload(m, c->firmware.size, ret);
	return r == 0 ? load(x, m, c, ret) : r;
}
