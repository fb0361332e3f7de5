// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa repair: the worklist of repairs, and one repair of it.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/page_list.h"
#include "cli/progress.h"
#include "cli/service.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/json_writer.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/event_fill.h"
#include "events/store.h"
#include "redfish/repairs/repair_pages.h"
#include "redfish/repairs/repair_run.h"

enum { LOG_PATH_BYTES = 4096 };

struct repair_command {
	struct cli *cli;
	struct state *state;
	char log[LOG_PATH_BYTES];
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
};

static void plan_now(const struct repair_command *c, const struct repair_entry *entry,
		     struct repair_plan *plan)
{
	repair_plan_make(entry, c->cli->host, c->boot_id, clock_realtime_ns(), plan);
}

/* ---- output -----------------------------------------------------------------------------------
 */

static void put_place(struct json_writer *w, const struct repair_place *place)
{
	for (int i = 0; i < REPAIR_PARTS; i++) {
		const char *name = repair_part_name((enum repair_part)i);

		if (place->known >> i & 1)
			put_number(w, name, place->part[i]);
		else
			put_null(w, name);
	}
}

/* Pages that cannot be read are left out: the list of all pages has them. */
static void read_pages(const struct repair_command *c, const struct repair_entry *entry,
		       struct remembered_pages *ret)
{
	struct error e = {0};

	*ret = (struct remembered_pages){0};
	if (entry->state == REPAIR_DONE && repair_pages_read(c->state, entry, ret, &e) < 0)
		log_warning("repair: the pages of repair %" PRIu64 " cannot be read: %s", entry->id,
			    e.text);
}

static void put_pages(struct json_writer *w, const struct repair_command *c,
		      const struct repair_entry *entry)
{
	struct remembered_pages pages;

	read_pages(c, entry, &pages);
	put_array(w, "pages");
	for (size_t i = 0; i < pages.n; i++) {
		put_object(w, NULL);
		put_hex(w, "dpa", pages.items[i].dpa);
		put_string(w, "state", remembered_state_name(pages.items[i].state));
		put_end(w);
	}
	put_end(w);
	remembered_pages_done(&pages);
}

static void print_pages(const struct repair_command *c, const struct repair_entry *entry,
			const char *memdev)
{
	struct remembered_pages pages;

	read_pages(c, entry, &pages);
	for (size_t i = 0; i < pages.n; i++) {
		out_indent(1);
		out("its page at DPA 0x%" PRIx64 " is to stay out of use (%s); to bring it back: "
		    "cxl-spa page online %s 0x%" PRIx64,
		    pages.items[i].dpa, remembered_state_name(pages.items[i].state), memdev,
		    pages.items[i].dpa);
		out_end();
	}
	remembered_pages_done(&pages);
}

static void put_entry(struct json_writer *w, const struct repair_command *c,
		      const struct repair_entry *entry)
{
	struct repair_plan plan;

	plan_now(c, entry, &plan);
	put_object(w, NULL);
	put_number(w, "id", entry->id);
	put_string(w, "device", entry->device);
	put_string(w, "memdev", plan.memdev ? plan.memdev->name : NULL);
	put_opt_hex(w, "serial", entry->serial ? OPT_U64(entry->serial) : (struct opt_u64){0});
	put_hex(w, "dpa", entry->place.dpa & ~(uint64_t)REPAIR_DPA_FLAGS);
	put_number(w, "dpa_flags", entry->place.dpa & REPAIR_DPA_FLAGS);
	put_place(w, &entry->place);
	put_bool(w, "asked", repair_entry_is_asked(entry));
	put_string(w, "repair", edac_repair_type_word(plan.type));
	put_string(w, "state", repair_state_name(entry->state));
	put_string(w, "possible", repair_plan_word(&plan));
	put_string(w, "possible_reason", plan.reason);
	put_string(w, "result", entry->text[0] ? entry->text : NULL);
	put_number(w, "tries", entry->tries);
	put_number(w, "repaired", entry->repaired);
	put_number(w, "event", entry->event);
	put_opt_number(w, "incident",
		       entry->incident ? OPT_U64(entry->incident) : (struct opt_u64){0});
	put_pages(w, c, entry);
	put_end(w);
}

