// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Firmware updates by multipart requests, through an HTTP server, and what the client for changes
 * receives; and the inventory of firmware slots.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>

#include "change/client.h"
#include "change/protocol.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "http/limits.h"
#include "http/server.h"
#include "redfish/core/registry_version.h"
#include "redfish/resources/resources.h"
#include "redfish/service/upload.h"
#include "tests/lib/redfish_fixture.h"
#include "tests/lib/small_disk.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define UPDATE	  ROOT "/UpdateService"
#define INVENTORY UPDATE "/FirmwareInventory"
#define PUSH	  UPDATE "/Actions/Oem/CXLHostUpdateService.MultipartHTTPUpdate"
#define SLOT(m)	  INVENTORY "/cxl-000000000000abc" m
#define MEM(n)	  SYSTEM "/Memory/cxl-000000000000abc" #n
#define DEVICE(n) ROOT "/Chassis/cxl-000000000000abc" #n "/PCIeDevices/1"
#define MONITOR	  ROOT "/TaskService/TaskMonitors/1"
#define TASK	  ROOT "/TaskService/Tasks/1"

#define PART(name, type) "--B\r\nContent-Disposition: form-data; name=\"" name "\"\r\n" type "\r\n"
#define PARAMETERS(json) PART(UPLOAD_PARAMETERS, "Content-Type: application/json\r\n") json "\r\n"
#define TARGETS(uri)	 PARAMETERS("{\"Targets\":[\"" uri "\"]}")
#define FILE_PART	 PART(UPLOAD_FILE, "Content-Type: application/octet-stream\r\n")
#define END		 "\r\n--B--\r\n"

enum { SMALL_DISK = 24 << 20 };
enum { MANY = 24 }; /* devices: more than the helper makes changes at a time */

static struct fixture f;
static struct http_server *server;
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static char directory[64];
static struct change_client *client;
static struct mailbox two_slots;
static const char *if_match; /* of requests; NULL: without */

/* The answer of the client for changes, and its input. */
static struct {
	struct change_result answer;
	bool holds; /* until it is cancelled, or released */
	sem_t began, release;
	atomic_uint n, at_once, most_at_once;
	bool was_cancelled;
	struct change change[MANY];
	uint64_t bytes;	   /* of the last image that were right */
	const char *fails; /* the device whose update fails; NULL: `answer` is of all */
} made;

static char byte_at(uint64_t i)
{
	return (char)(i * 31 + i / 509);
}

/* By pread() from the start, as all of several devices do. */
static uint64_t count_right_bytes(int fd)
{
	char part[4096];
	uint64_t at = 0;
	ssize_t n;

	while ((n = pread(fd, part, sizeof(part), (off_t)at)) > 0)
		for (ssize_t i = 0; i < n; i++)
			if (part[i] != byte_at(at++))
				return 0;
	return at;
}

/* Long enough that several are seen at once. */
static void note_at_once(void)
{
	const unsigned int n = atomic_fetch_add(&made.at_once, 1) + 1;
	unsigned int most = atomic_load(&made.most_at_once);

	while (n > most && !atomic_compare_exchange_weak(&made.most_at_once, &most, n))
		;
	(void)usleep(20 * 1000);
	atomic_fetch_sub(&made.at_once, 1);
}

static int fake_run(void *userdata, const struct change_call *call, struct change_result *ret)
{
	const struct change_progress p = {.done = 25, .total = 100, .unit = "bytes"};
	const unsigned int n = atomic_fetch_add(&made.n, 1);

	(void)userdata;
	note_at_once();
	ck_assert_uint_lt(n, ARRAY_SIZE(made.change));
	ck_assert_int_eq(change_check(call->change, NULL), 0);
	made.change[n] = *call->change;
	made.bytes = count_right_bytes(call->image);
	call->progress(call->userdata, &p);
	(void)sem_post(&made.began);
	while (made.holds && !made.was_cancelled && sem_trywait(&made.release) < 0) {
		made.was_cancelled = call->cancelled(call->userdata);
		(void)usleep(1000);
	}
	*ret = made.answer;
	if (made.fails && strcmp(made.fails, call->change->object) == 0)
		(void)change_result_set(ret, EIO, CHANGE_UNDONE, "it has ended");
	if (made.was_cancelled)
		ret->error = -ECANCELED, ret->outcome = CHANGE_UNDONE;
	memcpy(ret->object, call->change->object, sizeof(ret->object));
	return ret->error;
}

