// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-spa page: who is on a page, and pages that are taken out of use or brought back.
#include "cli/page.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/event_store.h"
#include "cli/operands.h"
#include "cli/page_list.h"
#include "cli/progress.h"
#include "common/arena.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/strutil.h"
#include "events/event_fill.h"
#include "events/incident_now.h"
#include "pages/page_client.h"
#include "pages/page_master.h"
#include "redfish/pages/page_keeper.h"
#include "sysfs/memdev_operand.h"
#include "sysfs/page_use.h"

DEFINE_ARRAY(struct page_item, page_items);
DEFINE_CLEANUP(struct arena, arena_free);

/* More pages than a policy may ever take out, and a list that still fits in memory. */
enum { PAGES_MAX = 65536 };

struct page_command {
	struct cli *cli;
	enum page_action action;    /* 0: show */
	struct page_keeper *keeper; /* NULL: nothing is remembered here */
	const struct memdev *memdev;
	struct page_items items;
};

/* ---- operands ---------------------------------------------------------------------------------
 */

static int read_frame(const char *s, const char *digits, struct page_item *ret, struct error *e)
{
	if (parse_address(digits, &ret->address) < 0 || ret->address > PAGE_PFN_MAX)
		return error_set(
			e, EINVAL,
			"'%.64s' is not a page frame: it is written pfn:0x and 1 to 10 hexadecimal digits",
			s);
	ret->is_frame = true;
	return 0;
}

static int read_address(const char *s, bool has_memdev, struct page_item *ret, struct error *e)
{
	const char *digits = str_after_prefix(s, "pfn:");
	struct address_range range;
	int r;

	if (digits && has_memdev)
		return error_set(
			e, EINVAL,
			"'%.64s' is a page frame of the host, not an address of a memory device: leave out the device",
			s);
	if (digits)
		return read_frame(s, digits, ret, e);
	r = operand_address(s, &range, e);
	if (r == 0 && range.is_range)
		return error_set(e, EINVAL,
				 "'%.64s' is a range: a page is named by one address in it", s);
	if (r == 0)
		ret->address = range.first;
	return r;
}

static int add_item(struct page_command *c, const char *s, bool has_memdev, struct error *e)
{
	struct page_item *item;

	if (c->items.n == PAGES_MAX)
		return error_set(e, E2BIG, "there are more than %d addresses: name fewer at a time",
				 PAGES_MAX);
	item = page_items_add(&c->items);
	if (!item)
		return error_set(e, ENOMEM, "out of memory");
	*item = (struct page_item){0};
	return read_address(s, has_memdev, item, e);
}

/* All of standard input before anything is done: a malformed line ends it. */
static int add_lines(struct page_command *c, bool has_memdev, struct error *e)
{
	char line[OPERAND_LINE_MAX + 1];
	int r;

	for (size_t number = 1; (r = operand_line(stdin, line)) != 0; number++) {
		if (r == -EIO)
			return error_set(e, errno, "standard input: %s", strerror(errno));
		if (r < 0)
			return error_set(e, EINVAL, "line %zu is no address", number);
		if (!line[strspn(line, " \t")])
			continue;
		r = add_item(c, line, has_memdev, e);
		if (r < 0) {
			error_prefix(e, "line %zu", number);
			return r;
		}
	}
	return 0;
}

static int read_items(struct page_command *c, int n, char **operands, bool has_memdev,
		      struct error *e)
{
	int r = n > 0 ? 0 : error_set(e, EINVAL, "an ADDRESS is missing");

	for (int i = 0; r == 0 && i < n; i++)
		r = str_equal(operands[i], "-") ? add_lines(c, has_memdev, e)
						: add_item(c, operands[i], has_memdev, e);
	if (r == 0 && c->items.n == 0)
		r = error_set(e, EINVAL, "standard input has no address");
	return r;
}

/* ---- facts ------------------------------------------------------------------------------------
 */

static const char *const no_exact_address = "the address is not exactly known";

static int translate_item(struct page_command *c, struct page_item *p)
{
	struct cli *cli = c->cli;
	struct answers answers = {0};
	uint64_t address = p->address;
	int r;

	if (p->is_frame && !c->memdev)
		address *= cli->host->page_size;
	r = addresses_translate(&cli->addresses, c->memdev, address, address, &answers);
	if (r == 0 && answers.n != 1)
		r = -ENOMEM;
	if (r == 0)
		p->answer = answers.items[0];
	answers_done(&answers);
	return r;
}

/* Return: 0 or -ENOMEM. */
static int describe_item(struct page_command *c, struct page_item *p)
{
	int r = translate_item(c, p);

	if (r < 0)
		return r;
	page_describe(c->cli->host, &p->answer, &p->facts);
	if (!p->facts.spa.present && !p->facts.note[0])
		p->reason = no_exact_address;
	else if (p->facts.note[0])
		p->reason = p->facts.note;
	return 0;
}

