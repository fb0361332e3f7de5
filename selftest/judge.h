/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_SELFTEST_JUDGE_H
#define CXLR_SELFTEST_JUDGE_H

/*
 * Judges whether DPAs are where they are said to be, by the device itself: markers are written to
 * system addresses, the device is made to zero the line at a DPA, and the memory is looked at for
 * that line. Where another one became zero, it is found and the first address bit that differs is
 * named.
 *
 * The memory and the device are interfaces: of a machine (dax_memory.h, and Clear Poison) or a
 * model (model.h). Nothing else is touched. One thread.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

enum {
	JUDGE_SEARCH_BYTES = 1 << 30, /* that are filled and looked through for one line */
	JUDGE_SEARCHES = 8,	      /* of that kind in a run: a wrong rule is wrong everywhere */
};

/* Lines of 64 bytes, by their SPA. Return of both: 0; a negative errno with @e. */
struct selftest_memory {
	uint64_t first, last; /* SPA: of the first line, and the last byte of the last one */
	/* Past the caches of the CPU, to the device. */
	int (*write)(void *userdata, uint64_t spa, const uint8_t *line, struct error *e);
	/* From the device, not from a cache. -EIO: the line is poisoned. */
	int (*read)(void *userdata, uint64_t spa, uint8_t *line, struct error *e);
	void *userdata;
};

struct selftest_device {
	/*
	 * Has the device write zeros to a line. @dpa: a multiple of a line, in the share of the
	 * device of the region. Return: 0; a negative errno with @e.
	 */
	int (*clear)(void *userdata, unsigned int position, uint64_t dpa, struct error *e);
	void *userdata;
};

/* A DPA and the SPA that it is said to have; both of a line. */
struct judge_point {
	uint64_t spa, dpa;
	unsigned int position;
};

enum judge_result {
	JUDGE_NOT_TRIED,
	JUDGE_RIGHT,	 /* exactly that line became zero, and its neighbours are as they were */
	JUDGE_ELSEWHERE, /* another line, or bytes at another place, became zero */
	JUDGE_NOWHERE,	 /* nothing that was looked at became zero */
	JUDGE_SPREAD,	 /* the line or a part of it became zero, and more or less than a line */
	JUDGE_DAMAGED,	 /* it, or a neighbour, changed to something that is neither */
	JUDGE_FAILED,	 /* the memory or the device refused: `error` */
	JUDGE_RESULTS
};

/* Return: its name in reports: "right", "elsewhere", ... */
const char *judge_result_name(enum judge_result result);

enum { JUDGE_ERROR_MAX = 256 };

struct judgement {
	enum judge_result result;
	uint64_t found; /* SPA of the first byte that became zero; ELSEWHERE, SPREAD, DAMAGED */
	uint64_t difference; /* found ^ spa */
	int bit;	     /* the lowest bit of that; -1 when it is 0 or nothing was found */
	/* NOWHERE: the range that was looked through completely; empty (first > last): markers and
	 * lines whose address differs in one bit only. */
	uint64_t searched_first, searched_last;
	char error[JUDGE_ERROR_MAX]; /* "" but of FAILED */
};

struct judge {
	const struct selftest_memory *memory;
	const struct selftest_device *device;
	uint64_t seed;
	uint64_t search_bytes; /* at most, a power of two; 0: JUDGE_SEARCH_BYTES */
	/* Called before each point, and now and then in a search. Return: whether to end. NULL:
	 * never. */
	bool (*progress)(void *userdata, size_t done, size_t total);
	void *userdata;
};

/* Lines are disturbed that changed, and that no judgement is about. */
struct judge_summary {
	size_t right, wrong, failed; /* points; those not tried are in none */
	size_t disturbed;	     /* before another point, or at the end */
	uint64_t first_disturbed;    /* SPA */
	/* Whether the first of these has the marker of another line, and which: both are one. */
	bool has_alias;
	uint64_t alias;
};

#endif
