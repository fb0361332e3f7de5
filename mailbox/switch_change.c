// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/switch_change.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/array.h"
#include "common/clock.h"
#include "mailbox/command.h"
#include "mailbox/fmapi_commands.h"
#include "mailbox/switch_change_private.h"
#include "mailbox/switch_change_send.h"

enum {
	BINDING_MS = 100, /* between readings of a vPPB whose binding is in progress */
	DEASSERT_ATTEMPTS = 10,
};

/* ---- targets ----------------------------------------------------------------------------------
 */

static const struct cci_target to_switch = {.kind = CCI_SWITCH};

static struct cci_target to_port(const struct switch_change *c)
{
	return (struct cci_target){.kind = CCI_PORT, .port = c->port};
}

/* ---- the switch -------------------------------------------------------------------------------
 */

/* The name of a mailbox is a PCI address, which another switch may have after a change of buses. */
static int check_switch(const struct switch_change_context *x, const struct switch_change *c,
			struct error *e)
{
	struct fmapi_identity now;
	struct cci_reply reply;
	int r;

	if (c->serial == 0)
		return 0;
	r = switch_change_send(x, to_switch, FMAPI_IDENTIFY, NULL, 0, &reply, e);
	if (r < 0)
		return r;
	r = switch_change_decoded(fmapi_decode_identity(reply.output, reply.len, &now),
				  FMAPI_IDENTIFY, e);
	if (r < 0 || now.serial == c->serial)
		return r;
	return error_set(e, ESTALE,
			 "%s is the mailbox of another switch now, with serial number 0x%" PRIx64
			 ": read the switches again, and repeat the request if it is still meant",
			 c->name, now.serial);
}

/* ---- ports ------------------------------------------------------------------------------------
 */

static int control_port(const struct switch_change_context *x, uint8_t port,
			enum fmapi_port_operation operation, struct error *e)
{
	struct cci_reply reply;
	uint8_t in[8];
	int len = fmapi_encode_port_control(port, operation, in, sizeof(in));

	return switch_change_send(x, to_switch, FMAPI_PORT_CONTROL, in, len, &reply, e);
}

static int read_port(const struct switch_change_context *x, uint8_t port, struct fmapi_port *ret,
		     struct error *e)
{
	struct cci_reply reply;
	uint8_t in[8];
	int len = fmapi_encode_get_port_state(&port, 1, in, sizeof(in));
	int r = switch_change_send(x, to_switch, FMAPI_GET_PORT_STATE, in, len, &reply, e);

	if (r < 0)
		return r;
	r = fmapi_decode_port_state(reply.output, reply.len, &port, 1, ret);
	return switch_change_decoded(r, FMAPI_GET_PORT_STATE, e);
}

/* Whether the device on the port is still in reset. Return: as switch_change_run(). */
static int check_deasserted(const struct switch_change_context *x, uint8_t port, struct error *e)
{
	struct fmapi_port state;
	struct error why;
	int r = read_port(x, port, &state, &why);

	if (r < 0)
		return error_set(e, r, "PERST of port %u may be asserted: %s", port, why.text);
	if (!(state.link_flags & FMAPI_LINK_PERST))
		return 0;
	return error_set(e, EIO, "PERST of port %u is asserted, reset the port again", port);
}

/* A switch refuses this until it has asserted PERST, which takes longer than its answer to that. */
static void deassert(const struct switch_change_context *x, uint8_t port)
{
	struct error why;

	for (unsigned int i = 0; i < DEASSERT_ATTEMPTS; i++) {
		const int waited = switch_change_pause(x, SWITCH_PERST_MS);
		const int r = control_port(x, port, FMAPI_DEASSERT_PERST, &why);

		if (r == 0 || (i > 0 && (r != -EIO || waited < 0)))
			return;
	}
}

/*
 * Whatever happens, PERST is deasserted: also when it is not known whether it was asserted, when it
 * was asserted before, which a switch may refuse to do twice, and when the process ends. The port's
 * answer afterwards counts.
 */
static int reset_port(const struct switch_change_context *x, const struct switch_change *c,
		      struct error *e)
{
	struct error why, after;
	const int asserted = control_port(x, c->port, FMAPI_ASSERT_PERST, &why);
	int r;

