// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Any packets of a client to cxl-redfish-change-helper, or of that to its client. The first byte
// says which; then each packet has its length and a number of descriptors, a byte each, which
// stands for up to LENGTH_UNIT times as many bytes. A change that the helper makes has a valid
// form, once at most; the reports of the client are texts that end.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "change/client.h"
#include "change/protocol.h"
#include "common/log.h"
#include "helper/change_server.h"
#include "helper/server.h"
#include "opener/opener.h"
#include "tests/fuzz/fuzz_table.h"

enum { LENGTH_UNIT = 8, PACKETS_MAX = 4 };

static struct change_server changes;
static struct host_root root;
static struct server server = {.connection = change_server_connection, .userdata = &changes};
static struct change_client *client;
static int listener = -1, image = -1;
static unsigned int n_made;
/* The rest of the input; one side takes it at a time. */
static const uint8_t *input;
static size_t input_len;
static sem_t may_accept, has_closed;

/* ---- what is made -----------------------------------------------------------------------------
 */

static void must_be_name(const char *s)
{
	FUZZ_MUST(memchr(s, 0, CHANGE_NAME_MAX) && s[0] && s[0] != '.' && !strchr(s, '/'));
}

static void must_be_valid(const struct change *c, int image_fd)
{
	must_be_name(c->object);
	FUZZ_MUST(c->kind > 0 && c->kind < CHANGE_KINDS && c->force <= 1);
	FUZZ_MUST((image_fd >= 0) == (c->kind == CHANGE_FIRMWARE));
	if (c->kind == CHANGE_REGION_CREATE) {
		FUZZ_MUST(c->region.ways > 0 && c->region.ways <= INTERLEAVE_WAYS_MAX);
		FUZZ_MUST(memchr(c->region.uuid, 0, CHANGE_UUID_MAX) && c->region.size > 0);
		for (uint32_t i = 0; i < c->region.ways; i++)
			must_be_name(c->region.positions[i].name);
	}
	if (c->kind == CHANGE_SET_PASSPHRASE || c->kind == CHANGE_SECURE_ERASE)
		FUZZ_MUST(c->security.old.len <= CHANGE_SECRET_MAX &&
			  c->security.new.len <= CHANGE_SECRET_MAX && c->security.master <= 1);
	if (c->kind == CHANGE_SCAN_MEDIA)
		FUZZ_MUST(media_range_is_valid(&c->scan.range) && c->scan.no_event_log <= 1);
	if (c->kind == CHANGE_POISON_INJECT)
		FUZZ_MUST(c->poison.length > 0 &&
			  c->poison.address <= UINT64_MAX - c->poison.length);
}

static int operate(const struct change_context *x, const struct change *c,
		   struct change_result *ret)
{
	const struct change_progress p = {.done = 1, .unit = "blocks"};
	char byte;

	const struct found_poison one = {.range = {64, 64}};

	n_made++;
	must_be_valid(c, x->image);
	if (c->kind == CHANGE_SCAN_MEDIA)
		FUZZ_MUST(x->found(x->userdata, &one, 1) == 0);
	x->progress(x->userdata, &p);
	if (x->image >= 0)
		(void)!pread(x->image, &byte, 1, 0);
	memset(ret, 0, sizeof(*ret));
	memcpy(ret->object, c->object, sizeof(ret->object));
	return 0;
}

/* ---- packets ----------------------------------------------------------------------------------
 */

/* Return: whether there was a packet; it is sent. */
static int send_packet(int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(3 * sizeof(int))];
	} control = {.bytes = {0}};
	struct iovec part = {NULL, 0};
	struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
	size_t len, n;

	if (input_len < 2)
		return 0;
	len = (size_t)input[0] * LENGTH_UNIT + input[1] % LENGTH_UNIT;
	n = input[1] / LENGTH_UNIT % 4;
	input += 2;
	input_len -= 2;
	if (len > input_len)
		len = input_len;
	part = (struct iovec){(void *)(uintptr_t)input, len};
	if (n > 0) {
		control.head = (struct cmsghdr){.cmsg_len = CMSG_LEN(n * sizeof(int)),
						.cmsg_level = SOL_SOCKET,
						.cmsg_type = SCM_RIGHTS};
		for (size_t i = 0; i < n; i++)
			memcpy(CMSG_DATA(&control.head) + i * sizeof(int), &image, sizeof(image));
		m.msg_control = &control;
		m.msg_controllen = CMSG_SPACE(n * sizeof(int));
	}
	(void)!sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
	input += len;
	input_len -= len;
	return 1;
}

