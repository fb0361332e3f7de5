// SPDX-License-Identifier: LGPL-2.1-or-later
/* The MLD Component Command Set. */
#include "common/little_endian.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_private.h"

enum {
	LD_INFO_LEN = 11,
	ALLOCATIONS_HEAD = 4,
	ALLOCATION_LEN = 16,
	GRANULARITIES = 3, /* codes from 0 on: 256 MiB, 512 MiB, 1 GiB */
	GRANULARITY_SHIFT = 28,
	QOS_CONTROL_LEN = 7,
	BW_HEAD = 2,

	EGRESS_CONGESTION = 1 << 0,
	THROUGHPUT_REDUCTION = 1 << 1,
	PERCENT_MAX = 100,
	SAMPLE_INTERVAL_MAX = 15,
	FRACTIONS = 256,
};

/* 0 memory size (8); 8 LDs (2); 10 capabilities: egress congestion bit 0, throughput reduction bit
 * 1 */
int fmapi_decode_ld_info(const uint8_t *p, size_t len, struct fmapi_ld_info *ret)
{
	if (len < LD_INFO_LEN)
		return -EBADMSG;
	*ret = (struct fmapi_ld_info){
		.memory_size = le64(p),
		.n_lds = le16(p + 8),
		.egress_congestion = (p[10] & EGRESS_CONGESTION) != 0,
		.throughput_reduction = (p[10] & THROUGHPUT_REDUCTION) != 0,
	};
	return 0;
}

/* ---- allocations ---- */

/* 0 first LD; 1 limit */
int fmapi_encode_get_ld_allocations(uint8_t first, uint8_t limit, uint8_t *p, size_t size)
{
	if (limit < 1)
		return -EINVAL;
	return FMAPI_ENCODE_BYTES(p, size, first, limit);
}

size_t fmapi_ld_allocations_max(size_t payload_max)
{
	const size_t n = payload_max < ALLOCATIONS_HEAD
				 ? 0
				 : (payload_max - ALLOCATIONS_HEAD) / ALLOCATION_LEN;

	return n < UINT8_MAX ? n : UINT8_MAX;
}

/* 0 range 1 (8); 8 range 2 (8) */
static void decode_blocks(const uint8_t *p, uint8_t first, size_t n,
			  struct fmapi_ld_allocations *ret)
{
	ret->first = first;
	ret->n = (uint8_t)n;
	for (size_t i = 0; i < n; i++)
		ret->lds[i] = (struct fmapi_ld_allocation){
			.range1 = le64(p + i * ALLOCATION_LEN),
			.range2 = le64(p + i * ALLOCATION_LEN + 8),
		};
}

/* 0 number of LDs; 1 granularity; 2 first LD; 3 number of blocks; 4 the blocks */
int fmapi_decode_ld_allocations(const uint8_t *p, size_t len, uint8_t first, uint8_t limit,
				struct fmapi_ld_allocations *ret)
{
	size_t n, enabled;

	if (len < ALLOCATIONS_HEAD || p[2] != first || p[3] > limit)
		return -EBADMSG;
	n = p[3];
	enabled = first < p[0] ? p[0] - first : 0;
	if (len < ALLOCATIONS_HEAD + n * ALLOCATION_LEN || (n == 0 && enabled > 0))
		return -EBADMSG;
	/* The length is said to be the lesser of the limit and of all LDs, wherever it begins. */
	n = n < enabled ? n : enabled;
	*ret = (struct fmapi_ld_allocations){
		.n_lds = p[0],
		.granularity = p[1] < GRANULARITIES ? UINT64_C(1) << (GRANULARITY_SHIFT + p[1]) : 0,
	};
	decode_blocks(p + ALLOCATIONS_HEAD, first, n, ret);
	return 0;
}

/* 0 number of blocks; 1 first LD; 4 the blocks; the reply, too */
int fmapi_encode_set_ld_allocations(uint8_t first, const struct fmapi_ld_allocation *lds, size_t n,
				    uint8_t *p, size_t size)
{
	int len;

	if (n < 1 || n > UINT8_MAX || first + n > FMAPI_LDS_MAX)
		return -EINVAL;
	len = fmapi_begin(p, size, ALLOCATIONS_HEAD + n * ALLOCATION_LEN);
	if (len < 0)
		return len;
	p[0] = (uint8_t)n;
	p[1] = first;
	for (size_t i = 0; i < n; i++) {
		put_le64(p + ALLOCATIONS_HEAD + i * ALLOCATION_LEN, lds[i].range1);
		put_le64(p + ALLOCATIONS_HEAD + i * ALLOCATION_LEN + 8, lds[i].range2);
	}
	return len;
}