	if (asserted == -EACCES || asserted == -EINVAL ||
	    (asserted == -EIO && check_deasserted(x, c->port, &after) == 0))
		return error_set(e, asserted, "%s", why.text);
	deassert(x, c->port);
	r = check_deasserted(x, c->port, &after);
	if (r < 0 && asserted == -EIO)
		return error_set(e, r, "%s; %s", why.text, after.text);
	if (r < 0)
		return error_set(e, r, "%s", after.text);
	/* Refused, because it was asserted before. */
	return asserted == 0 || asserted == -EIO ? 0 : error_set(e, asserted, "%s", why.text);
}

static int reset_ppb(const struct switch_change_context *x, const struct switch_change *c,
		     struct error *e)
{
	return control_port(x, c->port, FMAPI_RESET_PPB, e);
}

/* ---- vPPBs ------------------------------------------------------------------------------------
 */

static int read_vppb(const struct switch_change_context *x, const struct switch_change *c,
		     struct fmapi_vppb *ret, struct error *e)
{
	struct cci_reply reply;
	struct fmapi_vcs vcs;
	uint8_t in[8];
	int len = fmapi_encode_get_vcs_info(c->vcs, c->vppb, 1, in, sizeof(in));
	int r = switch_change_send(x, to_switch, FMAPI_GET_VCS_INFO, in, len, &reply, e);

	if (r < 0)
		return r;
	r = fmapi_decode_vcs_info(reply.output, reply.len, c->vcs, c->vppb, 1, &vcs);
	if (r < 0)
		return switch_change_decoded(r, FMAPI_GET_VCS_INFO, e);
	if (vcs.n_listed != 1)
		return error_set(e, EIO, "VCS %u has no vPPB %u", c->vcs, c->vppb);
	*ret = vcs.vppbs[0];
	return 0;
}

/* "bound to LD 2 of port 5" */
static const char *binding_text(const struct fmapi_vppb *v, char text[static 64])
{
	switch (v->binding) {
	case FMAPI_UNBOUND:
		(void)snprintf(text, 64, "unbound");
		break;
	case FMAPI_BINDING:
		(void)snprintf(text, 64, "being bound or unbound");
		break;
	case FMAPI_BOUND_PORT:
		(void)snprintf(text, 64, "bound to port %u", v->port);
		break;
	case FMAPI_BOUND_LD:
		(void)snprintf(text, 64, "bound to LD %u of port %u", v->ld, v->port);
		break;
	default:
		(void)snprintf(text, 64, "in binding status %u", v->binding);
		break;
	}
	return text;
}

static bool is_bound_as(const struct fmapi_vppb *v, const struct switch_change *c)
{
	if (c->ld == FMAPI_NO_LD)
		return v->binding == FMAPI_BOUND_PORT && v->port == c->port;
	return v->binding == FMAPI_BOUND_LD && v->port == c->port && v->ld == c->ld;
}

/* Whether the vPPB is as the change will have it, or had to find it. */
static bool is_as_needed(const struct fmapi_vppb *v, const struct switch_change *c, bool bound)
{
	return bound ? is_bound_as(v, c) : v->binding == FMAPI_UNBOUND;
}

static int check_binding(const struct switch_change_context *x, const struct switch_change *c,
			 struct error *e)
{
	struct fmapi_vppb now;
	char text[64];
	int r = read_vppb(x, c, &now, e);

	if (r < 0 || is_as_needed(&now, c, c->kind == SWITCH_UNBIND))
		return r;
	return error_set(e, ESTALE, "vPPB %u of VCS %u is %s now", c->vppb, c->vcs,
			 binding_text(&now, text));
}

/* Until the switch has ended what it does; @sent: 0, or the error of the command. */
static int await_binding(const struct switch_change_context *x, const struct switch_change *c,
			 int sent, struct error *e)
{
	struct fmapi_vppb now;
	struct error why;
	char text[64];

	for (;;) {
		int r = read_vppb(x, c, &now, &why);

		if (r < 0)
			return error_set(e, r, "not verified: %s", why.text);
		if (is_as_needed(&now, c, c->kind == SWITCH_BIND))
			return 0;
		if (now.binding != FMAPI_BINDING || clock_monotonic_ms() >= x->deadline_ms)
			break;
		r = switch_change_pause(x, BINDING_MS);
		if (r < 0)
			return error_set(e, r, "vPPB %u of VCS %u is being bound or unbound",
					 c->vppb, c->vcs);
	}
	(void)binding_text(&now, text);
	if (now.binding == FMAPI_BINDING)
		return error_set(e, ETIMEDOUT, "vPPB %u of VCS %u is still %s", c->vppb, c->vcs,
				 text);
	if (sent < 0)
		return sent;
	return error_set(
		e, EIO, "vPPB %u of VCS %u is %s after %s", c->vppb, c->vcs, text,
		fmapi_command_title(c->kind == SWITCH_BIND ? FMAPI_BIND_VPPB : FMAPI_UNBIND_VPPB));
}