static unsigned int fake_allowed(void *userdata)
{
	(void)userdata;
	return ALLOW_FIRMWARE;
}

static void show(unsigned int allowed)
{
	struct view_inputs in = {
		.host = &f.model.host,
		.readings = &f.readings,
		.changes_allowed = {allowed, allowed},
	};
	struct view *v;

	ck_assert_int_eq(translator_new(in.host, NULL, &in.translator, NULL), 0);
	ck_assert_int_eq(view_new(&redfish_resources, &in, &v, NULL), 0);
	(void)translator_unref(in.translator);
	ck_assert_int_eq(service_set_view(f.service, v), 0);
}

static void start_server(void)
{
	const struct http_server_options o = {
		.handler = &service_handler, .userdata = f.service, .limits = &http_limits_default};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s.s", directory);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(listen(fd, 16), 0);
	ck_assert_int_eq(http_server_new(&o, fd, &server, NULL), 0);
}

static void start_with(unsigned int task_after_ms)
{
	static const struct change_client_ops ops = {fake_run, fake_allowed, NULL};
	struct service_limits limits = *fixture_limits();

	limits.task_after_ms = task_after_ms;
	memset(&made, 0, sizeof(made));
	if_match = "*";
	(void)snprintf(made.answer.text, sizeof(made.answer.text), "it is in slot 2");
	ck_assert_int_eq(sem_init(&made.began, 0, 0), 0);
	ck_assert_int_eq(sem_init(&made.release, 0, 0), 0);
	(void)snprintf(directory, sizeof(directory), "check_update.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	fixture_init_with(&f, NULL, &limits, &redfish_resources);
	two_slots = (struct mailbox){
		.slots = OPT_U64(2), .active_slot = OPT_U64(1), .slot_revision = {"1.0", "0.9"}};
	f.readings.mailboxes[0] = f.readings.mailboxes[1] = &two_slots;
	client = change_client_new(&ops, NULL);
	f.service->change_client = client;
	show(ALLOW_FIRMWARE);
}

static void setup(void)
{
	start_with(WAIT_MAX_MS);
	ck_assert_int_eq(uploads_set_directory(&f.service->uploads, directory), 0);
	start_server();
}

static void setup_small_disk(void)
{
	start_with(WAIT_MAX_MS);
	ck_assert(small_disk_mount(directory, SMALL_DISK));
	ck_assert_int_eq(uploads_set_directory(&f.service->uploads, directory), 0);
	start_server();
}

static void setup_tasks(void)
{
	start_with(1);
	ck_assert_int_eq(uploads_set_directory(&f.service->uploads, directory), 0);
	start_server();
}

static void setup_without_directory(void)
{
	start_with(WAIT_MAX_MS);
	start_server();
}

static void teardown(void)
{
	(void)service_stop(f.service, WAIT_MAX_MS);
	server = http_server_free(server);
	fixture_done(&f);
	client = change_client_free(client);
	(void)unlink(address.sun_path);
	/* Nothing is left in it. */
	ck_assert_int_eq(rmdir(directory), 0);
}

static void teardown_small_disk(void)
{
	ck_assert_int_eq(umount2(directory, MNT_DETACH), 0);
	teardown();
}

/* ---- requests ---------------------------------------------------------------------------------
 */

static int open_push(const char *framing)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char head[640];
	int len;

	len = snprintf(head, sizeof(head),
		       "POST " PUSH " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
		       "Content-Type: multipart/form-data; boundary=B\r\n%s%s%s%s\r\n\r\n",
		       if_match ? "If-Match: " : "", if_match ? if_match : "",
		       if_match ? "\r\n" : "", framing);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	ck_assert_int_eq(send(fd, head, (size_t)len, MSG_NOSIGNAL), len);
	return fd;
}

