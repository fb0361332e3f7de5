// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa region: create, plan and destroy.
#include <errno.h>
#include <string.h>

#include "cli/change.h"
#include "cli/cli.h"
#include "common/names.h"
#include "cli/operands.h"
#include "cli/region_plan.h"
#include "common/array.h"
#include "common/log.h"
#include "common/strutil.h"
#include "model/region_plan.h"
#include "sysfs/memdev_operand.h"

/* ---- the request ------------------------------------------------------------------------------
 */

static void names_add_windows(struct names *names, const struct host *host)
{
	for (size_t i = 0; i < host->n_decoders; i++)
		if (host->decoders[i]->port->kind == PORT_ROOT)
			names_add(names, "%s", host->decoders[i]->name);
}

static int find_window(const struct host *host, const char *name, const struct decoder **ret,
		       struct error *e)
{
	struct names names = {0};

	*ret = host_decoder(host, name);
	if (*ret && (*ret)->port->kind == PORT_ROOT)
		return 0;
	names_add_windows(&names, host);
	if (!names.shown)
		return error_set(e, ENODEV, "%.64s: no such window: %s", name,
				 cli_no_cxl(host)
					 ? cli_no_cxl_hint(host)
					 : "firmware reserved no system addresses for CXL memory");
	return error_set(e, ENODEV, "%.64s: no such window; windows: %s", name, names_end(&names));
}

static int make_request(const struct cli *cli, int n, char **operands, struct region_request *ret,
			struct error *e)
{
	const struct change_options *o = &cli->change;
	int r = find_window(cli->host, operands[0], &ret->window, e);

	ret->size = o->size;
	ret->ways = o->ways;
	ret->granularity = o->granularity;
	if (str_equal(o->mode, "ram"))
		ret->mode = DECODER_MODE_RAM;
	else if (str_equal(o->mode, "pmem"))
		ret->mode = DECODER_MODE_PMEM;
	else if (o->mode)
		ret->mode = DECODER_MODE_OTHER;
	ret->other_mode = ret->mode == DECODER_MODE_OTHER ? o->mode : NULL;
	ret->n_memdevs = (size_t)n - 1;
	if (r == 0 && ret->n_memdevs > INTERLEAVE_WAYS_MAX)
		return error_set(e, EINVAL, "%zu memory devices are named; a region has at most %d",
				 ret->n_memdevs, INTERLEAVE_WAYS_MAX);
	for (size_t i = 0; i < ret->n_memdevs && r == 0; i++)
		r = operand_memdev(cli->host, operands[1 + i], &ret->memdevs[i], e);
	return r;
}

/* ---- plan -------------------------------------------------------------------------------------
 */

static int out_of_memory(void)
{
	log_err("region: out of memory");
	return STATUS_ERROR;
}

static int region_plan(struct cli *cli, int n, char **operands)
{
	struct region_request q = {0};
	struct region_plan plan;
	struct error e = {0};
	int r;

	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	if (make_request(cli, n, operands, &q, &e) < 0) {
		log_err("region: %s", e.text);
		return STATUS_ERROR;
	}
	r = region_plan_make(cli->host, &q, &plan, &e);
	if (r < 0)
		log_err("region: %s", e.text);
	else if (!cli->json)
		region_plan_text(&plan);
	if (cli->json &&
	    region_plan_json(r < 0 ? NULL : &plan, q.window->name, r < 0 ? e.text : NULL) < 0)
		return out_of_memory();
	return r < 0 ? STATUS_PARTIAL : STATUS_OK;
}

/* ---- create -----------------------------------------------------------------------------------
 */

static void copy_name(char to[static CHANGE_NAME_MAX], const char *name)
{
	(void)snprintf(to, CHANGE_NAME_MAX, "%s", name);
}

static void fill_in(struct change_region *to, const struct region_plan *p)
{
	to->mode = (uint32_t)p->mode;
	to->ways = p->ways;
	to->granularity = (uint32_t)p->granularity;
	to->size = p->size;
	for (unsigned int i = 0; i < p->ways; i++)
		change_memdev_set(&to->positions[i], p->positions[i].memdev);
}

