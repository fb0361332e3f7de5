// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa explain: which object is meant, and which findings are about it.
#include "cli/cli.h"

#include <errno.h>

#include "cli/explain_output.h"
#include "cli/explain_pages.h"
#include "cli/explain_repairs.h"
#include "cli/object.h"
#include "cli/operands.h"
#include "cli/progress.h"
#include "cli/switches.h"
#include "common/log.h"
#include "common/strutil.h"
#include "model/findings.h"
#include "prm/region_order.h"

/* ---- the subject ------------------------------------------------------------------------------
 */

/* A decoder as the subject: without its memory device, which has the findings of the order. */
static void explain_collect_decoder(struct findings *f, const struct decoder *d)
{
	findings_of_decoder(f, d);
	if (d->port->kind == PORT_ENDPOINT)
		findings_of_decoder_order(f, d->name, d);
}

static void explain_collect_vcs(struct findings *f, const struct fabric_vcs *vcs)
{
	findings_of_vcs(f, vcs);
	for (size_t i = 0; i < vcs->n_vppbs; i++)
		findings_of_vppb(f, &vcs->vppbs[i]);
}

static void explain_collect_object(struct findings *f, const struct object *o)
{
	switch (o->kind) {
	case OBJECT_HOST:
		findings_of_host(f);
		break;
	case OBJECT_RANGE: /* it has owners */
		break;
	case OBJECT_MEMDEV:
		findings_of_memdev(f, o->memdev, true);
		break;
	case OBJECT_REGION:
		findings_of_region(f, o->region);
		break;
	case OBJECT_DECODER:
		explain_collect_decoder(f, o->decoder);
		break;
	case OBJECT_PORT:
		findings_of_port(f, o->port);
		break;
	case OBJECT_DPORT:
		findings_of_dport(f, o->port, o->dport);
		break;
	case OBJECT_DAX_DEVICE:
		findings_of_dax_device(f, o->dax_device);
		break;
	case OBJECT_DAX_REGION:
		findings_of_dax_region(f, o->name, o->dax_region);
		break;
	case OBJECT_FUNCTION:
		findings_of_function(f, o->function);
		break;
	case OBJECT_SWITCH:
		findings_of_switch(f, o->sw);
		break;
	case OBJECT_SWITCH_PORT:
		findings_of_switch_port(f, o->switch_port);
		break;
	case OBJECT_LD:
		findings_of_ld(f, o->ld);
		break;
	case OBJECT_VCS:
		explain_collect_vcs(f, o->vcs);
		break;
	case OBJECT_VPPB:
		findings_of_vppb(f, o->vppb);
		break;
	}
}

/* Prints the findings of a region, and what would prevent that it is released. */
static int explain_print_region(struct findings *f, const struct object *o,
				const struct verdict *verdict, const struct refusal *refusal,
				const struct cli *cli)
{
	const struct region *region = o->region;
	const struct memory_use *use = NULL;
	struct release release;
	struct error e = {0};
	int r;

	r = memory_use_read(cli->host, &use, &e);
	cli_progress_end();
	if (r < 0)
		log_warning("explain: who uses the memory of %s is not known: %s", region->name,
			    e.text);
	region_release(region, use, &release);
	r = explain_print(f, o->name, verdict, &release, refusal, cli);
	(void)memory_use_unref(use);
	return r;
}

/* Return: the mapping of a switch or endpoint decoder that is committed, or NULL. */
static const struct region *explain_mapping(const struct host *host, const struct decoder *d)
{
	if (d->port->kind == PORT_ROOT || decoder_mapped_by(d))
		return decoder_mapped_by(d);
	for (size_t i = 0; i < host->n_regions; i++)
		if (region_decoder_at(d->port, host->regions[i]) == d)
			return host->regions[i];
	return NULL;
}