static void send_text(int fd, const char *text)
{
	if (text[0])
		ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

static void send_image(int fd, size_t n)
{
	char part[5000];

	for (size_t at = 0; at < n; at += sizeof(part)) {
		const size_t len = n - at < sizeof(part) ? n - at : sizeof(part);

		for (size_t i = 0; i < len; i++)
			part[i] = byte_at(at + i);
		ck_assert_int_eq(send(fd, part, len, MSG_NOSIGNAL), (ssize_t)len);
	}
}

/* Return: the status; the JSON of the answer is in f.body, the rest in head. */
static char head[16384];

static unsigned int receive(int fd)
{
	const char *body;
	size_t len = 0;
	ssize_t n;

	while ((n = recv(fd, head + len, sizeof(head) - 1 - len, 0)) > 0)
		len += (size_t)n;
	head[len] = '\0';
	(void)close(fd);
	body = strstr(head, "\r\n\r\n");
	ck_assert_msg(body != NULL, "%s", head);
	json_decref(f.body);
	f.body = json_loads(body + 4, 0, NULL);
	return (unsigned int)strtoul(head + strlen("HTTP/1.1 "), NULL, 10);
}

/* Return: the status of a request with these parts, with an image of @size bytes between. */
static unsigned int push_size(const char *before, size_t size, const char *after)
{
	char framing[64];
	int fd;

	(void)snprintf(framing, sizeof(framing), "Content-Length: %zu",
		       strlen(before) + size + strlen(after));
	fd = open_push(framing);
	send_text(fd, before);
	send_image(fd, size);
	send_text(fd, after);
	return receive(fd);
}

static unsigned int push(const char *body)
{
	return push_size(body, 0, "");
}

static const char *first_text(void)
{
	const char *text = at(&f, "error/@Message.ExtendedInfo/0/Message");

	return text ? text : "";
}

/* ---- the inventory ----------------------------------------------------------------------------
 */

START_TEST(each_slot_is_an_item_of_the_inventory)
{
	two_slots.staged_slot = OPT_U64(2);
	show(ALLOW_FIRMWARE);
	ck_assert_uint_eq(get(&f, INVENTORY), 200);
	/* Two slots of two devices; of the others the slots are not known. */
	ck_assert_int_eq(json_integer_value(value_at(&f, "Members@odata.count")), 6);
	ck_assert_uint_eq(get(&f, SLOT("0-1")), 200);
	ck_assert_str_eq(at(&f, "Version"), "1.0");
	ck_assert_str_eq(at(&f, "Active"), "true");
	ck_assert_str_eq(at(&f, "Staged"), "false");
	ck_assert_str_eq(at(&f, "Updateable"), "false");
	ck_assert_str_eq(at(&f, "Status/State"), "Enabled");
	ck_assert_str_eq(at(&f, "RelatedItem/0/@odata.id"), MEM(0));
	ck_assert_str_eq(at(&f, "RelatedItem/1/@odata.id"), DEVICE(0));
	ck_assert_uint_eq(get(&f, SLOT("0-2")), 200);
	ck_assert_str_eq(at(&f, "Version"), "0.9");
	ck_assert_str_eq(at(&f, "Active"), "false");
	ck_assert_str_eq(at(&f, "Staged"), "true");
	ck_assert_str_eq(at(&f, "Updateable"), "true");
	ck_assert_str_eq(at(&f, "Status/State"), "StandbyOffline");
}
END_TEST

START_TEST(an_empty_slot_has_no_version)
{
	two_slots.slot_revision[1][0] = '\0';
	show(ALLOW_FIRMWARE);
	ck_assert_uint_eq(get(&f, SLOT("0-2")), 200);
	ck_assert_ptr_null(value_at(&f, "Version"));
	ck_assert_ptr_null(value_at(&f, "Status"));
	ck_assert_str_eq(at(&f, "Updateable"), "true");
}
END_TEST

START_TEST(a_device_whose_slots_are_not_known_has_its_running_firmware)
{
	f.memdevs[2]->firmware_version = "7.7";
	show(ALLOW_FIRMWARE);
	ck_assert_uint_eq(get(&f, SLOT("2")), 200);
	ck_assert_str_eq(at(&f, "Version"), "7.7");
	ck_assert_str_eq(at(&f, "Active"), "true");
	ck_assert_str_eq(at(&f, "Updateable"), "false");
}
END_TEST

START_TEST(the_service_is_enabled_where_firmware_can_be_updated)
{
	ck_assert_uint_eq(get(&f, UPDATE), 200);
	ck_assert_str_eq(at(&f, "ServiceEnabled"), "true");
	ck_assert_str_eq(at(&f, "MultipartHttpPushUri"), PUSH);
	ck_assert_int_eq(json_integer_value(value_at(&f, "MaxImageSizeBytes")), CHANGE_IMAGE_MAX);
	show(0);
	ck_assert_uint_eq(get(&f, UPDATE), 200);
	ck_assert_str_eq(at(&f, "ServiceEnabled"), "false");
	ck_assert_str_eq(at(&f, "Status/State"), "Disabled");
	ck_assert_uint_eq(get(&f, SLOT("0-2")), 200);
	ck_assert_str_eq(at(&f, "Updateable"), "false");
}
END_TEST

/* ---- updates ----------------------------------------------------------------------------------
 */

START_TEST(an_image_reaches_the_device_as_it_was_sent)
{
	static const size_t sizes[] = {1, 100000, UPLOAD_BLOCK, 3 * UPLOAD_BLOCK + 77, 5000000};

	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, sizes[_i], END), 200);
	ck_assert_uint_eq(made.n, 1);
	ck_assert_uint_eq(made.bytes, sizes[_i]);
	ck_assert_uint_eq(made.change[0].kind, CHANGE_FIRMWARE);
	ck_assert_uint_eq(made.change[0].firmware.size, sizes[_i]);
	ck_assert_str_eq(made.change[0].object, f.memdevs[0]->name);
	ck_assert_uint_eq(made.change[0].identity, f.memdevs[0]->serial.value);
	ck_assert_str_eq(at(&f, "@Message.ExtendedInfo/0/MessageId"),
			 OWN_REGISTRY_NAME ".FirmwareWritten");
	ck_assert_str_eq(at(&f, "@Message.ExtendedInfo/0/Message"),
			 "A firmware image was written to mem0: it is in slot 2.");
}
END_TEST

