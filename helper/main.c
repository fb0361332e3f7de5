// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-helper: reads what cxl-redfishd may not, from a fixed list, and parses nothing that a
// network client wrote. Started by systemd for a connection to its socket, or by cxl-redfishd.
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/capability.h>

#include "common/array.h"
#include "common/log.h"
#include "common/options.h"
#include "common/privileges.h"
#include "helper/files.h"
#include "helper/program.h"
#include "helper/requests.h"
#include "helper/server.h"

enum { STATUS_USAGE = 2 };

#define KEPT_CAPABILITIES (UINT64_C(1) << CAP_DAC_READ_SEARCH | UINT64_C(1) << CAP_SYS_ADMIN)
#define USED_CAPABILITIES (UINT64_C(1) << CAP_DAC_READ_SEARCH)

struct helper_config {
	const char *user;
	bool child, help, version;
};

static const struct option_row option_rows[] = {
	{.name = "user",
	 .argument = "USER",
	 .help = "The user, by name or number, who may connect beside root.",
	 .set = option_set_text,
	 .offset = offsetof(struct helper_config, user),
	 .once = true,
	 .not_empty = true},
	{.name = "child",
	 .help = "Started by cxl-redfishd, which passes the socket; systemd does otherwise.",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, child)},
	{.name = "help",
	 .help = "Print this text.",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, help),
	 .stop = true},
	{.name = "version",
	 .help = "Print the version.",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, version),
	 .stop = true},
};
static const struct option_table option_table = {option_rows, ARRAY_SIZE(option_rows)};

static int serve(void *userdata, int listener, struct error *e)
{
	/* Threads use them until the process has ended. */
	static struct files files;
	static struct server s = {.serve = request_serve, .userdata = &files};
	const uid_t *user = userdata;
	int r;

	s.user = *user;
	r = files_init(&files, e);
	if (r < 0)
		return r;
	r = capabilities_drop(KEPT_CAPABILITIES);
	if (r == 0)
		r = capabilities_use(USED_CAPABILITIES);
	if (r < 0)
		return error_set(e, r, "capabilities cannot be dropped: %s", strerror(-r));
	if (!capabilities_has(CAP_DAC_READ_SEARCH))
		log_warning(
			"there is no CAP_DAC_READ_SEARCH, so only files that this user may read "
			"are opened");
	return program_accept(&s, listener, NULL, e);
}

static void print_help(void)
{
	(void)puts("Usage: cxl-redfish-helper --user USER\n\n"
		   "Opens for cxl-redfishd what an ordinary user may not.\n\n"
		   "Options:");
	options_print(stdout, &option_table, 0);
	(void)puts("\nExit status:\n"
		   "  0  the program that started it has ended\n"
		   "  1  there is no socket, or it cannot be used\n"
		   "  2  wrong usage\n\n"
		   "Manual page: cxl-redfish-helper(8)");
}

static bool parse_options(int argc, char **argv, struct helper_config *c, int *ret_status)
{
	struct option_result result = {0};
	struct error e = {0};
	int r = options_parse(&option_table, argc, argv, c, &result, &e);

	*ret_status = EXIT_SUCCESS;
	if (r == 0 && c->help) {
		print_help();
		return false;
	}
	if (r == 0 && c->version) {
		(void)printf("cxl-redfish-helper " PACKAGE_VERSION "\n");
		return false;
	}
	if (r == 0 && result.n_operands > 0)
		r = error_set(&e, EINVAL, "unexpected argument '%s'", result.operands[0]);
	if (r == 0 && !c->user)
		r = error_set(&e, EINVAL, "--user is required");
	if (r < 0)
		log_err("%s; see --help", e.text);
	*ret_status = STATUS_USAGE;
	return r == 0;
}

int main(int argc, char **argv)
{
	struct helper_config c = {0};
	int r, listener, status;
	struct error e = {0};
	uid_t user = 0;

	log_setup("cxl-redfish-helper", LOG_LEVEL_INFO);
	if (!parse_options(argc, argv, &c, &status))
		return status;
	r = program_find_user(c.user, &user, &e);
	listener = r < 0 ? r : program_find_listener(c.child, "cxl-redfish-helper.socket", &e);
	r = listener < 0 ? listener
	    : c.child	 ? program_serve_by_child(serve, &user, listener, &e)
			 : serve(&user, listener, &e);
	if (r < 0)
		log_err("%s", e.text);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
