/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_TESTS_LIB_FAKE_MODULE_H
#define CXLR_TESTS_LIB_FAKE_MODULE_H

/*
 * The cxl_prm module as a program sees it, without a kernel: from fake_setup() on
 * ioctl() answers for any descriptor. The client is given
 * a scratch file instead of /dev/cxl_prm. Its behaviour is set before it is used; with several
 * threads under the lock, by fake_lock().
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "prm/firmware.h"
#include "prm/kmod/cxl_prm_uapi.h"

#define FAKE_BASE 0x1000000000ULL

/* The SPA of a DPA of the device on that bus; a negative errno is an error. */
typedef int fake_rule(uint8_t bus, uint64_t dpa, uint64_t *ret_spa);

struct fake_module {
	char path[PATH_MAX]; /* for firmware_new() */
	fake_rule *rule;
	unsigned int abi, reason, rate;
	unsigned int reason_after; /* the reason from the next translation on */
	int info_errno, translate_errno;
	size_t bucket;	      /* calls left before -EAGAIN */
	bool hold;	      /* firmware does not return */
	unsigned int call_us; /* how long it takes for one */
	size_t calls, ioctls,
		limited; /* calls of firmware, batches, and calls refused by the rate limit */
	size_t largest_batch;
};

extern struct fake_module fake;

/* A module that is ready and follows fake_plain(); makes the scratch file. */
void fake_setup(void);
void fake_teardown(void);

void fake_lock(void);
void fake_unlock(void);
void fake_release(void); /* ends `hold` */

/* Waits until @n batches have begun. */
void fake_wait_for_ioctls(size_t n);

/*
 * Calls it until a call takes no longer than firmware may: a pause of this machine in a call looks
 * like slow firmware. The rule is fake_plain() meanwhile.
 */
void fake_wait_until_quick(struct firmware *f);

/*
 * Two devices, on bus 0 and 1, interleaved by 256 bytes from FAKE_BASE on; the bus is the
 * position. The permuted one exchanges them in each block whose number, without its lowest bit,
 * has an odd number of bits.
 */
int fake_plain(uint8_t bus, uint64_t dpa, uint64_t *ret_spa);
int fake_permuted(uint8_t bus, uint64_t dpa, uint64_t *ret_spa);

#endif