START_TEST(an_entity_tag_of_the_service_is_compared_when_it_is_given)
{
	char etag[128];

	ck_assert_uint_eq(get(&f, UPDATE), 200);
	(void)snprintf(etag, sizeof(etag), "%s", f.res.body->etag);
	if_match = "\"another\"";
	ck_assert_uint_eq(push(TARGETS(MEM(0)) FILE_PART "image" END), 412);
	ck_assert_uint_eq(made.n, 0);
	if_match = etag;
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 200);
	ck_assert_uint_eq(made.n, 1);
	/* As clients of DMTF send it. */
	if_match = NULL;
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 200);
	ck_assert_uint_eq(made.n, 2);
}
END_TEST

START_TEST(the_parts_may_come_in_any_order_and_in_chunks)
{
	int fd = open_push("Transfer-Encoding: chunked");
	const char *rest = "\r\n" TARGETS(SLOT("0-2")) "--B--\r\n";
	char line[32];

	(void)snprintf(line, sizeof(line), "%zx\r\n", strlen(FILE_PART) + 1000);
	send_text(fd, line);
	send_text(fd, FILE_PART);
	send_image(fd, 1000);
	(void)snprintf(line, sizeof(line), "\r\n%zx\r\n", strlen(rest));
	send_text(fd, line);
	send_text(fd, rest);
	send_text(fd, "\r\n0\r\n\r\n");
	ck_assert_uint_eq(receive(fd), 200);
	ck_assert_uint_eq(made.bytes, 1000);
}
END_TEST

START_TEST(several_devices_get_the_same_image)
{
	ck_assert_uint_eq(
		push_size(
			PARAMETERS("{\"Targets\":[\"" MEM(0) "\",\"" DEVICE(
				1) "\"],\"ForceUpdate\":true,\"@Redfish.OperationApplyTime\":\"OnReset\"}")
				FILE_PART,
			4000, END),
		200);
	ck_assert_uint_eq(made.n, 2);
	ck_assert_uint_eq(made.bytes, 4000);
	ck_assert_str_ne(made.change[0].object, made.change[1].object);
	ck_assert_uint_eq(json_array_size(value_at(&f, "@Message.ExtendedInfo")), 2);
}
END_TEST

