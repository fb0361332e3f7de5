// SPDX-License-Identifier: LGPL-2.1-or-later
#include "redfish/resources/host/describe_page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "common/strutil.h"
#include "pages/page_facts.h"
#include "prm/translate.h"
#include "redfish/resources/host/spa_answer.h"
#include "redfish/resources/host/translate_timeout.h"
#include "redfish/resources/mapping.h"
#include "redfish/service/body_check.h"
#include "redfish/service/service.h"

#define DPA "DevicePhysicalAddress"
#define SPA "SystemPhysicalAddress"

struct question {
	const struct memdev *memdev; /* NULL: the address is an SPA */
	uint64_t address;
};

static const struct parameter dpa_rows[] = {
	{.name = DPA, .type = PARAMETER_TEXT, .required = true, PARAMETER_ADDRESS},
};
static const struct parameter spa_rows[] = {
	{.name = SPA, .type = PARAMETER_TEXT, .required = true, PARAMETER_ADDRESS},
};

#define ANY_BYTE "Any byte of the page"
const struct parameters describe_dpa_page_parameters = {PARAMETER_ROWS(dpa_rows),
							.description = ANY_BYTE};
const struct parameters describe_spa_page_parameters = {PARAMETER_ROWS(spa_rows),
							.description = ANY_BYTE};

/* Names of cgroups are names of services and pods. */
static bool may_see_users(const struct exchange *x)
{
	return atomic_load(&x->service->show_page_users) &&
	       x->principal.privileges & PRIVILEGE_CONFIGURE_MANAGER;
}

static void put_block(const struct page_facts *f, struct json_writer *w)
{
	if (!f->block.present)
		return;
	put_format(w, "MemoryBlock", "memory%" PRIu64, f->block.value);
	put_string(w, "MemoryBlockState", f->block_online.value ? "online" : "offline");
	if (f->zone)
		put_string(w, "Zone", f->zone);
}

static void put_page(const struct page_facts *f, bool show_users, struct json_writer *w)
{
	char text[PAGE_CONSEQUENCE_MAX];

	put_object(w, "Page");
	put_opt_hex(w, "PageFrameNumber", f->pfn);
	put_opt_hex(w, "AliasPageFrameNumber", f->alias_pfn);
	put_block(f, w);
	put_string(w, "Kind", frame_kind_name(f->kind));
	if (show_users && f->cgroup_state == PAGE_CGROUP_KNOWN)
		put_string(w, "MemoryCgroup", f->cgroup);
	if (f->consequence != CONSEQUENCE_NOT_KNOWN)
		put_string(w, "UncorrectableAccess", page_consequence_text(f, show_users, text));
	if (f->moment_ms.present)
		put_opt_time(w, "ReadTime", OPT_U64(f->moment_ms.value * 1000000));
	if (f->note[0])
		put_string(w, "Reason", f->note);
	put_end(w);
}

static void put_answer(struct exchange *x, const struct question *q, const struct answer *a)
{
	struct page_facts facts;
	struct json_writer *w = &x->w;

	page_describe(x->view->host, a, &facts);
	put_object(w, NULL);
	if (q->memdev)
		put_dpa_answer(x->view, a, w);
	else
		put_spa_answer(x->view, a, w);
	put_page(&facts, may_see_users(x), w);
	put_number(w, "TopologyGeneration", x->view->host->generation);
	put_end(w);
}

static int describe(struct exchange *x, void *state)
{
	const struct question *q = state;
	const struct translator *t = x->view->translator;
	struct firmware_timeout timeout = translate_action_timeout(x);
	struct answers out = {0};
	int r = q->memdev ? translate_dpa_wait(t, q->memdev, q->address, q->address, &timeout, &out)
			  : translate_spa_wait(t, q->address, q->address, &timeout, &out);

	/* A single address has exactly one answer. */
	if (r == 0 && out.n != 1)
		r = -EIO;
	if (r == 0)
		put_answer(x, q, &out.items[0]);
	answers_done(&out);
	return r;
}

/* No job of firmware: the walk of the cgroups would delay translations. */
static const struct continuation describing = {
	.class = JOB_SLOW_READS,
	.run = describe,
	.free = free,
};

static int submit(struct exchange *x, const struct memdev *m, const char *name)
{
	struct question *q = malloc(sizeof(*q));

	if (!q)
		return -ENOMEM;
	*q = (struct question){.memdev = m};
	(void)parse_address(body_text(x, name), &q->address);
	return exchange_continue(x, &describing, q);
}

int run_describe_dpa_page(struct exchange *x)
{
	return submit(x, x->resource->object, DPA);
}

int run_describe_spa_page(struct exchange *x)
{
	return submit(x, NULL, SPA);
}
