/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_EVENTS_INSTANCE_H
#define CXLR_EVENTS_INSTANCE_H

/*
 * The live trace ring: a tracefs instance of our own, so that other users of tracing on this
 * machine (rasdaemon, cxl monitor, an administrator) and the service do not affect each other.
 *
 * Nothing here creates or changes the instance. Only root can do that, with any mount options of
 * tracefs: daemon/cxl-redfish-trace does, or the kernel at boot (trace_instance=), whose earlier
 * records are read like any others. Opening its files needs root or CAP_DAC_READ_SEARCH, or
 * cxl-redfish-helper (opener/opener.h). Reading removes what is read, so there is one reader at a
 * time.
 *
 * One object, used by one thread, whose event loop polls the descriptors.
 */

#include <stddef.h>
#include <stdint.h>

#include "common/error.h"
#include "common/opt.h"
#include "events/ring.h"
#include "opener/opener.h"

#define TRACE_INSTANCE "/sys/kernel/tracing/instances/cxl-redfish"

/* Said of a kernel whose CXL bus has no events. */
#define EVENTS_ABSENT_TEXT "This kernel has no CXL trace events; Linux 6.3 or newer records them"

enum { INSTANCE_PAGES_PER_TURN = 64 }; /* so that other CPUs are read, too */

struct event_instance;

/*
 * event_instance_open() - the pipes of all CPUs
 * @path: the instance's directory, TRACE_INSTANCE
 * @opener: by which its files are opened, or NULL; must outlive the instance
 * @ret: free with event_instance_close()
 *
 * Return: 0; -ENOENT: no such instance; -EOPNOTSUPP: the kernel has no CXL events;
 * -EACCES; -EMFILE: fewer descriptors allowed than this machine may have CPUs; -EINVAL: formats
 * that cannot be used; -ENOMEM; other errors. @e names the remedy.
 */
int event_instance_open(const char *path, struct opener *opener, struct event_instance **ret,
			struct error *e);

/* Accepts NULL. The instance continues to record. Return: NULL. */
struct event_instance *event_instance_close(struct event_instance *in);

/*
 * event_instance_check() - whether the instance records all CXL events
 *
 * To be called after opening and periodically, because an administrator may change it.
 *
 * Return: 0; -ENODATA with a sentence that names the setting.
 */
int event_instance_check(const struct event_instance *in, struct error *e);

/* Return: a sentence about a format that cannot be used, or NULL. */
const char *event_instance_problem(const struct event_instance *in);

/* Return: ns since 1970 when the instance was made, when tracing began; absent if unknown. */
struct opt_u64 event_instance_since(const struct event_instance *in);

/* Pipes are numbered from 0; there is one for each CPU that this machine may have. */
size_t event_instance_pipes(const struct event_instance *in);

/* Return: a descriptor that is readable (EPOLLIN) while there are records; it stays @in's. */
int event_instance_fd(const struct event_instance *in, size_t pipe);

/* Return: CPU, clock and counts of a pipe; the counts begin with event_instance_open(). */
const struct event_ring *event_instance_ring(const struct event_instance *in, size_t pipe);

/*
 * event_instance_compare() - have what the kernel gave to earlier readers compared with the store
 *
 * After opening and before the first reading of a pipe, for each. Gives an EVENT_LOST_AT_END, whose
 * number the store finds; nothing if the kernel does not count what was read.
 */
void event_instance_compare(struct event_instance *in, size_t pipe, event_sink *sink,
			    void *userdata);

/*
 * event_instance_look() - losses that only the kernel's counts of a pipe show
 *
 * Reading looks as well. To be called periodically, because a pipe whose records another program
 * took is not readable. Gives at most one record.
 */
void event_instance_look(struct event_instance *in, size_t pipe, event_sink *sink, void *userdata);

/* Return: bytes of a page of the rings, with its header; never 0. */
size_t event_instance_page_bytes(const struct event_instance *in);

/*
 * event_instance_read() - the records that are there
 * @pages: at most so many pages of them, one or more
 *
 * Never waits. When more are left the descriptor is still readable.
 *
 * Return: 0; -EBADMSG: a page was damaged and records were lost (see the EVENT_LOST) and
 * need not end the reading; other errors, after which polling this pipe makes no sense any more.
 */
int event_instance_read(struct event_instance *in, size_t pipe, size_t pages, event_sink *sink,
			void *userdata, struct error *e);

#endif