START_TEST(a_failure_does_not_hide_what_was_written)
{
	made.fails = f.memdevs[0]->name;
	ck_assert_uint_eq(push_size(PARAMETERS("{\"Targets\":[\"" MEM(0) "\",\"" DEVICE(1) "\"]}")
					    FILE_PART,
				    4000, END),
			  500);
	ck_assert_uint_eq(made.n, 2);
	expect_extended(&f, 0, "ChangeUndone", "it has ended");
	expect_extended(&f, 1, "FirmwareWritten", f.memdevs[1]->name);
}
END_TEST

START_TEST(many_devices_are_written_a_few_at_a_time)
{
	char targets[MANY * 80], body[sizeof(targets) + 1024];
	size_t len = 0;

	for (size_t i = ARRAY_SIZE(f.memdevs); i < MANY; i++)
		(void)model_memdev(&f.model,
				   (struct port *)(uintptr_t)f.memdevs[0]->endpoint->parent);
	show(ALLOW_FIRMWARE);
	for (unsigned int i = 0; i < MANY; i++)
		len += (size_t)snprintf(targets + len, sizeof(targets) - len,
					"%s\"" SYSTEM "/Memory/cxl-%016x\"", i ? "," : "",
					0xabc0 + i);
	(void)snprintf(
		body, sizeof(body),
		PART(UPLOAD_PARAMETERS, "Content-Type: application/json\r\n") "{\"Targets\":["
									      "%s]}\r\n" FILE_PART,
		targets);
	ck_assert_uint_eq(push_size(body, 4000, END), 200);
	ck_assert_uint_eq(made.n, MANY);
	ck_assert_uint_eq(json_array_size(value_at(&f, "@Message.ExtendedInfo")), MANY);
	ck_assert_uint_gt(made.most_at_once, 1);
	/* Others have a place, too. */
	ck_assert_uint_le(made.most_at_once, CHANGES_AT_A_TIME_MAX / 2);
	for (size_t i = 0; i < MANY; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert_str_ne(made.change[i].object, made.change[k].object);
}
END_TEST

START_TEST(what_the_device_says_is_the_answer)
{
	made.answer = (struct change_result){
		.error = -EIO, .outcome = CHANGE_INCOMPLETE, .text = "slot 2 may be incomplete"};
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 10, END), 500);
	ck_assert_ptr_nonnull(strstr(first_text(), "slot 2 may be incomplete"));
	/* There is a place for the next one. */
	made.answer = (struct change_result){0};
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 10, END), 200);
}
END_TEST

static const struct {
	unsigned int status;
	const char *text, *body;
} refused[] = {
	{400, "the part UpdateFile is missing", TARGETS(MEM(0)) "--B--\r\n"},
	{400, "the part UpdateParameters is missing", FILE_PART "x" END},
	{400, "the part UpdateFile is empty", TARGETS(MEM(0)) FILE_PART END},
	{400, "there are two parts UpdateFile",
	 TARGETS(MEM(0)) FILE_PART "x\r\n" FILE_PART "y" END},
	{400, "there are two parts UpdateParameters",
	 TARGETS(MEM(0)) TARGETS(MEM(0)) FILE_PART "y" END},
	{400, "it has the part OemX", PART("OemX", "") "{}\r\n" TARGETS(MEM(0)) FILE_PART "y" END},
	{400, "is not application/json",
	 PART(UPLOAD_PARAMETERS, "Content-Type: text/plain\r\n") "{}\r\n" FILE_PART "y" END},
	{400, "a part has parts itself",
	 PART(UPLOAD_FILE, "Content-Type: multipart/mixed; boundary=C\r\n") "y" END},
	{400, "ends before its last delimiter", TARGETS(MEM(0)) FILE_PART "x"},
	{400, "does not begin with the boundary", "x"},
	{400, "ends before its last delimiter", ""},
	{400, "JSON", PARAMETERS("{") FILE_PART "x" END},
	{400, "requires the parameter Targets", PARAMETERS("{}") FILE_PART "x" END},
	{400, "under the minimum size limit 1", PARAMETERS("{\"Targets\":[]}") FILE_PART "x" END},
	{400, "no SoftwareInventory, Memory or PCIeDevice", TARGETS(SYSTEM) FILE_PART "x" END},
	{400, "no SoftwareInventory, Memory or PCIeDevice",
	 TARGETS(ROOT "/Systems/Host/Memory/none") FILE_PART "x" END},
	{400, "a target twice",
	 PARAMETERS("{\"Targets\":[\"" MEM(0) "\",\"" SLOT("0-2") "\"]}") FILE_PART "x" END},
	{409, "which is slot 2", TARGETS(SLOT("0-1")) FILE_PART "x" END},
	{409, "has one firmware slot", TARGETS(MEM(3)) FILE_PART "x" END},
	{400, "by a reset of the device",
	 PARAMETERS("{\"Targets\":[\"" MEM(0) "\"],\"@Redfish.OperationApplyTime\":\"Immediate\"}")
		 FILE_PART "x" END},
	{400, "the invalid parameter Stage",
	 PARAMETERS("{\"Targets\":[\"" MEM(0) "\"],\"Stage\":true}") FILE_PART "x" END},
};