/* A managed removal takes longer than a command may: then it goes on, and the vPPB says when. */
static int change_binding(const struct switch_change_context *x, const struct switch_change *c,
			  struct error *e)
{
	const bool binds = c->kind == SWITCH_BIND;
	struct cci_reply reply;
	uint8_t in[8];
	int r = check_binding(x, c, e), len;

	if (r < 0)
		return r;
	if (binds)
		len = fmapi_encode_bind(c->vcs, c->vppb, c->port, c->ld, in, sizeof(in));
	else
		len = fmapi_encode_unbind(c->vcs, c->vppb, c->option, in, sizeof(in));
	r = switch_change_send(x, to_switch, binds ? FMAPI_BIND_VPPB : FMAPI_UNBIND_VPPB, in, len,
			       &reply, e);
	return r == 0 || r == -ETIMEDOUT ? await_binding(x, c, r, e) : r;
}

static int generate_aer(const struct switch_change_context *x, const struct switch_change *c,
			struct error *e)
{
	struct cci_reply reply;
	uint8_t in[64];
	int len = fmapi_encode_aer(&c->aer, in, sizeof(in));

	return switch_change_send(x, to_switch, FMAPI_GENERATE_AER, in, len, &reply, e);
}

/* ---- LD allocations ---------------------------------------------------------------------------
 */

static int read_allocations(const struct switch_change_context *x, const struct switch_change *c,
			    struct fmapi_ld_allocations *ret, struct error *e)
{
	const uint8_t n = (uint8_t)c->allocations.n;
	struct cci_reply reply;
	uint8_t in[8];
	int len = fmapi_encode_get_ld_allocations((uint8_t)c->ld, n, in, sizeof(in));
	int r = switch_change_send(x, to_port(c), FMAPI_GET_LD_ALLOCATIONS, in, len, &reply, e);

	if (r < 0)
		return r;
	r = fmapi_decode_ld_allocations(reply.output, reply.len, (uint8_t)c->ld, n, ret);
	if (r < 0)
		return switch_change_decoded(r, FMAPI_GET_LD_ALLOCATIONS, e);
	if (ret->n != n)
		return error_set(e, EINVAL, "the device on port %u has %u LDs, not LD %zu", c->port,
				 ret->n_lds, c->ld + c->allocations.n - 1);
	return 0;
}

static bool same_allocation(const struct fmapi_ld_allocation *a,
			    const struct fmapi_ld_allocation *b)
{
	return a->range1 == b->range1 && a->range2 == b->range2;
}

/*
 * Compares the allocations with the request: a device that cannot make all allocations may have
 * made some (7.6.7.4.3).
 */
static int compare_allocations(const struct switch_change *c,
			       const struct fmapi_ld_allocations *before,
			       const struct fmapi_ld_allocations *now, int sent, struct error *e)
{
	size_t made = 0, changed = 0, first = SIZE_MAX;

	for (size_t i = 0; i < c->allocations.n; i++) {
		made += same_allocation(&now->lds[i], &c->allocations.lds[i]);
		changed += !same_allocation(&now->lds[i], &before->lds[i]);
		if (first == SIZE_MAX && !same_allocation(&now->lds[i], &c->allocations.lds[i]))
			first = i;
	}
	if (first == SIZE_MAX)
		return 0;
	if (changed == 0 && sent < 0)
		return sent;
	return error_set(e, EIO,
			 "%zu of %zu allocations were made: LD %zu has %" PRIu64 "+%" PRIu64
			 " instead of %" PRIu64 "+%" PRIu64 " units",
			 made, c->allocations.n, c->ld + first, now->lds[first].range1,
			 now->lds[first].range2, c->allocations.lds[first].range1,
			 c->allocations.lds[first].range2);
}

/* Checks that others have allocated nothing meanwhile, which would be taken from them. */
static int check_unallocated(const struct switch_change *c, const struct fmapi_ld_allocations *now,
			     struct error *e)
{
	for (size_t i = 0; c->allocations.create && i < c->allocations.n; i++)
		if (now->lds[i].range1 || now->lds[i].range2)
			return error_set(e, ESTALE, "LD %zu has memory now", c->ld + i);
	return 0;
}