static int print_json(const struct repair_command *c, const struct repair_entries *list)
{
	_cleanup_writer_ struct json_writer w = {.absent_is_null = true};

	put_object(&w, NULL);
	put_array(&w, "repairs");
	for (size_t i = 0; i < list->n; i++)
		put_entry(&w, c, &list->items[i]);
	put_end(&w);
	put_end(&w);
	return out_json(&w);
}

static void print_entry(const struct repair_command *c, const struct repair_entry *entry)
{
	struct repair_plan plan;
	const char *type, *word;

	plan_now(c, entry, &plan);
	out_styled(STYLE_NAME, "%" PRIu64, entry->id);
	out(" %s", plan.memdev ? plan.memdev->name : entry->device);
	if (entry->serial)
		out(" serial 0x%" PRIx64, entry->serial);
	out(" DPA 0x%" PRIx64, entry->place.dpa & ~(uint64_t)REPAIR_DPA_FLAGS);
	for (int i = 0; i < REPAIR_PARTS; i++)
		if (entry->place.known >> i & 1)
			out(" %s 0x%" PRIx32, repair_part_name((enum repair_part)i),
			    entry->place.part[i]);
	type = edac_repair_type_word(plan.type);
	out(" by %s: %s", type, repair_state_name(entry->state));
	if (entry->incident)
		out(", incident %" PRIu64, entry->incident);
	if (!repair_entry_is_asked(entry))
		out(", not asked for by the device");
	out_end();
	if (entry->text[0]) {
		out_indent(1);
		out("%s", entry->text);
		out_end();
	}
	if (entry->state == REPAIR_DONE) {
		print_pages(c, entry, plan.memdev ? plan.memdev->name : "MEMDEV");
		return;
	}
	out_indent(1);
	word = repair_plan_word(&plan);
	out("%s: ", word);
	out("%s", plan.reason);
	out_end();
}

static int print_text(const struct repair_command *c, const struct repair_entries *list)
{
	for (size_t i = 0; i < list->n; i++)
		print_entry(c, &list->items[i]);
	if (list->n == 0) {
		out("no device asked for a repair of a place, and no media error is an open incident");
		out_end();
	}
	return 0;
}

/* ---- one repair -------------------------------------------------------------------------------
 */

static bool repair_cancelled(void *userdata)
{
	(void)userdata;
	return cli_interrupted();
}

static void say_incident_stays(uint64_t incident, const char *why)
{
	log_warning("repair: incident %" PRIu64 " stays open: %s; close it by "
		    "cxl-spa events --resolve-incident %" PRIu64,
		    incident, why, incident);
}

/* Without a service the next one closes it. */
static int leave_incident(const struct repair_command *c, const struct repair_entry *entry,
			  struct error *e)
{
	int r = state_leave_incident(c->state, entry->id, true, e);

	if (r == 0)
		log_info("repair: the service closes incident %" PRIu64 " when it runs",
			 entry->incident);
	return r;
}

/* The service alone writes the log. */
static void resolve_incident(const struct repair_command *c, const struct repair_entry *entry,
			     const char *note)
{
	_cleanup_writer_ struct json_writer w = {0};
	char host[SERVICE_URI_MAX] = "", uri[SERVICE_URI_MAX + 64];
	struct error e = {0};
	int r = service_host(SERVICE_SOCKET, host, &e);

	put_object(&w, NULL);
	put_bool(&w, "Resolved", true);
	put_object(&w, "Oem");
	put_object(&w, "CXLHost");
	put_string(&w, "Note", note);
	put_end(&w);
	put_end(&w);
	put_end(&w);
	(void)snprintf(uri, sizeof(uri), "%s/LogServices/Incidents/Entries/%" PRIu64, host,
		       entry->incident);
	if (r == 0 && w.failed)
		r = error_set(&e, ENOMEM, "out of memory");
	if (r == 0)
		r = service_patch(SERVICE_SOCKET, uri, (struct json_span){w.text, w.len}, &e);
	if (r == -ECONNREFUSED)
		r = leave_incident(c, entry, &e);
	if (r < 0 && r != -ENOENT)
		say_incident_stays(entry->incident, e.text);
}

