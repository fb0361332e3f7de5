// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The QoS control of a device with one logical device (CXL 3.2 8.2.10.9.8), of which DSP0288 1.2.0
// has Temporary Throughput Reduction. Linux has no command id for either command.
#include <errno.h>

#include "change/device_mailbox.h"
#include "change/operations.h"
#include "common/cleanup.h"
#include "mailbox/raw_layouts.h"

enum { GET_SLD_QOS_CONTROL = 0x4700, SET_SLD_QOS_CONTROL = 0x4701 };

/* @done: what was sent before, for a failure after it; CHANGE_REFUSED nothing */
static int read_control(const struct change_context *x, const struct device_mailbox *mb,
			enum change_outcome done, struct change_result *ret)
{
	uint8_t output[SLD_QOS_BYTES];
	struct memdev_payloads p = {.output = output, .output_len = sizeof(output)};
	int r = device_mailbox_raw(mb, x->root, GET_SLD_QOS_CONTROL, &p, ret);

	if (r == 0 && sld_qos_decode(output, p.output_len, &ret->qos) < 0)
		r = change_result_set(
			ret, EIO, done,
			"%s: Get SLD QoS Control: the device returned %u bytes, which are fewer than %d",
			mb->memdev, p.output_len, SLD_QOS_BYTES);
	if (r < 0)
		ret->outcome = done;
	return r;
}

static int open_mailbox(const struct change_context *x, const struct change *c,
			const struct host *host, struct device_mailbox *mb,
			struct change_result *ret)
{
	const struct memdev *m = change_find_memdev(host, c, ret);

	return m ? device_mailbox_open(x->root, m, mb, ret) : ret->error;
}

int change_qos_read(const struct change_context *x, const struct change *c, const struct host *host,
		    struct change_result *ret)
{
	_cleanup_(device_mailbox_close) struct device_mailbox mb = {.fd = -1};
	int r = open_mailbox(x, c, host, &mb, ret);

	return r < 0 ? r : read_control(x, &mb, CHANGE_REFUSED, ret);
}

/* The other fields are the device's: they are set to what they were. */
static int write_control(const struct change_context *x, const struct device_mailbox *mb,
			 uint32_t on, struct change_result *ret)
{
	struct sld_qos wanted = ret->qos;
	uint8_t input[SLD_QOS_BYTES];
	struct memdev_payloads p = {.input = input};

	wanted.temporary_throughput_reduction = on != 0;
	sld_qos_encode(&wanted, input);
	return device_mailbox_raw(mb, x->root, SET_SLD_QOS_CONTROL, &p, ret);
}

int change_throttling(const struct change_context *x, const struct change *c,
		      const struct host *host, struct change_result *ret)
{
	_cleanup_(device_mailbox_close) struct device_mailbox mb = {.fd = -1};
	int r = open_mailbox(x, c, host, &mb, ret);

	if (r == 0)
		r = read_control(x, &mb, CHANGE_REFUSED, ret);
	if (r == 0)
		r = write_control(x, &mb, c->on, ret);
	if (r == 0)
		r = read_control(x, &mb, CHANGE_UNKNOWN, ret);
	if (r == 0 && ret->qos.temporary_throughput_reduction != c->on)
		return change_result_set(
			ret, EIO, CHANGE_INCOMPLETE,
			"%s accepted to switch Temporary Throughput Reduction %s, but Get SLD QoS Control shows the contrary",
			mb.memdev, c->on ? "on" : "off");
	return r;
}