START_TEST(what_cannot_be_an_update_is_refused_and_changes_nothing)
{
	struct mailbox one_slot = {.slots = OPT_U64(1), .active_slot = OPT_U64(1)};

	f.readings.mailboxes[3] = &one_slot;
	show(ALLOW_FIRMWARE);
	ck_assert_msg(push(refused[_i].body) == refused[_i].status, "%s", head);
	ck_assert_msg(strstr(first_text(), refused[_i].text) != NULL, "%s", first_text());
	ck_assert_uint_eq(made.n, 0);
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 10, END), 200);
}
END_TEST

START_TEST(parameters_are_bounded)
{
	static char body[UPLOAD_PARAMETERS_MAX + 1000];

	memcpy(body, PART(UPLOAD_PARAMETERS, ""), strlen(PART(UPLOAD_PARAMETERS, "")));
	memset(body + strlen(PART(UPLOAD_PARAMETERS, "")), ' ', UPLOAD_PARAMETERS_MAX + 1);
	ck_assert_uint_eq(push(body), 413);
}
END_TEST

START_TEST(an_image_that_is_announced_as_too_long_is_refused_before_it_is_sent)
{
	ck_assert_uint_eq(receive(open_push("Content-Length: 10737418240")), 413);
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 10, END), 200);
}
END_TEST

/* ---- one at a time ----------------------------------------------------------------------------
 */

static bool directory_is_empty(void)
{
	DIR *d = opendir(directory);
	const struct dirent *e;
	bool empty = true;

	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d)))
		if (e->d_name[0] != '.')
			empty = false;
	(void)closedir(d);
	return empty;
}

/* Return: whether a file without a name in it is open, as an image is that is being received. */
static bool image_is_open(void)
{
	_cleanup_closedir_ DIR *d = opendir("/proc/self/fd");
	const struct dirent *e;
	char target[256];
	bool open = false;

	ck_assert_ptr_nonnull(d);
	while ((e = readdir(d))) {
		const ssize_t n = readlinkat(dirfd(d), e->d_name, target, sizeof(target) - 1);

		target[n < 0 ? 0 : n] = '\0';
		open |= strstr(target, directory) && strstr(target, "(deleted)");
	}
	return open;
}

START_TEST(another_image_is_refused_while_one_is_received)
{
	int fd = open_push("Content-Length: 10000000");

	send_text(fd, TARGETS(MEM(0)) FILE_PART);
	send_image(fd, 2000000);
	WAIT_UNTIL(image_is_open());
	ck_assert(directory_is_empty());
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000000, END), 503);
	ck_assert_ptr_nonnull(strstr(first_text(), "another image is being received"));
	/* Whatever its length: it would be received later. */
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 2000000, END), 503);
	ck_assert_ptr_nonnull(strstr(first_text(), "another image is being received"));
	/* The first one breaks off. */
	(void)close(fd);
	for (int i = 0;
	     i < WAIT_MAX_MS / 100 && push_size(TARGETS(MEM(0)) FILE_PART, 10, END) != 200; i++) {
		http_server_sweep(server);
		(void)usleep(100 * 1000);
	}
	ck_assert_uint_eq(made.n, 1);
	ck_assert_uint_eq(made.bytes, 10);
	ck_assert(directory_is_empty());
}
END_TEST

