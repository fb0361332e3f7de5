// SPDX-License-Identifier: LGPL-2.1-or-later
//
// cxl-redfish-repair: repairs places that devices asked to have repaired, once at boot, by
// cxl-redfish-change-helper. Without privileges: those of the service.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "change/protocol.h"
#include "common/allow.h"
#include "common/array.h"
#include "common/cleanup.h"
#include "common/log.h"
#include "common/option_files.h"
#include "daemon/boot_repairs.h"
#include "events/store.h"
#include "opener/opener.h"

DEFINE_CLEANUP(struct arena, arena_free);
DEFINE_CLEANUP(struct host_root, host_root_free);
DEFINE_CLEANUP(struct opener, opener_free);
DEFINE_CLEANUP(struct change_client, change_client_free);
DEFINE_CLEANUP(struct state, state_free);

enum { STATUS_USAGE = 2, PATH_BYTES = 4096 };

struct repair_options {
	const char *state, *file;
	const char *policy;
	struct option_list allow;
	bool help, version;
};

static const struct option_row option_rows[] = {
	{
		.name = "state",
		.argument = "DIRECTORY",
		.help = "the state directory of the service, default " STATE_DEFAULT,
		.set = option_set_text,
		.offset = offsetof(struct repair_options, state),
		.not_key = true,
	},
	{
		.name = "config",
		.argument = "FILE",
		.help = "read the keys repair-policy and allow from FILE, and from the files FILE.d/*.conf, instead of " CONFIG_FILE,
		.set = option_set_text,
		.offset = offsetof(struct repair_options, file),
		.not_key = true,
	},
	REPAIR_POLICY_OPTION_ROW(struct repair_options, policy),
	ALLOW_OPTION_ROW(struct repair_options, allow),
	{
		.name = "help",
		.help = "print this text",
		.set = option_set_flag,
		.offset = offsetof(struct repair_options, help),
		.stop = true,
	},
	{
		.name = "version",
		.help = "print the version",
		.set = option_set_flag,
		.offset = offsetof(struct repair_options, version),
		.stop = true,
	},
};
static const struct option_table option_table = {option_rows, ARRAY_SIZE(option_rows),
						 .once = true};

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
	(void)number;
	ended = 1;
}

static bool is_ended(void *userdata)
{
	(void)userdata;
	return ended != 0;
}

/* A repair that has begun ends first, so that its outcome is known. */
static void catch_signals(void)
{
	const struct sigaction action = {.sa_handler = on_signal};

	(void)sigaction(SIGTERM, &action, NULL);
	(void)sigaction(SIGINT, &action, NULL);
}

static void print_help(void)
{
	(void)puts(
		"Usage: cxl-redfish-repair [OPTION...]\n\n"
		"Repairs places that memory devices asked to have repaired, of devices without a\n"
		"committed decoder, if repair-policy says so. Run once at boot.\n\n"
		"Options:");
	options_print(stdout, &option_table, 0);
	(void)puts("\nExit status:\n"
		   "  0  all that was possible was tried, or there was nothing to do\n"
		   "  1  the configuration, the worklist or the host cannot be read\n"
		   "  2  wrong usage\n\n"
		   "Manual page: cxl-redfish-repair(8)");
}

/* Return: whether to go on; otherwise the exit status is set. */
static bool parse_options(int argc, char **argv, struct repair_options *line, uint64_t *ret_given,
			  int *ret_status)
{
	struct option_result result = {0};
	struct error e = {0};
	int r = options_parse(&option_table, argc, argv, line, &result, &e);

	*ret_given = result.given;
	*ret_status = EXIT_SUCCESS;
	if (r == 0 && line->help)
		print_help();
	else if (r == 0 && line->version)
		(void)puts("cxl-redfish-repair " PACKAGE_VERSION);
	else if (r == 0 && result.n_operands == 0)
		return true;
	else if (r == 0)
		r = error_set(&e, EINVAL, "unexpected argument '%.64s'", result.operands[0]);
	if (r < 0) {
		log_err("%s; see --help", e.text);
		*ret_status = STATUS_USAGE;
	}
	return false;
}

/* Without the permission the helper is not asked: it may be waited for. */
static enum repair_policy choose_policy(const struct repair_options *values)
{
	const enum repair_policy policy = repair_policy_of(values->policy);

