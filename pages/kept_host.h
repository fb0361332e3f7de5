/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_KEPT_HOST_H
#define CXLR_PAGES_KEPT_HOST_H

/*
 * The host as it was read last, for those who translate an address again and again: to read a host
 * takes longer than all else of taking a page out.
 *
 * It is used again only while the kernel has counted no event of a device since before it was read
 * (/sys/kernel/uevent_seqnum), or while the devices of the buses cxl and dax are still the same
 * objects: memory of another mapping is not online before its region has made a dax region and a
 * dax device anew. A memory block that comes online is an event, and no other mapping. Where
 * neither can be read, the host is read each time.
 *
 * The object owns its references and a client of firmware. Any thread may call, but the references
 * of one call are given back before the next one.
 */

#include "prm/translate.h"
#include "sysfs/host_root.h"

struct kept_host;

/* kept_host_new() - nothing is read yet; @root: outlives it. Return: NULL when out of memory. */
struct kept_host *kept_host_new(const struct host_root *root);

/* Accepts NULL. Return: NULL. */
struct kept_host *kept_host_free(struct kept_host *k);

/*
 * kept_host_take() - the host of now, and its translator
 * @ret_host, @ret_translator: references, which are the caller's
 *
 * Return: 1 when it was read now; 0 when it is the one of before; the error of reading.
 */
int kept_host_take(struct kept_host *k, const struct host **ret_host,
		   struct translator **ret_translator, struct error *e);

/*
 * kept_host_is_current() - whether the host that was taken last is still that of now
 *
 * Return: true, too, where the kernel's events cannot be counted.
 */
bool kept_host_is_current(struct kept_host *k);

/* kept_host_forget() - the next one is read */
void kept_host_forget(struct kept_host *k);

#endif