int fmapi_decode_set_ld_allocations(const uint8_t *p, size_t len, uint8_t first, size_t n,
				    struct fmapi_ld_allocations *ret)
{
	if (n > UINT8_MAX || len < ALLOCATIONS_HEAD + n * ALLOCATION_LEN || p[0] != n ||
	    p[1] != first)
		return -EBADMSG;
	*ret = (struct fmapi_ld_allocations){0};
	decode_blocks(p + ALLOCATIONS_HEAD, first, n, ret);
	return 0;
}

bool fmapi_ld_size(const struct fmapi_ld_allocations *a, size_t i, uint64_t *ret_bytes)
{
	uint64_t units;

	if (i >= a->n || a->granularity == 0 ||
	    __builtin_add_overflow(a->lds[i].range1, a->lds[i].range2, &units))
		return false;
	return !__builtin_mul_overflow(units, a->granularity, ret_bytes);
}

/* ---- quality of service ---- */

/*
 * 0 control: egress congestion bit 0, throughput reduction bit 1; 1 moderate percentage; 2 severe
 * percentage; 3 sample interval; 4 ReqCmpBasis (2); 6 completion collection interval; the same in
 * Set QoS Control
 */
int fmapi_decode_qos_control(const uint8_t *p, size_t len, struct fmapi_qos_control *ret)
{
	if (len < QOS_CONTROL_LEN || p[1] > PERCENT_MAX || p[2] > PERCENT_MAX ||
	    p[3] > SAMPLE_INTERVAL_MAX)
		return -EBADMSG;
	*ret = (struct fmapi_qos_control){
		.egress_congestion = (p[0] & EGRESS_CONGESTION) != 0,
		.throughput_reduction = (p[0] & THROUGHPUT_REDUCTION) != 0,
		.moderate_percent = p[1],
		.severe_percent = p[2],
		.sample_interval_ns = p[3],
		.req_cmp_basis = le16(p + 4),
		.completion_interval_ns = p[6],
	};
	return 0;
}

static bool is_percent(uint8_t v)
{
	return v >= 1 && v <= PERCENT_MAX;
}

int fmapi_encode_qos_control(const struct fmapi_qos_control *q, uint8_t *p, size_t size)
{
	int len;

	if (!is_percent(q->moderate_percent) || !is_percent(q->severe_percent) ||
	    q->sample_interval_ns > SAMPLE_INTERVAL_MAX)
		return -EINVAL;
	len = fmapi_begin(p, size, QOS_CONTROL_LEN);
	if (len < 0)
		return len;
	p[0] = (uint8_t)((q->egress_congestion ? EGRESS_CONGESTION : 0) |
			 (q->throughput_reduction ? THROUGHPUT_REDUCTION : 0));
	p[1] = q->moderate_percent;
	p[2] = q->severe_percent;
	p[3] = q->sample_interval_ns;
	put_le16(p + 4, q->req_cmp_basis);
	p[6] = q->completion_interval_ns;
	return len;
}

/* 0 percentage */
int fmapi_decode_qos_status(const uint8_t *p, size_t len, uint8_t *ret_percent)
{
	if (len < 1 || p[0] > PERCENT_MAX)
		return -EBADMSG;
	*ret_percent = p[0];
	return 0;
}

/* 0 number of LDs; 1 first LD; and in Set, and in the replies of both: 2 the fractions */
int fmapi_encode_get_qos_bw(uint8_t first, uint8_t n, uint8_t *p, size_t size)
{
	if (n < 1)
		return -EINVAL;
	return FMAPI_ENCODE_BYTES(p, size, n, first);
}

int fmapi_encode_set_qos_bw(uint8_t first, const uint8_t *fractions, size_t n, uint8_t *p,
			    size_t size)
{
	int len;

	if (n < 1 || n > UINT8_MAX || first + n > FMAPI_LDS_MAX)
		return -EINVAL;
	len = fmapi_begin(p, size, BW_HEAD + n);
	if (len < 0)
		return len;
	p[0] = (uint8_t)n;
	p[1] = first;
	memcpy(p + BW_HEAD, fractions, n);
	return len;
}

int fmapi_decode_qos_bw(const uint8_t *p, size_t len, uint8_t first, uint8_t n,
			struct fmapi_qos_bw *ret)
{
	if (len < BW_HEAD + (size_t)n || p[0] != n || p[1] != first)
		return -EBADMSG;
	*ret = (struct fmapi_qos_bw){.first = first, .n = n};
	memcpy(ret->fractions, p + BW_HEAD, n);
	return 0;
}

unsigned int fmapi_percent_of_fraction(uint8_t fraction)
{
	return (fraction * PERCENT_MAX + FRACTIONS / 2U) / FRACTIONS;
}

uint8_t fmapi_fraction_of_percent(unsigned int percent)
{
	const unsigned int f = percent < PERCENT_MAX
				       ? (percent * FRACTIONS + PERCENT_MAX / 2U) / PERCENT_MAX
				       : FRACTIONS;

	return (uint8_t)(f < UINT8_MAX ? f : UINT8_MAX);
}
