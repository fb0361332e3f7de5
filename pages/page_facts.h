/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CXLR_PAGES_PAGE_FACTS_H
#define CXLR_PAGES_PAGE_FACTS_H

/*
 * The use of a page, at one moment: its block and zone, its kind, the memory cgroup that it is
 * charged to, and what an uncorrectable access there does.
 *
 * Plain data, which belongs to the caller. A driver's, vmalloc's or per-CPU list's page has no flag
 * of its own, so its kind is not known, and an access "may end the machine". Names of cgroups are
 * private: who may see them decides the front end, by @show_cgroup.
 */

#include "common/opt.h"
#include "prm/answer.h"
#include "sysfs/dax_blocks.h"
#include "sysfs/host.h"
#include "sysfs/page_use.h"

enum {
	PAGE_NOTE_MAX = 192,
	PAGE_CONSEQUENCE_MAX = PAGE_CGROUP_MAX + 128,
};

enum frame_kind {
	FRAME_UNKNOWN,
	FRAME_FREE,
	FRAME_ANONYMOUS,
	FRAME_FILE,
	FRAME_HUGE,
	FRAME_SLAB,
	FRAME_PAGE_TABLE,
	FRAME_RESERVED,
	FRAME_DEVICE_DAX,
	FRAME_OFFLINE,
	FRAME_POISONED,
	FRAME_KINDS
};

enum page_consequence {
	CONSEQUENCE_NOT_KNOWN, /* nothing was read, as of a capture */
	CONSEQUENCE_NOTHING,
	CONSEQUENCE_ENDS_TASKS,
	CONSEQUENCE_MAY_END_MACHINE,
};

struct page_facts {
	char memdev[32]; /* kernel name, "mem0"; "": none, or several */
	struct opt_u64 serial, dpa;
	struct opt_u64 spa; /* absent without an exact address; `note` has the reason then */
	struct opt_u64 pfn, alias_pfn;
	struct opt_u64 block; /* the N of memoryN */
	struct opt_bool block_online;
	const char *zone; /* "Movable", static; NULL: not online, or not known */
	struct opt_int numa_node;
	enum frame_kind kind;
	struct opt_u64 flags, map_count;     /* as /proc/kpageflags and kpagecount have them */
	char cgroup[PAGE_CGROUP_MAX];	     /* "/system.slice/x.service"; "": charged to none */
	enum page_cgroup_state cgroup_state; /* whether `cgroup` is known */
	enum page_consequence consequence;
	struct opt_u64 moment_ms; /* since 1970: when flags were read */
	char note[PAGE_NOTE_MAX]; /* why something of it is not known, a sentence; "": nothing is */
};

/*
 * page_describe() - the facts of the page at an address
 * @host: that the answer belongs to; its root is asked: by the reading helper, or directly as root
 * @a: of translate_dpa() or translate_spa(), of a single address
 *
 * Waits for the helper, and for a walk of /sys/fs/cgroup: for jobs, workers and cxl-spa only. A
 * captured host has block and state only. A fact that cannot be read is absent, with `note`.
 */
void page_describe(const struct host *host, const struct answer *a, struct page_facts *ret);

/* Return: "free", "anonymous", "file", "huge", "slab", "page-table", "reserved", "device-dax",
 * "offline", "poisoned", "unknown". */
const char *frame_kind_name(enum frame_kind kind);

/* frame_kind_of() - by kpageflags alone; never FRAME_DEVICE_DAX */
enum frame_kind frame_kind_of(uint64_t flags);

/*
 * page_consequence_text() - what an uncorrectable access there does, a clause
 *
 * "nothing: the page is free", "ends the tasks of /system.slice/x.service that use it", "may end
 * the machine". Return: @ret.
 */
const char *page_consequence_text(const struct page_facts *f, bool show_cgroup,
				  char ret[static PAGE_CONSEQUENCE_MAX]);

#endif
