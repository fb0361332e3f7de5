// SPDX-License-Identifier: LGPL-2.1-or-later
/* Objects that Linux renames, or takes away, between two requests of a client, or while a change is
 * made: no request is about another object than the one that the client looked at. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <check.h>

#include "common/array.h"
#include "common/strutil.h"
#include "tests/lib/change_fixture.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define DISABLE	 "{\"Enabled\":false}"
#define PLACE(n) SYSTEM "/Memory/0000-00-0" #n ".0"

/* An entity tag that a client has kept. */
static char tag[ETAG_MAX];
static sem_t hold;

/* A request whose answer is waited for later. */
static struct later_call {
	struct local_call call;
	struct http_reply reply;
	char tag[ETAG_MAX];
} first, second;

static void begin(void)
{
	start_usual_changes();
	http_reply_init(&first.reply);
	http_reply_init(&second.reply);
	ck_assert_int_eq(sem_init(&hold, 0, 0), 0);
}

static void end(void)
{
	http_reply_done(&first.reply);
	http_reply_done(&second.reply);
	stop_changes();
	(void)sem_destroy(&hold);
}

/* ---- what Linux does --------------------------------------------------------------------------
 */

/* The drivers of two devices are bound in the other order. */
static void swap_devices(void)
{
	struct memdev *a = f.memdevs[2], *b = f.memdevs[3];
	const char *name = a->name;

	a->name = b->name;
	b->name = name;
	fixture_ready(&f);
}

/* As those that have no serial number, each in the slot that it is in. */
static void without_serial_numbers(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(f.memdevs); i++) {
		f.memdevs[i]->serial = OPT_U64(0);
		f.memdevs[i]->bdf = arena_printf(f.model.arena, "0000:00:%02zx.0", i);
		f.memdevs[i]->host = f.memdevs[i]->bdf;
	}
	fixture_ready(&f);
}

/* A region and a window with the Ids of their addresses, and the names that they get. */
#define ADDRESSED SYSTEM "/MemoryDomains/window-0000001000000000/MemoryChunks/spa-0000001000000000"

static void name_region(const char *window, const char *region)
{
	changing.window->id = "window-0000001000000000";
	f.region->id = "spa-0000001000000000";
	changing.window->name = window;
	f.region->name = region;
	fixture_ready(&f);
}