static void close_incident(const struct repair_command *c, const struct repair_entry *entry)
{
	char note[REPAIR_NOTE_MAX];
	struct error e = {0};
	int r = repair_resolves(c->state, entry, note, &e);

	if (r > 0)
		resolve_incident(c, entry, note);
	else if (r < 0)
		say_incident_stays(entry->incident, e.text);
}

/* Return: an exit status. */
static int make_one(struct repair_command *c, uint64_t id)
{
	struct repair_job job = {
		.state = c->state,
		.log = c->log,
		.root = c->cli->root,
		.client = change_client_new_direct(c->cli->root),
		.confirm_ms = REPAIR_CONFIRM_MS,
		.again = c->cli->again,
		.cancelled = repair_cancelled,
	};
	struct repair_entry entry = {0};
	struct repair_entries list = {.items = &entry, .n = 1};
	struct error e = {0};
	int r = job.client ? 0 : error_set(&e, ENOMEM, "out of memory");

	cli_catch_interrupt();
	if (r == 0)
		r = repair_run(&job, id, &entry, &e);
	(void)change_client_free(job.client);
	if (r < 0)
		log_err("repair: %s", e.text);
	if (r == 0 && c->cli->events.state == NULL)
		close_incident(c, &entry);
	if (entry.device[0] && (c->cli->json ? print_json(c, &list) : print_text(c, &list)) < 0)
		return STATUS_ERROR;
	if (r == -ENOENT && !entry.device[0])
		return STATUS_ERROR;
	return r == 0 ? STATUS_OK : r == -EINPROGRESS ? STATUS_UNCONFIRMED : STATUS_PARTIAL;
}

/* ---- the command ------------------------------------------------------------------------------
 */

static int list_all(struct repair_command *c)
{
	struct repair_entries list = {0};
	struct error e = {0};
	int r = state_read_repairs(c->state, &list, &e);

	if (r == 0)
		r = c->cli->json ? print_json(c, &list) : print_text(c, &list);
	else
		log_err("repair: %s", e.text);
	repair_entries_done(&list);
	return r < 0 ? STATUS_ERROR : STATUS_OK;
}

static int open_all(struct repair_command *c, struct error *e)
{
	const char *state = c->cli->events.state ? c->cli->events.state : STATE_DEFAULT;
	size_t n_new;
	int r;

	if (snprintf(c->log, sizeof(c->log), "%s/" STORE_FILE, state) >= (int)sizeof(c->log))
		return error_set(e, ENAMETOOLONG, "the path of --state is too long");
	r = page_list_open_state(c->cli, &c->state, e);
	if (r == 0)
		r = repairs_update(c->state, c->log, &n_new, e);
	if (r != -ENOSPC)
		return r;
	log_warning("repair: %s", e->text);
	return 0;
}

static int check_usage(const struct cli *cli, int n, char **operands, uint64_t *ret_id,
		       struct error *e)
{
	*ret_id = 0;
	if (n == 0)
		return cli->again ? error_set(e, EINVAL, "--again requires the ID of a repair") : 0;
	if (cli->list)
		return error_set(e, EINVAL, "--list has no operand");
	if (operands[0][0] == '0' || parse_u64(operands[0], ret_id) < 0 ||
	    strspn(operands[0], "0123456789") != strlen(operands[0]))
		return error_set(e, EINVAL, "'%.64s' is not the ID of a repair: see --list",
				 operands[0]);
	return 0;
}

int command_repair(struct cli *cli, int n, char **operands)
{
	struct repair_command c = {.cli = cli};
	struct error e = {0};
	uint64_t id = 0;
	int status = STATUS_ERROR;
	int r = check_usage(cli, n, operands, &id, &e);

	if (r == 0)
		r = open_all(&c, &e);
	if (r < 0)
		log_err("repair: %s", e.text);
	else if (cli_open(cli) == STATUS_OK) {
		event_boot_id(cli->root, c.boot_id);
		status = id ? make_one(&c, id) : list_all(&c);
	}
	(void)state_free(c.state);
	return status;
}
