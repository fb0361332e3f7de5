// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-switch-helper: drives the mailboxes of switches for cxl-redfishd, with the commands
// of a fixed list. Started by systemd for a connection to its socket, or by cxl-redfishd.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

#include <linux/capability.h>

#include "common/array.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/option_files.h"
#include "common/options.h"
#include "common/privileges.h"
#include "helper/program.h"
#include "helper/server.h"
#include "helper/switches.h"
#include "mailbox/switch_options.h"

DEFINE_CLEANUP(struct arena, arena_free);

enum { STATUS_USAGE = 2 };

/* Effective only while files of a function are opened: resourceN has mode 0600, and all of `config`
 * is shown only with the second, which also `enable` takes. */
#define KEPT_CAPABILITIES (UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_SYS_ADMIN)

struct helper_config {
	const char *user, *file, *switch_mailbox;
	struct option_list allow;
	bool child, help, version;
};

static const struct option_row option_rows[] = {
	{.name = "user",
	 .argument = "USER",
	 .help = "the user, by name or number, who may connect beside root",
	 .set = option_set_text,
	 .offset = offsetof(struct helper_config, user),
	 .once = true,
	 .not_empty = true,
	 .not_key = true},
	{.name = "config",
	 .argument = "FILE",
	 .help = "read the keys switch-mailbox and allow from FILE, and from the files "
		 "FILE.d/*.conf, instead of " CONFIG_FILE,
	 .set = option_set_text,
	 .offset = offsetof(struct helper_config, file),
	 .once = true,
	 .not_empty = true,
	 .not_key = true},
	SWITCH_OPTION_ROWS(struct helper_config, switch_mailbox, allow),
	{.name = "child",
	 .help = "started by cxl-redfishd, which passes the socket and all options; no "
		 "configuration is read",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, child),
	 .not_key = true},
	{.name = "help",
	 .help = "print this text",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, help),
	 .stop = true},
	{.name = "version",
	 .help = "print the version",
	 .set = option_set_flag,
	 .offset = offsetof(struct helper_config, version),
	 .stop = true},
};
static const struct option_table option_table = {option_rows, ARRAY_SIZE(option_rows)};

/* Main's; `switches` is also the connections'. */
struct switch_helper {
	struct helper_config line; /* the command line */
	uint64_t given;
	uid_t user;
	struct server server;
	struct switches switches;
};

/* ---- configuration ----------------------------------------------------------------------------
 */

static void configure(struct switch_helper *h, const struct helper_config *c)
{
	const bool may_change = allow_has(&c->allow, ALLOW_FABRIC);

	switches_configure(&h->switches, c->switch_mailbox, may_change);
	if (!c->switch_mailbox)
		log_info("no switch is used, because switch-mailbox is not configured");
	else
		log_info("switch-mailbox is %s; changes are %s", c->switch_mailbox,
			 may_change ? "allowed" : "not allowed");
}

/* Under the command line, which wins. */
static int load_configuration(struct switch_helper *h, struct error *e)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	struct helper_config values = h->line, overruled = h->line;
	struct option_files f = {
		.table = &option_table,
		.arena = arena,
		.values = &values,
		.overruled = &overruled,
		.given = h->given,
		.other_keys = true,
	};
	int r = 0;

	if (!arena)
		return error_set(e, ENOMEM, "out of memory");
	if (!h->line.child)
		r = option_files_read_all(&f, h->line.file, e);
	if (r == 0)
		configure(h, &values);
	return r;
}

static void on_hangup(void *userdata)
{
	struct error e = {0};

	if (load_configuration(userdata, &e) < 0)
		log_err("the configuration remains as it was: %s", e.text);
}

/* ---- the service ------------------------------------------------------------------------------
 */

static void use_privileges(bool on)
{
	(void)capabilities_use(on ? KEPT_CAPABILITIES : 0);
}

/* Before any thread is started, so that all threads block it. */
static int block_hangup(struct error *e)
{
	sigset_t set;
	int fd;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGHUP);
	(void)pthread_sigmask(SIG_BLOCK, &set, NULL);
	fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return fd < 0 ? error_set(e, errno, "signalfd: %s", strerror(errno)) : fd;
}

/* program_fn */
static int serve(void *userdata, int listener, struct error *e)
{
	struct switch_helper *h = userdata;
	struct program_signal hangup = {.taken = on_hangup, .userdata = h};
	struct switch_bus bus = {.privileges = use_privileges};
	int r;

	hangup.fd = block_hangup(e);
	if (hangup.fd < 0)
		return hangup.fd;
	bus.root = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (bus.root < 0)
		return error_set(e, errno, "/: %s", strerror(errno));
	switches_set_up(&h->switches, &bus);
	r = capabilities_drop(KEPT_CAPABILITIES);
	if (r == 0)
		r = capabilities_use(0);
	if (r < 0)
		return error_set(e, r, "capabilities cannot be dropped: %s", strerror(-r));
	r = load_configuration(h, e);
	if (r < 0)
		return r;
	h->server =
		(struct server){.serve = switches_serve, .userdata = &h->switches, .user = h->user};
	return program_accept(&h->server, listener, &hangup, e);
}

static void print_help(void)
{
	(void)puts("Usage: cxl-redfish-switch-helper --user USER [OPTION...]\n\n"
		   "Sends commands to the mailboxes of CXL switches for cxl-redfishd.\n\n"
		   "Options:");
	options_print(stdout, &option_table, 0);
	(void)puts("\nSIGHUP reads the configuration again.\n\n"
		   "Exit status:\n"
		   "  0  the program that started it has ended\n"
		   "  1  there is no socket, or the configuration or the socket cannot be used\n"
		   "  2  wrong usage\n\n"
		   "Manual page: cxl-redfish-switch-helper(8)");
}

static bool parse_options(int argc, char **argv, struct switch_helper *h, int *ret_status)
{
	struct option_result result = {0};
	struct error e = {0};
	int r = options_parse(&option_table, argc, argv, &h->line, &result, &e);

	h->given = result.given;
	*ret_status = EXIT_SUCCESS;
	if (r == 0 && h->line.help) {
		print_help();
		return false;
	}
	if (r == 0 && h->line.version) {
		(void)printf("cxl-redfish-switch-helper " PACKAGE_VERSION "\n");
		return false;
	}
	if (r == 0 && result.n_operands > 0)
		r = error_set(&e, EINVAL, "unexpected argument '%s'", result.operands[0]);
	if (r == 0 && !h->line.user)
		r = error_set(&e, EINVAL, "--user is required");
	if (r < 0)
		log_err("%s; see --help", e.text);
	*ret_status = STATUS_USAGE;
	return r == 0;
}

int main(int argc, char **argv)
{
	static struct switch_helper h; /* threads use it until the process has ended */
	struct error e = {0};
	int r, listener, status;

	log_setup("cxl-redfish-switch-helper", LOG_LEVEL_INFO);
	if (!parse_options(argc, argv, &h, &status))
		return status;
	r = program_find_user(h.line.user, &h.user, &e);
	listener =
		r < 0 ? r
		      : program_find_listener(h.line.child, "cxl-redfish-switch-helper.socket", &e);
	r = listener < 0   ? listener
	    : h.line.child ? program_serve_by_child(serve, &h, listener, &e)
			   : serve(&h, listener, &e);
	if (r < 0)
		log_err("%s", e.text);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
