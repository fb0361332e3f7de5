// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-helper: reads what cxl-redfishd may not, from a fixed list, and parses nothing that a
// network client wrote. Started by systemd for a connection to its socket, or by cxl-redfishd.
#include <linux/capability.h>

#include "common/array.h"
#include "common/log.h"
#include "common/privileges.h"
#include "helper/files.h"
#include "helper/program.h"
#include "helper/requests.h"
#include "helper/server.h"

#define USED_CAPABILITIES (UINT64_C(1) << CAP_DAC_READ_SEARCH)
#define KEPT_CAPABILITIES                                                                          \
	(USED_CAPABILITIES | UINT64_C(1) << CAP_SYS_ADMIN | UINT64_C(1) << CAP_SYS_PTRACE |        \
	 UINT64_C(1) << CAP_SYSLOG)

static const struct option_row option_rows[] = {
	PROGRAM_OPTION_USER,
	PROGRAM_OPTION_CHILD("the socket"),
	PROGRAM_OPTION_HELP,
	PROGRAM_OPTION_VERSION,
};
static const struct option_table option_table = {option_rows, ARRAY_SIZE(option_rows),
						 .once = true};

static int prepare(void *userdata, struct error *e)
{
	if (!capabilities_has(CAP_DAC_READ_SEARCH))
		log_warning(
			"there is no CAP_DAC_READ_SEARCH, so only files that this user may read are opened");
	return files_init(userdata, e);
}

int main(int argc, char **argv)
{
	/* Threads use them until the process has ended. */
	static struct files files;
	static struct server server = {.serve = request_serve, .userdata = &files};
	static struct program_options line;
	const struct program p = {
		.name = "cxl-redfish-helper",
		.usage = "",
		.purpose = "Opens for cxl-redfishd what an ordinary user may not.",
		.options = &option_table,
		.line = &line,
		.line_size = sizeof(line),
		.kept = KEPT_CAPABILITIES,
		.used = USED_CAPABILITIES,
		.prepare = prepare,
		.userdata = &files,
		.server = &server,
	};

	return program_main(&p, argc, argv);
}