/* ---- incidents --------------------------------------------------------------------------------
 */

struct incident_search {
	struct page_command *c;
	const struct memdev_ids *ids;
};

static void note_incident(struct page_item *p, const struct incident *i,
			  const struct incident_now *now)
{
	if (!p->facts.spa.present || (p->incident && i->severity < p->severity) ||
	    !incident_now_has_page(now, p->facts.spa.value))
		return;
	p->incident = i->id;
	p->severity = i->severity;
}

/* By the mapping of now: a page of interleaved memory has addresses of several devices. */
static int match_incident(void *userdata, const struct incident *i)
{
	const struct incident_search *s = userdata;
	struct cli *cli = s->c->cli;
	struct incident_now now;
	int r = i->n_pages ? incident_now(i, cli->host, cli->addresses.translator, s->ids,
					  &cli->addresses.timeout, &now)
			   : 0;

	for (size_t k = 0; r == 0 && i->n_pages && k < s->c->items.n; k++)
		note_incident(&s->c->items.items[k], i, &now);
	return r;
}

static int search_incidents(struct store_reader *r, void *userdata, struct error *e)
{
	return store_read_incidents(r, false, match_incident, userdata, e);
}

/* Without a log, or where it may not be read, none is known. */
static void find_incidents(struct page_command *c)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	struct incident_search s = {c, arena ? memdev_ids_new(arena, c->cli->host) : NULL};
	struct error e;

	if (s.ids)
		(void)event_store_read(c->cli, NULL, search_incidents, &s, &e);
}

/* ---- actions ----------------------------------------------------------------------------------
 */

static void refuse_item(struct page_item *p, int code, const char *text)
{
	p->acted = true;
	(void)page_result_set(&p->result, code, PAGE_REFUSED, "%s", text);
}

/* Return: whether @q can be sent; otherwise the item is refused. */
static bool make_request(const struct page_command *c, const struct memdev_ids *ids,
			 struct page_item *p, struct page_request *q)
{
	const struct answer *a = &p->answer;

	if (!a->exact || !a->has_spa || !a->has_dpa || !a->memdev) {
		refuse_item(p, ERANGE,
			    p->reason
				    ? p->reason
				    : "the address is not one of CXL memory that is exactly known");
		return false;
	}
	if (c->cli->root->captured) {
		refuse_item(p, EROFS, "a captured host cannot be changed");
		return false;
	}
	if (geteuid() != 0) {
		refuse_item(
			p, EACCES,
			"only root can take pages out of use: run this as root, or ask cxl-redfishd for it");
		return false;
	}
	*q = (struct page_request){
		.serial = a->memdev->serial.present ? a->memdev->serial.value : 0,
		.dpa = a->dpa,
		.spa = a->spa,
		.action = (uint32_t)c->action,
	};
	(void)snprintf(q->device, sizeof(q->device), "%s", memdev_id(ids, a->memdev));
	return true;
}

/* The service takes a remembered page out again after a boot. */
static void run_remembered(struct page_command *c, const struct memdev_ids *ids,
			   struct page_item *const *items, size_t n, struct page_result *ret)
{
	struct page_take takes[PAGE_BATCH_MAX];

	for (size_t i = 0; i < n; i++)
		takes[i] = (struct page_take){
			.host = c->cli->host,
			.ids = ids,
			.answer = &items[i]->answer,
			.action = (uint32_t)c->action,
			.incident = items[i]->incident,
			.user = "root",
		};
	(void)page_keeper_take_all(c->keeper, takes, n, ret);
}

/* @n: up to PAGE_BATCH_MAX items */
static void act_batch(struct page_command *c, struct page_client *client,
		      const struct memdev_ids *ids, struct page_item *items, size_t n)
{
	struct page_request requests[PAGE_BATCH_MAX];
	struct page_result results[PAGE_BATCH_MAX];
	struct page_item *of[PAGE_BATCH_MAX];
	size_t n_requests = 0;

	for (size_t i = 0; i < n; i++)
		if (make_request(c, ids, &items[i], &requests[n_requests]))
			of[n_requests++] = &items[i];
	if (n_requests > 0 && c->keeper)
		run_remembered(c, ids, of, n_requests, results);
	else if (n_requests > 0)
		(void)page_client_run(client, requests, n_requests, results);
	for (size_t i = 0; i < n_requests; i++) {
		of[i]->acted = true;
		of[i]->result = results[i];
	}
	for (size_t i = 0; i < n; i++)
		items[i].reason = items[i].result.reason[0] ? items[i].result.reason : NULL;
}

