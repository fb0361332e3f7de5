// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The cost of reading a switch: the model of one with 256 ports and 16 MLDs of 16 LDs, behind its
 * registers and the socket of cxl-redfish-switch-helper, with the code of both ends.
 *
 *	bench_switch ROOT		prints the commands of a reading, and the CPU time of both
 *ends bench_switch ROOT SOCKET	serves it at SOCKET, instead of cxl-redfish-switch-helper; from
 *					SIGUSR1 on the mailbox completes no command
 *
 * ROOT is a directory in which sys/bus/pci/devices/0000:0d:00.1/class says 0x0c0b00.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <check.h>

#include "common/cleanup.h"
#include "helper/server.h"
#include "helper/switches.h"
#include "mailbox/cci_helper.h"
#include "mailbox/cci_registers.h"
#include "mailbox/switch_reader.h"
#include "opener/opener.h"
#include "tests/lib/switch_model.h"

#define NAME "0000:0d:00.1"

enum { POLLS = 200, BACKLOG = 64, POLL_MS = 100 };

static struct switch_model *model;
static struct switches switches;
static struct server server = {.serve = switches_serve, .userdata = &switches};
static volatile sig_atomic_t hang_wanted;
static char **arguments; /* ROOT and SOCKET */

static void must(bool good, const char *what)
{
	if (good)
		return;
	(void)fprintf(stderr, "bench_switch: %s: %s\n", what, strerror(errno));
	exit(EXIT_FAILURE);
}

/* ---- the helper's end -------------------------------------------------------------------------
 */

static uint32_t read_register(void *ctx, size_t offset)
{
	return switch_model_read32(ctx, model->regs + (uint32_t)offset);
}

static void write_register(void *ctx, size_t offset, uint32_t value)
{
	switch_model_write32(ctx, model->regs + (uint32_t)offset, value);
}

static struct cci *open_registers(void)
{
	const struct register_access access = {
		.read32 = read_register,
		.write32 = write_register,
		.ctx = model,
		.size = model->bar_size - model->regs,
	};
	struct error e = {0};
	struct cci *c = NULL;

	must(cci_registers_new(NAME, &access, -1, &c, &e) == 0, "registers");
	return c;
}

/* As if the function was open. */
static void open_switch(const char *root)
{
	const struct switch_bus bus = {.root = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC)};
	struct switch_slot *slot = calloc(1, sizeof(*slot));

	must(bus.root >= 0 && slot, root);
	switches_set_up(&switches, &bus);
	switches_configure(&switches, NAME, false);
	memcpy(slot->name, NAME, sizeof(NAME));
	(void)pthread_mutex_init(&slot->lock, NULL);
	slot->cci = open_registers();
	switches.slots[switches.n++] = slot;
}

static void on_signal(int number)
{
	(void)number;
	hang_wanted = 1;
}

static void hang(void)
{
	static const struct model_fault never = {.kind = MODEL_NEVER_COMPLETES, .level = -1};

	hang_wanted = 0;
	switch_model_lock(model);
	switch_model_fault(model, &never);
	switch_model_unlock(model);
}

static void serve(const char *root, int listener)
{
	open_switch(root);
	server.users[0] = getuid();
	server.n_users = 1;
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)signal(SIGUSR1, on_signal);
	for (;;) {
		struct pollfd p = {.fd = listener, .events = POLLIN};

		(void)poll(&p, 1, POLL_MS);
		if (hang_wanted)
			hang();
		while (server_accept(&server, listener) == 0)
			;
	}
}

/* @path: NULL: a name that the kernel chooses */
static int listen_at(const char *path, struct sockaddr_un *ret, socklen_t *ret_len)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	*ret = (struct sockaddr_un){.sun_family = AF_UNIX};
	*ret_len = path ? sizeof(*ret) : sizeof(sa_family_t);
	must(!path || strlen(path) < sizeof(ret->sun_path), "the path is too long");
	(void)stpcpy(ret->sun_path, path ? path : "");
	must(fd >= 0 && bind(fd, (struct sockaddr *)ret, *ret_len) == 0 && listen(fd, BACKLOG) == 0,
	     "socket");
	*ret_len = sizeof(*ret);
	must(getsockname(fd, (struct sockaddr *)ret, ret_len) == 0, "socket");
	return fd;
}

/* ---- the reader's end -------------------------------------------------------------------------
 */