	if (policy == REPAIR_POLICY_OFF)
		log_info("no repair is made without a person: repair-policy is off");
	if (policy != REPAIR_POLICY_UNUSED || allow_bits(&values->allow) & ALLOW_REPAIR)
		return policy;
	log_warning("no repair is made: repair-policy is unused, but allow has no repair");
	return REPAIR_POLICY_OFF;
}

static int read_policy(const struct repair_options *line, uint64_t given, enum repair_policy *ret,
		       struct error *e)
{
	_cleanup_(arena_freep) struct arena *arena = arena_new();
	struct repair_options values = *line, overruled = *line;
	struct option_files f = {
		.table = &option_table,
		.arena = arena,
		.values = &values,
		.overruled = &overruled,
		.given = given,
		.other_keys = true,
	};
	int r = arena ? option_files_read_all(&f, line->file, e)
		      : error_set(e, ENOMEM, "out of memory");

	if (r == 0)
		*ret = choose_policy(&values);
	return r;
}

static int make_opener(const char *path, struct opener **ret, struct error *e)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int r;

	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	r = opener_new((const struct sockaddr *)&address, sizeof(address), OPENER_SHARED, ret);
	if (r < 0)
		return error_set(e, r, "out of memory");
	opener_set_up(*ret, true);
	return 0;
}

/* Return: 1 with the database; 0 when there is none: nothing has ever asked for a repair. */
static int open_state(const char *directory, char log[static PATH_BYTES], struct state **ret,
		      struct error *e)
{
	char path[PATH_BYTES];

	if (snprintf(path, sizeof(path), "%s/" STATE_FILE, directory) >= (int)sizeof(path) ||
	    snprintf(log, PATH_BYTES, "%s/" STORE_FILE, directory) >= PATH_BYTES)
		return error_set(e, ENAMETOOLONG, "the path of --state is too long");
	if (access(path, F_OK) < 0 && errno == ENOENT)
		return 0;
	if (state_new_beside(path, ret, e) < 0)
		return -ENOMEM;
	return state_status(*ret, e) < 0 ? -EIO : 1;
}

static int run(const struct repair_options *line, enum repair_policy policy, struct error *e)
{
	_cleanup_(host_root_freep) struct host_root *root = NULL;
	_cleanup_(opener_freep) struct opener *reading = NULL, *changing = NULL;
	_cleanup_(change_client_freep) struct change_client *client = NULL;
	_cleanup_(state_freep) struct state *state = NULL;
	char log[PATH_BYTES];
	struct boot_repairs b = {
		.policy = policy,
		.log = log,
		.wait_ms = BOOT_REPAIR_WAIT_MS,
		.begin_ms = BOOT_REPAIR_BEGIN_MS,
		.cancelled = is_ended,
	};
	int r = open_state(line->state ? line->state : STATE_DEFAULT, log, &state, e);

	if (r == 0)
		log_info("no repair is made: there is no state database yet");
	if (r <= 0)
		return r;
	r = host_root_open_live(&root, e);
	if (r == 0)
		r = make_opener(OPENER_SOCKET, &reading, e);
	if (r == 0)
		r = make_opener(OPENER_CHANGE_SOCKET, &changing, e);
	if (r < 0)
		return r;
	/* root reads files of root itself. */
	root->opener = geteuid() == 0 ? NULL : reading;
	client = change_client_new_helper(changing, CHANGE_SILENCE_MS);
	if (!client)
		return error_set(e, ENOMEM, "out of memory");
	b.state = state;
	b.root = root;
	b.client = client;
	return boot_repairs_run(&b, e);
}

int main(int argc, char **argv)
{
	enum repair_policy policy = REPAIR_POLICY_OFF;
	struct repair_options line = {0};
	struct error e = {0};
	uint64_t given;
	int status, r;

	log_setup("cxl-redfish-repair", LOG_LEVEL_INFO);
	if (!parse_options(argc, argv, &line, &given, &status))
		return status;
	catch_signals();
	r = read_policy(&line, given, &policy, &e);
	if (r == 0 && policy != REPAIR_POLICY_OFF)
		r = run(&line, policy, &e);
	if (r < 0)
		log_err("no repair is made: %s", e.text);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