START_TEST(another_image_is_refused_while_one_is_written_to_a_device)
{
	made.holds = true;
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 202);
	ck_assert_int_eq(sem_wait(&made.began), 0);
	ck_assert_uint_eq(push_size(TARGETS(MEM(1)) FILE_PART, 1000, END), 503);
	made.holds = false;
	for (int i = 0; i < WAIT_MAX_MS / 100; i++) {
		(void)usleep(100 * 1000);
		if (push_size(TARGETS(MEM(1)) FILE_PART, 1000, END) != 503)
			break;
	}
	/* It may be a task that waits. */
	WAIT_UNTIL(atomic_load(&made.n) == 2);
	(void)service_stop(f.service, WAIT_MAX_MS);
	ck_assert_uint_eq(made.n, 2);
}
END_TEST

static bool task_is(const char *state)
{
	for (int i = 0; i < WAIT_MAX_MS / 20; i++) {
		ck_assert_uint_eq(get(&f, TASK), 200);
		if (strcmp(at(&f, "TaskState"), state) == 0)
			return true;
		(void)usleep(20 * 1000);
	}
	return false;
}

START_TEST(a_long_update_is_a_task_with_progress)
{
	made.holds = true;
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 202);
	ck_assert_ptr_nonnull(strstr(head, "\r\nLocation: " MONITOR "\r\n"));
	ck_assert_int_eq(sem_wait(&made.began), 0);
	ck_assert(task_is("Running"));
	ck_assert_int_eq(json_integer_value(value_at(&f, "PercentComplete")), 25);
	made.holds = false;
	ck_assert(task_is("Completed"));
	ck_assert_uint_eq(get(&f, MONITOR), 200);
	ck_assert_str_eq(at(&f, "@Message.ExtendedInfo/0/Message"),
			 "A firmware image was written to mem0: it is in slot 2.");
}
END_TEST

START_TEST(an_update_can_be_cancelled)
{
	made.holds = true;
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 202);
	ck_assert_int_eq(sem_wait(&made.began), 0);
	(void)ask(&f, &(struct http_request){.method = METHOD_DELETE, .path = MONITOR});
	WAIT_UNTIL(made.was_cancelled);
}
END_TEST

/* ---- where nothing can be updated -------------------------------------------------------------
 */

START_TEST(without_permission_the_request_is_refused_with_the_reason)
{
	show(0);
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 405);
	ck_assert_ptr_nonnull(strstr(first_text(), "--allow=firmware"));
	ck_assert_ptr_nonnull(strstr(head, "\r\nAllow: OPTIONS\r\n"));
	/* No byte of a long image is waited for. */
	ck_assert_uint_eq(receive(open_push("Content-Length: 1000000000")), 405);
	ck_assert_uint_eq(made.n, 0);
}
END_TEST

START_TEST(another_content_type_is_refused)
{
	ck_assert_uint_eq(post(&f, PUSH, "{}"), 415);
	ck_assert_uint_eq(made.n, 0);
}
END_TEST

START_TEST(without_a_directory_the_request_is_refused)
{
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 503);
	ck_assert_ptr_nonnull(strstr(first_text(), "no state directory"));
	ck_assert_uint_eq(get(&f, UPDATE), 200);
	ck_assert_str_eq(at(&f, "ServiceEnabled"), "false");
}
END_TEST

START_TEST(a_directory_that_is_gone_is_named)
{
	ck_assert_int_eq(rmdir(directory), 0);
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 500);
	ck_assert_ptr_nonnull(strstr(first_text(), "cannot be written to the state directory"));
	ck_assert_int_eq(mkdir(directory, 0700), 0);
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 200);
}
END_TEST

static void expect_disk_full(void)
{
	expect_extended(&f, 0, "UploadRefused", "MiB free, of which 16 MiB are kept free");
	expect_extended(&f, 0, "UploadRefused", "make space there");
	ck_assert_uint_eq(made.n, 0);
	ck_assert(directory_is_empty());
}

