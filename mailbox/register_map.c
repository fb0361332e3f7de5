// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mailbox/register_map.h"

#include <endian.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/cleanup.h"

struct register_map {
	struct register_files files;
	volatile uint8_t *base;
	size_t size;
	bool gone;
};

/* Where an access of this thread continues when it raises SIGBUS; NULL: it makes none. */
static _Thread_local sigjmp_buf *volatile resume;

static void on_bus_error(int signal_number)
{
	if (resume)
		siglongjmp(*resume, 1);
	/* The signal has another cause: the instruction is repeated, and ends the process. */
	(void)signal(signal_number, SIG_DFL);
}

static void install_handler(void)
{
	/* The handler is left by a jump, after which the signal must not stay blocked. */
	struct sigaction action = {.sa_handler = on_bus_error, .sa_flags = SA_NODEFER};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(SIGBUS, &action, NULL);
}

static bool map_has(const struct register_map *m, size_t offset, size_t width)
{
	return !m->gone && offset % width == 0 && offset < m->size && m->size - offset >= width;
}

static uint32_t map_read32(void *ctx, size_t offset)
{
	struct register_map *m = ctx;
	sigjmp_buf here;
	uint32_t value;

	if (!map_has(m, offset, sizeof(value)))
		return UINT32_MAX;
	if (sigsetjmp(here, 0) != 0) {
		resume = NULL;
		m->gone = true;
		return UINT32_MAX;
	}
	resume = &here;
	value = *(volatile uint32_t *)(void *)(uintptr_t)(m->base + offset);
	resume = NULL;
	return le32toh(value);
}

/* @width: 4 or 8 */
static void map_write(struct register_map *m, size_t offset, uint64_t value, size_t width)
{
	volatile uint8_t *at = m->base + offset;
	sigjmp_buf here;

	if (!map_has(m, offset, width))
		return;
	if (sigsetjmp(here, 0) != 0) {
		resume = NULL;
		m->gone = true;
		return;
	}
	resume = &here;
	if (width == sizeof(uint64_t))
		*(volatile uint64_t *)(void *)(uintptr_t)at = htole64(value);
	else
		*(volatile uint32_t *)(void *)(uintptr_t)at = htole32((uint32_t)value);
	resume = NULL;
}

static void map_write32(void *ctx, size_t offset, uint32_t value)
{
	map_write(ctx, offset, value, sizeof(value));
}

static void map_write64(void *ctx, size_t offset, uint64_t value)
{
	map_write(ctx, offset, value, sizeof(value));
}

void register_files_close(struct register_files *f)
{
	while (f->n > 0)
		(void)close(f->fds[--f->n]);
}

static void map_free(void *ctx)
{
	struct register_map *m = ctx;

	(void)munmap((void *)(uintptr_t)m->base, m->size);
	register_files_close(&m->files);
	free(m);
}

int register_map_new(const struct register_files *files, uint64_t offset, size_t size,
		     struct register_access *ret)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	_cleanup_free_ struct register_map *m = calloc(1, sizeof(*m));
	void *base;

	if (!m)
		return -ENOMEM;
	(void)pthread_once(&once, install_handler);
	base = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, files->fds[0], (off_t)offset);
	if (base == MAP_FAILED)
		return -errno;
	m->files = *files;
	m->base = base;
	m->size = size;
	*ret = (struct register_access)
	{
		.read32 = map_read32, .write32 = map_write32,
#if UINTPTR_MAX > UINT32_MAX
		.write64 = map_write64, /* one access only where registers of the CPU are so wide */
#endif
			.free = map_free, .ctx = STEAL_PTR(m), .size = size,
	};
	return 0;
}
