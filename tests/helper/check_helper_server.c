// SPDX-License-Identifier: LGPL-2.1-or-later
/* The helper's end and a client's, in one process: which files are opened, and which clients
 * served. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <check.h>
#include <libudev.h>
#include <linux/cxl_mem.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/clock.h"
#include "common/frame.h"
#include "helper/requests.h"
#include "helper/server.h"
#include "mailbox/client.h"
#include "mailbox/command.h"
#include "opener/opener.h"
#include "opener/paths.h"
#include "opener/request.h"
#include "sysfs/pci_dvsec.h"
#include "sysfs/uevents.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/fake_ioctl.h"
#include "tests/lib/helper_socket.h"
#include "tests/lib/suites.h"
#include "tests/lib/wait.h"

#define TABLE	"sys/firmware/acpi/tables/CEDT"
#define DECODER "sys/devices/platform/root0/decoder0.0"

enum { OTHER_USER = 65534 };

/* ---- a scratch root, and the helper that serves it ---- */

static struct scratch scratch;
static struct files helper_files;
static struct server server = {.serve = request_serve, .userdata = &helper_files};
static struct opener *opener;
static struct helper_socket helper;

static void put(const char *path, const char *text)
{
	put_text(scratch.dirfd, path, text);
}

static int device_ioctl(int fd, unsigned long request, void *arg);

static void setup(void)
{
	scratch_setup(&scratch);
	put(TABLE, "table");
	put(DECODER "/start", "0x1000\n");
	put("dev/cxl_prm", "");
	put("dev/cxl/mem0", "");
	put("dev/cxl/mem1", "");
	put("etc/shadow", "secret");
	helper_files = (struct files){.root = scratch.dirfd, .any_filesystem = true};
	helper_socket_start(&helper, &server);
	opener = helper_socket_opener(&helper);
	opener_set_up(opener, true);
	fake_ioctl = device_ioctl;
}

static void teardown(void)
{
	opener = opener_free(opener);
	helper_socket_stop(&helper);
	fake_ioctl = NULL;
	scratch_teardown(&scratch);
}

/* ---- devices: mem1 does not answer until it is let ---- */

static pthread_mutex_t device_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t device_changed = PTHREAD_COND_INITIALIZER;
static bool hangs, all_hang, is_hanging;
static ino_t hanging_inode;
static uint32_t last_id, last_in_size;
static unsigned int n_raw;

static int device_ioctl(int fd, unsigned long request, void *arg)
{
	struct cxl_send_command *send;
	struct stat st;

	(void)pthread_mutex_lock(&device_lock);
	if (hangs && fstat(fd, &st) == 0 && (all_hang || st.st_ino == hanging_inode)) {
		is_hanging = true;
		(void)pthread_cond_broadcast(&device_changed);
		while (hangs)
			(void)pthread_cond_wait(&device_changed, &device_lock);
	}
	if (request == CXL_MEM_QUERY_COMMANDS) {
		struct cxl_mem_query_commands *q = arg;
		struct cxl_command_info *info = (void *)((char *)arg + sizeof(*q));

		*info = (struct cxl_command_info){.id = 1, .flags = 1};
	} else if (request == CXL_MEM_SEND_COMMAND) {
		send = arg;
		n_raw += send->id == CXL_MEM_COMMAND_ID_RAW;
		last_id = send->id;
		last_in_size = send->in.size;
		memset((void *)(uintptr_t)send->out.payload, 0x5a, send->out.size);
		send->out.size = 67;
	}
	(void)pthread_mutex_unlock(&device_lock);
	return 0;
}

/* ---- files ---- */

static int open_listed(const char *path)
{
	const int fd = files_open(&helper_files, path);

	if (fd >= 0)
		(void)close(fd);
	return fd < 0 ? fd : 0;
}

START_TEST(a_listed_file_is_passed_for_reading_only)
{
	_cleanup_close_ int fd = opener_open(opener, "/" TABLE);
	char text[8] = "";

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(read(fd, text, sizeof(text)), 5);
	ck_assert_str_eq(text, "table");
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDONLY);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(write(fd, "x", 1), -1);
}
END_TEST

#define BRIDGE	 "sys/devices/pci0000:de/0000:de:01.0"
#define OTHER	 "sys/devices/pci0000:de/0000:de:02.0"
#define FUNCTION BRIDGE "/0000:e0:00.0"