/* A device whose driver was unbound. */
static void take_away(size_t i)
{
	struct host *host = &f.model.host;
	size_t n = 0;

	for (size_t k = 0; k < host->n_memdevs; k++)
		if (f.model.memdevs[k] != f.memdevs[i])
			f.model.memdevs[n++] = f.model.memdevs[k];
	host->n_memdevs = n;
	fixture_ready(&f);
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static void look_at(const char *uri)
{
	ck_assert_uint_eq(get(&f, uri), 200);
	memcpy(tag, f.res.body->etag, sizeof(tag));
}

static struct http_request request(enum http_method method, const char *uri, const char *if_match,
				   const char *body)
{
	struct http_request req = {
		.method = method,
		.path = uri,
		.body = body,
		.body_len = body ? strlen(body) : 0,
		.client = {.transport = HTTP_OVER_UNIX, .has_credentials = true},
	};

	req.headers[HEADER_IF_MATCH] = if_match;
	req.headers[HEADER_CONTENT_TYPE] = body ? "application/json" : NULL;
	return req;
}

/* With the entity tag of the last look. */
static unsigned int send_as_seen(enum http_method method, const char *uri, const char *body)
{
	const struct http_request req = request(method, uri, tag, body);

	return ask(&f, &req);
}

/* With the entity tag of now. */
static void send_later(struct later_call *c, enum http_method method, const char *uri,
		       const char *body)
{
	struct http_request req;

	look_at(uri);
	memcpy(c->tag, tag, sizeof(tag));
	req = request(method, uri, c->tag, body);
	local_call_init(&c->call, &c->reply);
	local_call_start(&c->call, f.service, &req);
}

/* Return: the status; its change, and one that waited behind it, are made. */
static unsigned int end_of(struct later_call *c)
{
	(void)sem_post(&hold);
	local_call_wait(&c->call);
	return c->reply.status;
}

static void begin_held(enum http_method method, const char *uri, const char *body)
{
	changing.hold = &hold;
	send_later(&first, method, uri, body);
	(void)sem_wait(&changing.began);
}

static void expect_in_answer(const struct http_reply *reply, const char *name, const char *value)
{
	char text[160];

	(void)snprintf(text, sizeof(text), "\"%s\":\"%s\"", name, value);
	ck_assert_msg(memmem(reply->body->bytes, reply->body->len, text, strlen(text)) != NULL,
		      "%s is not in %.*s", text, (int)reply->body->len, reply->body->bytes);
}

/* Whether the helper, which looks at the host as it is now, would make the change. */
static bool is_of_this_host(const struct change *c)
{
	struct change_memdev wanted = {.serial = c->identity};

	memcpy(wanted.place, c->place, sizeof(wanted.place));
	for (size_t i = 0; i < ARRAY_SIZE(f.memdevs); i++)
		if (str_equal(f.memdevs[i]->name, c->object))
			return change_memdev_is(&wanted, f.memdevs[i]);
	return false;
}

/* ---- devices ----------------------------------------------------------------------------------
 */

static const struct {
	const char *uri;
	bool serial;
} devices[] = {{MEM2, true}, {PLACE(2), false}};

static const char *device(int i)
{
	if (!devices[i].serial)
		without_serial_numbers();
	return devices[i].uri;
}

START_TEST(a_device_has_its_uri_under_another_name)
{
	const char *uri = device(_i);

	look_at(uri);
	ck_assert_str_eq(at(&f, "Name"), "mem2");
	swap_devices();
	ck_assert_uint_eq(get(&f, uri), 200);
	ck_assert_str_eq(at(&f, "@odata.id"), uri);
	ck_assert_str_eq(at(&f, "Name"), "mem3");
	ck_assert_str_ne(f.res.body->etag, tag);
}
END_TEST

START_TEST(a_tag_of_the_old_name_is_no_condition_that_holds)
{
	const char *uri = device(_i);

	look_at(uri);
	swap_devices();
	ck_assert_uint_eq(send_as_seen(METHOD_PATCH, uri, DISABLE), 412);
	last_change(0);
	/* The device itself is meant by its URI, under the name that it has now. */
	look_at(uri);
	ck_assert_msg(send_as_seen(METHOD_PATCH, uri, DISABLE) == 200, "%.*s", ANSWER);
	ck_assert_str_eq(last_change(1)->object, "mem3");
	ck_assert(is_of_this_host(last_change(1)));
	ck_assert_str_eq(at(&f, "@odata.id"), uri);
}
END_TEST

START_TEST(a_change_on_its_way_is_of_the_device_and_not_of_its_name)
{
	const char *uri = device(_i);

	begin_held(METHOD_PATCH, uri, DISABLE);
	ck_assert_str_eq(last_change(1)->object, "mem2");
	ck_assert(is_of_this_host(last_change(1)));
	swap_devices();
	ck_assert(!is_of_this_host(last_change(1)));
	/* The answer is the device that was meant. */
	ck_assert_uint_eq(end_of(&first), 200);
	expect_in_answer(&first.reply, "@odata.id", uri);
	expect_in_answer(&first.reply, "Name", "mem3");
}
END_TEST

START_TEST(a_task_is_about_the_device_that_was_meant)
{
	struct http_request req;
	char monitor[100];

	changing.hold = &hold;
	look_at(MEM2);
	req = request(METHOD_PATCH, MEM2, tag, DISABLE);
	req.headers[HEADER_PREFER] = "respond-async";
	ck_assert_uint_eq(ask(&f, &req), 202);
	(void)snprintf(monitor, sizeof(monitor), "%s", http_reply_value(&f.res, "Location"));
	(void)sem_wait(&changing.began);
	swap_devices();
	ck_assert_uint_eq(get(&f, ROOT "/TaskService/Tasks/1"), 200);
	ck_assert_str_eq(at(&f, "Payload/TargetUri"), MEM2);
	(void)sem_post(&hold);
	WAIT_UNTIL(get(&f, monitor) != 202);
	ck_assert_uint_eq(f.res.status, 200);
	ck_assert_str_eq(at(&f, "@odata.id"), MEM2);
	ck_assert_str_eq(at(&f, "Name"), "mem3");
}
END_TEST

START_TEST(a_region_is_not_made_of_devices_that_took_their_names)
{
	const struct change *c;

	without_serial_numbers();
	begin_held(METHOD_PATCH, REGION, OFFLINE);
	/* It waits behind the first one, and was planned with the names of before. */
	send_later(&second, METHOD_POST, CHUNKS, SIZE_512);
	swap_devices();
	ck_assert_uint_eq(end_of(&first), 200);
	(void)end_of(&second);
	c = last_change(2);
	ck_assert_uint_eq(c->kind, CHANGE_REGION_CREATE);
	ck_assert_uint_eq(c->identity, MODEL_WINDOW_BASE);
	ck_assert_str_eq(c->region.positions[0].name, "mem2");
	ck_assert_str_eq(c->region.positions[0].place, "0000:00:02.0");
	ck_assert_str_eq(c->region.positions[1].place, "0000:00:03.0");
	ck_assert(!change_memdev_is(&c->region.positions[0], f.memdevs[3]));
	ck_assert(change_memdev_is(&c->region.positions[0], f.memdevs[2]));
}
END_TEST

START_TEST(a_device_that_is_gone_is_404)
{
	const char *uri = device(_i);
	char action[160];

	(void)snprintf(action, sizeof(action), "%s/Actions/Memory.FreezeSecurityState", uri);
	look_at(uri);
	take_away(2);
	ck_assert_uint_eq(get(&f, uri), 404);
	ck_assert_str_eq(message(&f), "ResourceMissingAtURI");
	ck_assert_uint_eq(send_as_seen(METHOD_PATCH, uri, DISABLE), 404);
	ck_assert_uint_eq(send_as_seen(METHOD_DELETE, uri, NULL), 404);
	ck_assert_uint_eq(send_as_seen(METHOD_POST, action, "{}"), 404);
	/* Its name is now that of another one, which stays what it is. */
	f.memdevs[3]->name = "mem2";
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, uri), 404);
	ck_assert_uint_eq(send_as_seen(METHOD_PATCH, uri, DISABLE), 404);
	ck_assert_uint_eq(get(&f, SYSTEM "/Memory/mem2"), 404);
	last_change(0);
}
END_TEST

