// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/raw_layouts.h"

#include <errno.h>

#include "common/little_endian.h"

/* ---- QoS --------------------------------------------------------------------------------------
 */

/* Bits of the QoS Telemetry Control; the others are reserved. */
enum { CONTROL_CONGESTION = 1 << 0, CONTROL_REDUCTION = 1 << 1 };

#define INTERVAL_MASK 0x0f

int sld_qos_decode(const uint8_t *data, size_t len, struct sld_qos *ret)
{
	if (len < SLD_QOS_BYTES)
		return -EMSGSIZE;
	*ret = (struct sld_qos){
		.egress_port_congestion = (data[0] & CONTROL_CONGESTION) != 0,
		.temporary_throughput_reduction = (data[0] & CONTROL_REDUCTION) != 0,
		.egress_moderate = data[1],
		.egress_severe = data[2],
		.backpressure_sample_interval_ns = data[3] & INTERVAL_MASK,
	};
	return 0;
}

void sld_qos_encode(const struct sld_qos *qos, uint8_t ret[static SLD_QOS_BYTES])
{
	ret[0] = (uint8_t)((qos->egress_port_congestion ? CONTROL_CONGESTION : 0) |
			   (qos->temporary_throughput_reduction ? CONTROL_REDUCTION : 0));
	ret[1] = qos->egress_moderate;
	ret[2] = qos->egress_severe;
	ret[3] = qos->backpressure_sample_interval_ns & INTERVAL_MASK;
}

/* ---- a scan -----------------------------------------------------------------------------------
 */

enum { FLAG_NO_EVENT_LOG = 1 << 0 };
enum { RESULTS_MORE = 1 << 0, RESULTS_STOPPED = 1 << 1 };

/* Bits of the address of a record that are none of the address. */
#define SOURCE_MASK UINT64_C(0x07)
#define UNIT_MASK   ((uint64_t)MEDIA_UNIT - 1)

bool media_range_is_valid(const struct media_range *r)
{
	return r->length > 0 && (r->address & UNIT_MASK) == 0 && (r->length & UNIT_MASK) == 0 &&
	       r->length - 1 <= UINT64_MAX - r->address;
}

void media_range_encode(const struct media_range *range, uint8_t ret[static MEDIA_RANGE_BYTES])
{
	put_le64(ret, range->address);
	put_le64(ret + 8, range->length / MEDIA_UNIT);
}

void scan_media_encode(const struct media_range *range, bool no_event_log,
		       uint8_t ret[static SCAN_MEDIA_BYTES])
{
	media_range_encode(range, ret);
	ret[MEDIA_RANGE_BYTES] = no_event_log ? FLAG_NO_EVENT_LOG : 0;
}

int scan_estimate_decode(const uint8_t *data, size_t len, uint32_t *ret_ms)
{
	if (len < SCAN_ESTIMATE_BYTES)
		return -EMSGSIZE;
	*ret_ms = le32(data);
	return 0;
}

/* In units. Return: false when the bytes are no number of 64 bits. */
static bool read_length(uint64_t units, uint64_t *ret)
{
	return !__builtin_mul_overflow(units, (uint64_t)MEDIA_UNIT, ret);
}

/* A restart that cannot be one has a length of 0. */
static struct media_range read_restart(const uint8_t *data)
{
	struct media_range r = {.address = le64(data) & ~UNIT_MASK};

	if (!read_length(le64(data + 8), &r.length) || !media_range_is_valid(&r))
		r.length = 0;
	return r;
}

int scan_results_decode(const uint8_t *data, size_t len, struct scan_results *ret)
{
	size_t announced, room;

	if (len < SCAN_RESULTS_BYTES)
		return -EMSGSIZE;
	announced = le16(data + 0x12);
	room = (len - SCAN_RESULTS_BYTES) / SCAN_RECORD_BYTES;
	*ret = (struct scan_results){
		.more = (data[0x10] & RESULTS_MORE) != 0,
		.stopped = (data[0x10] & RESULTS_STOPPED) != 0,
		.restart = read_restart(data),
		.n = announced < room ? announced : room,
		.n_cut = announced > room ? announced - room : 0,
		.records = data + SCAN_RESULTS_BYTES,
	};
	return 0;
}

/* Return: whether any of @r is in @within, to which it is cut. */
static bool cut_to(struct media_range *r, const struct media_range *within)
{
	const uint64_t last = r->address + (r->length - 1);
	const uint64_t last_within = within->address + (within->length - 1);
	const uint64_t from = r->address > within->address ? r->address : within->address;
	const uint64_t to = last < last_within ? last : last_within;

	if (from > to)
		return false;
	*r = (struct media_range){from, to - from + 1};
	return true;
}

bool scan_record_decode(const struct scan_results *results, size_t i,
			const struct media_range *scanned, struct found_poison *ret)
{
	const uint8_t *record = results->records + i * SCAN_RECORD_BYTES;
	const uint64_t address = le64(record);

	*ret = (struct found_poison){.range.address = address & ~UNIT_MASK,
				     .source = address & SOURCE_MASK};
	return read_length(le32(record + 8), &ret->range.length) &&
	       media_range_is_valid(&ret->range) && cut_to(&ret->range, scanned);
}