/* A configuration space with one DVSEC of a vendor. */
static void put_config(const char *path, uint16_t vendor)
{
	uint8_t bytes[PCI_CONFIG_BYTES] = {0};
	_cleanup_close_ int fd = -1;

	bytes[0x100] = 0x23;
	bytes[0x104] = (uint8_t)vendor;
	bytes[0x105] = (uint8_t)(vendor >> 8);
	bytes[0x106] = PCI_DVSEC_HEAD << 4 & 0xff;
	bytes[0x107] = PCI_DVSEC_HEAD >> 4;
	put(path, "");
	fd = openat(scratch.dirfd, path, O_WRONLY);
	ck_assert_int_eq(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
}

START_TEST(configuration_space_is_that_of_cxl_functions_and_their_bridges)
{
	put_config(BRIDGE "/config", 0x1022);
	put_config(OTHER "/config", 0x1022);
	put_config(FUNCTION "/config", 0x1022);
	ck_assert_int_eq(open_listed("/" BRIDGE "/config"), -ENODEV);
	ck_assert_int_eq(open_listed("/" FUNCTION "/config"), -ENODEV);
	/* By what it says of itself. */
	put_config(OTHER "/config", PCI_DVSEC_VENDOR_CXL);
	ck_assert_int_eq(open_listed("/" OTHER "/config"), 0);
	put_config(OTHER "/config", 0x1022);
	/* By the memory device that Linux found there. */
	put("sys/bus/cxl/devices/decoder0.0", "");
	ck_assert_int_eq(symlinkat("../../../devices/pci0000:de/0000:de:01.0/0000:e0:00.0/mem0",
				   scratch.dirfd, "sys/bus/cxl/devices/mem0"),
			 0);
	ck_assert_int_eq(open_listed("/" BRIDGE "/config"), 0);
	ck_assert_int_eq(open_listed("/" FUNCTION "/config"), 0);
	ck_assert_int_eq(open_listed("/" OTHER "/config"), -ENODEV);
}
END_TEST

START_TEST(a_device_is_passed_for_its_ioctls)
{
	_cleanup_close_ int fd = opener_open(opener, "/dev/cxl_prm");

	/* It is opened for the path of the protocol only, and not beside it. */
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDWR);
	ck_assert_int_eq(open_listed("/dev/cxl/mem0"), -EACCES);
	ck_assert_int_eq(open_listed("/etc/shadow"), -EACCES);
}
END_TEST

START_TEST(no_component_may_be_a_link)
{
	ck_assert_int_eq(unlinkat(scratch.dirfd, TABLE, 0), 0);
	ck_assert_int_eq(symlinkat("../../../../etc/shadow", scratch.dirfd, TABLE), 0);
	ck_assert_int_eq(open_listed("/" TABLE), -ELOOP);
	ck_assert_int_eq(
		renameat(scratch.dirfd, DECODER, scratch.dirfd, "sys/devices/platform/root0/real"),
		0);
	ck_assert_int_eq(symlinkat("real", scratch.dirfd, DECODER), 0);
	ck_assert_int_eq(open_listed("/" DECODER "/start"), -ENOTDIR);
	ck_assert_int_eq(symlinkat("/", scratch.dirfd, "sys/devices/link"), 0);
	ck_assert_int_eq(open_listed("/sys/devices/link/decoder0.0/start"), -ENOTDIR);
}
END_TEST

/* Forbids openat2() to this process, which has only this test; as RestrictSUIDSGID= of systemd
 * does. */
static void forbid_openat2(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {ARRAY_SIZE(filter), filter};

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ck_assert_int_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
	ck_assert_int_eq(syscall(SYS_openat2, -1, "", NULL, 0), -1);
	ck_assert_int_eq(errno, ENOSYS);
}

START_TEST(files_are_opened_in_a_sandbox_that_forbids_openat2)
{
	uint64_t inode, ns;

	forbid_openat2();
	ck_assert_int_eq(open_listed("/" TABLE), 0);
	ck_assert_int_eq(open_listed("/" DECODER "/start"), 0);
	ck_assert_int_eq(
		files_stat(&helper_files, "/sys/kernel/tracing/instances/cxl-redfish", &inode, &ns),
		-ENOENT);
}
END_TEST

START_TEST(a_file_of_another_type_or_file_system_is_refused)
{
	struct files strict = {.root = scratch.dirfd};

	ck_assert_int_eq(files_open(&strict, "/" TABLE), -EINVAL);	/* not in sysfs */
	ck_assert_int_eq(files_open(&strict, "/dev/cxl_prm"), -EINVAL); /* no device */
	ck_assert_int_eq(files_open_memdev(&strict, 0), -EINVAL);
	ck_assert_int_eq(unlinkat(scratch.dirfd, TABLE, 0), 0);
	ck_assert_int_eq(mkfifoat(scratch.dirfd, TABLE, 0600), 0);
	ck_assert_int_eq(open_listed("/" TABLE), -EINVAL);
	ck_assert_int_eq(unlinkat(scratch.dirfd, TABLE, 0), 0);
	ck_assert_int_eq(mkdirat(scratch.dirfd, TABLE, 0700), 0);
	ck_assert_int_eq(open_listed("/" TABLE), -EINVAL);
}
END_TEST

