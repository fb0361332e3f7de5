// SPDX-License-Identifier: LGPL-2.1-or-later
#include "capture/capture.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/archive.h"
#include "capture/capture_private.h"
#include "capture/mask.h"
#include "capture/tree_check.h"
#include "common/cleanup.h"
#include "common/strutil.h"
#include "sysfs/cpuinfo.h"
#include "sysfs/dmi_table.h"
#include "sysfs/kernel_log.h"

DEFINE_CLEANUP(struct archive_writer, archive_writer_free);
DEFINE_CLEANUP(struct capture_mask, capture_mask_free);

enum {
	FILE_BYTES_MAX = 1024 * 1024, /* of one file; the largest ACPI tables are nearly as large */
	PCI_CONFIG_STANDARD = 64,     /* of a PCI configuration space, readable without privilege */
	CPU_SOCKETS_MAX = 64,
};

struct archive_job {
	const struct capture_options *options;
	struct capture_set *set;
	struct archive_writer *archive;
	const struct capture_mask *mask; /* NULL: nothing is masked */
	size_t n;			 /* members so far */
	struct error *e;
};

/* Without privilege all addresses in /proc/iomem are 0. */
static bool iomem_is_blank(const char *text)
{
	while (*text) {
		const char *eol = strchrnul(text, '\n');
		const char *colon = strchrnul(text, ':');

		for (; text < colon && text < eol; text++)
			if (isxdigit((unsigned char)*text) && *text != '0')
				return false;
		text = *eol ? eol + 1 : eol;
	}
	return true;
}

/* Return: whether @data, the contents of @path, is worth keeping. */
static bool look_at_contents(struct capture_set *set, const char *path, const char *data,
			     size_t len)
{
	const char *name = strrchr(path, '/');

	if (str_equal(path, "proc/iomem") && iomem_is_blank(data)) {
		capture_set_missed(set, path, "contains only zeros without CAP_SYS_ADMIN");
		return false;
	}
	if (str_equal(name, "/config") && len == PCI_CONFIG_STANDARD)
		capture_set_missed(set, path, "only its first 64 bytes without CAP_SYS_ADMIN");
	return true;
}

static const char *why_unreadable(int code)
{
	return code == -EFBIG ? "larger than 1 MiB" : strerror(-code);
}

static int write_contents(struct archive_job *w, const char *path, mode_t permissions,
			  const char *data, size_t len)
{
	struct capture_result *res = w->set->result;

	/* A larger archive could not be opened again. */
	if (len > CAPTURE_BYTES_MAX - res->bytes)
		return error_set(w->e, EFBIG, "%s: " CAPTURE_TOO_LARGE, path);
	res->bytes += len;
	res->n_files++;
	return archive_writer_add(w->archive, path, S_IFREG | permissions, data, len, w->e);
}

/* @data: malloc'ed; may be replaced */
static int mask_and_write(struct archive_job *w, const struct member *m, char **data, size_t len)
{
	int r = w->mask ? capture_mask_apply(w->mask, m->path, data, &len) : 0;

	if (r == -ENODATA) {
		capture_set_missed(w->set, m->path, "left out by --mask");
		return 0;
	}
	if (r < 0)
		return error_set(w->e, r, "out of memory");
	return write_contents(w, m->path, m->permissions, *data, len);
}

static int write_data(struct archive_job *w, const struct member *m)
{
	_cleanup_free_ char *data = malloc(m->len + 1);

	if (!data)
		return error_set(w->e, ENOMEM, "out of memory");
	memcpy(data, m->data, m->len + 1);
	return mask_and_write(w, m, &data, m->len);
}

static int write_file(struct archive_job *w, const struct member *m)
{
	_cleanup_free_ char *data = NULL;
	size_t len;
	int r;

	r = host_root_read(w->set->root, m->path, FILE_BYTES_MAX, &data, &len);
	if (r < 0) {
		capture_set_missed(w->set, m->path, why_unreadable(r));
		return 0;
	}
	if (!look_at_contents(w->set, m->path, data, len))
		return 0;
	return mask_and_write(w, m, &data, len);
}

