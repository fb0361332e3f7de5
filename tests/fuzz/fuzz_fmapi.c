// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Any bytes as the reply of a switch. The first byte selects what was sent, the second is an
 * argument of the request, the third another one.
 */
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "mailbox/cci.h"
#include "mailbox/fmapi.h"
#include "mailbox/fmapi_events.h"
#include "tests/fuzz/fuzz_table.h"

enum { ARGUMENTS = 3, RECORDS = 16 };

struct reply {
	const uint8_t *p;
	size_t len;
	uint8_t a, b; /* the arguments */
};

static void identity(const struct reply *r)
{
	struct fmapi_identity id;

	(void)fmapi_decode_identity(r->p, r->len, &id);
}

static void switch_device(const struct reply *r)
{
	struct fmapi_switch s;
	unsigned int n = 0;

	if (fmapi_decode_switch(r->p, r->len, &s) < 0)
		return;
	for (unsigned int i = 0; i < 512; i++)
		n += fmapi_bit(s.active_ports, i);
	FUZZ_MUST(n <= FMAPI_PORTS_MAX);
}

static void ports(const struct reply *r)
{
	struct fmapi_port got[255];
	uint8_t ids[255];

	for (size_t i = 0; i < sizeof(ids); i++)
		ids[i] = (uint8_t)(r->b + i);
	if (fmapi_decode_port_state(r->p, r->len, ids, r->a, got) < 0)
		return;
	for (size_t i = 0; i < r->a; i++) {
		FUZZ_MUST(got[i].id == ids[i]);
		FUZZ_MUST(got[i].config <= FMAPI_PORT_INVALID);
		FUZZ_MUST(got[i].config == FMAPI_PORT_DSP || got[i].device_mode == 0);
		FUZZ_MUST(got[i].max_width < 64 && got[i].width < 64 && got[i].speeds < 64);
	}
}

static void vcs(const struct reply *r)
{
	struct fmapi_vcs v;

	if (fmapi_decode_vcs_info(r->p, r->len, r->a, r->b, r->b, &v) < 0)
		return;
	FUZZ_MUST(v.id == r->a);
	FUZZ_MUST(v.n_listed <= r->b);
	FUZZ_MUST(v.n_listed == 0 || r->b + v.n_listed <= v.n_vppbs);
}

static void ld_info(const struct reply *r)
{
	struct fmapi_ld_info info;

	(void)fmapi_decode_ld_info(r->p, r->len, &info);
}

static void allocations(const struct reply *r)
{
	struct fmapi_ld_allocations a;
	uint64_t bytes;

	if (fmapi_decode_ld_allocations(r->p, r->len, r->a, r->b, &a) < 0)
		return;
	FUZZ_MUST(a.first == r->a && a.n <= r->b);
	FUZZ_MUST(a.n == 0 || a.first + a.n <= a.n_lds);
	FUZZ_MUST(a.n > 0 || a.first >= a.n_lds);
	for (size_t i = 0; i <= a.n; i++)
		FUZZ_MUST(!fmapi_ld_size(&a, i, &bytes) || (i < a.n && a.granularity != 0));
}

/* Checks that the accepted reply to Set is what is encoded of it. */
static void set_allocations(const struct reply *r)
{
	uint8_t p[4 + 255 * 16];
	struct fmapi_ld_allocations a;
	int len;

	if (fmapi_decode_set_ld_allocations(r->p, r->len, r->a, r->b, &a) < 0)
		return;
	len = fmapi_encode_set_ld_allocations(r->a, a.lds, a.n, p, sizeof(p));
	FUZZ_MUST(len < 0 || (size_t)len <= r->len);
	if (len > 0)
		FUZZ_MUST(p[0] == r->p[0] && p[1] == r->p[1] &&
			  memcmp(p + 4, r->p + 4, (size_t)len - 4) == 0);
}

static void qos_control(const struct reply *r)
{
	struct fmapi_qos_control q;
	uint8_t p[7];

	if (fmapi_decode_qos_control(r->p, r->len, &q) < 0)
		return;
	if (fmapi_encode_qos_control(&q, p, sizeof(p)) > 0)
		FUZZ_MUST(p[0] == (r->p[0] & 3) && memcmp(p + 1, r->p + 1, 6) == 0);
	else
		FUZZ_MUST(q.moderate_percent == 0 || q.severe_percent == 0);
}

static void qos_status(const struct reply *r)
{
	uint8_t percent;

	FUZZ_MUST(fmapi_decode_qos_status(r->p, r->len, &percent) < 0 || percent <= 100);
}

static void qos_bw(const struct reply *r)
{
	struct fmapi_qos_bw bw;

	if (fmapi_decode_qos_bw(r->p, r->len, r->a, r->b, &bw) < 0)
		return;
	FUZZ_MUST(bw.first == r->a && bw.n == r->b);
	for (size_t i = 0; i < bw.n; i++)
		FUZZ_MUST(fmapi_percent_of_fraction(bw.fractions[i]) <= 100);
}

static void events(const struct reply *r)
{
	struct fmapi_record got[RECORDS];
	struct fmapi_records records;
	const size_t max = r->a % (RECORDS + 1);

	if (fmapi_decode_event_records(r->p, r->len, FMAPI_LOG_WARNING, &records, got, max) < 0)
		return;
	FUZZ_MUST(records.n <= max);
	FUZZ_MUST(records.overflow || records.n_lost == 0);
	for (size_t i = 0; i < records.n; i++)
		FUZZ_MUST(got[i].severity < FMAPI_LOGS && got[i].kind <= FMAPI_RECORD_MLD);
}

static void tunnel(const struct reply *r)
{
	const struct cci_request q = {.target = {.kind = (enum cci_target_kind)(r->a % 3)},
				      .opcode = FMAPI_IDENTIFY};
	struct cci_reply reply = {0};

	if (cci_message_unwrap(&q, r->b, r->a >> 4, r->p, r->len, &reply) < 0)
		return;
	FUZZ_MUST(reply.len <= CCI_PAYLOAD_MAX);
	FUZZ_MUST(reply.len + cci_tunnels(q.target.kind) * CCI_TUNNEL_OVERHEAD <= r->len ||
		  reply.len == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const decoders[])(const struct reply *) = {
		identity,	 switch_device, ports,	    vcs,    ld_info, allocations,
		set_allocations, qos_control,	qos_status, qos_bw, events,  tunnel,
	};
	struct reply r = {0};
	uint8_t *copy;

	if (size < ARGUMENTS)
		return 0;
	r.len = size - ARGUMENTS;
	/* A copy of this size, so that the address sanitizer knows its end. */
	copy = malloc(r.len > 0 ? r.len : 1);
	if (!copy)
		return 0;
	memcpy(copy, data + ARGUMENTS, r.len);
	r.p = copy;
	r.a = data[1];
	r.b = data[2];
	decoders[data[0] % ARRAY_SIZE(decoders)](&r);
	free(copy);
	return 0;
}