/* Without the service's database the pages are taken out all the same, for this boot. */
static void open_keeper(struct page_command *c, struct page_client *client, struct state **ret)
{
	uint8_t boot_id[EVENT_BOOT_ID_SIZE];
	struct error e = {0};

	if (c->cli->root->captured || geteuid() != 0)
		return;
	event_boot_id(c->cli->root, boot_id);
	if (page_list_open_state(c->cli, ret, &e) == 0 && state_status(*ret, &e) == 0 &&
	    page_keeper_new(*ret, client, boot_id, &c->keeper) == 0) {
		const struct page_limits limits = page_list_limits();

		page_keeper_set_limits(c->keeper, &limits);
		return;
	}
	log_warning("page: this is not remembered after the next boot: %s", e.text);
}

static void warn_of_master(const struct cli *cli)
{
	const char *text = page_master_text(page_master_find(cli->root));

	if (text[0] && !cli->root->captured)
		log_warning("%s", text);
}

/* Return: 0 or -ENOMEM. */
static int act_all(struct page_command *c)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	const struct memdev_ids *ids = arena ? memdev_ids_new(arena, c->cli->host) : NULL;
	struct page_client *client = page_client_new_direct(c->cli->root);
	struct state *state = NULL;

	if (!ids || !client) {
		(void)page_client_free(client);
		return -ENOMEM;
	}
	if (c->action != PAGE_ONLINE)
		warn_of_master(c->cli);
	open_keeper(c, client, &state);
	cli_catch_interrupt();
	for (size_t i = 0; i < c->items.n; i += PAGE_BATCH_MAX) {
		const size_t left = c->items.n - i;

		if (cli_interrupted())
			for (size_t k = i; k < c->items.n; k++)
				refuse_item(&c->items.items[k], ECANCELED,
					    "not tried: interrupted by a signal");
		if (cli_interrupted())
			break;
		act_batch(c, client, ids, c->items.items + i,
			  left < PAGE_BATCH_MAX ? left : PAGE_BATCH_MAX);
	}
	c->keeper = page_keeper_free(c->keeper);
	(void)state_free(state);
	(void)page_client_free(client);
	return 0;
}

/* ---- the subcommand ---------------------------------------------------------------------------
 */

static int status_of(const struct page_command *c)
{
	for (size_t i = 0; i < c->items.n; i++) {
		const struct page_item *p = &c->items.items[i];

		if (p->acted ? p->result.error != 0 : !p->facts.spa.present)
			return STATUS_PARTIAL;
	}
	return STATUS_OK;
}

/* Return: 0 or -ENOMEM. */
static int run_items(struct page_command *c)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < c->items.n; i++)
		r = describe_item(c, &c->items.items[i]);
	if (r == 0)
		find_incidents(c);
	if (r == 0 && c->action)
		r = act_all(c);
	return r < 0 ? r : cli_pages_print(c->cli, c->items.items, c->items.n);
}

static int run_command(struct page_command *c, const char *memdev)
{
	struct error e = {0};

	if (cli_open(c->cli) != STATUS_OK)
		return STATUS_ERROR;
	if (memdev && operand_memdev(c->cli->host, memdev, &c->memdev, &e) < 0) {
		log_err("page: %s", e.text);
		return STATUS_ERROR;
	}
	cli_print_notes(c->cli);
	if (run_items(c) < 0) {
		log_err("page: out of memory");
		return STATUS_ERROR;
	}
	return status_of(c);
}

static int read_verb(const struct cli *cli, const char *verb, enum page_action *ret,
		     struct error *e)
{
	if (str_equal(verb, "offline"))
		*ret = cli->page_hard ? PAGE_HARD : PAGE_SOFT;
	else if (str_equal(verb, "online"))
		*ret = PAGE_ONLINE;
	else if (!str_equal(verb, "show"))
		return error_set(
			e, EINVAL,
			"'%.64s' is none of show, offline, online, list, export and import", verb);
	if (cli->page_hard && *ret != PAGE_HARD)
		return error_set(e, EINVAL, "--hard is of page offline alone");
	return 0;
}

int command_page(struct cli *cli, int n, char **operands)
{
	const char *memdev = n > 1 && operand_is_memdev(operands[1]) ? operands[1] : NULL;
	const int skip = memdev ? 2 : 1;
	struct page_command c = {.cli = cli};
	struct error e = {0};
	int status = STATUS_ERROR;
	int r;

	if (page_list_has(operands[0]))
		return command_page_list(cli, n, operands);
	r = read_verb(cli, operands[0], &c.action, &e);
	if (r == 0 && memdev)
		r = operand_check_memdev(memdev, &e);
	if (r == 0)
		r = read_items(&c, n - skip, operands + skip, memdev != NULL, &e);
	if (r < 0)
		log_err("page: %s", e.text);
	else
		status = run_command(&c, memdev);
	page_items_done(&c.items);
	return status;
}
