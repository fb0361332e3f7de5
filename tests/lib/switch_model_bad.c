// SPDX-License-Identifier: LGPL-2.1-or-later
/* Errors of a switch, by name. */
#include <check.h>

#include "tests/lib/switch_model_private.h"

#define TWO_TIMES_ALL (UINT64_C(1) << 63)

/* The first MLD of the model. */
static struct model_device *mld_of(struct switch_model *m)
{
	for (size_t i = 0; i < MODEL_PORTS; i++)
		if (m->ports[i].exists && m->ports[i].device.kind == MODEL_MLD)
			return &m->ports[i].device;
	ck_abort_msg("the model has no MLD");
	return NULL;
}

static void overlap(struct switch_model *m)
{
	switch_model_overlap_lds(mld_of(m));
}

static void overflow(struct switch_model *m)
{
	struct model_device *d = mld_of(m);

	d->lds[0].range1 = TWO_TIMES_ALL;
	d->lds[0].range2 = TWO_TIMES_ALL;
	d->lds[1].range1 = UINT64_MAX;
}

/* All of the vPPBs have the same LD, and a port that does not exist. */
static void bind_all(struct switch_model *m)
{
	struct model_vcs *v = &m->vcs[0];

	for (size_t i = 1; i < v->n_vppbs; i++)
		v->vppbs[i] = i % 2 ? v->vppbs[1] : (struct model_vppb){.binding = 2, .port = 200};
}

static void reserve(struct switch_model *m)
{
	struct model_device *d = mld_of(m);
	struct model_port *p = &m->ports[2];

	d->granularity = 0xff;
	p->config = 0x0e;
	p->device_type = 0xff;
	p->device_mode = 0x0f;
	p->ltssm = 0xff;
	p->speed = 0x3f;
	p->width = 0x3f;
	m->vcs[0].vppbs[2].binding = 0xff;
}

static void same_serials(struct switch_model *m)
{
	for (size_t i = 0; i < MODEL_PORTS; i++)
		m->ports[i].device.identity.serial = m->identity.serial;
}

static const struct model_scenario scenarios[] = {
	{"never completes", {.kind = MODEL_NEVER_COMPLETES, .level = -1}, NULL},
	{"a device never answers", {.kind = MODEL_NEVER_COMPLETES, .level = 1}, NULL},
	{"completes twice", {.kind = MODEL_COMPLETES_TWICE}, NULL},
	{"answers another command", {.kind = MODEL_OTHER_COMMAND, .value = 0x0001}, NULL},
	{"a device answers another command",
	 {.kind = MODEL_OTHER_COMMAND, .level = 1, .value = 0x5405},
	 NULL},
	{"an LD answers another command",
	 {.kind = MODEL_OTHER_COMMAND, .level = 2, .value = 0x5100},
	 NULL},
	{"answers with another tag", {.kind = MODEL_TAG, .level = -1, .value = 1}, NULL},
	{"a request comes back", {.kind = MODEL_CATEGORY, .level = -1, .value = 0}, NULL},
	{"output of 0 bytes", {.kind = MODEL_SHORT, .level = -1, .value = 0}, NULL},
	{"output of 1 byte", {.kind = MODEL_SHORT, .level = -1, .value = 1}, NULL},
	{"output of 7 bytes", {.kind = MODEL_SHORT, .level = -1, .value = 7}, NULL},
	{"length of 0", {.kind = MODEL_LENGTH, .level = -1, .value = 0}, NULL},
	{"length of 65535", {.kind = MODEL_LENGTH, .level = -1, .value = 65535}, NULL},
	{"length of 2 MiB - 1", {.kind = MODEL_LENGTH, .level = -1, .value = 0x1fffff}, NULL},
	{"tunnel's length of 0", {.kind = MODEL_TUNNEL_LENGTH, .level = -1, .value = 0}, NULL},
	{"tunnel's length of 65535",
	 {.kind = MODEL_TUNNEL_LENGTH, .level = -1, .value = 65535},
	 NULL},
	{"counts of 0", {.kind = MODEL_COUNT, .level = -1, .value = 0}, NULL},
	{"counts of 1", {.kind = MODEL_COUNT, .level = -1, .value = 1}, NULL},
	{"counts of 255", {.kind = MODEL_COUNT, .level = -1, .value = 255}, NULL},
	{"counts of 65535", {.kind = MODEL_COUNT, .level = -1, .value = 65535}, NULL},
	{"vanishes at once", {.kind = MODEL_VANISHES, .value = 0}, NULL},
	{"vanishes in between", {.kind = MODEL_VANISHES, .value = 7}, NULL},
	{"is always busy", {.kind = MODEL_RETURN_CODE, .level = -1, .value = 6}, NULL},
	{"always requires a retry", {.kind = MODEL_RETURN_CODE, .level = -1, .value = 5}, NULL},
	{"a reserved return code", {.kind = MODEL_RETURN_CODE, .level = -1, .value = 0xffff}, NULL},
	{"starts in the background what it has not",
	 {.kind = MODEL_RETURN_CODE, .level = -1, .value = 1},
	 NULL},
	{"background operations do not end", {.kind = MODEL_BACKGROUND_STUCK}, NULL},
	{"another operation ends", {.kind = MODEL_BACKGROUND_OTHER, .value = 0x4600}, NULL},
	{"background operations fail", {.kind = MODEL_BACKGROUND_CODE, .value = 4}, NULL},
	{"tunnels to itself", {.kind = MODEL_TUNNEL_TO_ITSELF, .value = 1}, NULL},
	{"LDs overlap", {0}, overlap},
	{"LDs larger than 64 bits", {0}, overflow},
	{"one LD in all vPPBs", {0}, bind_all},
	{"reserved values", {0}, reserve},
	{"all have one serial number", {0}, same_serials},
};

const struct model_scenario *switch_model_scenarios(size_t *ret_n)
{
	*ret_n = sizeof(scenarios) / sizeof(scenarios[0]);
	return scenarios;
}

void switch_model_spoil(struct switch_model *m, const struct model_scenario *s)
{
	if (s->change)
		s->change(m);
	else
		switch_model_fault(m, &s->fault);
}