/* Prints a region that was created as it is now. */
static int print_created(const struct cli *cli, const struct cli_change *c)
{
	const struct host *after = NULL;
	struct error e = {0};
	int r;

	if (c->result.error == 0 && host_read(cli->root, &after, &e) < 0)
		log_warning("the region was created, but the host cannot be read again: %s",
			    e.text);
	r = cli_changes_print(cli, after, c, 1);
	(void)host_unref(after);
	return r;
}

static int region_create(struct cli *cli, int n, char **operands)
{
	struct cli_change c = {.change = {.kind = CHANGE_REGION_CREATE}};
	struct region_request q = {0};
	struct region_plan plan;
	struct error e = {0};
	int status;

	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	if (make_request(cli, n, operands, &q, &e) < 0) {
		log_err("region: %s", e.text);
		return STATUS_ERROR;
	}
	copy_name(c.change.object, q.window->name);
	if (q.window->start.present)
		c.change.identity = q.window->start.value;
	if (region_plan_make(cli->host, &q, &plan, &e) < 0)
		cli_change_refuse(&c, &e);
	else
		fill_in(&c.change.region, &plan);
	status = cli_changes_run(cli, &c, 1);
	return print_created(cli, &c) < 0 ? out_of_memory() : status;
}

/* ---- destroy ----------------------------------------------------------------------------------
 */

static int region_destroy(struct cli *cli, int n, char **operands)
{
	const struct region *region;
	struct cli_change c;
	struct error e = {0};
	int status;

	(void)n;
	if (cli_open(cli) != STATUS_OK)
		return STATUS_ERROR;
	region = host_mapping(cli->host, operands[0]);
	if (!region) {
		log_err("region: %.64s: no such region; cxl-spa list shows the names", operands[0]);
		return STATUS_ERROR;
	}
	cli_change_of_region(&c, CHANGE_REGION_DESTROY, region);
	c.change.force = cli->change.force;
	if (region_destroy_check(cli->host, region, cli->change.force, &e) < 0)
		cli_change_refuse(&c, &e);
	else
		cli_warn_of_bad_pages(cli, CHANGE_REGION_DESTROY, region);
	status = cli_changes_run(cli, &c, 1);
	return cli_changes_print(cli, NULL, &c, 1) < 0 ? out_of_memory() : status;
}

/* ---- the word behind `region` -----------------------------------------------------------------
 */

static const struct action {
	const char *name, *operand;
	int (*run)(struct cli *cli, int n, char **operands);
	bool changes, makes; /* the host; a region */
} actions[] = {
	{"create", "WINDOW", region_create, true, true},
	{"plan", "WINDOW", region_plan, false, true},
	{"destroy", "REGION", region_destroy, true, false},
};

static const struct action *find_action(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (str_equal(actions[i].name, name))
			return &actions[i];
	return NULL;
}

/* Return: an option that the action does not have, or NULL. */
static const char *wrong_option(const struct cli *cli, const struct action *a)
{
	const struct change_options *o = &cli->change;
	const struct {
		const char *name;
		bool given, fits;
	} rows[] = {
		{"--host", cli->host_path != NULL, !a->changes},
		{"--size", o->size != 0, a->makes},
		{"--mode", o->mode != NULL, a->makes},
		{"--ways", o->ways != 0, a->makes},
		{"--granularity", o->granularity != 0, a->makes},
		{"--force", o->force, !a->makes},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].given && !rows[i].fits)
			return rows[i].name;
	return NULL;
}

int command_region(struct cli *cli, int n, char **operands)
{
	const struct action *a = find_action(operands[0]);
	const char *option = a ? wrong_option(cli, a) : NULL;

	if (!a)
		log_err("region: unknown operand '%.64s': write create, plan or destroy (see cxl-spa region --help)",
			operands[0]);
	else if (option)
		log_err("region %s does not support %s%s", a->name, option,
			str_equal(option, "--host") ? ": a captured host cannot be changed" : "");
	else if (n < 2)
		log_err("region %s: the operand %s is missing (see cxl-spa region --help)", a->name,
			a->operand);
	else if (!a->makes && n > 2)
		log_err("region %s: unexpected operand '%.64s'", a->name, operands[2]);
	else
		return a->run(cli, n - 1, operands + 1);
	return STATUS_ERROR;
}
