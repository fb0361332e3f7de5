// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-switch-helper: drives the mailboxes of switches for cxl-redfishd, with the commands
// of a fixed list. Started by systemd for a connection to its socket, or by cxl-redfishd.
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>

#include <linux/capability.h>

#include "common/allow.h"
#include "common/array.h"
#include "common/log.h"
#include "common/privileges.h"
#include "helper/program.h"
#include "helper/server.h"
#include "helper/switches.h"
#include "mailbox/switch_options.h"

/* Effective only while files of a function are opened: resourceN has mode 0600, and all of `config`
 * is shown only with the second, which also `enable` takes. */
#define KEPT_CAPABILITIES (UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_ADMIN)

struct helper_config {
	struct program_options program;
	const char *switch_mailbox;
	struct option_list allow;
};

static const struct option_row option_rows[] = {
	PROGRAM_OPTION_USER,
	PROGRAM_OPTION_CONFIG("the keys switch-mailbox and allow"),
	SWITCH_OPTION_ROW(struct helper_config, switch_mailbox),
	ALLOW_OPTION_ROW(struct helper_config, allow),
	PROGRAM_OPTION_CHILD("the socket and all options; no configuration is read"),
	PROGRAM_OPTION_HELP,
	PROGRAM_OPTION_VERSION,
};
static const struct option_table option_table = {option_rows, ARRAY_SIZE(option_rows),
						 .once = true};

static void use_privileges(bool on)
{
	(void)capabilities_use(on ? KEPT_CAPABILITIES : 0);
}

static int prepare(void *userdata, struct error *e)
{
	struct switch_bus bus = {.privileges = use_privileges};

	bus.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (bus.root < 0)
		return error_set(e, errno, "/: %s", strerror(errno));
	switches_set_up(userdata, &bus);
	return 0;
}

static void configure(void *userdata, const void *values)
{
	const struct helper_config *c = values;
	const bool may_change = (allow_bits(&c->allow) & ALLOW_FABRIC) != 0;

	switches_configure(userdata, c->switch_mailbox, may_change);
	if (!c->switch_mailbox)
		log_info("no switch is used, because switch-mailbox is not configured");
	else
		log_info("switch-mailbox is %s; changes are %s", c->switch_mailbox,
			 may_change ? "allowed" : "not allowed");
}

int main(int argc, char **argv)
{
	/* Threads use them until the process has ended. */
	static struct switches switches;
	static struct server server = {.serve = switches_serve, .userdata = &switches};
	static struct helper_config line;
	const struct program p = {
		.name = "cxl-redfish-switch-helper",
		.usage = " [OPTION...]",
		.purpose = "Sends commands to the mailboxes of CXL switches for cxl-redfishd.",
		.options = &option_table,
		.line = &line,
		.line_size = sizeof(line),
		.kept = KEPT_CAPABILITIES,
		.prepare = prepare,
		.configure = configure,
		.userdata = &switches,
		.server = &server,
	};

	return program_main(&p, argc, argv);
}
