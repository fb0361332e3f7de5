// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A program that uses memory of the guest, and waits until it is killed:
//
//	memory_user open|map DEVICE	has a dax device open, or mapped and not open
//	memory_user fill NODE MIB	has so much memory of a NUMA node
//	memory_user kernel NODE COUNT DIRECTORY
//					has the kernel make objects of its own on a node: so many files
//
// Prints "ready" when it does. On SIGTERM, fill compares its memory with what it wrote, and its exit
// status is 1 when it differs.
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/mempolicy.h>

enum { MAP_BYTES = 2 << 20 };

static volatile sig_atomic_t ended;

static void on_signal(int signal)
{
	(void)signal;
	ended = 1;
}

static int fail(const char *what)
{
	perror(what);
	return EXIT_FAILURE;
}

static void wait_for_end(void)
{
	const struct sigaction action = {.sa_handler = on_signal};

	(void)sigaction(SIGTERM, &action, NULL);
	(void)puts("ready");
	(void)fflush(stdout);
	while (!ended)
		(void)sleep(1);
}

/* Memory that this process gets from now on, and what the kernel needs for it. */
static int bind_to(const char *node)
{
	const unsigned long mask = 1UL << strtoul(node, NULL, 10);

	return (int)syscall(SYS_set_mempolicy, MPOL_BIND, &mask, 8 * sizeof(mask));
}

static int hold(const char *device, int mapped)
{
	const int fd = open(device, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return fail(device);
	if (mapped && mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED)
		return fail("mmap");
	if (mapped)
		(void)close(fd);
	wait_for_end();
	return EXIT_SUCCESS;
}

static int fill(const char *node, const char *mib)
{
	const size_t words = (strtoul(mib, NULL, 10) << 20) / sizeof(uint64_t);
	uint64_t *memory;

	if (bind_to(node) < 0)
		return fail("set_mempolicy");
	memory = mmap(NULL, words * sizeof(*memory), PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return fail("mmap");
	for (size_t i = 0; i < words; i++)
		memory[i] = i * 0x9e3779b97f4a7c15U;
	wait_for_end();
	for (size_t i = 0; i < words; i++)
		if (memory[i] != i * 0x9e3779b97f4a7c15U)
			return EXIT_FAILURE;
	return EXIT_SUCCESS;
}

static int make_files(const char *node, const char *count, const char *directory)
{
	if (bind_to(node) < 0 || chdir(directory) < 0)
		return fail(directory);
	for (unsigned long i = strtoul(count, NULL, 10); i > 0; i--) {
		char name[32];
		int fd;

		(void)snprintf(name, sizeof(name), "%lu", i);
		fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0)
			return fail(name);
		(void)close(fd);
	}
	wait_for_end();
	return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "open") == 0)
		return hold(argv[2], 0);
	if (argc == 3 && strcmp(argv[1], "map") == 0)
		return hold(argv[2], 1);
	if (argc == 4 && strcmp(argv[1], "fill") == 0)
		return fill(argv[2], argv[3]);
	if (argc == 5 && strcmp(argv[1], "kernel") == 0)
		return make_files(argv[2], argv[3], argv[4]);
	(void)fputs("usage: memory_user open|map|fill|kernel ...\n", stderr);
	return 2;
}