static int report_step(struct archive_job *w)
{
	const struct capture_options *o = w->options;
	int r = o->step ? o->step(o->userdata, w->n++, w->set->n) : 0;

	return r < 0 ? error_set(w->e, r, "the capture was ended") : 0;
}

static int write_member(struct member *m, void *userdata)
{
	struct archive_job *w = userdata;
	int r = report_step(w);

	if (r < 0)
		return r;
	switch (m->kind) {
	case MEMBER_DIRECTORY:
		return archive_writer_add(w->archive, m->path, S_IFDIR | m->permissions, "", 0,
					  w->e);
	case MEMBER_LINK:
		w->set->result->n_links++;
		return archive_writer_add(w->archive, m->path, S_IFLNK | m->permissions, m->data,
					  m->len, w->e);
	case MEMBER_FILE:
		return write_file(w, m);
	case MEMBER_DATA:
		return write_data(w, m);
	}
	return 0;
}

static int write_members(struct archive_job *w)
{
	_cleanup_(capture_mask_freep) struct capture_mask *mask = NULL;
	struct capture_set *set = w->set;
	int r;

	if (set->n > CAPTURE_FILES_MAX)
		return error_set(w->e, EFBIG, CAPTURE_TOO_MANY);
	if (w->options->masked && capture_mask_new(set, &mask) < 0)
		return error_set(w->e, ENOMEM, "out of memory");
	w->mask = mask;
	r = capture_set_foreach(set, write_member, w);
	if (r == 0 && set->out_of_memory)
		r = error_set(w->e, ENOMEM, "out of memory");
	return r;
}

static void add_extra(struct capture_set *set, const struct capture_extra *extra)
{
	if (extra->missed)
		capture_set_missed(set, extra->path, extra->missed);
	if (extra->data)
		(void)capture_set_add(set, extra->path, MEMBER_DATA, 0444, extra->data, extra->len);
}

/* A table that was added to a captured host as a dump, where that has no table of its own. */
static void add_dumped_tables(struct capture_set *set, const struct acpi_dump *dump)
{
	for (size_t i = 0; i < HOST_TABLE_COUNT; i++) {
		const struct acpi_dump_table *t = &dump->tables[i];
		char path[64];

		(void)snprintf(path, sizeof(path), "sys/firmware/acpi/tables/%s",
			       host_table_name((enum host_table_id)i));
		if (t->data)
			(void)capture_set_add(set, path, MEMBER_DATA, 0444, t->data, t->len);
	}
}

/* The lines about CXL only: the rest is about other devices and programs. */
static void add_kernel_log(struct capture_set *set, const struct host_root *root)
{
	_cleanup_free_ struct kernel_log *log = calloc(1, sizeof(*log));
	_cleanup_free_ char *text = malloc(KERNEL_LOG_TEXT_MAX);
	int r = log && text ? kernel_log_read(root, log) : -ENOMEM;

	if (r < 0)
		capture_set_missed(set, KERNEL_LOG_CAPTURE_PATH, strerror(-r));
	else
		(void)capture_set_add(set, KERNEL_LOG_CAPTURE_PATH, MEMBER_DATA, 0444, text,
				      kernel_log_write(log, text));
}

/* The records that may be about memory devices: the others name all parts of the machine. */
static void add_dmi(struct capture_set *set, const struct host_root *root)
{
	_cleanup_free_ char *data = NULL;
	size_t len;
	int r = host_root_read(root, DMI_TABLE_PATH, DMI_TABLE_BYTES_MAX, &data, &len);

	if (r == -ENOENT)
		return;
	if (r < 0)
		capture_set_missed(set, DMI_TABLE_PATH, why_unreadable(r));
	else
		(void)capture_set_add(set, DMI_TABLE_PATH, MEMBER_DATA, 0400, data,
				      dmi_reduce((uint8_t *)data, len));
}

