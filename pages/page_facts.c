// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pages/page_facts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "pages/page_flags.h"

const char *frame_kind_name(enum frame_kind kind)
{
	static const char *const names[FRAME_KINDS] = {
		[FRAME_UNKNOWN] = "unknown",
		[FRAME_FREE] = "free",
		[FRAME_ANONYMOUS] = "anonymous",
		[FRAME_FILE] = "file",
		[FRAME_HUGE] = "huge",
		[FRAME_SLAB] = "slab",
		[FRAME_PAGE_TABLE] = "page-table",
		[FRAME_RESERVED] = "reserved",
		[FRAME_DEVICE_DAX] = "device-dax",
		[FRAME_OFFLINE] = "offline",
		[FRAME_POISONED] = "poisoned",
	};

	return names[kind];
}

/* A flag of a row decides before those of the next one. */
enum frame_kind frame_kind_of(uint64_t flags)
{
	static const struct {
		uint64_t flags;
		enum frame_kind kind;
	} rows[] = {
		{PAGE_FLAG_HWPOISON, FRAME_POISONED},
		{PAGE_FLAG(KPF_NOPAGE), FRAME_UNKNOWN},
		{PAGE_FLAG(KPF_SLAB), FRAME_SLAB},
		{PAGE_FLAG(KPF_PGTABLE), FRAME_PAGE_TABLE},
		{PAGE_FLAG(KPF_OFFLINE), FRAME_OFFLINE},
		{PAGE_FLAG_RESERVED | PAGE_FLAG(KPF_ZERO_PAGE), FRAME_RESERVED},
		{PAGE_FLAG(KPF_BUDDY), FRAME_FREE},
		{PAGE_FLAG(KPF_HUGE), FRAME_HUGE},
		{PAGE_FLAG(KPF_ANON), FRAME_ANONYMOUS},
		{PAGE_FLAG(KPF_LRU), FRAME_FILE},
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (flags & rows[i].flags)
			return rows[i].kind;
	return FRAME_UNKNOWN;
}

static enum page_consequence consequence_of(enum frame_kind kind)
{
	static const enum page_consequence of[FRAME_KINDS] = {
		[FRAME_UNKNOWN] = CONSEQUENCE_MAY_END_MACHINE,
		[FRAME_FREE] = CONSEQUENCE_NOTHING,
		[FRAME_ANONYMOUS] = CONSEQUENCE_ENDS_TASKS,
		[FRAME_FILE] = CONSEQUENCE_ENDS_TASKS,
		[FRAME_HUGE] = CONSEQUENCE_ENDS_TASKS,
		[FRAME_SLAB] = CONSEQUENCE_MAY_END_MACHINE,
		[FRAME_PAGE_TABLE] = CONSEQUENCE_MAY_END_MACHINE,
		[FRAME_RESERVED] = CONSEQUENCE_MAY_END_MACHINE,
		[FRAME_DEVICE_DAX] = CONSEQUENCE_ENDS_TASKS,
		[FRAME_OFFLINE] = CONSEQUENCE_NOTHING,
		[FRAME_POISONED] = CONSEQUENCE_NOTHING,
	};

