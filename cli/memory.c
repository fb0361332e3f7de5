// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa online and offline: the memory of regions, by the names of regions or dax devices.
#include <errno.h>
#include <stdlib.h>

#include "cli/change.h"
#include "cli/cli.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"

static const struct dax_device *find_dax(const struct host *host, const char *name)
{
	for (size_t i = 0; i < host->n_dax_regions; i++)
		for (size_t k = 0; k < host->dax_regions[i]->n_devices; k++)
			if (str_equal(host->dax_regions[i]->devices[k]->name, name))
				return host->dax_regions[i]->devices[k];
	return NULL;
}

/* Changes are of whole regions, so a dax device is one only when it is the only one. */
static int region_of_dax(const struct dax_device *d, const struct region **ret, struct error *e)
{
	const struct dax_region *dax = d->region;

	if (!dax || !dax->region)
		return error_set(e, EINVAL,
				 "%s is not of a CXL region: use daxctl reconfigure-device for it",
				 d->name);
	if (dax->n_devices != 1)
		return error_set(
			e, EINVAL,
			"%s is one of %zu dax devices of %s, and all of them change together: name %s instead",
			d->name, dax->n_devices, dax->region->name, dax->region->name);
	*ret = dax->region;
	return 0;
}

static int find_operand(const struct host *host, const char *name, const struct region **ret,
			struct error *e)
{
	const struct dax_device *d = find_dax(host, name);

	*ret = host_mapping(host, name);
	if (*ret)
		return 0;
	if (d)
		return region_of_dax(d, ret, e);
	return error_set(e, ENODEV,
			 "%.64s: no such region or dax device; cxl-spa list shows the names", name);
}

static int check_dax(const struct region *r, struct error *e)
{
	if (r->dax && r->dax->n_devices)
		return 0;
	if (r->by_decoders)
		return error_set(
			e, EOPNOTSUPP,
			"committed decoders map %s, and Linux has no region there whose memory it could bring online or take offline: see cxl-spa explain %s",
			r->name, r->name);
	return error_set(
		e, EINVAL,
		"%s has no dax device, so there is no memory of it to be brought online or taken offline: see cxl-spa explain %s",
		r->name, r->name);
}

static int prepare(const struct cli *cli, enum change_kind kind, const char *name,
		   struct cli_change *ret, struct error *e)
{
	const struct region *region;
	int r = find_operand(cli->host, name, &region, e);

	if (r < 0)
		return r;
	cli_change_of_region(ret, kind, region);
	if (kind == CHANGE_MEMORY_ONLINE)
		ret->change.zone = str_equal(cli->change.zone, "kernel") ? CHANGE_ZONE_KERNEL
									 : CHANGE_ZONE_MOVABLE;
	if (check_dax(region, e) < 0)
		cli_change_refuse(ret, e);
	else if (kind != CHANGE_MEMORY_ONLINE)
		cli_warn_of_bad_pages(cli, kind, region);
	return 0;
}

static int change_memory(struct cli *cli, enum change_kind kind, int n, char **operands)
{
	_cleanup_free_ struct cli_change *changes = calloc((size_t)n, sizeof(*changes));
	struct error e = {0};
	int status;

	if (!changes) {
		log_err("out of memory");
		return STATUS_ERROR;
	}
	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	for (int i = 0; i < n; i++)
		if (prepare(cli, kind, operands[i], &changes[i], &e) < 0) {
			log_err("%s", e.text);
			return STATUS_ERROR;
		}
	status = cli_changes_run(cli, changes, (size_t)n);
	if (cli_changes_print(cli, NULL, changes, (size_t)n) < 0) {
		log_err("out of memory");
		return STATUS_ERROR;
	}
	return status;
}

int command_online(struct cli *cli, int n, char **operands)
{
	return change_memory(cli, CHANGE_MEMORY_ONLINE, n, operands);
}

int command_offline(struct cli *cli, int n, char **operands)
{
	return change_memory(cli, cli->change.devdax ? CHANGE_MEMORY_DEVDAX : CHANGE_MEMORY_OFFLINE,
			     n, operands);
}
