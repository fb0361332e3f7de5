/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_COMMON_CLEANUP_H
#define CXLR_COMMON_CLEANUP_H

/*
 * Scope-bound release of local variables.
 *
 * A variable marked with one of these attributes owns what it holds until it leaves its scope;
 * ownership is passed on with STEAL_PTR() or STEAL_FD(). All release functions accept "nothing"
 * (NULL, a negative descriptor) and preserve errno, so they may be used on any error path.
 * Thread rules: none, everything is on the caller's stack.
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(fn) __attribute__((cleanup(fn)))

static inline void cleanup_free(void *p)
{
	int saved = errno;

	free(*(void **)p);
	errno = saved;
}

static inline void cleanup_close(const int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		(void)close(*fd);
	errno = saved;
}

static inline void cleanup_fclose(FILE **f)
{
	int saved = errno;

	if (*f)
		(void)fclose(*f);
	errno = saved;
}

static inline void cleanup_closedir(DIR **d)
{
	int saved = errno;

	if (*d)
		(void)closedir(*d);
	errno = saved;
}

#define _cleanup_free_	   _cleanup_(cleanup_free)
#define _cleanup_close_	   _cleanup_(cleanup_close)
#define _cleanup_fclose_   _cleanup_(cleanup_fclose)
#define _cleanup_closedir_ _cleanup_(cleanup_closedir)

/* Declares `static void name(type **p)` for a destructor that accepts NULL, for use in _cleanup_().
 */
#define DEFINE_CLEANUP(type, destructor)                                                           \
	static inline void destructor##p(type **p)                                                 \
	{                                                                                          \
		if (*p)                                                                            \
			(void)destructor(*p);                                                      \
	}                                                                                          \
	struct cxlr_swallow_semicolon_##destructor

/* Passes the ownership of a variable to the caller and sets it to "nothing". */
#define STEAL_PTR(p)                                                                               \
	({                                                                                         \
		__typeof__(p) _stolen = (p);                                                       \
		(p) = NULL;                                                                        \
		_stolen;                                                                           \
	})

#define STEAL_FD(fd)                                                                               \
	({                                                                                         \
		int _stolen = (fd);                                                                \
		(fd) = -1;                                                                         \
		_stolen;                                                                           \
	})

#endif
