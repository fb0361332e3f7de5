/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_MAILBOX_SCRUB_READER_H
#define CXLR_MAILBOX_SCRUB_READER_H

/* Reads patrol scrub and ECS of a memory device (sysfs/scrub.h) within the time limit of
 * timed_job.h: each value is a command that the kernel sends. */

#include "sysfs/scrub.h"

/*
 * scrub_read_in_time() - one thread at a time
 * @notes: get one sentence for each value that is none, and one for a device that does not answer
 * @ret: always set; `unread` without an answer
 */
void scrub_read_in_time(const char *memdev, struct read_notes *notes, struct memdev_scrub *ret);

#endif
