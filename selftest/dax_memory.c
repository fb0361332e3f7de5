// SPDX-License-Identifier: LGPL-2.1-or-later
#include "selftest/dax_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/cleanup.h"
#include "selftest/marker.h"

struct dax_memory {
	volatile uint64_t *words;
	uint64_t first, last;
	struct sigaction before;
};

enum { LINE_WORDS = MARKER_LINE / sizeof(uint64_t) };

/* ---- the caches -------------------------------------------------------------------------------
 */

#if defined(__x86_64__)
static bool can_flush(void)
{
	return true;
}

/* Writes a line back and drops it, in all caches; ordered with what is before and behind. */
static void flush_line(const volatile void *line)
{
	__asm__ volatile("mfence\n\tclflush %0\n\tmfence"
			 : "+m"(*(volatile char *)(uintptr_t)line)::"memory");
}
#elif defined(__aarch64__)
/* Linux lets programs use it (SCTLR_EL1.UCI). */
static bool can_flush(void)
{
	return true;
}

static void flush_line(const volatile void *line)
{
	__asm__ volatile("dsb sy\n\tdc civac, %0\n\tdsb sy" ::"r"(line) : "memory");
}
#else
static bool can_flush(void)
{
	return false;
}

static void flush_line(const volatile void *line)
{
	(void)line;
}
#endif

/* ---- poisoned memory --------------------------------------------------------------------------
 */

static sigjmp_buf bus_error;
static volatile sig_atomic_t expected;

static void on_bus_error(int signal)
{
	if (expected)
		siglongjmp(bus_error, 1);
	/* A fault elsewhere: as without a handler. */
	(void)sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
	(void)raise(signal);
}

static void put_words(volatile uint64_t *words, const uint8_t *line)
{
	uint64_t copy[LINE_WORDS];

	memcpy(copy, line, sizeof(copy));
	for (unsigned int i = 0; i < LINE_WORDS; i++)
		words[i] = copy[i];
}

static void get_words(const volatile uint64_t *words, uint8_t *line)
{
	uint64_t copy[LINE_WORDS];

	for (unsigned int i = 0; i < LINE_WORDS; i++)
		copy[i] = words[i];
	memcpy(line, copy, sizeof(copy));
}

/* Return of both: false after SIGBUS. */
static bool write_line(volatile uint64_t *words, const uint8_t *line)
{
	if (sigsetjmp(bus_error, 1)) {
		expected = 0;
		return false;
	}
	expected = 1;
	put_words(words, line);
	flush_line(words);
	expected = 0;
	return true;
}

static bool read_line(const volatile uint64_t *words, uint8_t *line)
{
	if (sigsetjmp(bus_error, 1)) {
		expected = 0;
		return false;
	}
	expected = 1;
	flush_line(words);
	get_words(words, line);
	expected = 0;
	return true;
}

static volatile uint64_t *words_of(const struct dax_memory *m, uint64_t spa)
{
	return m->words + (spa - m->first) / sizeof(uint64_t);
}

static int memory_write(void *userdata, uint64_t spa, const uint8_t *line, struct error *e)
{
	if (!write_line(words_of(userdata, spa), line))
		return error_set(e, EIO, "SPA 0x%" PRIx64 " cannot be written (SIGBUS)", spa);
	return 0;
}

static int memory_read(void *userdata, uint64_t spa, uint8_t *line, struct error *e)
{
	if (!read_line(words_of(userdata, spa), line))
		return error_set(
			e, EIO,
			"SPA 0x%" PRIx64
			" cannot be read (SIGBUS): the line is poisoned, or the device is gone",
			spa);
	return 0;
}

struct selftest_memory dax_memory_interface(struct dax_memory *m)
{
	return (struct selftest_memory){.first = m->first,
					.last = m->last,
					.write = memory_write,
					.read = memory_read,
					.userdata = m};
}

/* ---- its life ---------------------------------------------------------------------------------
 */

/* MAP_SHARED is all that a dax device needs: it has no file system whose metadata is to be synced.
 */
static int map_device(struct dax_memory *m, const char *path, struct error *e)
{
	_cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC);
	void *at;

	if (fd < 0)
		return error_set(e, errno, "%s cannot be opened: %s", path, strerror(errno));
	at = mmap(NULL, m->last - m->first + 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return error_set(e, errno, "%s cannot be mapped: %s", path, strerror(errno));
	m->words = at;
	return 0;
}

int dax_memory_open(const char *path, uint64_t first, uint64_t last, struct dax_memory **ret,
		    struct error *e)
{
	const struct sigaction action = {.sa_handler = on_bus_error, .sa_flags = SA_NODEFER};
	struct dax_memory *m;
	int r;

	if (!can_flush())
		return error_set(
			e, EOPNOTSUPP,
			"a program cannot flush the caches of this kind of CPU, so a read would show the cache and not the device: the test is for x86-64 and arm64");
	m = calloc(1, sizeof(*m));
	if (!m)
		return error_set(e, ENOMEM, "out of memory");
	m->first = first;
	m->last = last;
	r = map_device(m, path, e);
	if (r < 0) {
		free(m);
		return r;
	}
	(void)sigaction(SIGBUS, &action, &m->before);
	*ret = m;
	return 0;
}

struct dax_memory *dax_memory_close(struct dax_memory *m)
{
	if (!m)
		return NULL;
	(void)sigaction(SIGBUS, &m->before, NULL);
	(void)munmap((void *)(uintptr_t)m->words, m->last - m->first + 1);
	free(m);
	return NULL;
}