/* Finds the refusal of the subject; that of the host is of its windows. Return: 0 or -ENOMEM. */
static int explain_refusal(const struct findings *f, const struct object *o, struct refusal *ret)
{
	const struct region *mapping = NULL;

	*ret = (struct refusal){0};
	if (o->kind == OBJECT_HOST)
		return refusal_of_host(f->host, translator_cedt(f->translator), f->arena, ret);
	if (o->kind == OBJECT_FUNCTION)
		return refusal_of_function(f->host, o->function->pci->bdf, f->arena, ret);
	if (o->kind == OBJECT_MEMDEV)
		return refusal_of_memdev(f->host, o->memdev, f->arena, ret);
	if (o->kind == OBJECT_REGION)
		mapping = o->region;
	else if (o->kind == OBJECT_DECODER)
		mapping = explain_mapping(f->host, o->decoder);
	if (o->kind == OBJECT_DECODER && !mapping)
		return refusal_of_decoder(f->host, o->decoder, f->arena, ret);
	return mapping ? refusal_of_mapping(f->host, translator_cedt(f->translator), mapping,
					    f->arena, ret)
		       : 0;
}

/* Return: 0 or -ENOMEM. */
static int explain_verdict(struct cli *cli, const struct object *o, struct verdict *ret)
{
	verdict_mapping(cli, o, ret->mapping);
	return verdict_health(cli, o, ret->health);
}

/* Return: as explain_print(). */
static int explain_object(struct cli *cli, const struct object *o)
{
	struct verdict verdict;
	struct refusal refusal;
	struct findings f;
	int r;

	r = findings_init(&f, cli->host, cli->addresses.translator, cli->addresses.firmware,
			  cli->addresses.timeout);
	f.fabric = cli->fabric;
	if (r >= 0)
		r = explain_pages(cli, &f);
	if (r >= 0)
		r = explain_repairs(cli, &f);
	if (r >= 0)
		explain_collect_object(&f, o);
	if (r >= 0)
		r = explain_verdict(cli, o, &verdict);
	if (r >= 0)
		r = explain_refusal(&f, o, &refusal);
	if (r >= 0 && o->kind == OBJECT_REGION)
		r = explain_print_region(&f, o, &verdict, &refusal, cli);
	else if (r >= 0)
		r = explain_print(&f, o->name, &verdict, NULL, &refusal, cli);
	findings_done(&f);
	return r;
}

/* Return: as explain_print_owners(). */
static int explain_range(struct cli *cli, const struct object *o)
{
	struct arena *arena = arena_new();
	const struct memory_use *use = NULL;
	struct owners owners = {0};
	struct verdict verdict;
	struct error e = {0};
	int r = -ENOMEM;

	if (arena)
		r = memory_use_read(cli->host, &use, &e);
	if (r == 0)
		r = range_owners(cli->host, use, o->range.first, o->range.last, arena, &owners);
	if (r == 0)
		r = explain_verdict(cli, o, &verdict);
	if (r == 0)
		r = explain_print_owners(&owners, o->name, &verdict, cli);
	owners_done(&owners);
	(void)memory_use_unref(use);
	(void)arena_free(arena);
	return r;
}

/* Return: whether an operand is written as an address or a range, which no name of an object is. */
static bool is_range(const char *operand)
{
	return str_after_prefix(operand, "0x") || str_after_prefix(operand, "0X");
}

/* Return: as explain_print(); STATUS_ERROR after a message. */
static int explain_operand(struct cli *cli, const char *operand)
{
	struct object object = {.kind = OBJECT_RANGE, .name = operand};
	struct error e = {0};

	if (is_range(operand)) {
		if (operand_address(operand, &object.range, &e) == 0)
			return explain_range(cli, &object);
	} else if (object_find(cli->host, cli->fabric, operand, &object, &e) == 0) {
		return explain_object(cli, &object);
	}
	cli_progress_end();
	log_err("explain: %s", e.text);
	return STATUS_ERROR;
}

int command_explain(struct cli *cli, int n, char **operands)
{
	int r;

	cli_progress_begin("explain");
	if (cli_open(cli) != STATUS_OK || cli_open_switches(cli) != STATUS_OK)
		return STATUS_ERROR;
	r = explain_operand(cli, n ? operands[0] : "host");
	cli_progress_end();
	if (r >= 0)
		return r;
	log_err("explain: out of memory");
	return STATUS_ERROR;
}
