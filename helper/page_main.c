// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-page-helper: takes pages of CXL memory out of use for cxl-redfishd, and brings them
// back. Started by systemd for a connection to its socket, or by cxl-redfishd.
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include <linux/capability.h>

#include "common/allow.h"
#include "common/array.h"
#include "common/log.h"
#include "common/privileges.h"
#include "helper/page_server.h"
#include "helper/program.h"
#include "opener/opener.h"
#include "pages/page_options.h"
#include "sysfs/host_root.h"

/*
 * Effective only while a file is opened or written: the files belong to root, /proc/kpageflags too,
 * and the kernel takes a page out only with the second.
 */
#define KEPT_CAPABILITIES (UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_ADMIN)

/* Set before the first thread. */
static struct capabilities_switch kept_capabilities;

/* Valid until the process has ended; NULL: this process reads the host itself. */
static struct opener *reading_helper;

struct helper_config {
	struct program_options program;
	struct option_list allow;
	bool offline_huge_pages;
	const char *on_online;
	unsigned int block_limit;
};

static const struct option_row option_rows[] = {
	PROGRAM_OPTION_USER,
	PROGRAM_OPTION_CONFIG(
		"the keys allow, offline-huge-pages, page-on-online and page-limit-block"),
	ALLOW_OPTION_ROW(struct helper_config, allow),
	PAGE_HUGE_OPTION_ROW(struct helper_config, offline_huge_pages),
	PAGE_ONLINE_OPTION_ROW(struct helper_config, on_online),
	PAGE_LIMIT_BLOCK_OPTION_ROW(struct helper_config, block_limit),
	PROGRAM_OPTION_CHILD("the socket and all options; no configuration is read"),
	PROGRAM_OPTION_HELP,
	PROGRAM_OPTION_VERSION,
};
static const struct option_table option_table = {option_rows, ARRAY_SIZE(option_rows),
						 .once = true};

static void use_privileges(bool on)
{
	(void)capabilities_turn(&kept_capabilities, on);
}

static int use_reading_helper(struct host_root *root, struct error *e)
{
	int r = program_reading_helper(&reading_helper, e);

	root->opener = reading_helper;
	return r;
}

/* As a child of the cxl-redfishd of root it reads all files as their owner. */
static int prepare(void *userdata, struct error *e)
{
	struct kept_host *kept;	   /* valid until the process has ended, as the root */
	struct block_marks *marks; /* likewise */
	struct host_root *root;
	int r = host_root_open_live(&root, e);

	/* Without them each page is refused, with the kernel's reason. */
	(void)capabilities_prepare(KEPT_CAPABILITIES, &kept_capabilities);
	if (r == 0 && geteuid() != 0)
		r = use_reading_helper(root, e);
	if (r < 0)
		return r;
	kept = kept_host_new(root);
	marks = block_marks_new();
	if (!kept || !marks)
		return error_set(e, ENOMEM, "out of memory");
	page_server_set_up(userdata, root, kept, marks, page_run, use_privileges);
	return 0;
}

static bool end(void *userdata)
{
	return page_server_end(userdata);
}

static void configure(void *userdata, const void *values)
{
	const struct helper_config *c = values;
	const unsigned int allowed = allow_bits(&c->allow) & ALLOW_PAGE_HELPER;
	char names[ALLOW_TEXT_MAX];

	page_server_configure(userdata, allowed, c->offline_huge_pages,
			      page_online_is_fence(c->on_online), c->block_limit);
	log_info("allowed: %s; huge pages: %s; blocks with bad pages: %s",
		 allowed ? allow_text(allowed, ", ", names) : "nothing",
		 c->offline_huge_pages ? "yes" : "no",
		 page_online_is_fence(c->on_online) ? "fence" : "apply");
}

int main(int argc, char **argv)
{
	/* Threads use them until the process has ended. */
	static struct page_server pages;
	static struct server server = {.connection = page_server_connection, .userdata = &pages};
	static struct helper_config line = {.block_limit = PAGE_LIMIT_BLOCK_DEFAULT};
	const struct program p = {
		.name = "cxl-redfish-page-helper",
		.usage = " [OPTION...]",
		.purpose = "Takes pages of CXL memory out of use for cxl-redfishd.",
		.options = &option_table,
		.line = &line,
		.line_size = sizeof(line),
		.kept = KEPT_CAPABILITIES,
		.prepare = prepare,
		.configure = configure,
		.end = end,
		.userdata = &pages,
		.server = &server,
	};

	return program_main(&p, argc, argv);
}