START_TEST(a_directory_is_listed_and_looked_at)
{
	_cleanup_free_ char *names = NULL;
	uint64_t inode = 0, ns = 0;
	size_t len = 0;

	put("sys/kernel/tracing/instances/cxl-redfish/per_cpu/cpu0/stats", "");
	put("sys/kernel/tracing/instances/cxl-redfish/per_cpu/.hidden", "");
	ck_assert_int_eq(opener_list(opener, "/sys/kernel/tracing/instances/cxl-redfish/per_cpu",
				     &names, &len),
			 0);
	ck_assert_uint_eq(len, sizeof("cpu0"));
	ck_assert_str_eq(names, "cpu0");
	ck_assert_int_eq(
		opener_stat(opener, "/sys/kernel/tracing/instances/cxl-redfish", &inode, &ns), 0);
	ck_assert_uint_ne(inode, 0);
	ck_assert_uint_ne(ns, 0);
	ck_assert_int_eq(opener_open(opener, "/sys/firmware/acpi/tables/PRMT"), -ENOENT);
}
END_TEST

/* ---- clients ---- */

/* Return: whether the helper closes the connection. */
static bool is_closed(int fd)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char byte;

	return poll(&p, 1, WAIT_MAX_MS) == 1 && recv(fd, &byte, 1, 0) <= 0;
}

START_TEST(a_request_that_is_not_exactly_right_ends_the_connection)
{
	struct opener_request q = {.version = OPENER_VERSION, .kind = OPENER_OPEN};
	_cleanup_close_ int unlisted = helper_socket_connect(&helper),
			    shorter = helper_socket_connect(&helper),
			    longer = helper_socket_connect(&helper);
	char packet[2 * sizeof(q)] = {0};

	(void)strcpy(q.path, "/etc/shadow");
	ck_assert_int_gt(send(unlisted, &q, opener_request_bytes(&q), 0), 0);
	ck_assert(is_closed(unlisted));
	ck_assert_int_gt(send(shorter, &q, OPENER_REQUEST_HEAD, 0), 0);
	ck_assert(is_closed(shorter));
	memcpy(packet, &q, sizeof(q));
	ck_assert_int_gt(send(longer, packet, sizeof(packet), 0), 0);
	ck_assert(is_closed(longer));
	helper_socket_wait_idle(&helper);
}
END_TEST

