// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The virtual CXL switches of a switch, and the bindings of their vPPBs.
#include <stdlib.h>
#include <string.h>

#include "common/cleanup.h"
#include "mailbox/switch_reader_private.h"

enum { INPUT_BYTES = 16 /* of a request */ };

/* Return: whether there is such a VCS, with all its vPPBs in @ret. */
static bool read_parts(struct switch_query *q, uint8_t id, struct fmapi_vcs *ret)
{
	const uint8_t limit = (uint8_t)fmapi_vppbs_max(q->cci->payload_max);
	struct fmapi_vcs part;
	uint8_t input[INPUT_BYTES];
	unsigned int n = 0;

	do {
		const int len =
			fmapi_encode_get_vcs_info(id, (uint8_t)n, limit, input, sizeof(input));

		if (!switch_query_send(q, FMAPI_GET_VCS_INFO, input, len) ||
		    !switch_query_check(q, FMAPI_GET_VCS_INFO,
					fmapi_decode_vcs_info(q->reply.output, q->reply.len, id,
							      (uint8_t)n, limit, &part)))
			return false;
		if (part.state == FMAPI_VCS_INVALID) {
			if (!q->quiet)
				switch_query_note(q, "VCS %u is active, but there is none", id);
			return false;
		}
		if (n == 0)
			*ret = part;
		if (part.n_vppbs != ret->n_vppbs || part.state != ret->state) {
			switch_query_note(
				q, "the parts of VCS %u contradict each other; it is not shown",
				id);
			return false;
		}
		memcpy(ret->vppbs + n, part.vppbs, part.n_listed * sizeof(part.vppbs[0]));
		n += part.n_listed;
	} while (n < ret->n_vppbs);
	return true;
}

static void add_vcs(struct switch_query *q, const struct fmapi_vcs *info, struct switch_reading *s)
{
	struct vcs_reading *v = &s->vcs[s->n_vcs];

	v->vppbs =
		arena_memdup(q->piece->arena, info->vppbs, info->n_vppbs * sizeof(info->vppbs[0]));
	if (!v->vppbs) {
		q->piece->notes.out_of_memory = true;
		return;
	}
	v->id = info->id;
	v->state = info->state;
	v->usp = info->usp;
	v->n_vppbs = info->n_vppbs;
	s->n_vcs++;
}

/* ---- contradictions ---- */

enum { KEYS_PER_PORT = FMAPI_LDS_MAX + 1, NO_LD = FMAPI_LDS_MAX };

/* The report of the VCSs is checked against the ports, and its parts against each other. */
struct vcs_check {
	struct switch_query *q;
	struct switch_reading *s;
	uint16_t *bound; /* by port and LD: 1 + the index of the VCS to which it is bound */
	bool wrong[FMAPI_VCS_MAX];
};

static void check_upstream(struct vcs_check *c, size_t i)
{
	const struct vcs_reading *v = &c->s->vcs[i];
	const struct port_reading *usp = switch_port(c->s, v->usp);

	if (v->state != FMAPI_VCS_ENABLED || c->s->n_ports == 0)
		return;
	if (!usp || usp->state.config != FMAPI_PORT_USP) {
		switch_query_note(
			c->q,
			"port %u is the upstream port of VCS %u, but no upstream port; the VCS is not shown",
			v->usp, v->id);
		c->wrong[i] = true;
	}
	for (size_t k = 0; k < i; k++) {
		const struct vcs_reading *other = &c->s->vcs[k];

		if (other->state != FMAPI_VCS_ENABLED || other->usp != v->usp)
			continue;
		switch_query_note(
			c->q,
			"port %u is the upstream port of VCS %u and of VCS %u; both are not shown",
			v->usp, other->id, v->id);
		c->wrong[i] = c->wrong[k] = true;
	}
}

static void check_bound(struct vcs_check *c, size_t i, const struct fmapi_vppb *p)
{
	const struct vcs_reading *v = &c->s->vcs[i];
	const bool ld = p->binding == FMAPI_BOUND_LD;
	uint16_t *bound = &c->bound[p->port * KEYS_PER_PORT + (ld ? p->ld : NO_LD)];

	if (c->s->n_ports > 0 && !switch_port(c->s, p->port)) {
		switch_query_note(
			c->q,
			"a vPPB of VCS %u is bound to port %u, which does not exist; the VCS is not shown",
			v->id, p->port);
		c->wrong[i] = true;
	}
	if (*bound) {
		switch_query_note(
			c->q,
			"port %u is bound twice, to VCS %u and to VCS %u, which are not shown",
			p->port, c->s->vcs[*bound - 1].id, v->id);
		c->wrong[i] = c->wrong[*bound - 1] = true;
	}
	*bound = (uint16_t)(i + 1);
}

static void check_vcs(struct vcs_check *c, size_t i)
{
	const struct vcs_reading *v = &c->s->vcs[i];

	check_upstream(c, i);
	for (size_t k = 0; k < v->n_vppbs; k++) {
		const struct fmapi_vppb *p = &v->vppbs[k];

		if (fmapi_vppb_is_bound(p))
			check_bound(c, i, p);
	}
}

static void drop_contradictions(struct switch_query *q, struct switch_reading *s)
{
	_cleanup_free_ uint16_t *bound =
		calloc((size_t)FMAPI_PORTS_MAX * KEYS_PER_PORT, sizeof(*bound));
	struct vcs_check c = {.q = q, .s = s, .bound = bound};
	size_t kept = 0, vppbs = 0;

	if (!bound) {
		q->piece->notes.out_of_memory = true;
		return;
	}
	for (size_t i = 0; i < s->n_vcs; i++)
		check_vcs(&c, i);
	for (size_t i = 0; i < s->n_vcs; i++) {
		vppbs += s->vcs[i].n_vppbs;
		if (!c.wrong[i])
			s->vcs[kept++] = s->vcs[i];
	}
	s->n_vcs = kept;
	if (vppbs > s->sw.n_vppbs)
		switch_query_note(q, "its VCSs have %zu vPPBs together, but it says that it has %u",
				  vppbs, s->sw.n_vppbs);
}

void switch_read_vcs(struct switch_query *q, struct switch_reading *s)
{
	s->vcs = ARENA_ARRAY(q->piece->arena, FMAPI_VCS_MAX, struct vcs_reading);
	if (!s->vcs) {
		q->piece->notes.out_of_memory = true;
		return;
	}
	for (unsigned int id = 0; id < FMAPI_VCS_MAX; id++) {
		struct fmapi_vcs info;

		/* The count may be that of VCSs that are not active, and a switch may have gaps. */
		q->quiet = !fmapi_bit(s->sw.active_vcs, id);
		if (q->quiet && id >= s->sw.n_vcs)
			continue;
		if (read_parts(q, (uint8_t)id, &info))
			add_vcs(q, &info, s);
		if (q->ended || switch_query_unsupported(q, FMAPI_GET_VCS_INFO))
			break;
	}
	q->quiet = false;
	if (s->n_vcs > 0)
		drop_contradictions(q, s);
}