/* One CPU of each socket, without its other lines: they are long, and no answer needs them. */
static void add_cpuinfo(struct capture_set *set, const struct host_root *root)
{
	char reduced[CPU_SOCKETS_MAX * CPUINFO_REDUCED_MAX] = "";
	struct opt_u64 seen[CPU_SOCKETS_MAX];
	_cleanup_free_ char *text = NULL;
	struct cpuinfo cpu;
	size_t n = 0, len = 0;
	const char *at;

	if (host_root_read(root, CPUINFO_PATH, CPUINFO_BYTES_MAX, &text, NULL) < 0)
		return;
	for (at = text; n < CPU_SOCKETS_MAX && cpuinfo_next(&at, &cpu);) {
		size_t i = 0;

		while (i < n && (seen[i].present != cpu.package.present ||
				 seen[i].value != cpu.package.value))
			i++;
		if (i < n || !cpu.architecture)
			continue;
		seen[n++] = cpu.package;
		cpuinfo_write(&cpu, reduced + len);
		len += strlen(reduced + len);
	}
	if (n > 0)
		(void)capture_set_add(set, CPUINFO_PATH, MEMBER_DATA, 0444, reduced, len);
}

static void collect(struct capture_set *set, const struct host_root *root,
		    const struct capture_extra *extra)
{
	char page_size[32];

	if (root->captured) {
		capture_list_tree(set);
		add_dumped_tables(set, &root->dump);
		return;
	}
	/* First: what is in the set already is not read where this process may not. */
	if (set->opener)
		capture_list_trace(set);
	capture_list_all(set);
	capture_mailbox(set, root);
	(void)snprintf(page_size, sizeof(page_size), "%ld\n", sysconf(_SC_PAGESIZE));
	(void)capture_set_add(set, CAPTURE_PAGE_SIZE_PATH, MEMBER_DATA, 0444, page_size,
			      strlen(page_size));
	add_dmi(set, root);
	add_cpuinfo(set, root);
	add_kernel_log(set, root);
	if (extra && extra->path)
		add_extra(set, extra);
	if (extra && extra->switches)
		capture_switches(set, root, extra->switches);
}

static int collect_and_write(const struct host_root *root, int fd, const struct capture_options *o,
			     struct capture_result *res, struct error *e)
{
	_cleanup_(archive_writer_freep) struct archive_writer *archive = NULL;
	struct capture_set set = {.root = root,
				  .dirfd = root->dirfd,
				  .opener = root->captured ? NULL : root->opener,
				  .result = res};
	struct archive_job w = {.options = o, .set = &set, .e = e};
	int r;

	/* First, while there is little memory to fork. */
	r = archive_writer_new(fd, time(NULL), &archive, e);
	if (r < 0)
		return r;
	w.archive = archive;
	collect(&set, root, o->extra);
	r = write_members(&w);
	capture_set_done(&set);
	if (r == 0)
		r = archive_writer_finish(archive, e);
	if (r == 0 && fsync(fd) < 0)
		r = error_set(e, errno, "%s", strerror(errno));
	return r;
}

int capture_write_fd(const struct host_root *root, int fd, const struct capture_options *o,
		     struct capture_result *ret, struct error *e)
{
	struct capture_result res = {0};
	int r;

	if (root->captured && !o->masked && !o->copy)
		return error_set(
			e, EINVAL,
			"--host %s is a captured host already: copy it instead, or add --mask",
			root->path);
	r = collect_and_write(root, fd, o, &res, e);
	if (r < 0) {
		capture_result_done(&res);
		return r;
	}
	*ret = res;
	return 0;
}

int capture_write(const struct host_root *root, const char *out, bool masked,
		  const struct capture_extra *extra, struct capture_result *ret, struct error *e)
{
	const struct capture_options o = {.masked = masked, .extra = extra};
	_cleanup_close_ int fd = -1;
	int r;

	/* Before a file is made that is removed again. */
	if (root->captured && !masked)
		return capture_write_fd(root, -1, &o, ret, e);
	fd = open(out, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return error_set(e, errno, "%s: %s", out, strerror(errno));
	r = capture_write_fd(root, fd, &o, ret, e);
	if (r < 0) {
		error_prefix(e, "%s", out);
		(void)unlink(out);
	}
	return r;
}