START_TEST(a_client_that_is_another_user_is_closed)
{
	int status = 0;
	pid_t pid;

	if (geteuid() != 0)
		return;
	pid = fork();
	if (pid == 0) {
		int fd;

		if (setgid(OTHER_USER) < 0 || setuid(OTHER_USER) < 0)
			_exit(2);
		fd = helper_socket_connect(&helper);
		_exit(is_closed(fd) ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(connections_are_limited_and_given_back)
{
	int fds[OPENER_CONNECTIONS_MAX];
	_cleanup_close_ int further = -1, fd = -1;

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = helper_socket_connect(&helper);
	further = helper_socket_connect(&helper);
	ck_assert(is_closed(further));
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		(void)close(fds[i]);
	helper_socket_wait_idle(&helper);
	fd = opener_open(opener, "/" TABLE);
	ck_assert_int_ge(fd, 0);
}
END_TEST

START_TEST(descriptors_of_a_client_are_dropped)
{
	struct opener_request q = {.version = OPENER_VERSION, .kind = OPENER_WATCH};
	const struct iovec part = {&q, opener_request_bytes(&q)};
	_cleanup_close_ int fd = helper_socket_connect(&helper);
	int pipe_fds[2];
	char byte;

	ck_assert_int_eq(pipe(pipe_fds), 0);
	ck_assert_int_eq(frame_send_fd(fd, &part, 1, sizeof(q), pipe_fds[1]), 0);
	(void)close(pipe_fds[1]);
	/* The helper has received the message, and nothing holds the other end. */
	ck_assert_int_eq(read(pipe_fds[0], &byte, 1), 0);
	(void)close(pipe_fds[0]);
}
END_TEST

START_TEST(while_the_helper_is_away_nothing_privileged_is_opened)
{
	struct opener *shared;
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	_cleanup_close_ int fd = -1;

	opener_set_up(opener, false);
	ck_assert_int_eq(opener_open(opener, "/proc/iomem"), -EACCES);
	ck_assert_int_eq(opener_open_at(opener, scratch.dirfd, "x"), -EACCES);
	/* An opener that is not this process's own can open what the user may. */
	ck_assert_int_eq(
		opener_new((struct sockaddr *)&address, sizeof(address), OPENER_SHARED, &shared),
		0);
	fd = opener_open(shared, "/proc/iomem");
	ck_assert_int_ge(fd, 0);
	(void)opener_free(shared);
}
END_TEST

START_TEST(a_connection_that_was_lost_is_made_again)
{
	_cleanup_close_ int first = opener_open(opener, "/" TABLE), second = -1;

	ck_assert_int_ge(first, 0);
	/* The kept connection has ended, as when the helper was started again. */
	ck_assert_uint_eq(atomic_load(&server.n_connections), 1);
	for (int fd = 3; fd < 64; fd++) {
		struct sockaddr_un peer;
		socklen_t len = sizeof(peer);

		if (fd != helper.listener && getpeername(fd, (struct sockaddr *)&peer, &len) == 0)
			(void)shutdown(fd, SHUT_RDWR);
	}
	helper_socket_wait_idle(&helper);
	second = opener_open(opener, "/" TABLE);
	ck_assert_int_ge(second, 0);
}
END_TEST

/* ---- mailbox commands ---- */

START_TEST(only_commands_of_the_table_are_sent)
{
	static struct request_result result;
	struct opener_request q = {.kind = OPENER_COMMAND};
	const struct mailbox_command *rows;
	size_t n;

	rows = mailbox_commands(&n);
	for (size_t i = 0; i < n; i++) {
		q.row = (uint16_t)i;
		q.opcode = rows[i].opcode;
		request_run(&helper_files, &q, &result);
		ck_assert_int_eq(result.reply.result, 67);
		ck_assert_uint_eq(result.reply.len, 67);
		ck_assert_uint_eq(last_in_size, rows[i].input_len);
		ck_assert_uint_ne(last_id, 0);
	}
	ck_assert_uint_eq(n_raw, 0);
	last_id = 0;
	q.row = (uint16_t)n;
	request_run(&helper_files, &q, &result);
	ck_assert_int_eq(result.reply.result, -EACCES);
	q.row = 0;
	q.opcode = 0x4400; /* Sanitize */
	request_run(&helper_files, &q, &result);
	ck_assert_int_eq(result.reply.result, -EACCES);
	ck_assert_uint_eq(last_id, 0);
}
END_TEST

static atomic_uint n_busy;

static void *ask_mem1(void *userdata)
{
	uint32_t supported;

	*(int *)userdata = opener_commands(opener, 1, &supported);
	atomic_fetch_add(&n_busy, *(int *)userdata == -EBUSY);
	return NULL;
}

static void let_go(void)
{
	(void)pthread_mutex_lock(&device_lock);
	hangs = false;
	(void)pthread_cond_broadcast(&device_changed);
	(void)pthread_mutex_unlock(&device_lock);
}

START_TEST(a_device_that_hangs_holds_only_a_few_requests)
{
	pthread_t threads[REQUEST_PER_DEVICE_MAX + 3];
	int results[ARRAY_SIZE(threads)];
	uint32_t supported;
	struct stat st;

	ck_assert_int_eq(fstatat(scratch.dirfd, "dev/cxl/mem1", &st, 0), 0);
	hanging_inode = st.st_ino;
	hangs = true;
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		results[i] = 1;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_mem1, &results[i]), 0);
	}
	while (atomic_load(&n_busy) < ARRAY_SIZE(threads) - REQUEST_PER_DEVICE_MAX)
		(void)usleep(1000);
	ck_assert_int_eq(opener_commands(opener, 1, &supported), -EBUSY);
	ck_assert_int_eq(opener_commands(opener, 0, &supported), 0);
	let_go();
	for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
		ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
		ck_assert(results[i] == 0 || results[i] == -EBUSY);
	}
	ck_assert_uint_eq(atomic_load(&n_busy), ARRAY_SIZE(threads) - REQUEST_PER_DEVICE_MAX);
	ck_assert_int_eq(opener_commands(opener, 1, &supported), 0);
}
END_TEST

enum { MANY_DEVICES = OPENER_CONNECTIONS_MAX / REQUEST_PER_DEVICE_MAX };

/* A request of its own connection: a client's own limit is lower than the helper's. */
struct one_request {
	struct opener *client;
	uint32_t device;
};

static void *ask_one(void *userdata)
{
	struct one_request *one = userdata;
	uint32_t supported;
	int r = opener_commands(one->client, one->device, &supported);

	atomic_fetch_add(&n_busy, r == -EBUSY);
	return NULL;
}