/* The reply has the new allocations, but not if the command failed: they are read in any case. */
static int set_allocations(const struct switch_change_context *x, const struct switch_change *c,
			   struct error *e)
{
	struct fmapi_ld_allocations before, now, reported;
	struct cci_reply reply;
	struct error why;
	uint8_t in[4 + SWITCH_CHANGE_LDS_MAX * 16];
	int r = read_allocations(x, c, &before, e), sent, len;

	if (r == 0)
		r = check_unallocated(c, &before, e);
	if (r < 0)
		return r;
	len = fmapi_encode_set_ld_allocations((uint8_t)c->ld, c->allocations.lds, c->allocations.n,
					      in, sizeof(in));
	sent = switch_change_send(x, to_port(c), FMAPI_SET_LD_ALLOCATIONS, in, len, &reply, e);
	if (sent == -EACCES || sent == -EINVAL)
		return sent;
	if (sent == 0) {
		r = fmapi_decode_set_ld_allocations(reply.output, reply.len, (uint8_t)c->ld,
						    c->allocations.n, &reported);
		sent = switch_change_decoded(r, FMAPI_SET_LD_ALLOCATIONS, e);
	}
	r = read_allocations(x, c, &now, &why);
	if (r < 0)
		return sent < 0 ? sent : error_set(e, r, "not verified: %s", why.text);
	return compare_allocations(c, &before, &now, sent, e);
}

/* ---- QoS --------------------------------------------------------------------------------------
 */

static int read_qos(const struct switch_change_context *x, const struct switch_change *c,
		    struct fmapi_qos_control *ret, struct error *e)
{
	struct cci_reply reply;
	int r = switch_change_send(x, to_port(c), FMAPI_GET_QOS_CONTROL, NULL, 0, &reply, e);

	if (r < 0)
		return r;
	return switch_change_decoded(fmapi_decode_qos_control(reply.output, reply.len, ret),
				     FMAPI_GET_QOS_CONTROL, e);
}

static void merge_qos(struct fmapi_qos_control *to, const struct switch_change *c)
{
	const struct fmapi_qos_control *from = &c->qos.values;
	const unsigned int set = c->qos.fields;

	if (set & QOS_EGRESS_CONGESTION)
		to->egress_congestion = from->egress_congestion;
	if (set & QOS_THROUGHPUT_REDUCTION)
		to->throughput_reduction = from->throughput_reduction;
	if (set & QOS_MODERATE_PERCENT)
		to->moderate_percent = from->moderate_percent;
	if (set & QOS_SEVERE_PERCENT)
		to->severe_percent = from->severe_percent;
	if (set & QOS_SAMPLE_INTERVAL)
		to->sample_interval_ns = from->sample_interval_ns;
	if (set & QOS_REQ_CMP_BASIS)
		to->req_cmp_basis = from->req_cmp_basis;
	if (set & QOS_COMPLETION_INTERVAL)
		to->completion_interval_ns = from->completion_interval_ns;
}

static bool same_qos(const struct fmapi_qos_control *a, const struct fmapi_qos_control *b)
{
	return a->egress_congestion == b->egress_congestion &&
	       a->throughput_reduction == b->throughput_reduction &&
	       a->moderate_percent == b->moderate_percent &&
	       a->severe_percent == b->severe_percent &&
	       a->sample_interval_ns == b->sample_interval_ns &&
	       a->req_cmp_basis == b->req_cmp_basis &&
	       a->completion_interval_ns == b->completion_interval_ns;
}

/* The command sets all fields, and a device may report a percentage that cannot be set. */
static int check_kept(const struct fmapi_qos_control *q, unsigned int fields, struct error *e)
{
	const struct {
		unsigned int field;
		const char *name;
		uint8_t percent;
	} kept[] = {{QOS_MODERATE_PERCENT, "Moderate", q->moderate_percent},
		    {QOS_SEVERE_PERCENT, "Severe", q->severe_percent}};

	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		if (!(fields & kept[i].field) && kept[i].percent == 0)
			return error_set(
				e, EINVAL,
				"Set QoS Control (5404h): Egress %s Percentage of the device is 0, which cannot be set; give it 1 to 100, too",
				kept[i].name);
	return 0;
}

