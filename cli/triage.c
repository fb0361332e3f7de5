// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa triage: what happened, where, how often, and the one thing to do.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/event_store.h"
#include "cli/progress.h"
#include "cli/switches.h"
#include "cli/triage_run.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/component_id.h"
#include "mailbox/readings.h"
#include "model/found.h"

/* ---- operands ---- */

/* Return: whether @s is a number of an incident, without any other character. */
static bool read_id(const char *s, uint64_t *ret)
{
	if (!s[0] || s[strspn(s, "0123456789")] || strlen(s) > 19)
		return false;
	*ret = strtoull(s, NULL, 10);
	return *ret > 0;
}

static int read_operand(struct triage_run *run, const char *s, struct object *object,
			struct error *e)
{
	struct triage_selection *selection = &run->selection;
	struct address_range range;
	int r;

	if (read_id(s, &selection->id) || component_id_parse(s, selection->component))
		return 0;
	selection->component[0] = '\0';
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		r = operand_address(s, &range, e);
		selection->has_spa = r == 0;
		selection->spa = range.first;
		selection->spa_last = range.last;
		return r;
	}
	r = object_find(run->cli->host, run->cli->fabric, s, object, e);
	if (r == 0)
		selection->object = object;
	return r;
}

static bool any_open(const struct triage_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		if (incident_is_open(&list->items[i].incident))
			return true;
	return false;
}

static void run_done(struct triage_run *run)
{
	ARRAY_FOREACH(t, &run->list)
		entry_list_done(&t->entries);
	triage_list_done(&run->list);
	(void)arena_free(run->arena);
}

/* The service has them in its log; without one they are found here. */
static int find_problems(struct triage_run *run, struct found *ret, struct error *e)
{
	struct cli *cli = run->cli;
	struct mailbox_client *client = NULL;
	struct readings *readings = NULL;
	struct error unread = {0};
	int r = found_init(ret);

	if (r < 0 || (!cli->host_path && event_store_is_recorded(cli)))
		return r;
	if (cli_open_switches(cli) != STATUS_OK)
		return error_set(e, EIO, "the recorded switches cannot be read");
	/* Devices that cannot be read report nothing. */
	if (mailbox_client_new(cli->root, &client, &unread) == 0)
		(void)readings_read(client, cli->host, NULL, NULL, &readings);
	r = found_add_configuration(ret, cli->host, cli->addresses.translator, cli->fabric,
				    run->ids);
	if (r == 0)
		r = found_add_readings(ret, cli->host, readings, run->ids);
	(void)readings_unref(readings);
	(void)mailbox_client_free(client);
	return r;
}

static int read_all(struct triage_run *run, struct error *e)
{
	struct found found;
	int r = find_problems(run, &found, e);

	if (r == 0)
		r = triage_read_log(
			run, &(struct store_found){.items = found.list.items, .n = found.list.n},
			e);
	found_done(&found);
	return r;
}

static int triage_incidents(struct triage_run *run, const char *operand)
{
	struct error e = {0};
	int r;

	run->in_full = operand != NULL;
	r = read_all(run, &e);
	triage_drop_others(run);
	if (r < 0)
		return triage_fail("the incidents cannot be read: ", &e, r);
	if (run->selection.id && !run->list.n) {
		(void)error_set(&e, ENOENT, "there is no incident %s", operand);
		return triage_fail("", &e, -ENOENT);
	}
	if (run->selection.component[0] && !run->list.n) {
		(void)error_set(&e, ENOENT, "no open incident names the component %s", operand);
		return triage_fail("", &e, -ENOENT);
	}
	triage_sort(&run->list);
	if (triage_print_result(run, run->in_full) < 0)
		return triage_fail("", &e, -ENOMEM);
	if (any_open(&run->list))
		return STATUS_PARTIAL;
	/* Errors of this host may be open, and nobody has seen them. */
	return run->cli->host_path || event_store_is_recorded(run->cli) ? STATUS_OK : STATUS_ERROR;
}

/* An operand comes first, then an existing file; else it is a text. */
static int triage_operand(struct triage_run *run, const char *operand)
{
	struct object object;
	struct error e = {0}, object_error;

	if (str_equal(operand, "-"))
		return triage_input(run, operand);
	if (read_operand(run, operand, &object, &e) == 0)
		return triage_incidents(run, operand);
	run->selection = (struct triage_selection){0};
	if (access(operand, F_OK) == 0)
		return triage_input(run, operand);
	if (!strpbrk(operand, " \t\n:={")) {
		(void)error_set(
			&object_error, e.code,
			"%s; there is no incident of that number and no file of that name, and a text with a report of an error has more than one word",
			e.text);
		return triage_fail("", &object_error, -e.code);
	}
	return triage_text(run, operand);
}

int command_triage(struct cli *cli, int n, char **operands)
{
	struct triage_run run = {.cli = cli};
	int status;

	if (cli->host_path && cli->events.state) {
		log_err("triage: --state requires the log of cxl-redfishd and cannot be used with --host");
		return STATUS_ERROR;
	}
	cli_progress_begin("triage");
	status = cli_open(cli);
	if (status != STATUS_OK) {
		cli_progress_end();
		return status;
	}
	run.arena = arena_new();
	run.ids = run.arena ? memdev_ids_new(run.arena, cli->host) : NULL;
	if (run.ids)
		status = n ? triage_operand(&run, operands[0]) : triage_incidents(&run, NULL);
	else
		status = triage_fail("", &(struct error){0}, -ENOMEM);
	run_done(&run);
	return status;
}