START_TEST(many_devices_that_hang_leave_connections_for_files)
{
	struct one_request all[OPENER_CONNECTIONS_MAX];
	struct opener *clients[4];
	pthread_t threads[ARRAY_SIZE(all)];
	char path[32];
	int fd;

	for (size_t i = 0; i < ARRAY_SIZE(clients); i++) {
		clients[i] = helper_socket_opener(&helper);
		opener_set_up(clients[i], true);
	}
	for (int i = 2; i < MANY_DEVICES; i++) {
		(void)snprintf(path, sizeof(path), "dev/cxl/mem%d", i);
		put(path, "");
	}
	hangs = all_hang = true;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		all[i] = (struct one_request){clients[i % ARRAY_SIZE(clients)],
					      (uint32_t)(i / REQUEST_PER_DEVICE_MAX)};
		ck_assert_int_eq(pthread_create(&threads[i], NULL, ask_one, &all[i]), 0);
	}
	while (atomic_load(&n_busy) < OPENER_CONNECTIONS_MAX - REQUEST_DEVICES_MAX)
		(void)usleep(1000);
	fd = opener_open(opener, "/" TABLE);
	ck_assert_int_ge(fd, 0);
	(void)close(fd);
	let_go();
	for (size_t i = 0; i < ARRAY_SIZE(all); i++)
		(void)pthread_join(threads[i], NULL);
	for (size_t i = 0; i < ARRAY_SIZE(clients); i++)
		clients[i] = opener_free(clients[i]);
}
END_TEST

START_TEST(a_device_that_hangs_stops_no_other_request)
{
	uint8_t output[OPENER_OUTPUT_MAX];
	_cleanup_close_ int fd = -1;
	uint32_t code = 1;
	pthread_t thread;
	struct stat st;
	int result = 1;

	ck_assert_int_eq(fstatat(scratch.dirfd, "dev/cxl/mem1", &st, 0), 0);
	hanging_inode = st.st_ino;
	hangs = true;
	ck_assert_int_eq(pthread_create(&thread, NULL, ask_mem1, &result), 0);
	(void)pthread_mutex_lock(&device_lock);
	while (!is_hanging)
		(void)pthread_cond_wait(&device_changed, &device_lock);
	(void)pthread_mutex_unlock(&device_lock);
	ck_assert_int_eq(opener_command(opener, 0, 0, 0x4000, output, &code), 67);
	ck_assert_uint_eq(code, 0);
	ck_assert_uint_eq(output[66], 0x5a);
	fd = opener_open(opener, "/" TABLE);
	ck_assert_int_ge(fd, 0);
	let_go();
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(result, 0);
}
END_TEST

/* Blocks of 4 KiB: a page each. */
static void put_memory(void)
{
	static const uint64_t flags[] = {1 << 10, 1 << 7, 0};

	put(MEMORY_DIRECTORY "/block_size_bytes", "1000\n");
	put(MEMORY_DIRECTORY "/memory0/state", "online\n");
	put(MEMORY_DIRECTORY "/memory1/state", "online\n");
	put(MEMORY_DIRECTORY "/memory2/state", "online\n");
	put(MEMORY_DIRECTORY "/memory3/state", "offline\n");
	put_file(scratch.dirfd, "proc/kpageflags", flags, sizeof(flags));
}

START_TEST(pages_of_a_memory_block_are_counted_and_no_file_is_passed)
{
	struct block_pages pages = {0};

	put_memory();
	ck_assert_int_eq(opener_block_pages(opener, 0, pages.n, PAGE_KINDS), 0);
	ck_assert_uint_eq(pages.n[PAGES_FREE], 1);
	ck_assert_uint_eq(block_pages_unmovable(&pages), 0);
	ck_assert_int_eq(opener_block_pages(opener, 1, pages.n, PAGE_KINDS), 0);
	ck_assert_uint_eq(pages.n[PAGES_SLAB], 1);
	ck_assert_uint_eq(pages.n[PAGES_FREE], 0);
	ck_assert_int_eq(opener_block_pages(opener, 2, pages.n, PAGE_KINDS), 0);
	ck_assert_uint_eq(pages.n[PAGES_UNCLEAR], 1);
	ck_assert_int_eq(opener_block_pages(opener, 3, pages.n, PAGE_KINDS), -ENXIO);
	ck_assert_int_eq(opener_block_pages(opener, 4, pages.n, PAGE_KINDS), -ENOENT);
	/* Fewer, or more, than the helper has. */
	ck_assert_int_lt(opener_block_pages(opener, 0, pages.n, PAGE_KINDS - 1), 0);
	ck_assert_int_eq(open_listed("/proc/kpageflags"), -EACCES);
	opener_set_up(opener, false);
	ck_assert_int_eq(opener_block_pages(opener, 0, pages.n, PAGE_KINDS), -EACCES);
}
END_TEST