	return of[kind];
}

static void set_kind(struct page_facts *f, enum frame_kind kind)
{
	f->kind = kind;
	f->consequence = consequence_of(kind);
}

/* The directory below which sys/ is: a captured host has its sysfs at that of this process. */
static int open_sysfs_root(const struct host_root *root)
{
	const int fd = root->captured ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)
				      : fcntl(root->dirfd, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

static void read_block(const struct host_root *root, struct page_facts *f)
{
	_cleanup_close_ int fd = open_sysfs_root(root);
	enum block_state state;
	uint64_t size, number;

	if (fd < 0 || memory_block_size(fd, &size) < 0)
		return;
	number = f->spa.value / size;
	if (memory_block_state(fd, number, &state) < 0)
		return;
	f->block = OPT_U64(number);
	f->block_online = OPT_BOOL(state != BLOCK_OFFLINE);
	if (state != BLOCK_OFFLINE)
		f->zone = memory_block_zone(fd, number);
}

static void set_note(struct page_facts *f, int error)
{
	if (error == -EACCES || error == -EPERM)
		(void)snprintf(
			f->note, sizeof(f->note),
			"the use of the page is not known, because only root may read /proc/kpageflags, and the reading helper is away");
	else if (error == -EROFS)
		(void)snprintf(
			f->note, sizeof(f->note),
			"the use of the page is not known: a capture has its memory block, and no flags of pages");
	else
		(void)snprintf(f->note, sizeof(f->note),
			       "the use of the page is not known: /proc/kpageflags: %s",
			       strerror(-error));
}

static void read_use(const struct host_root *root, struct page_facts *f)
{
	struct page_use use;
	int r = page_use_get(root, f->pfn.value, &use);

	if (r < 0) {
		set_note(f, r);
		return;
	}
	f->flags = OPT_U64(use.flags);
	if (use.map_count != UINT64_MAX)
		f->map_count = OPT_U64(use.map_count);
	f->moment_ms = OPT_U64(use.moment_ms);
	f->cgroup_state = (enum page_cgroup_state)use.cgroup_state;
	memcpy(f->cgroup, use.cgroup, sizeof(f->cgroup));
	set_kind(f, frame_kind_of(use.flags));
}

/* A block that is offline, and memory that is a device, have no flags. */
static void describe_use(const struct host *host, const struct answer *a, struct page_facts *f)
{
	const bool devdax = a->dax && a->dax->mode == DAX_MODE_DEVDAX;

	if (f->block.present && !f->block_online.value) {
		set_kind(f, FRAME_OFFLINE);
	} else if (!f->block.present && devdax) {
		set_kind(f, FRAME_DEVICE_DAX);
	} else if (f->block.present) {
		read_use(host->root, f);
	} else {
		(void)snprintf(
			f->note, sizeof(f->note),
			"the use of the page is not known: Linux shows no memory block there");
	}
}

static void describe_addresses(const struct host *host, const struct answer *a,
			       struct page_facts *f)
{
	if (a->memdev) {
		(void)snprintf(f->memdev, sizeof(f->memdev), "%s", a->memdev->name);
		f->serial = a->memdev->serial;
	}
	if (a->has_dpa && a->dpa == a->dpa_last)
		f->dpa = OPT_U64(a->dpa);
	if (!a->has_spa || a->spa != a->spa_last)
		return;
	f->spa = OPT_U64(a->spa);
	f->pfn = OPT_U64(a->spa / host->page_size);
	f->numa_node = a->numa_node;
	if (a->has_alias && a->alias == a->alias_last)
		f->alias_pfn = OPT_U64(a->alias / host->page_size);
}

void page_describe(const struct host *host, const struct answer *a, struct page_facts *ret)
{
	*ret = (struct page_facts){.kind = FRAME_UNKNOWN};
	describe_addresses(host, a, ret);
	if (!ret->spa.present) {
		(void)snprintf(ret->note, sizeof(ret->note), "%.190s",
			       a->reason[0] ? a->reason
					    : "the page is not known: the address is not exact");
		return;
	}
	read_block(host->root, ret);
	describe_use(host, a, ret);
}

/* ---- the consequence --------------------------------------------------------------------------
 */

static const char *nothing_text(enum frame_kind kind)
{
	switch (kind) {
	case FRAME_FREE:
		return "nothing: the page is free";
	case FRAME_OFFLINE:
		return "nothing: the page is offline";
	default:
		return "nothing: the page is out of use already";
	}
}

static const char *tasks_text(const struct page_facts *f, bool show_cgroup, char *ret)
{
	if (f->kind == FRAME_DEVICE_DAX)
		return "ends the tasks that have the dax device mapped there";
	if (!show_cgroup)
		return "ends the tasks that use it";
	switch (f->cgroup_state) {
	case PAGE_CGROUP_KNOWN:
		(void)snprintf(ret, PAGE_CONSEQUENCE_MAX, "ends the tasks of %s that use it",
			       f->cgroup);
		return ret;
	case PAGE_CGROUP_GONE:
		return "ends the tasks that use it, of a cgroup that no longer exists";
	default:
		return "ends the tasks that use it";
	}
}

const char *page_consequence_text(const struct page_facts *f, bool show_cgroup,
				  char ret[static PAGE_CONSEQUENCE_MAX])
{
	switch (f->consequence) {
	case CONSEQUENCE_NOTHING:
		return nothing_text(f->kind);
	case CONSEQUENCE_ENDS_TASKS:
		return tasks_text(f, show_cgroup, ret);
	case CONSEQUENCE_MAY_END_MACHINE:
		return "may end the machine";
	case CONSEQUENCE_NOT_KNOWN:
		break;
	}
	return "not known";
}