struct cost {
	uint64_t commands;
	double cpu_us, wall_us; /* of one reading; CPU time of both processes */
};

static double clock_us(clockid_t id)
{
	struct timespec t;

	must(clock_gettime(id, &t) == 0, "clock");
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

/* @helper: the clock of its process; NULL: there is none */
static double cpu_us(const clockid_t *helper)
{
	return clock_us(CLOCK_PROCESS_CPUTIME_ID) + (helper ? clock_us(*helper) : 0);
}

static struct cost measure(struct switch_reader *r, struct cci *c, enum switch_read what,
			   const clockid_t *helper)
{
	const struct switch_source source = {.name = NAME, .cci = c, .reason = ""};
	const double wall = clock_us(CLOCK_MONOTONIC);
	const double cpu = cpu_us(helper);
	struct switch_readings *set = NULL;
	struct cost cost;

	for (int i = 0; i < POLLS; i++) {
		(void)switch_readings_unref(set);
		must(switch_reader_read_sources(r, &source, 1, what, &set) == 0, "reading");
		must(set->n_switches == 1 && set->switches[0].n_notes == 0, "a note");
	}
	cost.commands = set->switches[0].n_commands;
	cost.cpu_us = (cpu_us(helper) - cpu) / POLLS;
	cost.wall_us = (clock_us(CLOCK_MONOTONIC) - wall) / POLLS;
	(void)switch_readings_unref(set);
	return cost;
}

static void print_cost(const char *what, struct cci *c, const clockid_t *helper)
{
	struct switch_reader *r = switch_reader_new();
	struct cost all, changes;

	must(r, "out of memory");
	all = measure(r, c, SWITCH_READ_ALL, helper);
	changes = measure(r, c, SWITCH_READ_CHANGES, helper);
	printf("%s all %llu cpu_us %.0f wall_us %.0f changes %llu cpu_us %.0f wall_us %.0f\n", what,
	       (unsigned long long)all.commands, all.cpu_us, all.wall_us,
	       (unsigned long long)changes.commands, changes.cpu_us, changes.wall_us);
	(void)switch_reader_free(r);
}

/* The model answers within the call. */
static void measure_model(const char *what)
{
	struct cci *c = switch_model_cci(model, NAME);

	print_cost(what, c, NULL);
	c = cci_free(c);
}

static void measure_helper(const char *root)
{
	struct sockaddr_un address;
	struct error e = {0};
	struct opener *opener;
	socklen_t len;
	int listener = listen_at(NULL, &address, &len);
	clockid_t other;
	struct cci *c;
	pid_t pid = fork();
	int r;

	must(pid >= 0, "fork");
	if (pid == 0)
		serve(root, listener);
	must(clock_getcpuclockid(pid, &other) == 0, "clock");
	must(opener_new((struct sockaddr *)&address, len, OPENER_OWN, &opener) == 0, "opener");
	opener_set_up(opener, true);
	r = cci_helper_new(opener, NAME, &c, &e);
	must(r == 0, e.text);
	print_cost("helper", c, &other);
	c = cci_free(c);
	opener = opener_free(opener);
	(void)kill(pid, SIGKILL);
}

/* 128 ports with 8 MLDs and 32 SLDs. */
static void halve_model(void)
{
	for (unsigned int port = 12; port < MODEL_PORTS; port++) {
		if (port < 20 || port >= 52)
			switch_model_set_device(model, (uint8_t)port, MODEL_NO_DEVICE, 0);
		model->ports[port].exists = port < MODEL_PORTS / 2;
	}
}

/* The model asserts, so this is a test. */
START_TEST(run)
{
	struct sockaddr_un address;
	socklen_t len;

	model = switch_model_new(MODEL_LARGE);
	if (arguments[1])
		serve(arguments[0], listen_at(arguments[1], &address, &len));
	measure_helper(arguments[0]);
	measure_model("model");
	halve_model();
	measure_model("half");
	model = switch_model_free(model);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s = suite_create("bench_switch");
	TCase *t = tcase_create("run");
	SRunner *sr = srunner_create(s);
	int failed;

	must(argc == 2 || argc == 3, "usage: bench_switch ROOT [SOCKET]");
	arguments = argv + 1;
	tcase_add_test(t, run);
	suite_add_tcase(s, t);
	srunner_set_fork_status(sr, CK_NOFORK);
	srunner_run_all(sr, CK_SILENT);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