/* The device answers with what it has then (7.6.7.4.5); that is read once more. */
static int set_qos(const struct switch_change_context *x, const struct switch_change *c,
		   struct error *e)
{
	struct fmapi_qos_control wanted, now;
	struct cci_reply reply;
	struct error why;
	uint8_t in[16];
	int r = read_qos(x, c, &wanted, e);

	if (r < 0)
		return r;
	r = check_kept(&wanted, c->qos.fields, e);
	if (r < 0)
		return r;
	merge_qos(&wanted, c);
	r = fmapi_encode_qos_control(&wanted, in, sizeof(in));
	r = switch_change_send(x, to_port(c), FMAPI_SET_QOS_CONTROL, in, r, &reply, e);
	if (r < 0)
		return r;
	r = switch_change_decoded(fmapi_decode_qos_control(reply.output, reply.len, &now),
				  FMAPI_SET_QOS_CONTROL, e);
	if (r < 0)
		return r;
	if (!same_qos(&now, &wanted))
		return error_set(e, EIO, "Set QoS Control: the device reports other values");
	r = read_qos(x, c, &now, &why);
	if (r < 0)
		return error_set(e, r, "not verified: %s", why.text);
	return same_qos(&now, &wanted)
		       ? 0
		       : error_set(e, EIO, "Get QoS Control: the device has other values");
}

static int check_bandwidth(const struct switch_change *c, uint16_t opcode,
			   const struct cci_reply *reply, struct error *e)
{
	struct fmapi_qos_bw bw;
	int r = fmapi_decode_qos_bw(reply->output, reply->len, (uint8_t)c->ld, 1, &bw);

	if (r < 0 || bw.n != 1)
		return switch_change_decoded(-EBADMSG, opcode, e);
	if (bw.fractions[0] == c->fraction)
		return 0;
	return error_set(e, EIO, "%s: LD %u has %u/256 instead of %u/256",
			 fmapi_command_title(opcode), c->ld, bw.fractions[0], c->fraction);
}

static int set_bandwidth(const struct switch_change_context *x, const struct switch_change *c,
			 uint16_t set, uint16_t get, struct error *e)
{
	struct cci_reply reply;
	struct error why;
	uint8_t in[8];
	int len = fmapi_encode_set_qos_bw((uint8_t)c->ld, &c->fraction, 1, in, sizeof(in));
	int r = switch_change_send(x, to_port(c), set, in, len, &reply, e);

	if (r == 0)
		r = check_bandwidth(c, set, &reply, e);
	if (r < 0)
		return r;
	len = fmapi_encode_get_qos_bw((uint8_t)c->ld, 1, in, sizeof(in));
	r = switch_change_send(x, to_port(c), get, in, len, &reply, &why);
	if (r < 0)
		return error_set(e, r, "not verified: %s", why.text);
	return check_bandwidth(c, get, &reply, e);
}

static int set_allocated(const struct switch_change_context *x, const struct switch_change *c,
			 struct error *e)
{
	return set_bandwidth(x, c, FMAPI_SET_QOS_ALLOCATED_BW, FMAPI_GET_QOS_ALLOCATED_BW, e);
}

static int set_limit(const struct switch_change_context *x, const struct switch_change *c,
		     struct error *e)
{
	return set_bandwidth(x, c, FMAPI_SET_QOS_BW_LIMIT, FMAPI_GET_QOS_BW_LIMIT, e);
}

typedef int change_fn(const struct switch_change_context *x, const struct switch_change *c,
		      struct error *e);

int switch_change_run(const struct switch_change_context *x, const struct switch_change *c,
		      struct error *e)
{
	static change_fn *const changes[] = {
		[SWITCH_RESET_PORT] = reset_port,
		[SWITCH_RESET_PPB] = reset_ppb,
		[SWITCH_BIND] = change_binding,
		[SWITCH_UNBIND] = change_binding,
		[SWITCH_GENERATE_AER] = generate_aer,
		[SWITCH_SET_LD_ALLOCATIONS] = set_allocations,
		[SWITCH_SET_QOS_CONTROL] = set_qos,
		[SWITCH_SET_ALLOCATED_BW] = set_allocated,
		[SWITCH_SET_BW_LIMIT] = set_limit,
		[SWITCH_SET_DC_REGION] = switch_change_dc_region,
	};
	struct error ignored = {0};
	struct error *why = e ? e : &ignored;
	int r = check_switch(x, c, why);

	return r < 0 ? r : changes[c->kind](x, c, why);
}