START_TEST(an_image_that_the_disk_has_no_space_for_is_refused)
{
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 20000000, END), 507);
	expect_disk_full();
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 200);
}
END_TEST

/* Its length is not known before. */
START_TEST(a_disk_that_becomes_full_meanwhile_ends_the_upload)
{
	const char *first = TARGETS(MEM(0)) FILE_PART;
	int fd = open_push("Transfer-Encoding: chunked");
	char size[32];

	(void)snprintf(size, sizeof(size), "%zx\r\n", strlen(first));
	send_text(fd, size);
	send_text(fd, first);
	for (int i = 0; i < 16; i++) {
		send_text(fd, "\r\n100000\r\n");
		send_image(fd, 0x100000);
	}
	send_text(fd, "\r\n0\r\n\r\n");
	ck_assert_uint_eq(receive(fd), 507);
	expect_disk_full();
	ck_assert_uint_eq(push_size(TARGETS(MEM(0)) FILE_PART, 1000, END), 200);
}
END_TEST

static void add_updates(TCase *t)
{
	tcase_add_test(t, each_slot_is_an_item_of_the_inventory);
	tcase_add_test(t, an_empty_slot_has_no_version);
	tcase_add_test(t, a_device_whose_slots_are_not_known_has_its_running_firmware);
	tcase_add_test(t, the_service_is_enabled_where_firmware_can_be_updated);
	tcase_add_loop_test(t, an_image_reaches_the_device_as_it_was_sent, 0, 5);
	tcase_add_test(t, an_entity_tag_of_the_service_is_compared_when_it_is_given);
	tcase_add_test(t, the_parts_may_come_in_any_order_and_in_chunks);
	tcase_add_test(t, several_devices_get_the_same_image);
	tcase_add_test(t, a_failure_does_not_hide_what_was_written);
	tcase_add_test(t, many_devices_are_written_a_few_at_a_time);
	tcase_add_test(t, what_the_device_says_is_the_answer);
	tcase_add_loop_test(t, what_cannot_be_an_update_is_refused_and_changes_nothing, 0,
			    (int)ARRAY_SIZE(refused));
	tcase_add_test(t, parameters_are_bounded);
	tcase_add_test(t, an_image_that_is_announced_as_too_long_is_refused_before_it_is_sent);
	tcase_add_test(t, another_image_is_refused_while_one_is_received);
	tcase_add_test(t, without_permission_the_request_is_refused_with_the_reason);
	tcase_add_test(t, another_content_type_is_refused);
	tcase_add_test(t, a_directory_that_is_gone_is_named);
}

SUITE(check_update)
{
	Suite *s = suite_create("update");
	TCase *t = tcase_create("updates"), *tasks = tcase_create("tasks"),
	      *none = tcase_create("no directory"), *disk;

	tcase_set_timeout(t, 60);
	tcase_add_checked_fixture(t, setup, teardown);
	add_updates(t);
	suite_add_tcase(s, t);
	tcase_set_timeout(tasks, 60);
	tcase_add_checked_fixture(tasks, setup_tasks, teardown);
	tcase_add_test(tasks, another_image_is_refused_while_one_is_written_to_a_device);
	tcase_add_test(tasks, a_long_update_is_a_task_with_progress);
	tcase_add_test(tasks, an_update_can_be_cancelled);
	suite_add_tcase(s, tasks);
	tcase_add_checked_fixture(none, setup_without_directory, teardown);
	tcase_add_test(none, without_a_directory_the_request_is_refused);
	suite_add_tcase(s, none);
	if (!small_disk_possible()) {
		suite_lacks("a full disk was not tested: it needs a mount namespace");
		return s;
	}
	disk = tcase_create("full disk");
	tcase_set_timeout(disk, 60);
	tcase_add_checked_fixture(disk, setup_small_disk, teardown_small_disk);
	tcase_add_test(disk, an_image_that_the_disk_has_no_space_for_is_refused);
	tcase_add_test(disk, a_disk_that_becomes_full_meanwhile_ends_the_upload);
	suite_add_tcase(s, disk);
	return s;
}
