// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tests/lib/failing_calloc.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

static atomic_int failing;
static atomic_size_t n_failed;
static _Thread_local bool is_setter; /* the thread that has called calloc_set() */

void calloc_set(enum calloc_failing which)
{
	is_setter = true;
	atomic_store(&failing, (int)which);
}

size_t calloc_failures(void)
{
	return atomic_load(&n_failed);
}

void *__wrap_calloc(size_t n, size_t size)
{
	const int which = atomic_load_explicit(&failing, memory_order_relaxed);

	if (which == CALLOC_WORKS || (which == CALLOC_FAILS_HERE) != is_setter)
		return __real_calloc(n, size);
	atomic_fetch_add(&n_failed, 1);
	errno = ENOMEM;
	return NULL;
}