/* ---- regions ----------------------------------------------------------------------------------
 */

START_TEST(a_region_has_its_uri_under_another_name)
{
	name_region("decoder0.0", "region0");
	look_at(ADDRESSED);
	name_region("decoder0.1", "region7");
	ck_assert_uint_eq(send_as_seen(METHOD_PATCH, ADDRESSED, OFFLINE), 412);
	ck_assert_uint_eq(send_as_seen(METHOD_DELETE, ADDRESSED, FORCE), 412);
	last_change(0);
	look_at(ADDRESSED);
	ck_assert_str_eq(at(&f, "Oem/CXLHost/KernelName"), "region7");
	ck_assert_uint_eq(send_as_seen(METHOD_PATCH, ADDRESSED, OFFLINE), 200);
	ck_assert_str_eq(last_change(1)->object, "region7");
	ck_assert_uint_eq(last_change(1)->identity, 12);
	ck_assert_uint_eq(get(&f, SYSTEM "/MemoryDomains/decoder0.1/MemoryChunks/region7"), 404);
	ck_assert_uint_eq(get(&f, SYSTEM "/MemoryDomains/decoder0.0/MemoryChunks/region0"), 404);
}
END_TEST

/* Where its address is not known, the name is its Id: that of another region is another tag. */
START_TEST(a_name_that_passes_to_another_region_fails_the_condition)
{
	look_at(REGION);
	f.region->size = OPT_U64(f.region->size.value / 2);
	f.region->inode = 13;
	fixture_ready(&f);
	ck_assert_uint_eq(send_as_seen(METHOD_PATCH, REGION, OFFLINE), 412);
	ck_assert_uint_eq(send_as_seen(METHOD_DELETE, REGION, FORCE), 412);
	last_change(0);
}
END_TEST

START_TEST(a_region_that_is_gone_is_404)
{
	look_at(REGION);
	model_drop_region(&f.model, f.region);
	fixture_ready(&f);
	ck_assert_uint_eq(get(&f, REGION), 404);
	ck_assert_uint_eq(send_as_seen(METHOD_PATCH, REGION, OFFLINE), 404);
	ck_assert_uint_eq(send_as_seen(METHOD_DELETE, REGION, FORCE), 404);
	ck_assert_str_eq(message(&f), "ResourceMissingAtURI");
	last_change(0);
}
END_TEST

/* Behind a region that is being made, which may get the name of the one that goes meanwhile. */
static void expect_left_alone(unsigned int made, unsigned int status)
{
	begin_held(METHOD_POST, CHUNKS, SIZE_512);
	send_later(&second, METHOD_PATCH, REGION, OFFLINE);
	model_drop_region(&f.model, f.region);
	fixture_ready(&f);
	ck_assert_uint_eq(end_of(&first), made);
	ck_assert_uint_eq(end_of(&second), status);
	last_change(1);
}

START_TEST(a_region_that_goes_while_its_change_waits_is_404)
{
	changing.answer =
		(struct change_result){-EBUSY, CHANGE_REFUSED, "decoder0.0", 0, "it is busy"};
	expect_left_alone(409, 404);
}
END_TEST

START_TEST(a_region_whose_name_passes_on_while_its_change_waits_is_left_alone)
{
	expect_left_alone(201, 412);
}
END_TEST

SUITE(check_renamed)
{
	Suite *s = suite_create("renamed");
	TCase *t = change_case(s, "renamed", begin, end);
	const int n = (int)ARRAY_SIZE(devices);

	tcase_add_loop_test(t, a_device_has_its_uri_under_another_name, 0, n);
	tcase_add_loop_test(t, a_tag_of_the_old_name_is_no_condition_that_holds, 0, n);
	tcase_add_loop_test(t, a_change_on_its_way_is_of_the_device_and_not_of_its_name, 0, n);
	tcase_add_test(t, a_task_is_about_the_device_that_was_meant);
	tcase_add_test(t, a_region_is_not_made_of_devices_that_took_their_names);
	tcase_add_loop_test(t, a_device_that_is_gone_is_404, 0, n);
	tcase_add_test(t, a_region_has_its_uri_under_another_name);
	tcase_add_test(t, a_name_that_passes_to_another_region_fails_the_condition);
	tcase_add_test(t, a_region_that_is_gone_is_404);
	tcase_add_test(t, a_region_that_goes_while_its_change_waits_is_404);
	tcase_add_test(t, a_region_whose_name_passes_on_while_its_change_waits_is_left_alone);
	return s;
}
