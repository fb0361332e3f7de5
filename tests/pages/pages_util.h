/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_PAGES_PAGES_UTIL_H
#define CXLR_TESTS_PAGES_PAGES_UTIL_H

/*
 * A host with two devices in a region, whose memory is online in blocks of 256 MiB, and the
 * kernel's files of pages, which a test plays: what is written to them sets or clears bit 19 of
 * kpageflags.
 */

#include "pages/page_run.h"
#include "tests/lib/capture_util.h"
#include "tests/lib/model_host.h"

#define PAGES_BASE MODEL_WINDOW_BASE
/* The block of the first addresses. */
#define PAGES_BLOCK ((unsigned int)(PAGES_BASE / MIB_256))

enum { WRITES_MAX = 32 };

/* How the kernel that is played behaves. */
struct fake_kernel {
	int errors[WRITES_MAX]; /* of each write in turn, positive; 0: it has its effect */
	bool idle;		/* writes are accepted, without effect */
	bool offline_after;	/* the block has no flags after a write */
	bool plays;		/* while a request is done */
	size_t n_writes;
	char written[WRITES_MAX][96]; /* "soft_offline_page 0x1000000000" */
};

struct pages_host {
	struct scratch scratch;
	struct model m;
	struct memdev *mem[2];
	struct region *region;
	struct dax_device *dax;
	struct fake_kernel kernel;
	bool privileged;	   /* by use_privileges */
	unsigned int n_privileged; /* times that it became so */
	bool allow_fence;
	struct block_marks *marks; /* of a test, with the limit */
	unsigned int block_limit;
};

extern struct pages_host ph;

void pages_setup(void);
void pages_teardown(void);

/* The region gets an extended linear cache, which is its lower half. */
void pages_make_cached(void);

void put_flags(uint64_t pfn, uint64_t flags);
uint64_t get_flags(uint64_t pfn);
void put_count(uint64_t pfn, uint64_t count);
void put_block_state(unsigned int number, const char *state, const char *zones);

/* mem0, DPA @dpa, where it is by the translator. */
struct page_request pages_request(enum page_action action, uint64_t dpa);

/* Runs @n as one batch; fails the test when a privilege was left. */
void pages_run_all(const struct page_request *q, size_t n, bool allow_huge,
		   struct page_result *ret);

/* Runs one; fails the test when a file was used without, or a privilege was left. */
struct page_result pages_run(const struct page_request *q, bool allow_huge);

#endif