static void send_all(int fd)
{
	for (int i = 0; i < PACKETS_MAX && send_packet(fd); i++)
		;
}

/* ---- the two sides ----------------------------------------------------------------------------
 */

static void fuzz_helper(void)
{
	const struct ucred peer = {.pid = 1};
	int fds[2], next;

	n_made = 0;
	FUZZ_MUST(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) == 0);
	send_all(fds[0]);
	(void)close(fds[0]);
	change_server_connection(&server, fds[1], &peer);
	(void)close(fds[1]);
	FUZZ_MUST(n_made <= 1 && atomic_load(&changes.n_running) == 0);
	/* Each descriptor that came was closed: the next one is the first that the pair had. */
	next = dup(image);
	FUZZ_MUST(next == fds[0] || next == fds[1]);
	(void)close(next);
}

static void *answer(void *userdata)
{
	(void)userdata;
	for (;;) {
		int fd;

		while (sem_wait(&may_accept) < 0)
			;
		fd = accept(listener, NULL, NULL);
		FUZZ_MUST(fd >= 0);
		send_all(fd);
		(void)close(fd);
		(void)sem_post(&has_closed);
	}
	return NULL;
}

static void on_progress(void *userdata, const struct change_progress *p)
{
	(void)userdata;
	FUZZ_MUST(memchr(p->unit, 0, sizeof(p->unit)) && memchr(p->part, 0, sizeof(p->part)));
}

static int on_found(void *userdata, const struct found_poison *items, size_t n)
{
	(void)userdata;
	FUZZ_MUST(n > 0 && n <= CHANGE_FOUND_AT_ONCE);
	for (size_t i = 0; i < n; i++)
		FUZZ_MUST(media_range_is_valid(&items[i].range));
	return 0;
}

static void fuzz_client(void)
{
	static const struct change c = {.kind = CHANGE_REGION_DESTROY, .object = "region0"};
	const struct change_call call = {
		.change = &c, .image = -1, .progress = on_progress, .found = on_found};
	struct change_result result;

	(void)sem_post(&may_accept);
	FUZZ_MUST(change_client_run(client, &call, &result) == result.error);
	while (sem_wait(&has_closed) < 0)
		;
	FUZZ_MUST(memchr(result.text, 0, sizeof(result.text)));
	FUZZ_MUST(memchr(result.object, 0, sizeof(result.object)));
	FUZZ_MUST(result.error <= 0 && result.error >= -4095);
	FUZZ_MUST((result.error == 0) == (result.outcome == CHANGE_DONE));
	FUZZ_MUST(result.outcome <= CHANGE_UNKNOWN);
	(void)sem_post(&may_accept);
	FUZZ_MUST((change_client_allowed(client) & ~(unsigned int)ALLOW_HOST) == 0);
	while (sem_wait(&has_closed) < 0)
		;
}

static void set_up(void)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	socklen_t len = sizeof(address);
	struct opener *opener;
	pthread_t thread;

	log_setup("fuzz_change", LOG_LEVEL_ERR);
	change_server_set_up(&changes, &root, operate, NULL);
	change_server_configure(&changes, ALLOW_HOST);
	image = memfd_create("image", MFD_CLOEXEC);
	FUZZ_MUST(image >= 0 && ftruncate(image, 64) == 0);
	listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	FUZZ_MUST(bind(listener, (struct sockaddr *)&address, sizeof(sa_family_t)) == 0);
	FUZZ_MUST(getsockname(listener, (struct sockaddr *)&address, &len) == 0);
	FUZZ_MUST(listen(listener, 8) == 0);
	FUZZ_MUST(opener_new((struct sockaddr *)&address, len, OPENER_OWN, &opener) == 0);
	client = change_client_new_helper(opener, CHANGE_SILENCE_MS);
	FUZZ_MUST(client && sem_init(&may_accept, 0, 0) == 0 && sem_init(&has_closed, 0, 0) == 0);
	FUZZ_MUST(pthread_create(&thread, NULL, answer, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (listener < 0)
		set_up();
	if (size == 0)
		return 0;
	input = data + 1;
	input_len = size - 1;
	if (data[0] % 2)
		fuzz_client();
	else
		fuzz_helper();
	return 0;
}
