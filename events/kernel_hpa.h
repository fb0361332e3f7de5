/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_KERNEL_HPA_H
#define CXLR_EVENTS_KERNEL_HPA_H

/*
 * The kernel's own arithmetic, which is not right for all regions. Private to events/.
 *
 * @kernel of each function is event_kernel(): the version that made a record; 0 for one that is not
 * known, of which only what all kernels do is right.
 */

#include "events/event_fill.h"

/*
 * kernel_hpa_identifies() - whether a record whose hpa is what its kernel computes under the
 * mapping of an answer can be of no other mapping that the window allows and that has another SPA
 */
bool kernel_hpa_identifies(const struct event_mapping *m, unsigned int kernel,
			   const struct answer *a);

/*
 * kernel_hpa() - the hpa that the kernel gives for an answer's DPA
 *
 * Return: whether it is known; not for Normalized addressing, nor without the CEDT where XOR may be
 * used.
 */
bool kernel_hpa(const struct event_mapping *m, unsigned int kernel, const struct answer *a,
		uint64_t *ret);

/* Return: whether the kernel's arithmetic is right for the region of the answer. */
bool kernel_hpa_is_right(const struct event_mapping *m, unsigned int kernel,
			 const struct answer *a);

/*
 * kernel_hpa_stands_alone() - whether an hpa is right whatever region it was computed for
 * @ret_why: a sentence when it may not be
 */
bool kernel_hpa_stands_alone(const struct event_mapping *m, unsigned int kernel, uint64_t hpa,
			     char ret_why[static ANSWER_REASON_MAX]);

/* Return: whether an answer lacks only what the kernel may know and this program cannot read. */
bool kernel_may_know_better(const struct event_mapping *m, unsigned int kernel,
			    const struct answer *a);

/*
 * How far from the address a kernel's hpa can be: its interleave block, for kernels before 7.0.
 * Absent when that is not known.
 */
struct opt_u64 kernel_hpa_error_max(unsigned int kernel);

#endif
