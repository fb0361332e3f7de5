// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/change_fixture.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/log.h"
#include "common/strutil.h"
#include "redfish/resources/resources.h"
#include "tests/lib/wait.h"

struct changing_host changing;

static uint64_t shown[VIEW_INPUT_COUNT];
static atomic_ulong number;
static pthread_t reader;
static bool has_reader;

/* ---- the view ---------------------------------------------------------------------------------
 */

static void show_number(enum view_input input, uint64_t n)
{
	fixture_ready(&f);
	for (size_t i = 0; i < VIEW_INPUT_COUNT; i++)
		if (i == input || !changing.one_by_one)
			shown[i] = n;
	view_holder_advance(f.service->view_holder, shown);
}

static void *read_slowly(void *userdata)
{
	const struct view_generation *g = userdata;

	if (changing.hold_view)
		while (sem_wait(changing.hold_view) < 0 && errno == EINTR)
			;
	(void)usleep(changing.slow_ms * 1000);
	show_number(g->input, g->number);
	return NULL;
}

static void join_reader(void)
{
	if (has_reader)
		(void)pthread_join(reader, NULL);
	has_reader = false;
}

/* One reading at a time: a job waits for each. */
static uint64_t read_on_request(void *userdata, enum view_input input, const char *memdev)
{
	static struct view_generation slow;
	const uint64_t n = atomic_fetch_add(&number, 1) + 1;

	(void)userdata;
	(void)memdev;
	atomic_fetch_add(&changing.n_requests[input], 1);
	if (changing.stuck)
		return n;
	if (changing.slow_ms == 0 && !changing.hold_view) {
		show_number(input, n);
		return n;
	}
	join_reader();
	slow = (struct view_generation){.input = input, .number = n};
	ck_assert_int_eq(pthread_create(&reader, NULL, read_slowly, &slow), 0);
	has_reader = true;
	return n;
}

/* ---- changes of the model ---------------------------------------------------------------------
 */

static struct memdev *memdev_named(const char *name)
{
	for (size_t i = 0; i < 4; i++)
		if (str_equal(f.memdevs[i]->name, name))
			return f.memdevs[i];
	return NULL;
}

struct region *region_named(const char *name)
{
	for (size_t i = 0; i < f.model.host.n_regions; i++)
		if (str_equal(f.model.regions[i]->name, name))
			return (struct region *)(uintptr_t)f.model.regions[i];
	return NULL;
}

static void create_region(const struct change *c, struct change_result *ret)
{
	struct memdev *members[INTERLEAVE_WAYS_MAX];
	struct region *r;

	for (size_t i = 0; i < c->region.ways; i++) {
		members[i] = memdev_named(c->region.positions[i].name);
		ck_assert_ptr_nonnull(members[i]);
	}
	r = model_region(&f.model, changing.window,
			 changing.window->start.value + f.region->size.value, members,
			 c->region.ways);
	r->name = arena_strdup(f.model.arena, "region1");
	r->size = OPT_U64(c->region.size);
	r->granularity = OPT_U64(c->region.granularity);
	r->mode = (enum decoder_mode)c->region.mode;
	r->inode = 4711;
	(void)snprintf(ret->object, sizeof(ret->object), "%s", r->name);
	ret->identity = r->inode;
}

/* As the kernel leaves them: reset on the way up, and without DPA. */
static void destroy_region(struct region *r)
{
	for (size_t i = 0; i < f.model.host.n_decoders; i++) {
		struct decoder *d = (struct decoder *)(uintptr_t)f.model.decoders[i];

		if (d->region != r)
			continue;
		d->start = (struct opt_u64){0};
		d->size = d->dpa_size = OPT_U64(0);
		d->dpa_resource = (struct opt_u64){0};
		d->mode = DECODER_MODE_NONE;
	}
	model_drop_region(&f.model, r);
}

static void set_memory(const struct change *c, enum dax_mode mode, uint64_t online)
{
	const struct region *r = region_named(c->object);
	struct dax_device *d = (struct dax_device *)(uintptr_t)r->dax->devices[0];

	d->mode = mode;
	d->online_blocks = mode == DAX_MODE_SYSTEM_RAM ? OPT_U64(online) : (struct opt_u64){0};
}

static void make_change(const struct change *c, struct change_result *ret)
{
	switch (c->kind) {
	case CHANGE_REGION_CREATE:
		create_region(c, ret);
		break;
	case CHANGE_REGION_DESTROY:
		destroy_region(region_named(c->object));
		break;
	case CHANGE_MEMORY_ONLINE:
		set_memory(c, DAX_MODE_SYSTEM_RAM, 4);
		break;
	case CHANGE_MEMORY_OFFLINE:
		set_memory(c, DAX_MODE_SYSTEM_RAM, 0);
		break;
	case CHANGE_MEMORY_DEVDAX:
		set_memory(c, DAX_MODE_DEVDAX, 0);
		break;
	default:
		break;
	}
}

