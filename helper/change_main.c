// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-change-helper: changes regions, memory and devices of this host for cxl-redfishd, by
// operations of a fixed list. Started by systemd for a connection to its socket, or by
// cxl-redfishd.
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>

#include <linux/capability.h>

#include "change/run.h"
#include "common/allow.h"
#include "common/array.h"
#include "common/log.h"
#include "common/privileges.h"
#include "helper/change_server.h"
#include "helper/program.h"
#include "helper/server.h"
#include "opener/opener.h"
#include "sysfs/host_root.h"

/* Files of sysfs, debugfs and devices belong to root. */
#define ALL_CHANGES (UINT64_C(1) << CAP_DAC_OVERRIDE)
/* The kernel's firmware loader takes an image only with it (drivers/base/firmware_loader/sysfs.c),
 * and its EDAC files of CXL a setting of scrub (drivers/cxl/core/edac.c). */
#define HARDWARE_CHANGES (UINT64_C(1) << CAP_SYS_RAWIO)
/*
 * CAP_SYS_PTRACE shows which processes have a dax device open: /proc/PID/fd, /proc/PID/maps, and
 * CAP_SYS_ADMIN the addresses of /proc/iomem. The unit has neither, because they open the memory of
 * all processes, too, and much else: then cxl-redfish-helper, which cannot write, is asked.
 */
#define MEMORY_CHANGES (UINT64_C(1) << CAP_SYS_PTRACE | UINT64_C(1) << CAP_SYS_ADMIN)

/* Valid until the process has ended; NULL: this process looks itself. */
static struct opener *reading_helper;

struct helper_config {
	struct program_options program;
	struct option_list allow;
};

static const struct option_row option_rows[] = {
	PROGRAM_OPTION_USER,
	PROGRAM_OPTION_CONFIG("the key allow"),
	ALLOW_OPTION_ROW(struct helper_config, allow),
	PROGRAM_OPTION_CHILD("the socket and all options; no configuration is read"),
	PROGRAM_OPTION_HELP,
	PROGRAM_OPTION_VERSION,
};
static const struct option_table option_table = {option_rows, ARRAY_SIZE(option_rows),
						 .once = true};

static void use_privileges(uint32_t kind)
{
	const unsigned int needs = change_needs(kind);
	uint64_t set = ALL_CHANGES;

	if (needs == ALLOW_FIRMWARE || needs == ALLOW_SCRUB)
		set |= HARDWARE_CHANGES;
	if (needs == ALLOW_REGIONS || needs == ALLOW_MEMORY)
		set |= MEMORY_CHANGES;
	(void)capabilities_use(set);
	/* It may have been away at the change before. */
	if (reading_helper)
		opener_set_up(reading_helper, true);
}

static int use_reading_helper(struct host_root *root, struct error *e)
{
	int r = program_reading_helper(&reading_helper, e);

	root->admin = reading_helper;
	return r;
}

static int prepare(void *userdata, struct error *e)
{
	struct host_root *root;
	int r;

	/* Requests have passphrases: no dump, and no other process reads this memory. */
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
		return error_set(e, errno, "prctl: %s", strerror(errno));
	r = host_root_open_live(&root, e);
	if (r == 0 && !capabilities_has(CAP_SYS_PTRACE))
		r = use_reading_helper(root, e);
	if (r < 0)
		return r;
	change_server_set_up(userdata, root, change_run, use_privileges);
	return 0;
}

static bool end(void *userdata)
{
	return change_server_end(userdata);
}

static void configure(void *userdata, const void *values)
{
	const struct helper_config *c = values;
	const unsigned int allowed = allow_bits(&c->allow) & ALLOW_HOST;
	char names[ALLOW_TEXT_MAX];

	change_server_configure(userdata, allowed);
	log_info("changes that are allowed: %s",
		 allowed ? allow_text(allowed, ", ", names) : "none");
}

int main(int argc, char **argv)
{
	/* Threads use them until the process has ended. */
	static struct change_server changes;
	static struct server server = {.connection = change_server_connection,
				       .userdata = &changes};
	static struct helper_config line;
	const struct program p = {
		.name = "cxl-redfish-change-helper",
		.usage = " [OPTION...]",
		.purpose = "Changes regions, memory and devices of this host for cxl-redfishd.",
		.options = &option_table,
		.line = &line,
		.line_size = sizeof(line),
		.kept = ALL_CHANGES | HARDWARE_CHANGES | MEMORY_CHANGES,
		.prepare = prepare,
		.configure = configure,
		.end = end,
		.userdata = &changes,
		.server = &server,
	};

	return program_main(&p, argc, argv);
}
