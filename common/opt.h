/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_OPT_H
#define CXLR_COMMON_OPT_H

/*
 * Values that may be absent.
 *
 * A value that the kernel does not provide, or without read permission, is absent, not zero.
 * `value` is valid only when `present` is set; a zero-initialised object is absent.
 */

#include <stdbool.h>
#include <stdint.h>

struct opt_u64 {
	uint64_t value;
	bool present;
};

struct opt_int {
	int value;
	bool present;
};

struct opt_bool {
	bool value;
	bool present;
};

#define OPT_U64(v)  ((struct opt_u64){.value = (v), .present = true})
#define OPT_INT(v)  ((struct opt_int){.value = (v), .present = true})
#define OPT_BOOL(v) ((struct opt_bool){.value = (v), .present = true})

/* True when the value is known and equal to v; unknown is not equal to anything. */
static inline bool opt_u64_is(struct opt_u64 o, uint64_t v)
{
	return o.present && o.value == v;
}

/* Sets the last number of a range. Return: false when it is unknown, empty or exceeds 64 bits. */
static inline bool opt_range_last(struct opt_u64 first, struct opt_u64 size, uint64_t *ret_last)
{
	return first.present && size.present && size.value > 0 &&
	       !__builtin_add_overflow(first.value, size.value - 1, ret_last);
}

static inline bool opt_bool_is_true(struct opt_bool o)
{
	return o.present && o.value;
}

#endif