START_TEST(processes_that_use_a_dax_device_are_named)
{
	static struct dax_holder holders[DAX_HOLDERS_MAX];
	bool complete = false;
	size_t len = 0;

	ck_assert_int_eq(opener_dax_holders(opener, holders, sizeof(holders), &len, &complete),
			 -ENOENT);
	put("dev/dax0.0", "");
	put("proc/77/comm", "db\n");
	put("proc/77/maps", "");
	put_symlink(scratch.dirfd, "proc/77/fd/3", "../../../dev/dax0.0");
	ck_assert_int_eq(opener_dax_holders(opener, holders, sizeof(holders), &len, &complete), 0);
	ck_assert(complete);
	ck_assert_uint_eq(len, sizeof(holders[0]));
	ck_assert_uint_eq(holders[0].pid, 77);
	ck_assert_str_eq(holders[0].dax, "dax0.0");
	ck_assert_str_eq(holders[0].name, "db");
	/* A client that has no room for them does not get a part. */
	ck_assert_int_lt(opener_dax_holders(opener, holders, 8, &len, &complete), 0);
	opener_set_up(opener, false);
	ck_assert_int_eq(opener_dax_holders(opener, holders, sizeof(holders), &len, &complete),
			 -EACCES);
}
END_TEST

START_TEST(lines_of_the_kernel_log_about_cxl_are_returned)
{
	char text[KERNEL_LOG_TEXT_MAX + 1];

	ck_assert_int_eq(opener_kernel_log(opener, text, sizeof(text)), -ENOENT);
	put("dev/kmsg",
	    "6,1,1000000,-;usb 1-1: SerialNumber: secret\n SUBSYSTEM=usb\n"
	    "3,2,2500000,-;cxl region0: refused\\x1b\n SUBSYSTEM=cxl\n DEVICE=+cxl:region0\n"
	    "30,3,3000000,-;cxl_pci: by a program\n");
	ck_assert_int_eq(opener_kernel_log(opener, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "[    2.500000] cxl region0: refused\\x1b\n");
	/* A client that has no room for them does not get a part. */
	ck_assert_int_lt(opener_kernel_log(opener, text, 8), 0);
	ck_assert_int_eq(unlinkat(scratch.dirfd, "dev/kmsg", 0), 0);
	put_symlink(scratch.dirfd, "dev/kmsg", "cxl_prm");
	ck_assert_int_eq(opener_kernel_log(opener, text, sizeof(text)), -ELOOP);
	/* No descriptor of it leaves the helper. */
	ck_assert_int_eq((int)opener_path_place(OPENER_OPEN, "/dev/kmsg"), (int)OPENER_NOWHERE);
	opener_set_up(opener, false);
	ck_assert_int_eq(opener_kernel_log(opener, text, sizeof(text)), -EACCES);
}
END_TEST

START_TEST(a_device_without_a_node_is_reported)
{
	uint32_t supported;

	ck_assert_int_eq(opener_commands(opener, 7, &supported), -ENOENT);
	ck_assert_int_eq(unlinkat(scratch.dirfd, "dev/cxl/mem0", 0), 0);
	ck_assert_int_eq(symlinkat("../cxl_prm", scratch.dirfd, "dev/cxl/mem0"), 0);
	ck_assert_int_eq(opener_commands(opener, 0, &supported), -ELOOP);
}
END_TEST

START_TEST(a_watch_shows_that_the_helper_is_there_and_when_it_ends)
{
	_cleanup_close_ int fd = opener_watch(opener);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct uevent e;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(poll(&p, 1, WAIT_MAX_MS), 1);
	ck_assert_int_ne(opener_watch_receive(fd, &e), -ECONNRESET);
	ck_assert_int_eq(opener_watch_receive(fd, &e), -EAGAIN);
	ck_assert_int_eq(shutdown(fd, SHUT_RDWR), 0);
	ck_assert_int_eq(opener_watch_receive(fd, &e), -ECONNRESET);
}
END_TEST

/* ---- events: what is written to a pipe is received from udev ----
 *
 * These functions of libudev are replaced by the linker's --wrap while there is a pipe. */

struct udev_device {
	char subsystem[16], action[16], name[32]; /* subsystem "": an overflow of the socket */
};

static int uevent_pipe[2] = {-1, -1};
static struct udev_device received; /* one at a time, by one thread */

static bool is_fake(const void *object)
{
	return object == (const void *)uevent_pipe;
}

struct udev_monitor *__real_udev_monitor_new_from_netlink(struct udev *udev, const char *name);
struct udev_monitor *__wrap_udev_monitor_new_from_netlink(struct udev *udev, const char *name);

struct udev_monitor *__wrap_udev_monitor_new_from_netlink(struct udev *udev, const char *name)
{
	return uevent_pipe[0] < 0 ? __real_udev_monitor_new_from_netlink(udev, name)
				  : (struct udev_monitor *)uevent_pipe;
}

struct udev_monitor *__real_udev_monitor_unref(struct udev_monitor *m);
struct udev_monitor *__wrap_udev_monitor_unref(struct udev_monitor *m);

struct udev_monitor *__wrap_udev_monitor_unref(struct udev_monitor *m)
{
	return is_fake(m) ? NULL : __real_udev_monitor_unref(m);
}

int __real_udev_monitor_filter_add_match_subsystem_devtype(struct udev_monitor *m,
							   const char *subsystem,
							   const char *devtype);
int __wrap_udev_monitor_filter_add_match_subsystem_devtype(struct udev_monitor *m,
							   const char *subsystem,
							   const char *devtype);

int __wrap_udev_monitor_filter_add_match_subsystem_devtype(struct udev_monitor *m,
							   const char *subsystem,
							   const char *devtype)
{
	return is_fake(m) ? 0
			  : __real_udev_monitor_filter_add_match_subsystem_devtype(m, subsystem,
										   devtype);
}

int __real_udev_monitor_set_receive_buffer_size(struct udev_monitor *m, int size);
int __wrap_udev_monitor_set_receive_buffer_size(struct udev_monitor *m, int size);

int __wrap_udev_monitor_set_receive_buffer_size(struct udev_monitor *m, int size)
{
	return is_fake(m) ? 0 : __real_udev_monitor_set_receive_buffer_size(m, size);
}

int __real_udev_monitor_enable_receiving(struct udev_monitor *m);
int __wrap_udev_monitor_enable_receiving(struct udev_monitor *m);

int __wrap_udev_monitor_enable_receiving(struct udev_monitor *m)
{
	return is_fake(m) ? 0 : __real_udev_monitor_enable_receiving(m);
}

int __real_udev_monitor_get_fd(struct udev_monitor *m);
int __wrap_udev_monitor_get_fd(struct udev_monitor *m);

int __wrap_udev_monitor_get_fd(struct udev_monitor *m)
{
	return is_fake(m) ? uevent_pipe[0] : __real_udev_monitor_get_fd(m);
}

struct udev_device *__real_udev_monitor_receive_device(struct udev_monitor *m);
struct udev_device *__wrap_udev_monitor_receive_device(struct udev_monitor *m);

struct udev_device *__wrap_udev_monitor_receive_device(struct udev_monitor *m)
{
	if (!is_fake(m))
		return __real_udev_monitor_receive_device(m);
	if (read(uevent_pipe[0], &received, sizeof(received)) != sizeof(received))
		return NULL;
	if (received.subsystem[0])
		return &received;
	errno = ENOBUFS;
	return NULL;
}

const char *__real_udev_device_get_subsystem(struct udev_device *d);
const char *__wrap_udev_device_get_subsystem(struct udev_device *d);

const char *__wrap_udev_device_get_subsystem(struct udev_device *d)
{
	return d == &received ? d->subsystem : __real_udev_device_get_subsystem(d);
}

const char *__real_udev_device_get_action(struct udev_device *d);
const char *__wrap_udev_device_get_action(struct udev_device *d);

const char *__wrap_udev_device_get_action(struct udev_device *d)
{
	return d == &received ? d->action : __real_udev_device_get_action(d);
}

const char *__real_udev_device_get_sysname(struct udev_device *d);
const char *__wrap_udev_device_get_sysname(struct udev_device *d);

const char *__wrap_udev_device_get_sysname(struct udev_device *d)
{
	return d == &received ? d->name : __real_udev_device_get_sysname(d);
}

struct udev_device *__real_udev_device_unref(struct udev_device *d);
struct udev_device *__wrap_udev_device_unref(struct udev_device *d);

struct udev_device *__wrap_udev_device_unref(struct udev_device *d)
{
	return d == &received ? NULL : __real_udev_device_unref(d);
}

static void put_uevent(enum uevent_kind kind, uint64_t block)
{
	struct udev_device d = {.action = "online"};

	if (kind != UEVENT_LOST)
		(void)strcpy(d.subsystem, kind == UEVENT_BLOCK_ONLINE ? "memory" : "cxl");
	(void)snprintf(d.name, sizeof(d.name), "memory%llu", (unsigned long long)block);
	ck_assert_int_eq(write(uevent_pipe[1], &d, sizeof(d)), sizeof(d));
}

/* Return: a watch whose helper has answered. */
static int watch_uevents(void)
{
	struct uevent e;
	int fd;

	ck_assert_int_eq(pipe(uevent_pipe), 0);
	ck_assert_int_eq(fcntl(uevent_pipe[0], F_SETFL, O_NONBLOCK), 0);
	fd = opener_watch(opener);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(clock_wait_fd(fd, POLLIN, clock_monotonic_ms() + WAIT_MAX_MS), 0);
	ck_assert_int_eq(opener_watch_receive(fd, &e), 0);
	return fd;
}

static struct uevent next_uevent(int fd)
{
	struct uevent e;

	ck_assert_int_eq(clock_wait_fd(fd, POLLIN, clock_monotonic_ms() + WAIT_MAX_MS), 0);
	ck_assert_int_eq(opener_watch_receive(fd, &e), 0);
	return e;
}

static void end_uevents(int fd)
{
	(void)close(fd);
	helper_socket_wait_idle(&helper);
	(void)close(uevent_pipe[0]);
	(void)close(uevent_pipe[1]);
	uevent_pipe[0] = uevent_pipe[1] = -1;
}

START_TEST(a_block_that_came_online_is_reported_by_its_number)
{
	const int fd = watch_uevents();
	const uint64_t begun_ns = clock_monotonic_ns();
	struct uevent e;

	put_uevent(UEVENT_BLOCK_ONLINE, 33);
	e = next_uevent(fd);
	ck_assert_int_eq(e.kind, UEVENT_BLOCK_ONLINE);
	ck_assert_uint_eq(e.block, 33);
	ck_assert_uint_ge(e.received_ns, begun_ns);
	ck_assert_uint_le(e.received_ns, clock_monotonic_ns());
	put_uevent(UEVENT_OTHER, 0);
	ck_assert_int_eq(next_uevent(fd).kind, UEVENT_OTHER);
	put_uevent(UEVENT_LOST, 0);
	ck_assert_int_eq(next_uevent(fd).kind, UEVENT_LOST);
	end_uevents(fd);
}
END_TEST

START_TEST(a_client_that_did_not_get_all_blocks_is_told_so)
{
	enum { SENT = 50000 }; /* more than a socket holds */
	const int fd = watch_uevents();
	uint64_t n = 0, last = 0;
	struct uevent e;

	for (uint64_t i = 1; i <= SENT; i++)
		put_uevent(UEVENT_BLOCK_ONLINE, i);
	for (e = next_uevent(fd); e.kind == UEVENT_BLOCK_ONLINE; e = next_uevent(fd)) {
		ck_assert_uint_gt(e.block, last);
		last = e.block;
		n++;
	}
	ck_assert_int_eq(e.kind, UEVENT_LOST);
	ck_assert_uint_lt(n, SENT);
	end_uevents(fd);
}
END_TEST

SUITE(check_helper_server)
{
	Suite *s = suite_create("helper");
	TCase *files = tcase_create("files"), *clients = tcase_create("clients"),
	      *devices = tcase_create("devices");

	tcase_add_checked_fixture(files, setup, teardown);
	tcase_add_test(files, a_listed_file_is_passed_for_reading_only);
	tcase_add_test(files, configuration_space_is_that_of_cxl_functions_and_their_bridges);
	tcase_add_test(files, a_device_is_passed_for_its_ioctls);
	tcase_add_test(files, no_component_may_be_a_link);
	tcase_add_test(files, files_are_opened_in_a_sandbox_that_forbids_openat2);
	tcase_add_test(files, a_file_of_another_type_or_file_system_is_refused);
	tcase_add_test(files, a_directory_is_listed_and_looked_at);
	suite_add_tcase(s, files);
	tcase_add_checked_fixture(clients, setup, teardown);
	tcase_add_test(clients, a_request_that_is_not_exactly_right_ends_the_connection);
	tcase_add_test(clients, a_client_that_is_another_user_is_closed);
	tcase_add_test(clients, connections_are_limited_and_given_back);
	tcase_add_test(clients, descriptors_of_a_client_are_dropped);
	tcase_add_test(clients, while_the_helper_is_away_nothing_privileged_is_opened);
	tcase_add_test(clients, a_connection_that_was_lost_is_made_again);
	tcase_add_test(clients, a_watch_shows_that_the_helper_is_there_and_when_it_ends);
	tcase_add_test(clients, a_block_that_came_online_is_reported_by_its_number);
	tcase_add_test(clients, a_client_that_did_not_get_all_blocks_is_told_so);
	suite_add_tcase(s, clients);
	tcase_add_checked_fixture(devices, setup, teardown);
	tcase_add_test(devices, only_commands_of_the_table_are_sent);
	tcase_add_test(devices, a_device_that_hangs_holds_only_a_few_requests);
	tcase_add_test(devices, many_devices_that_hang_leave_connections_for_files);
	tcase_add_test(devices, a_device_that_hangs_stops_no_other_request);
	tcase_add_test(devices, pages_of_a_memory_block_are_counted_and_no_file_is_passed);
	tcase_add_test(devices, processes_that_use_a_dax_device_are_named);
	tcase_add_test(devices, lines_of_the_kernel_log_about_cxl_are_returned);
	tcase_add_test(devices, a_device_without_a_node_is_reported);
	suite_add_tcase(s, devices);
	return s;
}