static void wait_for_test(const struct change_call *call)
{
	if (changing.hold)
		while (sem_wait(changing.hold) < 0 && errno == EINTR)
			;
	while (changing.obeys && !call->cancelled(call->userdata))
		(void)usleep(1000);
}

static int fake_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	const unsigned int n = atomic_fetch_add(&changing.n_seen, 1);
	const unsigned int running = atomic_fetch_add(&changing.n_running, 1) + 1;
	struct change_progress p = {.done = 3, .total = 12, .unit = "blocks"};

	(void)userdata;
	ck_assert_uint_lt(n, CHANGES_SEEN_MAX);
	ck_assert_int_eq(change_check(call->change, NULL), 0);
	changing.seen[n] = *call->change;
	if (running > atomic_load(&changing.n_running_max))
		atomic_store(&changing.n_running_max, running);
	if (changing.part)
		(void)snprintf(p.part, sizeof(p.part), "%s", changing.part);
	call->progress(call->userdata, &p);
	(void)sem_post(&changing.began);
	wait_for_test(call);
	*ret = changing.answer;
	if (ret->error == 0)
		make_change(call->change, ret);
	atomic_fetch_sub(&changing.n_running, 1);
	return ret->error;
}

static unsigned int fake_allowed(void *userdata)
{
	(void)userdata;
	return f.changes_allowed.helper;
}

const struct change *last_change(unsigned int n)
{
	ck_assert_uint_eq(atomic_load(&changing.n_seen), n);
	return n > 0 ? &changing.seen[n - 1] : NULL;
}

/* ---- requests ---------------------------------------------------------------------------------
 */

unsigned int create(const char *body)
{
	return ask_change(&f, METHOD_POST, CHUNKS, CHUNKS, body, NULL);
}

unsigned int patch(const char *body)
{
	return ask_change(&f, METHOD_PATCH, REGION, REGION, body, NULL);
}

unsigned int destroy(const char *body)
{
	return ask_change(&f, METHOD_DELETE, REGION, REGION, body, NULL);
}

const char *allow(const char *uri)
{
	(void)ask_change(&f, METHOD_OPTIONS, uri, NULL, NULL, NULL);
	return f.res.body->allow;
}

void take_offline(void)
{
	changing.dax->online_blocks = OPT_U64(0);
	fixture_ready(&f);
}

/* ---- of a test case ---------------------------------------------------------------------------
 */

static void make_idle_decoders(void)
{
	for (size_t i = 0; i < f.model.host.n_ports; i++)
		((struct port *)(uintptr_t)f.model.ports[i])->enabled = true;
	for (size_t i = 0; i < 4; i++)
		f.memdevs[i]->enabled = true;
	for (size_t i = 2; i < 4; i++) {
		struct port *endpoint = (struct port *)(uintptr_t)f.memdevs[i]->endpoint;

		(void)model_idle_decoder(&f.model, endpoint);
		(void)model_idle_decoder(&f.model, (struct port *)(uintptr_t)endpoint->parent);
	}
}

void start_changes(const struct service_limits *limits, struct accounts *accounts)
{
	static const struct change_client_ops ops = {fake_run, fake_allowed, NULL};

	memset(&changing, 0, sizeof(changing));
	memset(shown, 0, sizeof(shown));
	atomic_store(&number, 0);
	ck_assert_int_eq(sem_init(&changing.began, 0, 0), 0);
	fixture_init_with(&f, accounts, limits ? limits : fixture_limits(), &redfish_resources);
	changing.window = (struct decoder *)(uintptr_t)f.region->root;
	changing.window->cap_ram = changing.window->cap_pmem = OPT_BOOL(true);
	changing.window->cap_type3 = OPT_BOOL(true);
	changing.dax = (struct dax_device *)(uintptr_t)f.region->dax->devices[0];
	f.region->inode = 12;
	make_idle_decoders();
	changing.client = change_client_new(&ops, NULL);
	ck_assert_ptr_nonnull(changing.client);
	f.service->change_client = changing.client;
	view_holder_set_requester(f.service->view_holder, read_on_request, NULL);
	allow_changes(&f, ALLOW_HOST, ALLOW_HOST);
}

void start_usual_changes(void)
{
	start_changes(NULL, NULL);
}

void stop_changes(void)
{
	(void)service_stop(f.service, WAIT_MAX_MS);
	join_reader();
	fixture_done(&f);
	changing.client = change_client_free(changing.client);
	(void)sem_destroy(&changing.began);
}

TCase *change_case(Suite *s, const char *name, void (*begin)(void), void (*end)(void))
{
	TCase *t = tcase_create(name);

	log_set_level(LOG_LEVEL_ERR);
	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, begin, end);
	suite_add_tcase(s, t);
	return t;
}
